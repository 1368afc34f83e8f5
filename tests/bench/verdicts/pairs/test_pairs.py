"""The table of pairs, on simulated runs with known true ratios."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import evidence, turned
from sudoku_bench.bench.verdicts.pairs.pairs import PAIRS_COLUMNS, all_pairs
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError
from tests.bench.verdicts.simulated_runs import Floats, Spread, a_run, drawn, together

CONTRACT = [
    *("collection", "a", "b", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p_holm", "wins", "ties", "losses"),
    "verdict",
]
USUAL = Spread()


def simulated(ratios: dict[str, float], puzzles: int = 40, seed: int = 1, spread: Spread = USUAL) -> Floats:
    """Return times of strategies with these ratios, the same at every difficulty."""
    rng = np.random.default_rng(seed)
    curves = {name: (lambda x, ratio=ratio: ratio * 0.01 * x) for name, ratio in ratios.items()}
    return drawn(curves, np.exp(rng.standard_normal(puzzles)), 5, rng, spread)


def run_of(seconds: Floats, names: Sequence[str], **settings) -> Run:
    return a_run(seconds, list(names), np.ones(seconds.shape[1]), **settings)


def only(table: pd.DataFrame) -> pd.Series:
    assert len(table) == 1
    return table.iloc[0]


def test_the_columns_are_those_that_outside_tools_rely_on() -> None:
    assert list(PAIRS_COLUMNS[: len(CONTRACT)]) == CONTRACT
    assert tuple(all_pairs(run_of(simulated({"a": 1, "b": 2}), "ab")).columns) == PAIRS_COLUMNS
    alone = all_pairs(run_of(simulated({"a": 1}), "a"))
    assert tuple(alone.columns) == PAIRS_COLUMNS
    assert alone.empty


def test_the_ratio_is_a_over_b_and_the_slower_strategy_loses() -> None:
    line = only(all_pairs(run_of(simulated({"a": 2, "b": 1}), "ab")))
    assert line["ratio_lo"] < 2 < line["ratio_hi"]
    assert line["verdict"] == "b_faster"
    assert line["losses"] > 35
    assert line["wins"] + line["ties"] + line["losses"] == line["n_puzzles"] == 40
    assert (line["estimator"], line["clock"], line["family"]) == ("geometric mean", "cpu", 1)


def test_copies_are_equivalent_within_the_declared_margin_but_not_within_a_smaller_one() -> None:
    run = run_of(simulated({"a": 1, "b": 1}, spread=Spread(0.02, 0.02, 0.001, 0.01)), "ab")
    line = only(all_pairs(run))
    assert line["verdict"] == "equivalent"
    assert 1 / 1.05 < line["ratio_lo"] < 1 < line["ratio_hi"] < 1.05
    run.manifest["suite"]["margin"] = 0.001
    line = only(all_pairs(run))
    assert line["margin"] == 0.001
    assert line["verdict"] != "equivalent"


@pytest.mark.parametrize(("puzzles", "verdict"), [(14, "too_few"), (15, "b_faster")])
def test_fewer_than_fifteen_puzzles_are_too_few(puzzles: int, verdict: str) -> None:
    assert only(all_pairs(run_of(simulated({"a": 9, "b": 1}, puzzles), "ab")))["verdict"] == verdict


def test_one_repetition_is_too_few() -> None:
    """Nothing in it shows how processes of one strategy differ."""
    line = only(all_pairs(run_of(simulated({"a": 9, "b": 1})[:, :, :1], "ab")))
    assert line["verdict"] == "too_few"
    assert line[["p_holm", "ratio_lo", "ratio_hi"]].isna().all()
    assert (line["beyond_margin"], line["family"]) == ("", 0)


def test_a_family_too_large_for_the_attainable_p_value_is_not_decidable() -> None:
    """15 puzzles that all agree have p = 2 ** -14, times 819 pairs 0.04999, times 820 more than 0.05."""
    puzzles = np.full(820, 15)
    assert not decision.decidable(puzzles, np.full(820, 5)).any()
    assert decision.decidable(puzzles[1:], np.full(819, 5)).all()
    # Pairs without enough puzzles are not members of the family.
    puzzles[0] = 14
    assert decision.decidable(puzzles, np.full(820, 5)).sum() == 819


def test_the_decision_table_row_by_row() -> None:
    unknown, far = math.nan, math.inf
    rows = [  # interval, verdict, whether beyond a margin of 0.1
        (unknown, unknown, "too_few", ""),
        (-2.0, -1.0, "a_faster", "yes"),
        (-2.0, -0.01, "a_faster", ""),
        (0.01, 0.09, "b_faster", "no"),
        (1.0, far, "b_faster", "yes"),
        (-0.1, 0.1, "equivalent", "no"),
        (-0.05, 2.0, "indistinguishable", ""),
        (-far, far, "indistinguishable", ""),
    ]
    low, high, verdicts, beyond = (np.array(column) for column in zip(*rows, strict=True))
    assert list(decision.verdicts(low, high, 0.1)) == list(verdicts)
    assert list(decision.beyond_margin(low, high, 0.1)) == list(beyond)


def test_every_p_value_is_multiplied_by_the_number_of_those_that_are_tested() -> None:
    assert decision.bonferroni(np.array([0.01, 0.5, math.nan])) == pytest.approx([0.02, 1.0, math.nan], nan_ok=True)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    strategies=st.integers(2, 8),
    puzzles=st.integers(13, 40),
    taste=st.floats(0.001, 1.0),
    steps=st.floats(0.0, 0.5),
    beyond=st.sampled_from([0.0, 0.01, 0.2]),
    baseline=st.booleans(),
)
def test_verdict_and_interval_never_contradict_each_other(
    seed: int, strategies: int, puzzles: int, taste: float, steps: float, beyond: float, baseline: bool
) -> None:
    rng = np.random.default_rng(seed)
    names = "abcdefgh"[:strategies]
    ratios = dict(zip(names, np.exp(steps * rng.integers(-2, 3, strategies)), strict=True))
    seconds = simulated(ratios, puzzles, seed, Spread(taste=taste))
    limit = float(np.quantile(seconds, 1 - beyond)) if beyond else 1e9
    table = all_pairs(run_of(seconds, names, limit_s=limit), "a" if baseline else None)
    low, high = table["ratio_lo"].fillna(0), table["ratio_hi"].fillna(np.inf)
    assert (table["verdict"].eq("a_faster") == (high < 1)).all()
    assert (table["verdict"].eq("b_faster") == (low > 1)).all()
    claimed, few = table["verdict"].isin(["a_faster", "b_faster"]), table["verdict"] == "too_few"
    assert (claimed == (table["p_holm"] < 0.05)).all()
    assert (few == table["p_holm"].isna()).all()
    # Who differs by more than the margin differs at all, and is not equivalent.
    assert claimed[table["beyond_margin"] == "yes"].all()
    equivalent = table["verdict"] == "equivalent"
    assert (table.loc[equivalent, "beyond_margin"] == "no").all()
    assert ((low > 1 / 1.05) & (high < 1.05))[equivalent].all()
    assert ((low <= 1) & (high >= 1))[table["verdict"] == "indistinguishable"].all()


def test_the_family_is_all_pairs_over_all_collections() -> None:
    one, other = (
        run_of(simulated({"a": 1, "b": 1.3, "c": 2}, seed=seed), "abc", collection=name)
        for seed, name in enumerate(("one", "two"))
    )
    alone, table = all_pairs(one), all_pairs(together(one, other))
    assert (len(alone), len(table)) == (3, 6)
    assert set(table["family"]) == {6}
    rows = table[table["collection"] == "one"].reset_index(drop=True)
    assert rows["p"].to_list() == pytest.approx(alone["p"].to_list())
    assert rows["p_holm"].to_list() == pytest.approx((6 * rows["p"]).clip(upper=1).to_list())
    assert (rows["ratio_hi"] > 1.001 * alone["ratio_hi"]).all()


def test_rows_with_the_best_are_rows_of_all_pairs() -> None:
    run = run_of(simulated({"a": 1.5, "b": 1, "c": 1.2, "d": 2}), "abcd")
    every = {frozenset((row["a"], row["b"])): row for row in run.all_pairs.to_dict("records")}
    assert list(run.pairs["b"]) == ["b"] * 3
    for row in run.pairs.to_dict("records"):
        other = every[frozenset((row["a"], row["b"]))]
        same = other if other["a"] == row["a"] else turned(other)
        pd.testing.assert_series_equal(pd.Series(row), pd.Series(same))


def test_only_pairs_with_the_baseline_are_compared() -> None:
    run = run_of(simulated({"a": 1, "b": 2, "c": 3, "d": 4}), "abcd")
    table = all_pairs(run, baseline="c")
    assert list(zip(table["a"], table["b"], strict=True)) == [("a", "c"), ("b", "c"), ("d", "c")]
    assert set(table["family"]) == {3}
    with pytest.raises(InputError, match="baseline e: no strategy"):
        all_pairs(run, baseline="e")


def test_a_ratio_with_one_bound_has_an_empty_end() -> None:
    """The slow strategy finishes 10 of 40 puzzles; on the others it takes more than 10 s, the fast one 1 s."""
    seconds = np.ones((2, 40, 5)) * np.random.default_rng(1).uniform(0.9, 1.1, (2, 40, 5))
    seconds[0, :10] *= 3
    seconds[0, 10:] *= 1000
    line = only(all_pairs(run_of(seconds, ["slow", "fast"], limit_s=10.0)))
    assert (line["estimator"], line["n_censored"]) == ("median", 30)
    assert math.isnan(line["ratio"])
    assert math.isnan(line["ratio_hi"])
    assert 8 < line["at_least"] < 12
    assert math.isnan(line["at_most"])
    assert 2 < line["ratio_lo"] < 12
    assert (line["verdict"], line["losses"]) == ("b_faster", 40)


def test_placebos_do_not_change_verdicts() -> None:
    run = run_of(simulated({"a": 1.15, "b": 1}, spread=Spread(0.02, 0.01, 0.002, 0.01)), "ab")
    rows = run.measurements[run.measurements["strategy"] == "a"]
    placebo = rows.assign(placebo="instrument", strategy="(instrument) a", cpu_s=rows["cpu_s"] * 1.2)
    both = dataclasses.replace(run, measurements=pd.concat([run.measurements, placebo], ignore_index=True))
    pd.testing.assert_frame_equal(all_pairs(both), all_pairs(run))


def test_a_tie_is_a_puzzle_of_equal_times_or_one_that_neither_finishes() -> None:
    seconds = np.ones((2, 40, 5))
    seconds[0, :10], seconds[0, 10:15], seconds[:, 15:20] = 1.001, 0.999, 99.0
    line = only(all_pairs(run_of(seconds, "ab", limit_s=5.0)))
    assert (line["wins"], line["ties"], line["losses"]) == (5, 25, 10)


def test_one_solve_that_decides_a_total_is_told() -> None:
    seconds = simulated({"a": 1, "b": 1}, spread=Spread(taste=0.1))
    plain = only(all_pairs(run_of(seconds, "ab")))
    seconds[0, 7, 3] = 100 * seconds.sum()
    line = only(all_pairs(run_of(seconds, "ab")))
    assert line["total_ratio"] > 100
    assert line["total_but_one"] == pytest.approx(plain["total_ratio"], rel=0.05)
    assert "without a single solve of 200)" in evidence(line.to_dict()).sentence
    assert "total" not in evidence(plain.to_dict()).sentence


def limited(only_a: int, only_b: int, neither: int, groups: int = 1) -> pd.Series:
    """The pair of strategies of which each alone solves so many puzzles, and both 40; the times of these are equal."""
    numbers = {(1.0, 1.0): 40, (1.0, 9.0): only_a, (9.0, 1.0): only_b, (9.0, 9.0): neither}
    seconds = np.array([pair for pair, number in numbers.items() for _ in range(number)]).T[:, :, None]
    rng = np.random.default_rng(3)
    run = run_of(seconds * np.exp(0.01 * rng.standard_normal((2, seconds.shape[1], 5))), "ab", limit_s=5.0)
    group = np.arange(seconds.shape[1]) // groups + 1
    return only(all_pairs(dataclasses.replace(run, puzzles=run.puzzles.assign(group=group))))


def test_who_solves_more_is_a_claim_of_its_own() -> None:
    """Norvig's search solved 17 puzzles of size 16 that plain backtracking did not, of which it solved none."""
    line = limited(17, 0, 100)
    assert (line["verdict"], line["more_solved"], line["only_a"], line["only_b"]) == ("indistinguishable", "a", 17, 0)
    assert line["p_solved"] == pytest.approx(2**-16)
    assert evidence(line.to_dict()).sentence.startswith(
        "a solves more within the limit: 17 puzzles that b does not solve"
    )
    assert (limited(0, 17, 100)["more_solved"], limited(9, 7, 0)["more_solved"]) == ("b", "")
    # A puzzle that both solve, or neither, says nothing, and a group says as much as one.
    assert limited(17, 0, 0)["p_solved"] == line["p_solved"]
    assert limited(16, 0, 100, groups=4)["p_solved"] == pytest.approx(2**-3)


