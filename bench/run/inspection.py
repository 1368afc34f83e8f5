"""The checks of one contestant's reported times in one launch."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from bench.plan.plan import Contestant
from bench.plan.suite import Suite
from bench.process.sample import Sample
from bench.process.seat import Seat
from bench.process.watch import WorkerDied
from bench.run.clock_check import ClockCheck
from bench.run.unknown_forms import Trial, UnknownForms, tries_unknown_forms, unknown

AGAIN = 3  # solves of a fresh process that are all as suspicious as the row that is then mistimed
CHECKED = 3  # suspicious rows of a launch that turn out to be no fault, after which only their number counts


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
        self._cleared = 0

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
            if self._fault is None and self._clocks.suspicion and self._cleared < CHECKED:
                self._fault = self._confirmed(self._clocks.suspicion, Trial(sample, reply["cpu_s"], solutions))
        is_tried = self._fault is None and self._tries and not self._unknown.full
        if is_tried and self._unknown.add(Trial(sample, reply["cpu_s"], solutions)):
            self._fault = self._unknown.fault(self._new_seat(), self._solves_all)
        return self._fault

    def _confirmed(self, suspicion: str, trial: Trial) -> str | None:
        """Return the suspicion if a fresh process is as suspicious each time, on forms that it cannot know."""
        with contextlib.closing(self._new_seat()) as seat:
            if all(self._is_suspicious(seat, unknown(trial, trial.sample.limit_s)) for _ in range(AGAIN)):
                return suspicion
        self._cleared += 1
        return None

    def _is_suspicious(self, seat: Seat, sample: Sample) -> bool:
        """Solve a sample that never becomes a row. One that a strategy without any failure does not solve is, too.

        It is not if no process can be prepared, for example because memory is short, or its account cannot be read.
        """
        if seat.ready(sample.shape):
            return False
        try:
            reply = seat.solve(sample)
        except WorkerDied:
            return self._solves_all
        if reply["status"] != "ok":
            return self._solves_all
        return "charge" in reply and self._clocks.is_suspicious(sample, reply)
