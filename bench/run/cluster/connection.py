"""Connections to Dask clusters: one that runs already, or workers on this machine."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.run.cluster import local
from sudoku_bench.bench.run.cluster.local import QUIET, RESOURCE
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 15.0
NOISY = ("distributed", "tornado", "asyncio", "bokeh")  # their log would fill the terminal
# Code for the processes of a cluster: before they have run it, they find no other package of the project.
IMPORTING = "import sudoku_bench.bench"
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
        where = cluster.scheduler or ended.enter_context(local.workers(cluster.workers))
        try:
            client = Client(where, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"--scheduler {cluster.scheduler}: cannot be reached: {reason}") from None
        ended.callback(quietly, client.close)
        ended.enter_context(silenced())  # connecting has made more loggers
        require_installed(client, cluster.name)
        yield client


def require_installed(client: Client, name: str) -> None:
    """Have the scheduler, the workers and those that join later import the project.

    Raises:
        InputError: one of them cannot.
    """
    importing = partial(exec, IMPORTING, {})
    try:
        client.run_on_scheduler(importing)
        client.register_worker_callbacks(importing)
    except ImportError as error:
        raise InputError(f"{name}: {error}; install the same sudoku-bench for the scheduler and all workers") from None


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Keep the log of the cluster's packages out of the terminal; what matters is reported as a line of ours."""
    names = {name for name in (*NOISY, *logging.root.manager.loggerDict) if name.partition(".")[0] in NOISY}
    levels = {logger: logger.level for logger in map(logging.getLogger, names)}
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
