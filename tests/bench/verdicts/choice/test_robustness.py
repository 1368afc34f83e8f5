"""Whether rankings hold under other rules, by hand-computed examples."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from bench.verdicts.choice.robustness import ALL, ROBUSTNESS_COLUMNS, robustness, swapped_apart, words
from bench.verdicts.pairs.decision import LEAST_PUZZLES
from bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run, together

LIMIT_S = 10.0


def run_of(seconds: dict[str, list[float]], collection: str = "own") -> Run:
    """One measurement of each puzzle, beyond 10 s unfinished. Each time is that of 15 puzzles, so that ranks count."""
    times = np.repeat(np.array(list(seconds.values())), LEAST_PUZZLES, axis=1)[:, :, None]
    return a_run(times, list(seconds), np.ones(times.shape[1]), limit_s=LIMIT_S, collection=collection)


def table_of(run: Run, changed: str) -> pd.DataFrame:
    table = robustness(run)
    assert tuple(table.columns) == ROBUSTNESS_COLUMNS
    return table[table["changed"] == changed].set_index("rule")


def test_a_fast_strategy_with_timeouts_wins_under_a_lower_limit() -> None:
    """a: 1, 1, then timeout: PAR-2 (1 + 1 + 20) / 3. b takes 6 always. At 5 s b finishes nothing: a wins."""
    table = table_of(run_of({"a": [1.0, 1.0, 99.0], "b": [6.0, 6.0, 6.0]}), "limit")
    assert list(table.index) == ["5 s", "1 s"]
    line = table.loc["5 s"]
    assert line["moved"] == "b 1>2; a 2>1"
    assert line["kendall_tau"] == pytest.approx(-1)
    assert line["swapped_apart"] == pytest.approx(22 / 18)
    assert line["strategies"] == 2


def test_solves_that_took_longer_than_a_lower_limit_count_as_unfinished() -> None:
    """a: (6 + 6 + 0.1) / 3 = 4.03 against 4.9; at 5 s (10 + 10 + 0.1) / 3 = 6.7 against 4.9."""
    table = table_of(run_of({"a": [6.0, 6.0, 0.1], "b": [4.9, 4.9, 4.9]}), "limit")
    assert table.loc["5 s", "moved"] == "a 1>2; b 2>1"


def test_a_limit_far_above_all_times_changes_nothing() -> None:
    table = table_of(run_of({"a": [0.1, 0.1], "b": [0.2, 0.2]}), "limit")
    assert table["moved"].tolist() == ["", ""]
    assert table["kendall_tau"].tolist() == [1, 1]
    assert table["swapped_apart"].isna().all()


def test_par10_moves_strategies_with_timeouts() -> None:
    """a: PAR-2 (0 + 0 + 20) / 3 = 6.7 against 8, PAR-10 33 against 8."""
    table = table_of(run_of({"a": [1e-9, 1e-9, 99.0], "b": [8.0, 8.0, 8.0]}), "par").loc["PAR-10"]
    assert table["moved"] == "a 1>2; b 2>1"
    assert table["swapped_apart"] == pytest.approx(8 / (20 / 3))


def test_a_shift_moves_strategies_that_are_fast_on_easy_puzzles() -> None:
    """Geometric means: a √(10⁻⁶·1) = 1 ms, b √(10⁻⁴·0.1) = 3.2 ms. With a shift of 10 ms: a 90.5, b 23.3."""
    run = run_of({"a": [1e-6, 1.0], "b": [1e-4, 0.1]})
    table = table_of(run, "shift")
    assert list(table.index) == [f"geometric mean, shift {ms} ms" for ms in (0, 1, 10)]
    assert table["moved"].tolist() == ["b 1>2; a 2>1", "", ""]  # the base, an arithmetic mean, has b first


def test_the_wall_clock_can_change_the_ranking() -> None:
    run = run_of({"a": [1.0, 1.0], "b": [2.0, 2.0]})
    rows = run.measurements
    rows["wall_s"] = rows["wall_s"].where(rows["strategy"] == "a", 0.5)
    table = table_of(run, "clock").loc["wall"]
    assert table["moved"] == "a 1>2; b 2>1"
    assert words(robustness(run)) == ["Rankings depend on the clock (own): see robustness.csv"]


def test_all_collections_together_have_equal_weights() -> None:
    """Scores: a 1, 1, 9; b 2, 2, 1. Geometric means 9 ** (1/3) = 2.1 and 4 ** (1/3) = 1.6; without the third 1, 2."""
    scores = {"x": (1.0, 2.0), "y": (1.0, 2.0), "z": (9.0, 1.0)}
    run = together(*(run_of({"a": [a], "b": [b]}, name) for name, (a, b) in scores.items()))
    table = table_of(run, "collections")
    assert set(table["collection"]) == {ALL}
    assert table.loc["without z", "moved"] == "b 1>2; a 2>1"
    assert table.loc["without z", "swapped_apart"] == pytest.approx((9 / 4) ** (1 / 3))
    assert table.loc[["without x", "without y"], "moved"].tolist() == ["", ""]


def test_repetitions_are_averaged_within_puzzles_first() -> None:
    times = np.array([[[1.0, 1.0], [4.0, 6.0]], [[3.0, 3.0], [3.0, 3.0]]]).repeat(LEAST_PUZZLES, axis=1)
    table = robustness(a_run(times, ["a", "b"], np.ones(times.shape[1]), limit_s=LIMIT_S)).set_index("rule")
    assert table.loc["PAR-10", "moved"] == ""  # equal means: tied before and after
    assert math.isnan(table.loc["PAR-10", "swapped_apart"])


def test_wrong_or_single_strategies_are_not_ranked() -> None:
    run = run_of({"a": [1.0, 1.0], "b": [2.0, 2.0], "c": [3.0, 3.0]})
    run.measurements.loc[0, "status"] = "wrong"
    assert set(robustness(run)["strategies"]) == {2}
    alone = run_of({"a": [1.0]})
    assert robustness(alone).empty
    assert words(robustness(alone)) == []


def test_too_few_puzzles_rank_nobody() -> None:
    times = np.array([[1.0], [2.0]]).repeat(LEAST_PUZZLES, axis=1)[:, :, None]
    fewer, enough = (a_run(part, ["a", "b"], np.ones(part.shape[1]), LIMIT_S) for part in (times[:, 1:], times))
    assert robustness(fewer).empty
    assert words(robustness(fewer)) == []
    assert len(words(robustness(enough))) == 1


def test_swaps_of_nearly_equal_strategies_are_not_reported() -> None:
    run = run_of({"a": [1.0, 1.0], "b": [1.01, 1.01]})
    rows = run.measurements
    rows["wall_s"] = rows["wall_s"].where(rows["strategy"] == "a", 0.5)
    assert "are the same" in words(robustness(run))[0]
    assert (robustness(run)["moved"] != "").any()


def test_the_largest_swap_by_hand() -> None:
    base = pd.Series({"a": 1.0, "b": 2.0, "c": 3.0})
    assert swapped_apart(base, pd.Series({"a": 3.0, "b": 2.0, "c": 1.0})) == pytest.approx(3)
    assert swapped_apart(base, pd.Series({"a": 2.0, "b": 1.0, "c": 3.0})) == pytest.approx(2)
    assert math.isnan(swapped_apart(base, base * 7))
