"""Executes the remaining measurements of a plan and yields each finished row, its answer verified."""

from __future__ import annotations

import contextlib
import itertools
import queue
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bench.folder.rows import Row
from bench.machine import pinning, system
from bench.plan.plan import Measurement, Plan
from bench.process.warden import guarded
from bench.process.worker_process import Confinement
from bench.run.lane import Lane
from bench.run.past import Past
from bench.run.timeouts import Timeouts
from bench.worker import confine
from bench.worker.clocks import wall_s

T = TypeVar("T")


class Runner:
    """Executes a calibrated plan.

    Args:
        past: the rows that the run already has.

    Attributes:
        cores: the cores that the workers of each lane are pinned to (None: not pinned).

    Raises:
        InputError: the suite asks for unavailable cores.
    """

    def __init__(
        self,
        plan: Plan,
        clock_cost_s: Mapping[str, float],
        past: Past | None = None,
    ) -> None:
        self.plan = plan
        self._clock_cost_s, self._past = clock_cost_s, past or Past(plan)
        self._numbers = itertools.count(self._past.last_worker + 1)
        self._start_s = wall_s() - self._past.elapsed_s
        cores = pinning.cores_for(pinning.parse_pin(plan.suite.pin), plan.suite.jobs)
        self.cores: list[tuple[int, ...] | None] = [(core,) for core in cores] if cores else [None] * plan.suite.jobs

    def rows(self) -> Generator[Row, None, None]:
        """Execute the remaining measurements in order. Closing the generator stops it and leaves no process behind."""
        with self.lanes() as lanes:
            if len(lanes) == 1:
                yield from lanes[0].rows(remaining(self.plan, self._past))
            else:
                yield from merged([lane.rows(self._share(n, len(lanes))) for n, lane in enumerate(lanes)])

    @contextlib.contextmanager
    def lanes(self, pilot: Plan | None = None) -> Iterator[list[Lane]]:
        """Provide the lanes of this runner. At the end, no process is left.

        Args:
            pilot: a plan to measure instead, from which nothing follows for the rows of the run.
        """
        plan, timeouts = (pilot, Timeouts()) if pilot else (self.plan, self._past.timeouts)
        cost_s, checks = self._clock_cost_s["cpu"], pilot is None
        pinned = tuple(core for lane_cores in self.cores for core in lane_cores or ())
        usable = system.usable_cores()
        if pinned:
            confine.pin(pinning.away_from(pinned))
        try:
            with guarded() as mark:
                confined = replace(confinement(plan, mark), usable=usable)
                yield [
                    Lane(plan, replace(confined, cores=cores), cost_s, self._numbers, timeouts, self._now_s, checks)
                    for cores in self.cores
                ]
        finally:
            if pinned:
                confine.pin(usable)

    def _now_s(self) -> float:
        return wall_s() - self._start_s

    def _share(self, number: int, lanes: int) -> Iterator[Measurement]:
        """Yield the remaining measurements of one lane; all strategies solve a puzzle on the same core."""
        places = {id(planned): place for place, planned in enumerate(self.plan.puzzles)}
        return (m for m in remaining(self.plan, self._past) if places[id(m.planned)] % lanes == number)


def remaining(plan: Plan, past: Past) -> Iterator[Measurement]:
    """Yield the measurements that have no row yet, in the order of the plan."""
    for launch in range(1, plan.suite.launches + 1):
        for measurement in plan.measurements(launch):
            if measurement not in past:
                yield measurement


def confinement(plan: Plan, mark: str = "none") -> Confinement:
    return Confinement(plan.suite.memory_mib, plan.suite.gc, mark=mark, sandbox=plan.suite.sandbox)


@dataclass(frozen=True)
class _End:
    """A generator has finished, or failed with an error."""

    error: BaseException | None = None


def merged(sources: Sequence[Generator[T, None, None]]) -> Generator[T, None, None]:
    """Yield the items of several generators as they arrive. Closing this one closes all, each after its current item.

    Raises:
        the exception of a generator, after the others are closed.
    """
    items: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
    stop = threading.Event()
    threads = [threading.Thread(target=_drain, args=(source, items, stop)) for source in sources]
    for thread in threads:
        thread.start()
    try:
        running = len(threads)
        while running:
            item = items.get()
            if not isinstance(item, _End):
                yield item
            elif item.error:
                raise item.error
            else:
                running -= 1
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _drain(source: Generator[T, None, None], items: queue.SimpleQueue[T | _End], stop: threading.Event) -> None:
    error: BaseException | None = None
    try:
        for item in source:
            items.put(item)
            if stop.is_set():
                break
        source.close()
    except BaseException as exception:
        error = exception
    items.put(_End(error))
