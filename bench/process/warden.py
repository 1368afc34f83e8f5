"""The warden of a run: kills the processes that the run leaves behind if the runner itself is killed.

Started with the arguments FD MARK HINT GROUPS, it waits until the other end of the pipe is closed, which happens
however the runner ends, then kills every process that carries the mark of the run. If the runner did not say goodbye,
it was killed: the warden also kills the control groups whose paths begin with GROUPS, and prints the hint. Workers end
with the runner anyway; the warden is for processes that a solver started in another session.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sudoku_bench.bench.process import memory_group, orphans
from sudoku_bench.bench.process.memory_group import MemoryGroup
from sudoku_bench.bench.worker import process_tree, start

GOODBYE = b"."
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
    place = memory_group.place()
    command = ("sudoku_bench.bench.process.warden", str(reading), mark, hint, memory_group.beginning(place))
    warden = None
    try:  # from here on: Ctrl-C may come at any time, and this process may go on after it
        warden = subprocess.Popen(
            start.command(*command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(reading,),
            start_new_session=True,
        )
        with memory_group.joined(place), orphans.adopted():  # not the warden, which kills all of the group
            yield mark
    finally:
        with contextlib.suppress(OSError):  # the warden was killed
            os.write(life, GOODBYE)
        os.close(life)
        os.close(reading)
        if warden:
            warden.wait()


def main(fd: int, mark: str, hint: str, groups: str) -> None:
    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.SIG_IGN)
    said = os.read(fd, 1)
    if said != GOODBYE and groups:
        for folder in Path(groups).parent.glob(f"{Path(groups).name}*"):
            MemoryGroup(folder).close()
    process_tree.kill_run(mark)
    if said != GOODBYE and hint:
        with contextlib.suppress(OSError):
            os.write(2, f"{hint}\n".encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
