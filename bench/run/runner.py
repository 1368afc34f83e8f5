"""Executes the remaining measurements of a plan and yields each finished row, its answer verified."""

from __future__ import annotations

import contextlib
import gc
import itertools
import queue
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar, cast

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.machine import pinning, system
from sudoku_bench.bench.plan.plan import Measurement, Plan
from sudoku_bench.bench.process.warden import guarded
from sudoku_bench.bench.process.worker_process import Confinement
from sudoku_bench.bench.run.finished import Finished
from sudoku_bench.bench.run.slot import Slot
from sudoku_bench.bench.worker import confine
from sudoku_bench.bench.worker.clocks import wall_s

T = TypeVar("T")


class Runner:
    """Executes a calibrated plan.

    Args:
        finished: the rows that the run already has.

    Attributes:
        cores: the cores that the workers of each slot are pinned to (None: not pinned).

    Raises:
        InputError: the suite asks for unavailable cores.
    """

    def __init__(self, plan: Plan, finished: Finished | None = None) -> None:
        self.plan = plan
        self._finished = finished or Finished(plan)
        self._numbers = itertools.count(self._finished.last_worker + 1)
        self._start_s = wall_s() - self._finished.elapsed_s
        cores = pinning.cores_for(pinning.parse_pin(plan.suite.pin), plan.suite.jobs)
        self.cores: list[tuple[int, ...] | None] = [(core,) for core in cores] if cores else [None] * plan.suite.jobs

    def rows(self) -> Generator[Row, None, None]:
        """Execute the remaining measurements in order. Closing the generator stops it and leaves no process behind."""
        with self._slots() as slots:
            if len(slots) == 1:
                yield from slots[0].rows(remaining(self.plan, self._finished))
            else:
                yield from merged([slot.rows(self._share(n, len(slots))) for n, slot in enumerate(slots)])

    @contextlib.contextmanager
    def _slots(self) -> Iterator[list[Slot]]:
        """Provide the slots of this runner. At the end, no process is left."""
        plan = self.plan
        pinned = tuple(core for slot_cores in self.cores for core in slot_cores or ())
        usable = system.usable_cores()
        if pinned:
            confine.pin(pinning.away_from(pinned))
        # A collection between rows then visits what rows have made, not all that a runner or a notebook has loaded.
        freezes = not gc.get_freeze_count()
        if freezes:
            gc.freeze()
        try:
            with guarded() as mark:
                confined = replace(confinement(plan, mark), usable=usable)
                yield [
                    Slot(plan, replace(confined, cores=cores), self._numbers, self._finished.timeouts, self._now_s)
                    for cores in self.cores
                ]
        finally:
            if freezes:
                gc.unfreeze()
            if pinned:
                confine.pin(usable)

    def _now_s(self) -> float:
        return wall_s() - self._start_s

    def _share(self, number: int, slots: int) -> Iterator[Measurement]:
        """Yield the remaining measurements of one slot; all strategies solve a puzzle on the same core."""
        places = {id(planned): place for place, planned in enumerate(self.plan.puzzles)}
        return (m for m in remaining(self.plan, self._finished) if places[id(m.planned)] % slots == number)


def remaining(plan: Plan, finished: Finished) -> Iterator[Measurement]:
    """Yield the measurements that have no row yet, in the order of the plan."""
    for launch in range(1, plan.suite.launches + 1):
        for measurement in plan.measurements(launch):
            if measurement not in finished:
                yield measurement


def confinement(plan: Plan, mark: str = "none") -> Confinement:
    return Confinement(plan.suite.memory_mib, plan.suite.gc, mark=mark, sandbox=plan.suite.sandbox)


def merged(sources: Sequence[Generator[T, None, None]]) -> Generator[T, None, None]:
    """Yield the items of several generators as they arrive. Closing this one closes all, each after its current item.

    Raises:
        the exception of a generator, after the others are closed.
    """
    items: queue.SimpleQueue[T | object] = queue.SimpleQueue()
    stop, end = threading.Event(), object()

    def drain(source: Generator[T, None, None]) -> None:
        try:
            with contextlib.closing(source):
                for item in source:
                    items.put(item)
                    if stop.is_set():
                        break
        except BaseException:
            stop.set()
            raise
        finally:
            items.put(end)

    with ThreadPoolExecutor(len(sources)) as threads:
        drained = [threads.submit(drain, source) for source in sources]
        try:
            for _ in sources:
                yield from cast("Iterator[T]", iter(items.get, end))
        finally:
            stop.set()
    for source_drained in drained:
        source_drained.result()
