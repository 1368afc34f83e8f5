"""Standings of a run in progress: medians, counts, remaining time."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.folder.live import Live, Pace, Standing
from bench.folder.rows import Row
from bench.say.progress import standing_line
from tests.bench.folder.a_row import a_row


def row(**fields: Any) -> Row:
    return a_row(**{"strategy": "s:a", "cpu_s": 1.0, "limit_s": 3.0} | fields)


@given(st.lists(st.sampled_from([0.5, 1.0, 2.0, 7.0, None]), min_size=1, max_size=30))
def test_the_median_counts_unfinished_solves_as_the_longest(times: list[float | None]) -> None:
    live = Live(len(times), len(times))
    for time in times:
        live.add(row(cpu_s=time) if time else row(status="timeout", cpu_s=None))
    [standing] = live.standings()
    known = [math.inf if time is None else time for time in times]
    assert standing.median_s == statistics.median(known)
    assert standing.measured == live.rows == len(times)
    assert standing.statuses["timeout"] == times.count(None)


def test_placebos_and_decoys_are_rows_but_no_strategies() -> None:
    live = Live(9, 9)
    for fields in ({}, {"strategy": "(floor)", "placebo": "floor"}, {"decoy": "none"}, {"status": "unsupported"}):
        live.add(row(**fields))
    [standing] = live.standings()
    assert live.rows == 4
    assert (standing.measured, standing.median_s) == (1, 1.0)
    assert live.statuses == {"solved": 3, "unsupported": 1}


def test_strategies_are_sorted_by_their_medians() -> None:
    live = Live(9, 9)
    for name, status, cpu_s in (
        ("d", "unsupported", None),
        ("c", "timeout", None),
        ("b", "solved", 2),
        ("a", "solved", 1),
    ):
        live.add(row(strategy=name, status=status, cpu_s=cpu_s))
    assert [standing.strategy for standing in live.standings()] == ["a", "b", "c", "d"]
    assert [standing_line(standing, 1).split()[1] for standing in live.standings()] == ["1", "2", ">", "-"]


def pace_of(costs: list[tuple[int, str, float]], planned: int, first: int) -> Pace:
    """Return the pace after rows with these rounds, statuses and seconds, and the start of one more."""
    pace, clock = Pace(planned, first), 0.0
    for number, status, cost_s in costs:
        pace.add(row(round=number, status=status, started_s=clock))
        clock += cost_s
    return pace


def test_without_timeouts_the_remaining_rows_keep_the_pace() -> None:
    pace = pace_of([(1, "solved", 2.0)] * 50 + [(1, "solved", 0.0)], 202, 101)
    assert pace.left_s == pytest.approx(151 * 2.0 * 50 / 51)
    assert Pace(10, 5).left_s is None


def test_timeouts_are_not_expected_again_in_later_rounds() -> None:
    costs = [(1, "timeout", 10.0) if number % 10 == 0 else (1, "solved", 1.0) for number in range(100)]
    pace = pace_of([*costs, (2, "solved", 0.0)], 300, 100)
    assert pace.left_s == pytest.approx(199 * 0.9, rel=0.02)
    half = pace_of([*costs[:50], (1, "solved", 0.0)], 300, 100)
    assert half.left_s == pytest.approx(49 * 1.9 + 200 * 0.9, rel=0.05)


def test_no_time_remains_at_the_end() -> None:
    assert pace_of([(1, "solved", 1.0)] * 4, 4, 4).left_s == 0.0
    assert pace_of([(1, "solved", 1.0)] * 5, 4, 4).left_s == 0.0  # extra rows do not make it negative


def test_a_standing_without_measurements_has_no_median() -> None:
    assert math.isnan(Standing("s:a").median_s)
