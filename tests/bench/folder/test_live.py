"""Standings of a run in progress: medians, counts, remaining time."""

from __future__ import annotations

import math
import random
import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.folder.live import Live, Pace, Standing
from bench.folder.rows import Row
from bench.folder.store import finished_rows
from bench.say.progress import standing_line
from tests.bench.folder.a_row import a_row
from tests.conftest import TOP


def row(**fields: Any) -> Row:
    return a_row(**{"strategy": "s:a", "cpu_s": 1.0, "limit_s": 3.0} | fields)


@given(st.lists(st.sampled_from([0.5, 1.0, 2.0, 7.0, None]), min_size=1, max_size=30))
def test_the_median_counts_unfinished_solves_as_the_longest(times: list[float | None]) -> None:
    live = Live({"own": (len(times), 0)})
    for time in times:
        live.add(row(cpu_s=time) if time else row(status="timeout", cpu_s=None))
    [standing] = live.sorted()
    known = [math.inf if time is None else time for time in times]
    assert standing.median_s == statistics.median(known)
    assert standing.measured == live.rows == len(times)
    assert standing.statuses["timeout"] == times.count(None)


def test_placebos_and_decoys_are_rows_but_no_strategies() -> None:
    live = Live({"own": (9, 0)})
    for fields in ({}, {"strategy": "(floor)", "placebo": "floor"}, {"decoy": "none"}, {"status": "unsupported"}):
        live.add(row(**fields))
    [standing] = live.sorted()
    assert live.rows == 4
    assert (standing.measured, standing.median_s) == (1, 1.0)
    assert live.statuses == {"solved": 3, "unsupported": 1}


def test_strategies_are_sorted_by_their_medians() -> None:
    live = Live({"own": (9, 0)})
    for name, status, cpu_s in (
        ("d", "unsupported", None),
        ("c", "timeout", None),
        ("b", "solved", 2),
        ("a", "solved", 1),
    ):
        live.add(row(strategy=name, status=status, cpu_s=cpu_s))
    assert [standing.strategy for standing in live.sorted()] == ["a", "b", "c", "d"]
    assert [standing_line(standing, 1).split()[1] for standing in live.sorted()] == ["1", "2", ">", "-"]


def pace_of(costs: list[tuple[int, str, float]], first: int, later: int) -> Pace:
    """Return the pace after rows with these rounds, statuses and seconds, and the start of one more."""
    pace, clock = Pace({"own": (first, later)}), 0.0
    for number, status, cost_s in costs:
        wall_s = None if status == "timeout" else cost_s
        pace.add(row(round=number, status=status, started_s=clock, wall_s=wall_s))
        clock += cost_s
    return pace


def test_without_timeouts_the_remaining_rows_keep_the_pace() -> None:
    pace = pace_of([(1, "solved", 2.0)] * 50 + [(1, "solved", 0.0)], 101, 101)
    assert pace.left_s == pytest.approx(151 * 2.0, rel=0.1)
    assert Pace({"own": (5, 5)}).left_s is None


def test_a_short_run_has_an_estimate_from_the_second_row_on() -> None:
    for number in range(2, 12):
        pace = pace_of([(1, "solved", 1.0)] * number, 12, 0)
        assert pace.left_s == pytest.approx(12 - number + 1, rel=0.5)


def test_timeouts_are_not_expected_again_in_later_rounds() -> None:
    costs = [(1, "timeout", 10.0) if number % 10 == 0 else (1, "solved", 1.0) for number in range(100)]
    pace = pace_of([*costs, *[(2, "solved", 0.9)] * 20], 100, 200)
    assert pace.left_s == pytest.approx(180 * 0.9, rel=0.05)
    half = pace_of([*costs[:50], (1, "solved", 0.0)], 100, 200)
    assert half.left_s == pytest.approx(49 * 1.9 + 200 * 0.9, rel=0.1)


def test_no_time_remains_at_the_end() -> None:
    assert pace_of([(1, "solved", 1.0)] * 4, 4, 0).left_s == 0.0
    assert pace_of([(1, "solved", 1.0)] * 5, 4, 0).left_s == 0.0  # extra rows do not make it negative


def simulated_run(seed: int, repetitions: int, timeouts: float) -> list[Row]:
    """Rows of 8 strategies on 3 collections of 20 puzzles; the slowest strategy often times out on the hard one.

    Workers take half a second to start, and start again after a timeout.
    """
    rng = random.Random(seed)
    rows, clock = [], 0.0
    unfinished = {number for number in range(20) if rng.random() < timeouts}
    for number in range(1, repetitions + 1):
        puzzles = [(collection, puzzle) for collection in ("easy", "hard", "size16") for puzzle in range(20)]
        rng.shuffle(puzzles)
        dead = set(range(8))
        for collection, puzzle in puzzles:
            for strategy in rng.sample(range(8), 8):
                times_out = collection == "hard" and strategy == 7 and puzzle in unfinished
                repeated = times_out and number > 1
                if strategy in dead and not repeated:
                    clock += 0.5
                    dead.discard(strategy)
                scale = {"easy": 0.01, "hard": 0.05, "size16": 0.2}[collection]
                cost_s = 0.0 if repeated else 3.0 if times_out else scale * rng.lognormvariate(0, 0.7)
                if times_out:
                    dead.add(strategy)
                fields = {"strategy": f"s:{strategy}", "collection": collection, "puzzle": str(puzzle)}
                status = {"status": "timeout" if times_out else "solved", "wall_s": None if times_out else cost_s}
                rows.append(row(**fields, **status, round=number, repetition=number, started_s=clock))
                clock += cost_s + 0.01
    return rows


def estimated_ends(rows: list[Row]) -> list[float]:
    """Return the estimated end after each row but the last, from a tenth of the run on."""
    planned: dict[str, tuple[int, int]] = {}
    for each in rows:
        first, later = planned.get(each.collection, (0, 0))
        planned[each.collection] = (first + 1, later) if each.round == 1 else (first, later + 1)
    pace, ends = Pace(planned), []
    for number, each in enumerate(rows, 1):
        pace.add(each)
        if number > len(rows) / 10:
            assert pace.left_s is not None
            ends.append(each.started_s + pace.left_s)
    return ends[:-1]


RECORDED = TOP / "results" / "reference"
RUNS = {f"{seed}-{r}-{t}": (seed, r, t) for seed in range(4) for r in (3, 5) for t in (0.0, 0.4, 0.8)}


@pytest.mark.parametrize("name", [*RUNS, "recorded"])
def test_from_a_tenth_of_a_run_on_the_estimated_end_is_right(name: str) -> None:
    rows = list(finished_rows(RECORDED)) if name == "recorded" else simulated_run(*RUNS[name])
    ends = estimated_ends(rows)
    later = ends[len(ends) // 2 :]
    assert ends == [pytest.approx(rows[-1].started_s, rel=0.3)] * len(ends)
    assert later == [pytest.approx(rows[-1].started_s, rel=0.1)] * len(later)


def test_a_standing_without_measurements_has_no_median() -> None:
    assert math.isnan(Standing("s:a").median_s)
