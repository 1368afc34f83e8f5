"""Standings of a run in progress: medians, counts, remaining time."""

from __future__ import annotations

import math
import statistics
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.commands.status import standing_line
from sudoku_bench.bench.folder.live import Live
from sudoku_bench.bench.folder.rows import Row
from tests.bench.folder.a_row import a_row


def row(**fields: Any) -> Row:
    return a_row(**{"strategy": "s:a", "cpu_s": 1.0, "limit_s": 3.0} | fields)


@given(st.lists(st.sampled_from([0.5, 1.0, 2.0, 7.0, None]), min_size=1, max_size=30))
def test_the_median_counts_unfinished_solves_as_the_longest(times: list[float | None]) -> None:
    live = Live(len(times))
    for time in times:
        live.add(row(cpu_s=time) if time else row(status="timeout", cpu_s=None))
    [standing] = live.sorted()
    known = [math.inf if time is None else time for time in times]
    assert standing.median_s == statistics.median(known)
    assert standing.measured == live.rows == len(times)
    assert standing.statuses["timeout"] == times.count(None)


def test_placebos_and_decoys_are_rows_but_no_strategies() -> None:
    live = Live(9)
    for fields in ({}, {"strategy": "(floor)", "placebo": "floor"}, {"decoy": "none"}, {"status": "unsupported"}):
        live.add(row(**fields))
    [standing] = live.sorted()
    assert live.rows == 4
    assert (standing.measured, standing.median_s) == (1, 1.0)
    assert live.statuses == {"solved": 3, "unsupported": 1}


def test_strategies_are_sorted_by_their_medians() -> None:
    live = Live(9)
    for name, status, cpu_s in (
        ("d", "unsupported", None),
        ("c", "timeout", None),
        ("b", "solved", 2),
        ("a", "solved", 1),
    ):
        live.add(row(strategy=name, status=status, cpu_s=cpu_s))
    assert [standing.strategy for standing in live.sorted()] == ["a", "b", "c", "d"]
    assert [standing_line(standing, 1).split()[1] for standing in live.sorted()] == ["1", "2", ">", "-"]
