"""Forms that a lane makes before their measurements: the same measurements follow, in the same order."""

from __future__ import annotations

import itertools

import pytest

from bench.process.worker_process import Confinement
from bench.run import lane
from bench.run.forms import form_of
from bench.run.lane import Lane
from bench.run.timeouts import Timeouts
from tests.bench.plan.test_plan import a_plan


@pytest.mark.parametrize("puzzles", [1, lane.AHEAD - 1, 3 * lane.AHEAD + 1])
@pytest.mark.parametrize("loops", [1, lane.AHEAD_FORMS + 1])
def test_measurements_stay_as_planned_and_their_forms_are_there(puzzles: int, loops: int) -> None:
    plan = a_plan(strategies=2, puzzles=puzzles, decoys=0, repetitions=2, loops=loops)
    ahead = Lane(plan, Confinement(), 1e-6, itertools.count(1), Timeouts()).ahead(plan.measurements(1))
    form_of.cache_clear()
    for planned, given in zip(plan.measurements(1), ahead, strict=True):
        assert given == planned
        made = form_of.cache_info().misses
        for number in plan.forms(given):
            form_of(plan.suite.seed, given.subject.puzzle, number)
        if loops <= lane.AHEAD_FORMS:
            assert form_of.cache_info().misses == made
