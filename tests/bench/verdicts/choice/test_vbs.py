"""The virtual best solver, by hand-computed examples."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.bench.verdicts.choice.vbs import VBS, VBS_COLUMNS, vbs, words
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run

LIMIT_S = 10.0


def table_of(seconds: list[list[float]]) -> pd.DataFrame:
    """Of strategies a, b, ... with one measurement of each puzzle, beyond 10 s unfinished."""
    return vbs(run_of(seconds)).set_index("strategy")


def run_of(seconds: list[list[float]]) -> Run:
    times = np.array(seconds)[:, :, None]
    return a_run(times, list("abc")[: len(times)], np.ones(times.shape[1]), limit_s=LIMIT_S)


def test_by_hand() -> None:
    table = table_of([[1.0, 8.0, 4.0], [2.0, 2.0, 4.0]])
    assert tuple(table.reset_index().columns[[1, 0]]) == VBS_COLUMNS[:2]
    best = table.loc[VBS]  # 1, 2, 4
    assert best[["median_s", "gmean_s", "par2_s"]].tolist() == pytest.approx([2, 2, 7 / 3])
    assert table.loc[["a", "b"], "fastest_share"].tolist() == pytest.approx([0.5, 0.5])  # one each, and half of the tie
    assert set(table["n_puzzles"]) == {3}


def test_a_puzzle_that_only_one_strategy_solves() -> None:
    table = table_of([[1.0, 99.0], [5.0, 5.0]])
    assert table.loc[["a", "b"], "only"].tolist() == [0, 1]
    assert math.isnan(table.loc["a", "gmean_s"])
    assert table.loc[VBS, "gmean_s"] == pytest.approx(math.sqrt(5))


def test_puzzles_that_no_strategy_solves_stay_unsolved() -> None:
    table = table_of([[1.0, 99.0], [2.0, 99.0]])
    assert math.isnan(table.loc[VBS, "gmean_s"])
    assert table.loc[VBS, "par2_s"] == pytest.approx((1 + 2 * LIMIT_S) / 2)
    assert table.loc[["a", "b"], "fastest_share"].tolist() == [0.5, 0]


def test_wrong_and_unsupported_strategies_are_left_out_with_a_reason() -> None:
    run = run_of([[1.0, 1.0], [2.0, 3.0], [9.0, 9.0]])
    rows = run.measurements
    rows.loc[(rows["strategy"] == "a") & (rows["puzzle"] == "own-0000"), "status"] = "wrong"
    rows.loc[(rows["strategy"] == "c") & (rows["puzzle"] == "own-0000"), "status"] = "unsupported"
    table = vbs(run).set_index("strategy")
    assert table["left_out"].dropna().to_dict() == {"a": "wrong", "c": "unsupported"}
    assert table.loc[VBS, "median_s"] == pytest.approx(2.5)
    assert table.loc["b", "fastest_share"] == 1


def test_the_median_of_repetitions_decides_not_the_minimum() -> None:
    times = np.array([[[1.0, 9.0, 9.0]], [[5.0, 5.0, 5.0]]])
    table = vbs(a_run(times, ["a", "b"], np.ones(1))).set_index("strategy")
    assert table.loc["b", "fastest_share"] == 1
    assert table.loc[VBS, "median_s"] == pytest.approx(5)


@settings(max_examples=8)
@given(st.integers(1, 3), st.integers(1, 6), st.integers(0, 9999))
def test_no_strategy_is_better_than_the_virtual_best(strategies: int, puzzles: int, seed: int) -> None:
    seconds = np.random.default_rng(seed).uniform(0.1, 1.5 * LIMIT_S, (strategies, puzzles))
    table = table_of(seconds.tolist())
    rows = table.drop(VBS)
    assert (rows["par2_s"] >= table.loc[VBS, "par2_s"] - 1e-9).all()
    solved = (seconds <= LIMIT_S).any(axis=0)
    assert rows["fastest_share"].sum() == pytest.approx(solved.mean())


def test_words_name_the_fastest_of_each_collection() -> None:
    lines = words(vbs(run_of([[1.0, 1.0, 1.0] * 5, [2.0, 2.0, 0.5] * 5])))
    assert lines[1:] == ["  own: a 67%, b 33%"]
    assert words(vbs(run_of([[1.0] * 15]))) == []
    assert words(vbs(run_of([[1.0] * 14, [2.0] * 14]))) == []  # too few puzzles for any verdict