def test_who_solves_more_is_corrected_for_all_pairs_and_turns_with_its_pair() -> None:
    seconds = np.ones((3, 40, 5)) * np.random.default_rng(1).uniform(0.9, 1.1, (3, 40, 5))
    seconds[1, :6] = seconds[2, :] = 9.0
    table = all_pairs(run_of(seconds, "abc", limit_s=5.0)).set_index(["a", "b"])
    assert table.loc[("a", "b"), "p_solved"] == pytest.approx(3 * 2**-5)
    assert table["more_solved"].to_dict() == {("a", "b"): "", ("a", "c"): "a", ("b", "c"): "a"}
    back = turned(table.reset_index().to_dict("records")[1])
    assert (back["a"], back["more_solved"], back["only_a"], back["only_b"]) == ("c", "b", 0, 40)


def several_at_once(limit_s: float = 1e9) -> Run:
    """``b`` takes twice the CPU time of ``a``, on four cores at once."""
    run = run_of(simulated({"a": 1, "b": 2}), "ab", limit_s=limit_s)
    rows = run.measurements
    wall = rows["cpu_s"] / np.where(rows["strategy"] == "b", 4, 1)
    return dataclasses.replace(run, measurements=rows.assign(wall_s=wall))


def test_parallel_strategies_get_a_verdict_by_each_clock() -> None:
    table = all_pairs(several_at_once()).set_index("clock")
    assert table["verdict"].to_dict() == {"cpu": "a_faster", "wall": "b_faster"}
    assert 4 * table.loc["cpu", "ratio"] == pytest.approx(table.loc["wall", "ratio"])
    assert set(table["family"]) == {2}


