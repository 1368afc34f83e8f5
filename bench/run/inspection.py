"""The checks of one contestant's reported times in one launch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bench.plan.plan import Contestant
from bench.plan.suite import Suite
from bench.process.seat import Seat
from bench.process.worker_process import Sample
from bench.run.clock_check import ClockCheck
from bench.run.unknown_forms import Trial, UnknownForms, tries_unknown_forms


class Inspection:
    """Compares times with what the system charged, and with those of forms that the strategy cannot know.

    Args:
        suite: settings of the run.
        clock_cost_s: CPU seconds of reading the CPU clock.
        new_seat: makes a seat for the contestant.
    """

    def __init__(self, contestant: Contestant, suite: Suite, clock_cost_s: float, new_seat: Callable[[], Seat]) -> None:
        self._cold, self._new_seat = suite.cold, new_seat
        self._clocks, self._unknown = ClockCheck(clock_cost_s, suite.jobs), UnknownForms()
        self._tries = tries_unknown_forms(contestant, suite.cold)
        self._fault: str | None = None
        self._solves_all = True

    def failed(self) -> None:
        """Take note of a row that was not solved."""
        self._solves_all = False

    def fault(self, sample: Sample, reply: Mapping[str, Any], solutions: int) -> str | None:
        """Describe what is false about the times of a solved sample, or of one before it; None if nothing is.

        Args:
            solutions: the number that each form requires.
        """
        if self._fault is None:
            self._fault = self._clocks.fault(sample, reply, self._cold)
        if self._fault is None and self._tries and self._unknown.add(Trial(sample, reply["cpu_s"], solutions)):
            self._fault = self._unknown.fault(self._new_seat(), self._solves_all)
        return self._fault
