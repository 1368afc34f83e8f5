"""The engine of this machine: the runner, and a monitor of what disturbs it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict
from typing import Any, Protocol

from bench.folder.rows import Row
from bench.machine import disturbance
from bench.plan.plan import Plan
from bench.run.past import Past
from bench.run.runner import Runner
from bench.run.side_by_side import Effect, effect

Warn = Callable[[str], None]


class Engine(Protocol):
    """Measures what remains of a plan."""

    def blocks(self) -> Generator[list[Row], None, None]:
        """Yield the finished rows, those of a block of a cluster together.

        Closing the generator stops the engine and leaves no process behind.
        """

    def record(self) -> dict[str, Any]:
        """Return what the manifest says about this part of the run, once the rows have ended.

        ``disturbance``: what disturbed each machine; and, of some engines, ``hosts`` or ``side_by_side``.
        """


class LocalEngine:
    """Measures on this machine.

    Args:
        warn: prints a line, even in quiet mode; info: prints a line.

    Raises:
        InputError: the suite asks for unavailable cores.
    """

    def __init__(self, plan: Plan, clock_cost_s: Mapping[str, float], past: Past, warn: Warn, info: Warn) -> None:
        self._runner, self._began_s = Runner(plan, clock_cost_s, past), past.elapsed_s
        self._warn, self._info = warn, info
        self._looks: list[dict[str, Any]] = []
        self._effect: Effect | None = None

    def blocks(self) -> Generator[list[Row], None, None]:
        if len(self._runner.cores) > 1:
            self._effect = effect(self._runner)
        pinned = tuple(core for lane_cores in self._runner.cores for core in lane_cores or ())
        monitor = disturbance.Monitor(pinned=pinned)
        monitor.start()
        try:
            for row in self._runner.rows():
                yield [row]
                for line in monitor.sample():
                    self._warn(line)
        finally:
            facts, lines = monitor.finish()
            for line in lines[-1:]:
                (self._warn if facts["warnings"] else self._info)(line)
            # On the same clock as started_s of the rows.
            self._looks.append(facts | {"began_s": round(self._began_s, 3)})

    def record(self) -> dict[str, Any]:
        side_by_side = {"side_by_side": [asdict(self._effect)]} if self._effect else {}
        return {"disturbance": self._looks, **side_by_side}
