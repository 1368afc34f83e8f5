"""The warden of a run: kills the processes that the run leaves behind if the runner itself is killed.

Started with the arguments FD MARK HINT GROUP, it waits until the other end of the pipe is closed, which happens
however the runner ends, then kills every process that carries the mark of the run. If the runner did not say goodbye,
it was killed: the warden also kills the control group of the run, and prints the hint. Workers end with the runner
anyway; the warden is for processes that a solver started in another session.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from sudoku_bench.bench.machine import control_groups
from sudoku_bench.bench.process import orphans
from sudoku_bench.bench.worker import process_tree, start
from sudoku_bench.bench.worker.clocks import wall_s

GOODBYE = b"."
PATIENCE_S = 5.0  # for a killed group to be empty
KILLED = "sudoku-bench: was killed; finished rows are kept in the run folder, and `run --out FOLDER --resume` goes on"


@contextlib.contextmanager
def guarded(hint: str = KILLED) -> Iterator[str]:
    """Ensure that no process started by a worker keeps running, however workers and runner end.

    Yields the mark that the workers must carry.

    Args:
        hint: printed if this process is killed; may be empty.
    """
    mark = secrets.token_hex(8)
    reading, life = os.pipe()
    group = new_group()
    command = ("sudoku_bench.bench.process.warden", str(reading), mark, hint, str(group or ""))
    warden = None
    try:  # from here on: Ctrl-C may come at any time, and this process may go on after it
        warden = subprocess.Popen(
            start.command(*command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(reading,),
            start_new_session=True,
        )
        with joined(group), orphans.adopted():  # not the warden, which kills all of the group
            yield mark
    finally:
        with contextlib.suppress(OSError):  # the warden was killed
            os.write(life, GOODBYE)
        os.close(life)
        os.close(reading)
        if warden:
            warden.wait()


def new_group() -> Path | None:
    """Return the path of a new control group below that of this process; None if there are none of version 2."""
    name = f"sudoku-bench-{os.getpid()}-{secrets.token_hex(4)}"
    return next((folder / name for folder in control_groups.folders()), None)


@contextlib.contextmanager
def joined(group: Path | None) -> Iterator[None]:
    """Move this process into a new control group, where one can be made: what it starts can be killed with it."""
    try:
        with contextlib.suppress(OSError):  # no permission
            if group:
                group.mkdir()
                (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        with contextlib.suppress(OSError):
            if group:
                (group.parent / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
                group.rmdir()


def kill_group(group: Path) -> None:
    """Kill the processes of a control group and remove it."""
    with contextlib.suppress(OSError):
        (group / "cgroup.kill").write_text("1", encoding="ascii")
    deadline_s = wall_s() + PATIENCE_S
    while group.is_dir() and wall_s() < deadline_s:
        with contextlib.suppress(OSError):
            group.rmdir()
        time.sleep(0.005)


def main(fd: int, mark: str, hint: str, group: str) -> None:
    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.SIG_IGN)
    said = os.read(fd, 1)
    if said != GOODBYE and group:
        kill_group(Path(group))
    process_tree.kill_run(mark)
    if said != GOODBYE and hint:
        with contextlib.suppress(OSError):
            os.write(2, f"{hint}\n".encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
