"""Connections to Dask clusters: one that runs already, or workers on this machine.

Those are in a process of their own (``main``), because Dask's would import the script that asks for them again, and
hear its Ctrl-C.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.worker import start
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from distributed import Client

RESOURCE = "measurement"  # what a worker offers for each simultaneous measurement
# Each process of Dask looks at the stacks of its threads a hundred times a second, at its event loop fifty times and at
# the system twice, also during a solve. Two workers that do nothing use 6% of a core, but 1% with these settings.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
CONNECT_S = 15.0
# The loggers of a cluster's packages that have levels of their own; their log would fill the terminal.
NOISY = ("asyncio", "bokeh", "distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application")
INSTALL = "pip install 'sudoku-bench[cluster]'"


class ClusterError(Exception):
    """The cluster cannot go on measuring. The rows so far are whole blocks, and the run can be resumed."""


@dataclass(frozen=True)
class Cluster:
    """Where to measure: on the workers of the scheduler at an address, else on so many workers on this machine.

    Attributes:
        wait_s: how long the run waits for a worker before it ends, to be resumed.
    """

    scheduler: str | None = None
    workers: int = 1
    wait_s: float = 600.0

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.scheduler or "the local cluster"


def require_usable(cluster: Cluster) -> None:
    """Refuse a cluster without Dask, or with an address that is none.

    Raises:
        InputError: Dask is not installed, or the address has no host and port.
    """
    if find_spec("distributed") is None:
        raise InputError(f"--engine dask: the package distributed is missing; {INSTALL}")
    if cluster.scheduler is not None:
        from distributed.comm.addressing import get_address_host_port

        try:
            get_address_host_port(cluster.scheduler)
        except ValueError as error:
            raise InputError(f"--scheduler {cluster.scheduler}: {error}; an address is tcp://HOST:PORT") from None


@contextlib.contextmanager
def connected(cluster: Cluster) -> Iterator[Client]:
    """Connect to a cluster, started here unless it has an address, and then also ended here.

    Raises:
        InputError: it cannot be reached or started.
    """
    import dask.config
    from distributed import Client

    with contextlib.ExitStack() as ended:
        ended.enter_context(silenced())
        ended.enter_context(dask.config.set(QUIET))
        where = cluster.scheduler or ended.enter_context(workers(cluster.workers))
        try:
            client = Client(where, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"--scheduler {cluster.scheduler}: cannot be reached: {reason}") from None
        ended.callback(quietly, client.close)
        require_installed(client, cluster.name)
        yield client


def require_installed(client: Client, name: str) -> None:
    """Have the scheduler, the workers and those that join later import the project.

    Raises:
        InputError: one of them cannot.
    """
    importing = partial(exec, "import sudoku_bench.bench", {})
    try:
        client.run_on_scheduler(importing)
        client.register_worker_callbacks(importing)
    except ImportError as error:
        raise InputError(f"{name}: {error}; install the same sudoku-bench for the scheduler and all workers") from None


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Keep the log of the cluster's packages out of the terminal; what matters is reported as a line of ours."""
    levels = {logger: logger.level for logger in map(logging.getLogger, NOISY)}
    try:
        for logger in levels:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def quietly(close: Any) -> None:
    """Call what may fail when the other side is gone already."""
    with contextlib.suppress(Exception):
        close()


def slots_by_worker(client: Client) -> dict[str, int]:
    """Return the number of simultaneous measurements of each present worker, by address."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    return {address: int(facts.get("resources", {}).get(RESOURCE, 0)) for address, facts in workers.items()}


@contextlib.contextmanager
def workers(number: int) -> Iterator[str]:
    """Start a scheduler with so many workers and yield its address. They end with the context, or with this process.

    Raises:
        InputError: they do not start.
    """
    with subprocess.Popen(
        start.command("sudoku_bench.bench.run.cluster.connection", str(number)),
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
    """Serve as a scheduler with so many workers on this machine until the input ends."""
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
