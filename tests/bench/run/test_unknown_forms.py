"""Rows against forms that a strategy cannot know."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from bench.plan.suite import BATCH
from bench.process.watch import WorkerDied
from bench.process.worker_process import Sample
from bench.run.unknown_forms import NEEDED, SLOWER, TRIALS, Trial, UnknownForms, unknown
from datasets.reading.reader import parse
from solvers.strategy import FIRST
from tests.bench.conftest import FOURS

FORMS = [parse(text) for text in FOURS]
SAMPLE = Sample(FORMS[:2], FIRST, 10.0, run_in=FORMS[2:], phase_forms=FORMS[:1])
SOLVE_S = 1e-3


class FakeSeat:
    """Its solves take given times; infinite: it is killed at the limit."""

    def __init__(self, times_s: list[float]) -> None:
        self.times_s, self.samples, self.closed = list(times_s), list[Sample](), False

    def ready(self, _shape: object) -> None:
        return None

    def solve(self, sample: Sample) -> dict[str, Any]:
        self.samples.append(sample)
        cpu_s = self.times_s.pop(0)
        if math.isinf(cpu_s):
            raise WorkerDied("timeout", "too slow")
        return {"status": "ok", "cpu_s": cpu_s}

    def close(self) -> None:
        self.closed = True


def collected(cpu_s: float = SOLVE_S) -> UnknownForms:
    forms = UnknownForms()
    ready = [forms.add(Trial(SAMPLE, cpu_s)) for _ in range(TRIALS + 3)]
    assert ready == [False] * (TRIALS - 1) + [True] + [False] * 3
    return forms


@pytest.mark.parametrize("slow_s", [SLOWER * SOLVE_S + 1e-3, math.inf])
def test_nearly_all_must_be_slower_twice(slow_s: float) -> None:
    most, few = ([slow_s] * slow + [SOLVE_S] * (TRIALS - slow) for slow in (NEEDED, NEEDED - 1))
    seat = FakeSeat(most + most)
    assert collected().fault(seat) == "12 of 14 forms that it could not know took more than 10 times as long"
    assert seat.closed
    for times_s in (few, most + few):
        seat = FakeSeat(times_s)
        assert collected().fault(seat) is None
        assert seat.times_s == []  # the second attempt follows only a first one that shows the fault


def test_forms_that_are_a_little_harder_are_no_fault() -> None:
    assert collected().fault(FakeSeat([5 * SOLVE_S] * TRIALS)) is None


def test_nothing_is_tried_if_the_limit_would_hide_it() -> None:
    seat = FakeSeat([])
    assert collected(cpu_s=2.0).fault(seat) is None
    assert seat.samples == []


def test_the_limit_of_a_batch_is_that_of_all_its_forms() -> None:
    assert unknown(Trial(replace(SAMPLE, how=BATCH), SOLVE_S), 0.1).limit_s == 0.1


def test_forms_are_of_the_same_puzzles_and_never_the_same() -> None:
    drawn = [unknown(Trial(SAMPLE, SOLVE_S), 0.1) for _ in range(20)]
    for sample in drawn:
        assert (len(sample.forms), len(sample.run_in), sample.phase_forms) == (2, 3, ())
        assert [form.clues for form in sample.forms] == [form.clues for form in SAMPLE.forms]
        assert sample.limit_s == 2 * 0.1  # of each form: one that takes longer is slower than 0.1 s on average
    assert len({sample.forms[0] for sample in drawn}) > 10
