"""Rows against forms that a strategy cannot know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bench.plan.suite import BATCH
from bench.process.sample import Sample
from bench.process.watch import WorkerDied
from bench.run.unknown_forms import NEEDED, SLOWER, TRIALS, Trial, UnknownForms, unknown
from datasets.reading.reader import parse
from solvers.search.backtracking import Plain
from solvers.strategy import FIRST
from tests.bench.conftest import FOURS

FORMS = [parse(text) for text in FOURS]
SAMPLE = Sample(FORMS[:2], FIRST, 10.0, run_in=FORMS[2:], phase_forms=FORMS[:1])
SOLVE_S = 1e-3
SOLVER = Plain()
SOLVER.prepare(FORMS[0].shape)


class FakeSeat:
    """Its solves take given times; infinite: it is killed at the limit, negative: it gives up; None: a wrong answer."""

    def __init__(self, times_s: Sequence[float | None]) -> None:
        self.times_s, self.samples, self.closed = list(times_s), list[Sample](), False

    def ready(self, _shape: object) -> None:
        return None

    def solve(self, sample: Sample) -> dict[str, Any]:
        self.samples.append(sample)
        cpu_s = self.times_s.pop(0)
        if cpu_s is None:
            return {"status": "ok", "cpu_s": SOLVE_S, "answers": [[form.cells] for form in sample.forms]}
        if math.isinf(cpu_s):
            raise WorkerDied("timeout", "too slow")
        if cpu_s < 0:
            return {"status": "gave_up", "reason": "gave up"}
        answers = [SOLVER.search(SOLVER.encode(form), FIRST) for form in sample.forms]
        return {"status": "ok", "cpu_s": cpu_s, "answers": answers}

    def close(self) -> None:
        self.closed = True


def collected(cpu_s: float = SOLVE_S) -> UnknownForms:
    forms = UnknownForms()
    ready = [forms.add(Trial(SAMPLE, cpu_s, 1)) for _ in range(TRIALS)]
    assert ready == [False] * (TRIALS - 1) + [True]
    assert forms.full
    return forms


@pytest.mark.parametrize("slow_s", [SLOWER * SOLVE_S + 1e-3, math.inf, -1.0, None])
def test_nearly_all_must_be_slower_or_not_solved_twice(slow_s: float | None) -> None:
    most, few = ([slow_s] * slow + [SOLVE_S] * (TRIALS - slow) for slow in (NEEDED, NEEDED - 1))
    seat = FakeSeat(most + most)
    fault = collected().fault(seat, solves_all=True)
    assert fault == "12 of 14 forms that it could not know were not solved, or took 10 times as long"
    assert seat.closed
    for times_s in (few, most + few):
        seat = FakeSeat(times_s)
        assert collected().fault(seat, solves_all=True) is None
        assert seat.times_s == []  # the second attempt follows only a first one that shows the fault


def test_forms_that_are_a_little_harder_are_no_fault() -> None:
    assert collected().fault(FakeSeat([5 * SOLVE_S] * TRIALS), solves_all=True) is None


@pytest.mark.parametrize(("failing", "accused"), [(-1.0, False), (None, False), (math.inf, True)])
def test_a_strategy_that_fails_on_rows_may_fail_here(failing: float | None, accused: bool) -> None:
    assert bool(collected().fault(FakeSeat([failing] * 2 * TRIALS), solves_all=False)) == accused


def test_nothing_is_tried_if_the_limit_would_hide_it() -> None:
    seat = FakeSeat([])
    assert collected(cpu_s=2.0).fault(seat, solves_all=True) is None
    assert seat.samples == []


def test_the_limit_of_a_batch_is_that_of_all_its_forms() -> None:
    assert unknown(Trial(replace(SAMPLE, how=BATCH), SOLVE_S, 1), 0.1).limit_s == 0.1


def test_forms_are_of_the_same_puzzles_and_never_the_same() -> None:
    drawn = [unknown(Trial(SAMPLE, SOLVE_S, 1), 0.1) for _ in range(20)]
    for sample in drawn:
        assert (len(sample.forms), len(sample.run_in), sample.phase_forms) == (2, 3, ())
        assert [form.clues for form in sample.forms] == [form.clues for form in SAMPLE.forms]
        assert sample.limit_s == 2 * 0.1  # of each form: one that takes longer is slower than 0.1 s on average
    assert len({sample.forms[0] for sample in drawn}) > 10
