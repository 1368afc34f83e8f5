"""The virtual best solver, by hand-computed examples."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.verdicts.choice.vbs import VBS, VBS_COLUMNS, crossfit, vbs, words
from bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run

LIMIT_S = 10.0


def table(seconds: list[list[float]]) -> pd.DataFrame:
    """Of strategies a, b, ... with one measurement of each puzzle, beyond 10 s unfinished."""
    return vbs(run_of(seconds)).set_index("strategy")


def run_of(seconds: list[list[float]]) -> Run:
    times = np.array(seconds)[:, :, None]
    return a_run(times, list("abc")[: len(times)], np.ones(times.shape[1]), limit_s=LIMIT_S)


def test_by_hand() -> None:
    found = table([[1.0, 8.0, 4.0], [2.0, 2.0, 4.0]])
    assert tuple(found.reset_index().columns[[1, 0]]) == VBS_COLUMNS[:2]
    best = found.loc[VBS]  # 1, 2, 4
    assert best[["median_s", "gmean_s", "par2_s"]].tolist() == pytest.approx([2, 2, 7 / 3])
    assert found.loc["a", "fastest"] == found.loc["b", "fastest"] == 1.5  # one each, and half of the tie
    assert found.loc["a", "fastest_share"] == pytest.approx(0.5)
    assert found.loc["a", "gmean_without"] == pytest.approx(16 ** (1 / 3) / 2)  # 2, 2, 4 is left
    assert found.loc["a", "par2_without"] == pytest.approx(8 / 7)
    assert found.loc["b", "gmean_without"] == pytest.approx(32 ** (1 / 3) / 2)  # 1, 8, 4
    assert found.loc["b", "par2_without"] == pytest.approx(13 / 7)
    assert set(found["n_puzzles"]) == {3}


def test_a_strategy_that_alone_solves_a_puzzle_cannot_be_done_without() -> None:
    found = table([[1.0, 99.0], [5.0, 5.0]])
    assert found.loc["b", "only"] == 1
    assert found.loc["a", "only"] == 0
    assert math.isnan(found.loc["b", "gmean_without"])
    assert found.loc["b", "par2_without"] == pytest.approx((1 + 2 * LIMIT_S) / 6)
    assert found.loc["a", "solved_puzzles"] == 1
    assert math.isnan(found.loc["a", "gmean_s"])
    assert found.loc[VBS, "gmean_s"] == pytest.approx(math.sqrt(5))


def test_what_nobody_solves_stays_unsolved() -> None:
    found = table([[1.0, 99.0], [2.0, 99.0]])
    assert found.loc[VBS, "solved_puzzles"] == 1
    assert math.isnan(found.loc[VBS, "gmean_s"])
    assert found.loc[VBS, "par2_s"] == pytest.approx((1 + 2 * LIMIT_S) / 2)
    assert found.loc["a", "fastest"] == 1
    assert found.loc["b", "fastest"] == 0


def test_a_wrong_or_unsupported_strategy_has_no_part_and_that_is_said() -> None:
    run = run_of([[1.0, 1.0], [2.0, 3.0], [9.0, 9.0]])
    rows = run.measurements
    rows.loc[(rows["strategy"] == "a") & (rows["puzzle"] == "own-0000"), "status"] = "wrong"
    rows.loc[(rows["strategy"] == "c") & (rows["puzzle"] == "own-0000"), "status"] = "unsupported"
    found = vbs(run).set_index("strategy")
    assert found.loc[["a", "c"], "left_out"].tolist() == ["wrong", "unsupported"]
    assert found.loc[["a", "c"]].drop(columns=["collection", "left_out"]).isna().all(axis=None)
    assert found.loc[VBS, "median_s"] == pytest.approx(2.5)
    assert found.loc["b", "fastest_share"] == 1


def test_the_median_of_repetitions_decides_not_the_luckiest() -> None:
    times = np.array([[[1.0, 9.0, 9.0]], [[5.0, 5.0, 5.0]]])
    found = vbs(a_run(times, ["a", "b"], np.ones(1))).set_index("strategy")
    assert found.loc["b", "fastest"] == 1
    assert found.loc[VBS, "median_s"] == pytest.approx(5)


def test_strategies_that_are_alike_make_the_virtual_best_look_fast_but_not_crossfitted() -> None:
    rng = np.random.default_rng(3)
    times = np.exp(0.5 * rng.standard_normal((8, 2000, 2)))
    found = vbs(a_run(times, [f"s{n}" for n in range(8)], np.ones(2000))).set_index("strategy")
    assert found.loc[VBS, "gmean_s"] < 0.7
    assert found.loc[VBS, "crossfit_gmean_s"] == pytest.approx(1, abs=0.03)


def test_crossfit_by_hand() -> None:
    seconds = np.array([[[1.0, 8.0]], [[2.0, 4.0]]])  # the first chooses a, which then takes 8; the second b: 2
    assert crossfit(seconds) == pytest.approx(4)
    assert math.isnan(crossfit(seconds[:, :, :1]))


@settings(max_examples=25)
@given(st.integers(1, 3), st.integers(1, 6), st.integers(0, 9999))
def test_no_strategy_is_better_than_the_virtual_best(strategies: int, puzzles: int, seed: int) -> None:
    seconds = np.random.default_rng(seed).uniform(0.1, 1.5 * LIMIT_S, (strategies, puzzles))
    found = table(seconds.tolist())
    own = found.drop(VBS)
    assert (own["par2_s"] >= found.loc[VBS, "par2_s"] - 1e-9).all()
    assert own["fastest"].sum() == pytest.approx(found.loc[VBS, "solved_puzzles"])
    assert (own["par2_without"].dropna() >= 1 - 1e-9).all()


def test_words_name_the_fastest_of_each_collection() -> None:
    lines = words(vbs(run_of([[1.0, 1.0, 1.0], [2.0, 2.0, 0.5]])))
    assert lines[1:] == ["  own: a 67%, b 33%"]
    assert words(vbs(run_of([[1.0, 1.0]]))) == []
