"""The table of pairs, on simulated runs with known true ratios."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.pair_estimates import pair_blocks, transitive
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
    assert line["decided_lo"] == pytest.approx(line["ratio_lo"])  # a family of one
    assert line["verdict"] == "b_faster"
    assert line["losses"] > 35
    assert line["wins"] + line["ties"] + line["losses"] == line["n_puzzles"] == 40
    assert (line["estimator"], line["clock"], line["family"]) == ("geometric mean", "cpu", 1)


def test_copies_are_equivalent_within_the_declared_margin_but_not_within_a_smaller_one() -> None:
    run = run_of(simulated({"a": 1, "b": 1}, spread=Spread(0.02, 0.02, 0.001, 0.01)), "ab")
    line = only(all_pairs(run))
    assert line["verdict"] == "equivalent"
    assert 1 / 1.05 < line["decided_lo"] < 1 < line["decided_hi"] < 1.05
    run.manifest["suite"]["margin"] = 0.001
    line = only(all_pairs(run))
    assert line["margin"] == 0.001
    assert line["verdict"] != "equivalent"


def test_a_difference_may_be_shown_to_be_less_than_the_margin() -> None:
    line = only(all_pairs(run_of(simulated({"a": 1.02, "b": 1}, spread=Spread(0.005, 0, 0.0001, 0.001)), "ab")))
    assert (line["verdict"], line["beyond_margin"]) == ("b_faster", "no")
    assert line["p_equivalent_holm"] < 0.001
    assert line["p_margin_holm"] == pytest.approx(1, abs=0.01)
    far = only(all_pairs(run_of(simulated({"a": 1.2, "b": 1}, spread=Spread(0.005, 0, 0.0001, 0.001)), "ab")))
    assert (far["verdict"], far["beyond_margin"]) == ("b_faster", "yes")
    wide = only(all_pairs(run_of(simulated({"a": 1.06, "b": 1}, spread=Spread(0.05, 0, 0.0001, 0.001)), "ab")))
    assert (wide["verdict"], wide["beyond_margin"]) == ("b_faster", "")


@pytest.mark.parametrize(("puzzles", "verdict"), [(14, "too_few"), (15, "b_faster")])
def test_fewer_than_fifteen_puzzles_are_too_few(puzzles: int, verdict: str) -> None:
    assert only(all_pairs(run_of(simulated({"a": 9, "b": 1}, puzzles), "ab")))["verdict"] == verdict


def test_one_repetition_is_too_few() -> None:
    """Nothing in it shows how processes of one strategy differ."""
    line = only(all_pairs(run_of(simulated({"a": 9, "b": 1})[:, :, :1], "ab")))
    assert line["verdict"] == "too_few"
    assert line[["p_holm", "decided_lo", "decided_hi"]].isna().all()
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
    rows = [  # Holm p, Holm p of equivalence, deciding interval, verdict
        (unknown, unknown, unknown, unknown, "too_few"),
        (0.0, 0.049, -2.0, -1.0, "a_faster"),
        (0.049, 1.0, -2.0, -1.0, "a_faster"),
        (0.049, 1.0, 1.0, 2.0, "b_faster"),
        (0.049, 1.0, 1.0, far, "b_faster"),
        (0.05, 0.049, -0.1, 2.0, "equivalent"),
        (0.05, 0.05, -0.1, 2.0, "indistinguishable"),
    ]
    p, equivalent, low, high, expected = (np.array(column) for column in zip(*rows, strict=True))
    assert list(decision.verdicts(p, equivalent, (low, high))) == list(expected)


def test_holm_by_hand() -> None:
    assert decision.holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])
    assert decision.holm(np.array([0.5, 0.6])) == pytest.approx([1.0, 1.0])
    assert len(decision.holm(np.array([]))) == 0
    known = decision.holm(np.array([math.nan, 0.01]))
    assert math.isnan(known[0])
    assert known[1] == pytest.approx(0.01)  # a hypothesis that is not tested is not a member of the family


def test_the_multiplier_is_that_of_the_step_that_decided() -> None:
    adjusted, multiplier = decision.step_down(np.array([0.9, 0.001, 0.03, 0.02, math.nan]))
    assert adjusted[:4] == pytest.approx([0.9, 0.004, 0.06, 0.06])
    assert list(multiplier[:4]) == [3, 4, 3, 3]  # 3 * 0.02 is the first that is not significant


def test_hypotheses_that_cannot_be_true_together_count_once() -> None:
    """Of three strategies, a = b is rejected: then at most one of a = c and b = c is true."""
    every = decision.Transitive(np.zeros(3, dtype=int), np.array([0, 0, 1]), np.array([1, 2, 2]))
    p = np.array([0.001, 0.03, 0.04])
    assert decision.holm(p) == pytest.approx([0.003, 0.06, 0.06])
    adjusted, multiplier = decision.step_down(p, every)
    assert adjusted == pytest.approx([0.003, 0.03, 0.04])
    assert list(multiplier) == [3, 1, 1]
    # Medians imply nothing about each other.
    alone = decision.Transitive(np.full(3, -1), every.a, every.b)
    assert decision.step_down(p, alone)[0] == pytest.approx(decision.holm(p))


def most_true_by_search(strategies: int, edges: list[tuple[int, int]]) -> int:
    """Try every partition of the strategies into groups of equals."""
    best = 0
    for labels in itertools.product(range(strategies), repeat=strategies):
        groups = [(i, j) for i in range(strategies) for j in range(i + 1, strategies) if labels[i] == labels[j]]
        if set(groups) <= set(edges):
            best = max(best, len(groups))
    return best


def test_the_bound_of_true_hypotheses_holds_for_every_partition() -> None:
    rng = np.random.default_rng(1)
    first, second = np.triu_indices(5, 1)
    every = decision.Transitive(np.zeros(10, dtype=int), first, second)
    exact = 0
    for _ in range(60):
        possible = np.flatnonzero(rng.random(10) < rng.random())
        most = most_true_by_search(5, [(int(first[i]), int(second[i])) for i in possible])
        assert most <= every.most_true(possible) <= len(possible)
        exact += most == every.most_true(possible)
    assert exact > 20  # it is not always exact


def test_only_complete_sets_of_pairs_by_the_mean_imply_each_other() -> None:
    run = run_of(simulated({"a": 1, "b": 2, "c": 3, "d": 9}), "abcd")
    [block] = pair_blocks(run)
    assert (transitive([block]).group == 0).all()
    assert (transitive(pair_blocks(run, "a")).group == -1).all()
    seconds = np.array([1.0, 1.0, 1.0, 9.0])[:, None, None] * simulated({"a": 1}).clip(0.01, 0.02)
    [limited] = pair_blocks(run_of(seconds, "abcd", limit_s=0.15))
    by_mean = limited.unlimited
    assert 0 < by_mean.sum() < 6
    assert (transitive([limited]).group[~by_mean] == -1).all()


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
def test_verdict_and_deciding_interval_never_contradict_each_other(
    seed: int, strategies: int, puzzles: int, taste: float, steps: float, beyond: float, baseline: bool
) -> None:
    rng = np.random.default_rng(seed)
    names = "abcdefgh"[:strategies]
    ratios = dict(zip(names, np.exp(steps * rng.integers(-2, 3, strategies)), strict=True))
    seconds = simulated(ratios, puzzles, seed, Spread(taste=taste))
    limit = float(np.quantile(seconds, 1 - beyond)) if beyond else 1e9
    table = all_pairs(run_of(seconds, names, limit_s=limit), "a" if baseline else None)
    low, high = table["decided_lo"].fillna(0), table["decided_hi"].fillna(np.inf)
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
    # Where a difference was asked for, the deciding interval is never narrower than the interval of the pair alone.
    asked = ~few & ~equivalent
    assert (low <= table["ratio_lo"].fillna(0) * (1 + 1e-9))[asked].all()
    assert (high >= table["ratio_hi"].fillna(np.inf) * (1 - 1e-9))[asked].all()
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
    # The other collection also tells something about how processes vary, so they are not exactly the same.
    assert rows["p"].to_list() == pytest.approx(alone["p"].to_list(), rel=0.02)
    assert rows["ratio_lo"].to_list() == pytest.approx(alone["ratio_lo"].to_list(), rel=0.001)
    assert (rows["p_holm"] >= 0.99 * alone["p_holm"]).all()
    assert (rows["decided_hi"] >= 0.999 * alone["decided_hi"]).all()
    assert (rows["decided_hi"] > 1.001 * alone["decided_hi"]).any()
    assert (table["p_holm"] >= table["p"]).all()


def test_only_pairs_with_the_baseline_are_compared() -> None:
    run = run_of(simulated({"a": 1, "b": 2, "c": 3, "d": 4}), "abcd")
    table = all_pairs(run, baseline="c")
    assert list(zip(table["a"], table["b"], strict=True)) == [("a", "c"), ("b", "c"), ("d", "c")]
    assert set(table["family"]) == {3}
    with pytest.raises(InputError, match="baseline e: no strategy"):
        all_pairs(run, baseline="e")


def test_the_order_of_rows_does_not_matter_and_swapping_two_inverts_their_ratio() -> None:
    seconds = simulated({"a": 1.5, "b": 1}) * np.random.default_rng(5).uniform(0.5, 2, (2, 40, 1))
    for limit in (1e9, float(np.quantile(seconds, 0.8))):
        run = run_of(seconds, "ab", limit_s=limit)
        expected = only(all_pairs(run))
        shuffled = only(
            all_pairs(dataclasses.replace(run, measurements=run.measurements.sample(frac=1, random_state=1)))
        )
        swapped = only(all_pairs(run_of(seconds[::-1], "ba", limit_s=limit)))
        lines = [shuffled] if shuffled["a"] == "a" else []
        for line in [*lines, swapped]:
            turn = line["a"] == "b"
            for low, high in (("ratio_lo", "ratio_hi"), ("decided_lo", "decided_hi")):
                ends = (1 / line[high], 1 / line[low]) if turn else (line[low], line[high])
                assert ends == pytest.approx((expected[low], expected[high]), nan_ok=True)
            assert line["p"] == pytest.approx(expected["p"])
            won = (line["losses"], line["wins"]) if turn else (line["wins"], line["losses"])
            assert won == (expected["wins"], expected["losses"])


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


def test_timeouts_beyond_the_median_leave_it_known() -> None:
    seconds = np.ones((2, 41, 5)) * np.random.default_rng(1).uniform(0.9, 1.1, (2, 41, 5))
    seconds[0] *= np.linspace(1, 3, 41)[:, None]
    seconds[0, 35:] *= 1000
    line = only(all_pairs(run_of(seconds, ["slow", "fast"], limit_s=10.0)))
    assert line["estimator"] == "median"
    assert line["ratio"] == pytest.approx(2, rel=0.1)
    assert line["ratio_lo"] < 2 < line["ratio_hi"]


def with_placebo(run: Run, factor: Floats) -> Run:
    """The run with an instrument placebo of ``a``: ``factor`` is its time over that of ``a``, puzzles × repetitions."""
    rows = run.measurements[run.measurements["strategy"] == "a"]
    placebo = rows.assign(
        placebo="instrument",
        strategy="(instrument) a",
        cpu_s=rows["cpu_s"] * factor.ravel(),
        wall_s=rows["wall_s"],
    )
    return dataclasses.replace(run, measurements=pd.concat([run.measurements, placebo], ignore_index=True))


def test_placebos_do_not_change_verdicts() -> None:
    run = run_of(simulated({"a": 1.15, "b": 1}, spread=Spread(0.02, 0.01, 0.002, 0.01)), "ab")
    bare, line = only(all_pairs(run)), only(all_pairs(with_placebo(run, np.full((40, 5), 1.2))))
    assert math.isnan(bare["tie_margin"])
    assert line["tie_margin"] == pytest.approx(1.2)
    numbers = ["wins", "ties", "losses", "tie_margin"]
    pd.testing.assert_series_equal(line.drop(numbers), bare.drop(numbers))


def test_the_tie_margin_is_the_spread_of_single_puzzles_not_of_their_mean() -> None:
    """The placebo of a puzzle is off by up to 20% either way, that of their mean by nothing."""
    off = np.exp(np.log(1.2) * np.linspace(-1, 1, 40))[:, None] * np.ones(5)
    seconds = np.ones((2, 40, 5)) + np.random.default_rng(1).uniform(0, 1e-6, (2, 40, 5))
    seconds[0, :20] *= 1.1
    seconds[0, 20:30] *= 1.5
    seconds[0, 30:] /= 1.5
    line = only(all_pairs(with_placebo(run_of(seconds, "ab"), off)))
    assert 1.1 < line["tie_margin"] < 1.2
    assert (line["wins"], line["ties"], line["losses"]) == (10, 20, 10)


def test_the_only_strategy_to_finish_wins() -> None:
    seconds = np.ones((2, 20, 5)) + np.random.default_rng(1).uniform(0, 1e-6, (2, 20, 5))
    seconds[0, :7] = 99.0
    seconds[1, 4:9] = 99.0
    line = only(all_pairs(with_placebo(run_of(seconds, "ab", limit_s=5.0), np.full((20, 5), 1.01))))
    assert (line["wins"], line["ties"], line["losses"]) == (2, 14, 4)
    assert line["n_censored"] == 9


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
