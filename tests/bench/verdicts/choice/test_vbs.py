"""The virtual best solver, by hand-computed examples."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.choice.vbs import VBS, VBS_COLUMNS, vbs
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
