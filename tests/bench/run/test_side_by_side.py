"""What measuring side by side does to times: the estimate, and the pilot that it comes from."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bench.run import side_by_side
from bench.run.side_by_side import PUZZLES, estimate, part_of
from tests.bench.folder.a_row import a_row
from tests.bench.plan.test_plan import a_plan


def rows(factor: float, puzzles: int = 6, **changes):
    return [
        a_row(
            strategy=f"test:{s}",
            puzzle=f"p{p}",
            cpu_s=factor * (s + 1) * (p + 1),
            wall_s=2 * factor * (s + 1),
            **changes,
        )
        for s in range(3)
        for p in range(puzzles)
    ]


def test_the_estimate_is_the_mean_ratio_over_puzzles() -> None:
    alone, together = rows(1.0) + rows(1.1), rows(1.2) + rows(1.3)
    found = estimate(alone, together, jobs=4)
    assert found
    expected = math.sqrt(1.2 * 1.3 / 1.1)
    for ratio in (found.cpu, found.wall):
        assert ratio == pytest.approx((expected,) * 3)
    assert (found.jobs, found.puzzles) == (4, 6)


def test_the_interval_covers_the_spread_between_puzzles() -> None:
    together = [
        replace(row, cpu_s=row.cpu_s * (1.0 if row.puzzle in ("p0", "p1", "p2") else 1.21)) for row in rows(1.0)
    ]
    found = estimate(rows(1.0), together, jobs=2)
    assert found
    mean, low, high = found.cpu
    assert mean == pytest.approx(1.1)
    assert low is not None
    assert high is not None
    # Six logarithms, half 0 and half log 1.21: standard deviation log(1.1) * sqrt(6/5), t(0.975, 5) = 2.5706.
    half = 2.5706 * math.log(1.1) * math.sqrt(6 / 5) / math.sqrt(6)
    assert math.log(high / mean) == pytest.approx(half, rel=1e-4)
    assert math.log(mean / low) == pytest.approx(half, rel=1e-4)


def test_solves_that_were_not_finished_both_times_do_not_count() -> None:
    together = [row for row in rows(1.5) if row.puzzle != "p1"] + rows(1.0, status="timeout")
    found = estimate(rows(1.0), together, jobs=2)
    assert found
    assert found.puzzles == 5
    assert found.cpu[0] == pytest.approx(1.5)
    assert estimate(rows(1.0, status="error"), rows(1.0), jobs=2) is None
    single = estimate(rows(1.0, puzzles=1), rows(1.2, puzzles=1), jobs=2)
    assert single
    assert single.cpu == (pytest.approx(1.2), None, None)


def test_its_forms_are_never_those_of_the_run() -> None:
    plan = a_plan(strategies=5, puzzles=20, decoys=0, repetitions=5, launches=2)
    plan = replace(plan, calibration=replace(plan.calibration, placebos=("test:0", "test:3")))
    part = part_of(plan)
    assert {info.name for info in part.strategies} == {"test:0", "test:3"}
    assert 0 < len(part.puzzles) <= PUZZLES
    of_run = {(m.planned.name, form) for launch in (1, 2) for m in plan.measurements(launch) for form in plan.forms(m)}
    of_part = {(m.planned.name, form) for m in part.measurements(1) for form in part.forms(m)}
    assert of_part
    assert not of_run & of_part


class Fake:
    """A lane that takes as long as it is told, and counts the lanes at work."""

    at_work = 0

    def __init__(self, slow: float) -> None:
        self.slow = slow

    def rows(self, measurements):
        Fake.at_work += 1
        try:
            for m in measurements:
                yield a_row(
                    strategy=m.contestant.label, puzzle=m.planned.name, cpu_s=1.0 + self.slow * (Fake.at_work > 1)
                )
        finally:
            Fake.at_work -= 1


def test_the_others_work_as_long_as_the_first_lane_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = a_plan(strategies=2, puzzles=3, decoys=0)
    measurements = list(plan.measurements(1))
    rows = side_by_side.rows_of_first([Fake(0.5), Fake(0.5), Fake(0.5)], measurements)
    assert [(row.strategy, row.puzzle) for row in rows] == [(m.contestant.label, m.planned.name) for m in measurements]
    assert Fake.at_work == 0
