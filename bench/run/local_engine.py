"""The engine of this machine: the runner, and a monitor of what disturbs it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.folder.rows import Row
from bench.machine import disturbance
from bench.plan.plan import Plan
from bench.run.past import Past
from bench.run.runner import Runner
from bench.run.side_by_side import effect

Warn = Callable[[str], None]


@dataclass
class LocalEngine:
    """Measures on this machine.

    Args:
        warn: prints a line, even in quiet mode; info: prints a line.
    """

    plan: Plan
    clock_cost_s: Mapping[str, float]
    past: Past
    warn: Warn
    info: Warn
    _record: dict[str, Any] = field(default_factory=dict)

    def blocks(self) -> Generator[list[Row], None, None]:
        """Yield the finished rows, one at a time. Closing the generator leaves no process behind.

        Raises:
            InputError: the suite asks for unavailable cores.
        """
        runner, began_s = Runner(self.plan, self.clock_cost_s, self.past), self.past.elapsed_s
        if len(runner.cores) > 1 and (found := effect(runner)):
            self._record["side_by_side"] = [asdict(found)]
        pinned = tuple(core for lane_cores in runner.cores for core in lane_cores or ())
        monitor = disturbance.Monitor(pinned=pinned)
        monitor.start()
        try:
            for row in runner.rows():
                yield [row]
                for line in monitor.sample():
                    self.warn(line)
        finally:
            facts, lines = monitor.finish()
            for line in lines[-1:]:
                (self.warn if facts["warnings"] else self.info)(line)
            # On the same clock as started_s of the rows.
            self._record["disturbance"] = [facts | {"began_s": round(began_s, 3)}]

    def record(self) -> dict[str, Any]:
        """Return what the manifest says about this part of the run, once the rows have ended."""
        return self._record
