"""The finished rows of a run, against a plain set of the rows that it has."""

from __future__ import annotations

import random

import pytest

from sudoku_bench.bench.folder.rows import Attempt
from sudoku_bench.bench.run.finished import Finished
from tests.bench.folder.a_row import a_row
from tests.bench.plan.test_plan import a_plan


def row_of(measurement, **changes):
    return a_row(
        strategy=measurement.entry.label,
        collection=measurement.planned.collection,
        puzzle=measurement.planned.name,
        launch=measurement.launch,
        repetition=measurement.repetition,
        **changes,
    )


def all_of(plan):
    return [m for launch in range(1, plan.suite.launches + 1) for m in plan.measurements(launch)]


def test_it_knows_exactly_the_measurements_that_have_a_row() -> None:
    plan = a_plan(strategies=5, puzzles=7, decoys=2, repetitions=3, launches=2)
    planned = all_of(plan)
    finished, done = Finished(plan), random.Random(1).sample(range(len(planned)), 60)
    for place in done:
        finished.add(row_of(planned[place]))
    assert [m in finished for m in planned] == [place in done for place in range(len(planned))]


@pytest.mark.parametrize("changes", [{"strategy": "test:other"}, {"puzzle": "p9"}, {"launch": 2}, {"repetition": 3}])
def test_a_row_that_is_not_planned_is_refused(changes: dict[str, str | int]) -> None:
    """It would stay in the run beside the row of the measurement that it was before someone edited it."""
    plan = a_plan(strategies=2, puzzles=2, decoys=0, repetitions=2)
    with pytest.raises(ValueError, match="the run has no measurement of that strategy"):
        Finished(plan).add(a_row(**({"strategy": "test:0", "collection": "own", "puzzle": "p0"} | changes)))


def test_attempts_that_timed_out_are_remembered_as_far_as_the_suite_says() -> None:
    for patience, untried in ((20, [True, False]), (1, [True, True])):
        plan = a_plan(strategies=1, puzzles=2, decoys=0, set_aside=patience)
        finished, (first, second) = Finished(plan), list(dict.fromkeys(m.planned for m in all_of(plan)))
        finished.add(row_of(next(m for m in all_of(plan) if m.planned is first), status="timeout"))
        reasons = [finished.timeouts.reason(Attempt("test:0", "own", planned.name, 1)) for planned in (first, second)]
        assert [reason is not None for reason in reasons] == untried


def test_time_and_workers_go_on_from_the_last_row() -> None:
    plan = a_plan(strategies=2, puzzles=2, decoys=0)
    finished = Finished(plan)
    finished.add(row_of(all_of(plan)[0], started_s=7.5, worker=12))
    assert (finished.elapsed_s, finished.last_worker) == (7.5, 12)
