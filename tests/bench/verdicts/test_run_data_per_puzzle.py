"""One time per strategy and puzzle: medians of comparable rows, infinite if the median was not finished."""

from __future__ import annotations

import dataclasses
import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.bench.verdicts.run_data import PER_PUZZLE_COLUMNS
from tests.bench.verdicts.simulated_runs import a_run

GRIDS = {"small": "." * 16, "usual": "." * 81}


def with_grids(run):
    return dataclasses.replace(run, puzzles=run.puzzles.assign(grid=run.puzzles["collection"].map(GRIDS)))


@settings(max_examples=15, deadline=None)
@given(
    st.integers(2, 3).flatmap(lambda n: st.lists(st.lists(st.floats(0.001, 10), min_size=n, max_size=n), min_size=1))
)
def test_a_time_is_the_median_and_infinite_if_it_was_not_finished(rows: list[list[float]]) -> None:
    run = with_grids(a_run(np.array([rows]), ["a"], np.ones(len(rows)), limit_s=2.0, collection="usual"))
    result = run.per_puzzle
    assert tuple(result) == PER_PUZZLE_COLUMNS
    for times, line in zip(rows, result.to_dict("records"), strict=True):
        middle = statistics.median(value if value <= 2.0 else math.inf for value in times)
        assert line["cpu_s"] == pytest.approx(middle)
        assert line["unfinished"] == sum(value > 2.0 for value in times)
        assert (line["n"], line["size"], line["limit_s"]) == (len(times), 9, 2.0)


def test_what_strategies_may_not_be_compared_by_is_left_out() -> None:
    run = with_grids(a_run(np.ones((4, 4, 2)), ["a", "b", "wrong", "idle"], np.ones(4), collection="usual"))
    rows = run.measurements
    rows.loc[(rows["strategy"] == "wrong") & (rows["puzzle"] == "usual-0000"), "status"] = "wrong"
    rows.loc[(rows["strategy"] == "idle") & (rows["puzzle"] == "usual-0002"), "status"] = "unsupported"
    rows.loc[rows["puzzle"] == "usual-0001", "decoy"] = "several"
    rows.loc[(rows["strategy"] == "b") & (rows["puzzle"] == "usual-0002"), "placebo"] = "instrument"
    puzzles = run.puzzles.assign(solutions=[1, 1, 1, 2])
    result = dataclasses.replace(run, puzzles=puzzles).per_puzzle
    assert set(zip(result["strategy"], result["puzzle"], strict=True)) == {
        ("a", "usual-0000"),
        ("a", "usual-0002"),
        ("b", "usual-0000"),
    }