def in_groups(groups: int, size: int, seed: int = 1, strategies: int = 4) -> Run:
    """Return a run of equally fast strategies, each with a taste for each group of so many puzzles."""
    names = {str(number): 1.0 for number in range(strategies)}
    seconds = simulated(names, groups, seed, Spread(0.3, 0, 0, 0)).repeat(size, axis=1)
    rng = np.random.default_rng(seed + 1000)
    process = 0.01 * rng.standard_normal((strategies, 1, 5))
    run = run_of(seconds * np.exp(0.1 * rng.standard_normal(seconds.shape) + process), list(names))
    return dataclasses.replace(run, puzzles=run.puzzles.assign(group=np.arange(groups).repeat(size) + 1))


def as_independent(run: Run) -> Run:
    return dataclasses.replace(run, puzzles=run.puzzles.drop(columns="group"))


def test_a_group_counts_as_one() -> None:
    line = only(all_pairs(in_groups(16, 3, strategies=2)))
    assert (line["n_puzzles"], line["n_independent"]) == (48, 16)
    few = all_pairs(in_groups(3, 10))
    assert set(few["n_puzzles"]) == {30}
    assert set(few["n_independent"]) == {3}
    assert set(few["verdict"]) == {"too_few"}
    claimed = all_pairs(as_independent(in_groups(3, 10)))
    assert set(claimed["n_independent"]) == {30}
    assert (claimed["verdict"] != "too_few").all()


