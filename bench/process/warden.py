"""The warden of a run: kills the processes that the run leaves behind if the runner itself is killed.

Started with the arguments FD MARK, it waits until the other end of the pipe is closed, which happens however the
runner ends, then kills every process that carries the mark of the run. Workers end with the runner anyway; the warden
is for processes that a solver started in another session.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator

from bench.process import orphans
from bench.worker import process_tree, start


@contextlib.contextmanager
def guarded() -> Iterator[str]:
    """Ensure that no process started by a worker keeps running, however workers and runner end.

    Yields the mark that the workers must carry.
    """
    mark = secrets.token_hex(8)
    reading, life = os.pipe()
    warden = subprocess.Popen(
        start.command("bench.process.warden", str(reading), mark),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(reading,),
        start_new_session=True,
    )
    os.close(reading)
    try:
        with orphans.adopted():
            yield mark
    finally:
        os.close(life)
        warden.wait()


def main(fd: int, mark: str) -> None:
    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.SIG_IGN)
    os.read(fd, 1)
    process_tree.kill_run(mark)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
