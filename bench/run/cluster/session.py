"""What a worker of the cluster does: measure blocks, one after the other, in a lane that stays prepared between them.

A session is the lane of one slot for one run. As in a local run, the processes of its strategies stay alive throughout
a round of a launch, and each round has fresh ones. A session that fails, or that has nothing to do for a while, is
closed with all its processes; the next block opens another.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import platform
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bench.folder.rows import Row
from bench.machine import claims, description, disturbance, pinning, system
from bench.process.warden import guarded
from bench.run.cluster.blocks import Block, Head
from bench.run.cluster.connection import RESOURCE
from bench.run.cluster.hosts import Software
from bench.run.lane import Lane
from bench.run.runner import confinement
from bench.run.timeouts import Timeouts
from bench.worker.clocks import wall_s
from datasets.errors import InputError

WORKERS_PER_SESSION = 1_000_000  # numbers of workers reserved for each
IDLE_S, LOOKS = 60.0, 4  # until an unused session is closed; looks at it within that time
REPORT_S = 5.0  # between two reports on the disturbances of a host


@dataclass(frozen=True)
class Host:
    """A host as its first session reports it, ready for the manifest."""

    machine: dict[str, Any]
    versions: dict[str, str | None]


@dataclass(frozen=True)
class Measured:
    """A measured block.

    Attributes:
        session: which session measured it; ``host``: the label of its host, as in the rows.
        about: the host, in the first block of a session.
        disturbance: of the host since the session began, from the session that watches it, now and then.
        seconds: duration of the block.
    """

    number: int
    rows: list[Row]
    session: str
    host: str
    about: Host | None
    disturbance: dict[str, Any] | None
    seconds: float


@dataclass(frozen=True)
class Refusal:
    """A block that a worker must not measure: why, and the address of the worker."""

    reason: str
    worker: str


class Ended(Exception):
    """The run has been ended by its command."""


class Session:
    """A lane for the blocks of one run.

    Args:
        pid: root of the processes on this host that belong to the cluster.

    Attributes:
        free_s: when it became free.

    Raises:
        InputError: this host must not measure: its software differs, or no core is free.
    """

    def __init__(self, head: Head, block: Block, pid: int) -> None:
        here = Software.of(head.plan)
        node = platform.node() or "a worker"
        head.software.require_same(here, node)
        self.run, self.name, self._contestants = head.run, secrets.token_hex(4), head.contestants
        pin = pinning.parse_pin(head.plan.suite.pin)
        try:
            self._core = claims.claim_core(pin)
        except InputError as error:
            raise InputError(f"{node}: {error}") from None
        self._watch = claims.claim(f"monitor-{head.run}")  # one session watches the host
        cores = (self._core.core,) if self._core else None
        self._monitor = disturbance.Monitor(pinned=cores or (), pid=pid) if self._watch else None
        if self._monitor:
            self._monitor.start()
        self._about: Host | None = Host(description.facts(), dict(here.versions))
        self._reported_s = self.free_s = start_s = wall_s()
        self._timeouts = Timeouts()  # the command sets strategies aside: it knows the rows of all sessions
        confined = replace(confinement(head.plan, mark_of_process()), cores=cores, usable=system.usable_cores())
        numbers = iter(range(block.number * WORKERS_PER_SESSION + 1, (block.number + 1) * WORKERS_PER_SESSION))
        self._lane = Lane(
            head.plan,
            confined,
            head.clock_cost_s,
            numbers,
            self._timeouts,
            lambda: wall_s() - start_s + block.sent_s,
        )

    def measure(self, block: Block) -> Measured:
        """Measure a block.

        Raises:
            Ended: the run was ended meanwhile.
        """
        start_s = wall_s()
        self._timeouts.tell(block.untried)
        rows = []
        for row in self._lane.more_rows(block.measurements(self._contestants)):
            if self.run in _pool.ended:
                raise Ended
            rows.append(row)
            if self._monitor:
                self._monitor.sample()
        about, self._about = self._about, None
        seconds = wall_s() - start_s
        return Measured(block.number, rows, self.name, rows[0].host, about, self._disturbance(), seconds)

    def _disturbance(self) -> dict[str, Any] | None:
        if self._monitor is None or wall_s() - self._reported_s < REPORT_S:
            return None
        self._reported_s = wall_s()
        facts, _ = self._monitor.finish()
        return facts

    def close(self) -> None:
        """End all processes of the session and free its core."""
        self._lane.close()
        for held in (self._core and self._core.held, self._watch):
            if held:
                held.close()


class Pool:
    """The sessions of this process that no block uses at the moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: dict[str, list[Session]] = {}  # by run
        self._closer: threading.Thread | None = None  # one for all: starting a thread for each block would cost 1 ms
        self.ended: set[str] = set()  # runs

    @contextlib.contextmanager
    def session(self, block: Block) -> Iterator[Session]:
        """Take a free session for a block, or open one. If the block fails, the session is closed."""
        with self._lock:
            free = self._free.setdefault(block.run, [])
            session = free.pop() if free else None
        if session is None:
            session = Session(pickle.loads(block.head), block, root_pid())
        try:
            yield session
        except BaseException:
            session.close()
            raise
        with self._lock:
            if session.run not in self.ended:
                session.free_s = wall_s()
                free.append(session)
                if self._closer is None:
                    self._closer = threading.Thread(target=self._close_idle, daemon=True)
                    self._closer.start()
                return
        session.close()

    def _close_idle(self) -> None:
        """Close sessions that have been free for long."""
        while True:
            time.sleep(IDLE_S / LOOKS)
            with self._lock:
                long_ago_s = wall_s() - IDLE_S
                idle = [(free, each) for free in self._free.values() for each in free if each.free_s < long_ago_s]
                for free, session in idle:
                    free.remove(session)
            for _, session in idle:
                session.close()

    def end(self, run: str) -> None:
        """Close the free sessions of a run; the others are closed after their current measurement."""
        with self._lock:
            self.ended.add(run)
            sessions = self._free.pop(run, [])
        for session in sessions:
            session.close()


_pool = Pool()
_guard = threading.Lock()


def run_block(pickled: bytes) -> Measured | Refusal:
    """Measure a block in a free session of this process: the task that the cluster executes.

    Args:
        pickled: a ``Block``.

    Raises:
        Ended: the run was ended meanwhile.
    """
    block = pickle.loads(pickled)
    try:
        with _pool.session(block) as session:
            return session.measure(block)
    except InputError as error:
        return Refusal(str(error), own_address())


def end_run(run: str) -> None:
    """Close the sessions of a run in this process."""
    _pool.end(run)


async def withdraw(dask_worker: Any) -> None:
    """Have a worker offer no more measurements."""
    await dask_worker.set_resources(**{RESOURCE: 0})


def mark_of_process() -> str:
    """Return the mark of all processes that sessions of this process start; a warden ends what it would leave."""
    with _guard:
        return _guarded_mark()


@cache
def _guarded_mark() -> str:
    stack = contextlib.ExitStack()
    mark = stack.enter_context(guarded())
    atexit.register(stack.close)
    return mark


def root_pid() -> int:
    """Return the root of this worker's processes: its nanny, which starts the other workers of the same command too."""
    from distributed import get_worker

    return os.getppid() if get_worker().nanny else os.getpid()


def own_address() -> str:
    """Return the address of this worker."""
    from distributed import get_worker

    return str(get_worker().address)