@pytest.mark.parametrize(("size", "least"), [pytest.param(2, 0.2, marks=pytest.mark.thorough), (5, 0.5)])
def test_copies_claim_nothing_false_in_groups(size: int, least: float) -> None:
    """Taken for independent, isomorphs make most reports of equally fast strategies claim something."""

    def false(run: Run) -> bool:
        return bool(run.pairs["verdict"].isin(["a_faster", "b_faster"]).any())

    runs = [in_groups(20, size, seed) for seed in range(60)]
    assert sum(map(false, runs)) <= stats.binom.ppf(0.975, len(runs), 0.05)
    assert sum(false(as_independent(run)) for run in runs) > least * len(runs)


def test_an_interrupted_run_is_compared_by_its_complete_repetitions() -> None:
    run = run_of(simulated({"a": 2, "b": 1}), "ab")
    rows = run.measurements
    third = dataclasses.replace(run, measurements=rows[(rows["repetition"] < 3) | (rows["puzzle"] < "own-0007")])
    two = dataclasses.replace(run, measurements=rows[rows["repetition"] < 3])
    part = all_pairs(third)
    part = part[list(PAIRS_COLUMNS)]
    pd.testing.assert_frame_equal(part, all_pairs(two))
    first = dataclasses.replace(run, measurements=rows[(rows["repetition"] == 1) & (rows["puzzle"] < "own-0020")])
    assert only(all_pairs(first))["n_puzzles"] == 20


