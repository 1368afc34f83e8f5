"""What a worker of the cluster does: measure blocks in a slot that stays prepared between them.

As in a local run, the processes of strategies stay alive throughout a round of a launch, and each round has fresh ones.
A slot that fails is closed with all its processes; the next block opens another.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import platform
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.folder.seal import digest
from sudoku_bench.bench.machine import description, disturbance, pinning, system
from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.process.warden import guarded
from sudoku_bench.bench.run.cluster.blocks import Block, Head
from sudoku_bench.bench.run.cluster.connection import RESOURCE
from sudoku_bench.bench.run.runner import confinement
from sudoku_bench.bench.run.slot import Slot
from sudoku_bench.bench.run.timeouts import Timeouts
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError

ENGINE = ("dask", "distributed")  # packages that pass messages between hosts
SHOWN = 12  # digits of a checksum
WORKERS_PER_SLOT = 1_000_000  # numbers of workers reserved for each


@dataclass(frozen=True)
class Measured:
    """A measured block.

    Attributes:
        slot: which slot measured it; ``host``: the label of its host, as in the rows.
        about: the host, for the manifest, in the first block of a slot.
        disturbance: of the host since the slot was opened, from the slot that watches it.
        seconds: duration of the block.
    """

    rows: list[Row]
    slot: str
    host: str
    about: dict[str, Any] | None
    disturbance: dict[str, Any] | None
    seconds: float


@dataclass(frozen=True)
class Refusal:
    """A block that a worker must not measure: why, and the address of the worker."""

    reason: str
    worker: str


class Ended(Exception):
    """The run has been ended by its command."""


class KeptSlot:
    """A slot for the blocks of one run.

    Args:
        block: the first one.

    Raises:
        InputError: this host must not measure: its software differs, or no core is free.
    """

    def __init__(self, head: Head, block: Block) -> None:
        software, node = software_of(head.plan), platform.node() or "a worker"
        require_same(head.software, software, node)
        self.run, self._name = head.run, secrets.token_hex(4)
        try:
            self._core = pinning.lock_core(pinning.parse_pin(head.plan.suite.pin))
        except InputError as error:
            raise InputError(f"{node}: {error}") from None
        cores = (self._core.core,) if self._core else None
        self._watch = pinning.lock(f"monitor-{head.run}")  # one slot watches the host
        self._monitor = disturbance.Monitor(pinned=cores or (), pid=root_pid()) if self._watch else None
        if self._monitor:
            self._monitor.start()
        self._about: dict[str, Any] | None = {"machine": description.facts(), "versions": software}
        self._timeouts = Timeouts()  # the command sets strategies aside: it knows the rows of all slots
        start_s, first = wall_s() - block.sent_s, block.number * WORKERS_PER_SLOT + 1
        self._lane = Slot(
            head.plan,
            replace(confinement(head.plan, mark_of_process()), cores=cores, usable=system.usable_cores()),
            iter(range(first, first + WORKERS_PER_SLOT)),
            self._timeouts,
            lambda: wall_s() - start_s,
        )

    def measure(self, block: Block) -> Measured:
        """Measure a block.

        Raises:
            Ended: the run was ended meanwhile.
        """
        start_s, rows = wall_s(), []
        self._timeouts.tell(block.untried)
        for row in self._lane.more_rows(iter(block.measurements)):
            if self.run in _ended:
                raise Ended
            rows.append(row)
            if self._monitor:
                self._monitor.sample()
        about, self._about = self._about, None
        looked = self._monitor.facts() if self._monitor else None
        return Measured(rows, self._name, rows[0].host, about, looked, wall_s() - start_s)

    def close(self) -> None:
        """End all processes of the slot and free its core."""
        self._lane.close()
        for held in (self._core and self._core.held, self._watch):
            if held:
                held.close()


_free: list[KeptSlot] = []  # of this process
_ended: set[str] = set()  # runs


def run_block(head: bytes, run: str, block: Block) -> Measured | Refusal:
    """Measure a block in a kept slot of this process: the task that the cluster executes.

    Args:
        head: a pickled ``Head``; ``run`` is its run.

    Raises:
        Ended: the run was ended meanwhile.
    """
    try:
        slot = _kept(run) or KeptSlot(pickle.loads(head), block)
    except InputError as error:
        return Refusal(str(error), own_address())
    try:
        measured = slot.measure(block)
    except BaseException:
        slot.close()
        raise
    _free.append(slot)
    if run in _ended:
        end_run(run)
    return measured


def _kept(run: str) -> KeptSlot | None:
    """Take a free slot of a run; close those of others, which hold cores: their commands may have ended without a word.

    Blocks of several threads take different ones.
    """
    with contextlib.suppress(IndexError):
        while (slot := _free.pop()).run != run:
            slot.close()
        return slot
    return None


def end_run(run: str) -> None:
    """Close the free slots of a run in this process; the others are closed after their current measurement."""
    _ended.add(run)
    while slot := _kept(run):
        slot.close()


def software_of(plan: Plan) -> dict[str, str]:
    """Return what this host would measure with, as far as it matters to a plan.

    These are the versions of Python, of the packages that its strategies need and of Dask, and checksums of the
    project's own code and of the plug-ins, programs and other files that strategies consist of.
    """
    needed = {name for info in plan.strategies for name in info.requires} | {"numba", "numpy", *ENGINE}
    versions = {name: version or "not installed" for name, version in description.versions(needed).items()}
    files = {info.plugin: digest(Path(info.plugin)) for info in plan.strategies if info.plugin}
    for info in plan.strategies:
        files |= strategies.checksums(info)
    code = {"sudoku-bench": description.own_code()}
    checksums = {name: sha256[:SHOWN] or "missing" for name, sha256 in (code | files).items()}
    return {"Python": platform.python_version(), **versions, **checksums}


def require_same(ours: Mapping[str, str], theirs: Mapping[str, str], node: str) -> None:
    """Refuse a host with other software: its times would be those of something else.

    Raises:
        InputError: something differs.
    """
    for name, version in ours.items():
        if theirs.get(name, "missing") != version:
            raise InputError(
                f"{node}: {name} is {theirs.get(name, 'missing')} there and {version} here; install the same on all"
                " hosts, and put plug-ins into a folder that they share"
            )


async def withdraw(dask_worker: Any) -> None:
    """Have a worker offer no more measurements."""
    await dask_worker.set_resources(**{RESOURCE: 0})


@cache
def mark_of_process() -> str:
    """Return the mark of all processes that slots of this process start; a warden ends what it would leave."""
    stack = contextlib.ExitStack()
    mark = stack.enter_context(guarded(hint=""))
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
