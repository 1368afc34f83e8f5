"""The workers of a launch: those of each contestant, alive as long as there is memory for them."""

from __future__ import annotations

from collections.abc import Callable

import psutil

from sudoku_bench.bench.plan.plan import Contestant
from sudoku_bench.bench.process.workers import Workers

SHORT_SHARE, SHORT_MIB = 0.1, 1024  # memory is short if less than both is available: of the machine's, and in MiB


class LaunchWorkers:
    """Makes workers when they are first needed; ``close`` ends all of them.

    Args:
        new_workers: makes those of a contestant.
        is_short: is memory short now?
    """

    def __init__(self, new_workers: Callable[[Contestant], Workers], is_short: Callable[[], bool]) -> None:
        self._new_workers, self._is_short = new_workers, is_short
        self._by_label: dict[str, Workers] = {}  # those used last at the end

    def of(self, contestant: Contestant) -> Workers:
        """Return the workers of a contestant.

        If none is alive yet and memory is short, those that have been idle for longest are closed first; their
        strategies get fresh ones when they are needed again. Strategies that keep state keep their worker.
        """
        workers = self._by_label.pop(contestant.label, None) or self._new_workers(contestant)
        if not workers.alive:
            idle = [each for each in self._by_label.values() if each.alive and not each.info.persistent]
            while idle and self._is_short():
                idle.pop(0).close()
        self._by_label[contestant.label] = workers
        return workers

    def renew(self) -> None:
        for workers in self._by_label.values():
            workers.renew()

    def close(self) -> None:
        for workers in self._by_label.values():
            workers.close()


def memory_is_short() -> bool:
    """Is little memory available, so that another worker may push others out?"""
    memory = psutil.virtual_memory()
    return bool(memory.available < min(SHORT_SHARE * memory.total, SHORT_MIB << 20))
