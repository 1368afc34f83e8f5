"""Dask workers on this machine: ``python -m sudoku_bench.bench.run.cluster.local NUMBER``, which ends with its input.

They have a process of their own, because Dask's would import the script that asks for them again, and hear its Ctrl-C.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
from collections.abc import Iterator

from sudoku_bench.bench.worker import start
from sudoku_bench.datasets.errors import InputError

RESOURCE = "measurement"  # what a worker offers for each simultaneous measurement
# Each process of Dask looks at the stacks of its threads a hundred times a second, at its event loop fifty times and at
# the system twice, also during a solve. Two workers that do nothing use 6% of a core, but 1% with these settings.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}


@contextlib.contextmanager
def workers(number: int) -> Iterator[str]:
    """Start a scheduler with so many workers and yield its address. They end with the context, or with this process.

    Raises:
        InputError: they do not start.
    """
    command = start.command(__name__, str(number))
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C is for this process, which ends them
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            raise InputError("--engine dask: its workers on this machine do not start; give it a --scheduler")
        yield address


def main(number: int) -> None:
    import dask.config
    from distributed import LocalCluster

    how = {"n_workers": number, "threads_per_worker": 1, "resources": {RESOURCE: 1}, "memory_limit": 0}
    quiet = {"dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    with dask.config.set(QUIET), LocalCluster(**how, **quiet) as cluster:
        sys.stdout.write(f"{cluster.scheduler_address}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
