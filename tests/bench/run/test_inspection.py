"""A row for which the system charged far more than was reported: the strategy's doing, or the system's?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from bench.plan.plan import Contestant
from bench.plan.suite import Suite
from bench.process.strategy_info import StrategyInfo
from bench.process.watch import WorkerDied
from bench.run.inspection import AGAIN, CHECKED, Inspection
from tests.bench.run.test_clock_check import FORMS, SAMPLE, reply

HONEST, SUSPICIOUS = 2e-4, 0.5  # seconds charged beyond those reported
CONTESTANT = Contestant("test:own", StrategyInfo("test:own", ("first",), persistent=True))  # its forms are not tried


def answer(beyond_s: float) -> dict[str, Any]:
    return {"status": "ok", **reply(1e-3, charged_s=1e-3 + beyond_s)}


class FakeSeat:
    """A fresh process to which the system charges given seconds beyond those it reports; None: it dies."""

    def __init__(self, beyond_s: Sequence[float | None]) -> None:
        self.beyond_s, self.forms, self.closed = list(beyond_s), [], False

    def ready(self, _shape: object) -> None:
        return None

    def solve(self, sample: Any) -> dict[str, Any]:
        self.forms += sample.forms
        beyond_s = self.beyond_s.pop(0)
        if beyond_s is None:
            raise WorkerDied("error", "gone")
        return answer(beyond_s)

    def close(self) -> None:
        self.closed = True


def inspection(*seats: FakeSeat) -> Inspection:
    waiting = list(seats)
    return Inspection(CONTESTANT, Suite(), 2e-6, lambda: waiting.pop(0))  # type: ignore[arg-type,return-value]


def test_a_suspicion_that_a_fresh_process_shows_again_is_a_fault() -> None:
    seat = FakeSeat([SUSPICIOUS] * AGAIN)
    inspected = inspection(seat)
    assert inspected.fault(SAMPLE, answer(HONEST), 1) is None
    expected = "1 ms reported, 501 ms charged by the system"
    assert inspected.fault(SAMPLE, answer(SUSPICIOUS), 1) == expected
    assert seat.closed
    assert len({form.text for form in seat.forms} - {form.text for form in FORMS}) > 1  # forms that it cannot know
    assert inspected.fault(SAMPLE, answer(HONEST), 1) == expected  # for the rest of the launch


@pytest.mark.parametrize("shown", [[HONEST], [SUSPICIOUS] * (AGAIN - 1) + [HONEST]])
def test_what_a_fresh_process_does_not_show_was_the_system(shown: list[float | None]) -> None:
    seat = FakeSeat(shown)
    inspected = inspection(seat)
    assert inspected.fault(SAMPLE, answer(SUSPICIOUS), 1) is None
    assert (seat.closed, seat.beyond_s) == (True, [])
    assert inspected.fault(SAMPLE, answer(HONEST), 1) is None


def test_dying_does_not_help_a_strategy_that_solves_everything_else() -> None:
    assert inspection(FakeSeat([None] * AGAIN)).fault(SAMPLE, answer(SUSPICIOUS), 1) is not None
    incomplete = inspection(FakeSeat([None]))
    incomplete.failed()
    assert incomplete.fault(SAMPLE, answer(SUSPICIOUS), 1) is None


def test_a_system_that_interferes_often_costs_few_checks_and_many_rows_like_that_are_a_fault() -> None:
    inspected = inspection(*(FakeSeat([HONEST]) for _ in range(CHECKED)))
    faults = [inspected.fault(SAMPLE, answer(SUSPICIOUS if number % 10 == 0 else HONEST), 1) for number in range(100)]
    assert faults[:30] == [None] * 30
    assert faults[-1] is not None


def test_a_process_that_cannot_be_started_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = FakeSeat([])
    monkeypatch.setattr(seat, "ready", lambda _shape: ("error", "no memory"))
    assert inspection(seat).fault(SAMPLE, answer(SUSPICIOUS), 1) is None
    assert seat.closed