def test_a_clock_too_coarse_for_a_solve_is_an_error() -> None:
    run = run_of(simulated({"a": 2, "b": 1}), "ab")
    run.measurements.loc[3, "cpu_s"] = 0.0
    with pytest.raises(InputError, match="took 0 s"):
        all_pairs(run)


def test_puzzles_that_neither_finishes_are_not_left_out() -> None:
    seconds = simulated({"a": 2, "b": 1}, spread=Spread(taste=0.1))
    known = only(all_pairs(run_of(seconds, "ab")))
    seconds[:, :8] = 100.0
    line = only(all_pairs(run_of(seconds, "ab", limit_s=50.0)))
    assert (line["n_puzzles"], line["n_censored"]) == (40, 8)
    assert line["ratio_hi"] / line["ratio_lo"] > known["ratio_hi"] / known["ratio_lo"]
    assert line["ties"] >= 8
    seconds[:, 8:] = 100.0
    nothing = only(all_pairs(run_of(seconds, "ab", limit_s=50.0)))
    assert nothing[["ratio", "ratio_lo", "ratio_hi", "at_least", "at_most"]].isna().all()
    assert (nothing["verdict"], nothing["p_holm"]) == ("indistinguishable", 1.0)


def test_a_sample_just_below_the_limit_uses_the_median() -> None:
    """A mean would be biased, because such a sample is one of the easier ones."""
    seconds = simulated({"a": 2, "b": 1})
    most = float(seconds.max())
    kinds = [only(all_pairs(run_of(seconds, "ab", limit_s=limit)))["estimator"] for limit in (2.1 * most, 1.9 * most)]
    assert kinds == ["geometric mean", "median"]


def test_a_cpu_limit_bounds_wall_time_by_the_number_of_cores() -> None:
    run = several_at_once(limit_s=0.02)
    run.manifest["machine"]["cores_logical"] = 8
    cpu, wall = (all_pairs(run).set_index("clock").loc[clock] for clock in ("cpu", "wall"))
    assert cpu["n_censored"] == wall["n_censored"] > 0
    one = dataclasses.replace(run, manifest=run.manifest | {"machine": {"cores_logical": 1}})
    bold = all_pairs(one).set_index("clock").loc["wall"]
    # On eight cores b may have been at its limit of CPU time in an eighth of that, so that less is known of it.
    assert bold["ratio_hi"] < np.nan_to_num(wall["ratio_hi"], nan=np.inf)
