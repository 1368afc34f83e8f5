"""Comparisons of two simulated runs with known true changes: verdicts, errors, cautions."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sudoku_bench.bench.verdicts.between_runs import comparison
from sudoku_bench.bench.verdicts.between_runs.comparison import (
    CANNOT_TELL,
    IMPROVEMENT,
    NO_CHANGE,
    NOT_COMPARED,
    REGRESSION,
    SLOWER_WITHIN_MARGIN,
    TOO_FEW,
    compare,
    lost,
)
from sudoku_bench.bench.verdicts.between_runs.compatibility import RunPair, cautions
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError
from tests.bench.verdicts.simulated_runs import Floats, a_run

NAMES = ["s:a", "s:b", "s:c", "s:d"]
LAUNCHES, REPETITIONS = 5, 2
PAIRS = 10


def two_runs(
    seed: int,
    factors: tuple[float, ...] = (1.0,),
    process: float = 0.02,
    machine: float = 0.0,
    puzzles: int = 8,
    limit_s: float = 1e9,
    seeds: tuple[int, int] = (1, 1),
    launches: int = LAUNCHES,
) -> tuple[Run, Run]:
    """Return two runs of four strategies; in the second the times of the first ones are multiplied by factors.

    Args:
        process: standard deviation (of log time) of what the processes of a launch vary by, for each strategy.
        machine: the same of what a launch varies by for all strategies alike.
        seeds: of the runs; forms are the same if they are.
    """
    rng = np.random.default_rng(seed)
    shape = (len(NAMES), puzzles, launches * REPETITIONS)
    guesses = np.geomspace(1, 50, puzzles)
    suited = np.log(0.001 * guesses)[None, :, None] + 0.5 * rng.standard_normal((*shape[:2], 1))
    forms = {number: 0.2 * np.random.default_rng((seed, number)).standard_normal(shape) for number in seeds}
    made = []
    for own_factors, number in zip(((1.0,), factors), seeds, strict=True):
        launch = process * rng.standard_normal((len(NAMES), 1, launches)) + machine * rng.standard_normal(
            (1, 1, launches)
        )
        noise = 0.01 * rng.standard_normal(shape)
        logs = suited + forms[number] + launch.repeat(REPETITIONS, axis=2) + noise
        of_each = [*own_factors, *[1.0] * (len(NAMES) - len(own_factors))]
        seconds = np.exp(logs + np.log(of_each)[:, None, None])
        run = a_run(seconds, NAMES, guesses, limit_s, launches)
        run.manifest["suite"]["seed"] = number
        made.append(run)
    return made[0], made[1]


def verdicts(result: comparison.Comparison) -> list[str]:
    return list(result.table["verdict"])


def changed(run: Run, **settings: Any) -> Run:
    """The run with other settings in its manifest."""
    manifest = copy.deepcopy(run.manifest)
    manifest["suite"] |= settings
    return replace(run, manifest=manifest)


def with_rows(run: Run, where: Callable[[pd.DataFrame], Any], **columns: Any) -> Run:
    rows = run.measurements.astype({"host": object})
    for column, value in columns.items():
        rows[column] = rows[column].mask(where(rows), value)
    return replace(run, measurements=rows)


def most_false(pairs: int, rate: float = 0.05) -> int:
    return int(stats.binom.ppf(0.995, pairs, rate))


@pytest.mark.parametrize(
    "seeds",
    [pytest.param((1, 1), id="same forms"), pytest.param((1, 2), id="other forms", marks=pytest.mark.thorough)],
)
def test_false_regressions_of_equal_runs_have_the_nominal_rate(seeds: tuple[int, int]) -> None:
    called = pooled = 0
    for number in range(PAIRS):
        old, new = two_runs(number, process=0.05, seeds=seeds)
        result = compare(old, new, 0.0)
        assert result.paired == (seeds[0] == seeds[1])
        assert any("different forms" in line for line in result.cautions) != result.paired
        called += bool({REGRESSION, IMPROVEMENT} & set(verdicts(result)))
        times = [
            np.log(run.measurements.pivot_table("cpu_s", "strategy", ["puzzle", "launch", "repetition"]))
            for run in (old, new)
        ]
        pooled += bool((stats.ttest_1samp(times[1] - times[0], 0, axis=1).pvalue < 0.05 / len(NAMES)).any())
    assert called <= most_false(PAIRS)
    if result.paired:  # taking solves for repetitions calls processes a difference of versions
        assert pooled > PAIRS / 3


def test_a_regression_of_fifteen_percent_is_detected() -> None:
    result = [compare(*two_runs(number, (1.15,), process=0.01)) for number in range(8)]
    assert sum(verdicts(one)[0] == REGRESSION for one in result) >= 7
    assert not any({REGRESSION, IMPROVEMENT} & set(verdicts(one)[1:]) for one in result)
    ratios = [one.table["ratio"].iloc[0] for one in result]
    assert abs(np.mean(ratios) - 1.15) < 0.015


def test_changes_within_the_margin_are_not_claimed() -> None:
    assert verdicts(compare(*two_runs(2, process=0.001)))[0] == NO_CHANGE
    assert verdicts(compare(*two_runs(2, (1.08,), process=0.001), 0.01))[0] == REGRESSION
    near = compare(*two_runs(3, (1.07,), process=0.002))
    assert verdicts(near)[0] == CANNOT_TELL
    assert near.table["reason"].iloc[0] == SLOWER_WITHIN_MARGIN


def test_what_the_machine_did_to_all_is_no_change() -> None:
    """The machine became slower by 30%, and one strategy, whose plug-in changed, by another 30%."""
    found = covered = 0
    for number in range(8):
        old, new = two_runs(number, (1.3 * 1.3, 1.3, 1.3, 1.3), process=0.01, machine=0.1)
        result = compare(programmed(old), programmed(new, plugin_sha256="2"))
        assert result.table["unchanged"].tolist() == [3, 0, 0, 0]  # it does not count for the others
        line = result.table.iloc[0]
        found += line["verdict"] == REGRESSION
        covered += line["ratio_lo"] <= 1.3 <= line["ratio_hi"]
        assert any("the machine's: own ×1." in note for note in result.cautions)
        alike = compare(*two_runs(number, (1.3, 1.3, 1.3, 1.3), process=0.01))
        assert alike.table["unchanged"].tolist() == [3] * 4
        assert not {REGRESSION, IMPROVEMENT} & set(verdicts(alike))
    assert min(found, covered) >= 8 - most_false(8)


@pytest.mark.parametrize("others", ["other Python", "too few"])
def test_without_three_others_the_interval_allows_for_drift_and_says_so(others: str) -> None:
    old, new = two_runs(4, (1.05,) * 4, process=0.01)
    if others == "too few":
        old, new = (replace(run, measurements=without(run, "strategy", "s:d")) for run in (old, new))
    else:
        new = on(new, python="3.12")
    result = compare(old, new)
    line = result.table.iloc[0]
    assert (line["unchanged"], line["verdict"]) == (0, CANNOT_TELL)
    assert line["ratio_lo"] < 1 < line["ratio"] < line["ratio_hi"]
    assert any("up to 1.08 times" in note and "run --versions" in note for note in result.cautions)


COMPANY_CASES = [  # seconds of a solve, solves of a lead-in, its factor beside others, the allowance that explains it
    (5e-6, 200.0, 1 / 1.2, 1.25),
    (5e-6, None, 1.6, 2.0),
]


@pytest.mark.parametrize(("solve_s", "lead_in", "factor", "allowance"), COMPANY_CASES)
def test_what_other_strategies_in_turn_can_explain_is_no_change(
    solve_s: float, lead_in: float | None, factor: float, allowance: float
) -> None:
    def runs(factor: float) -> tuple[Run, Run]:
        noise = 0.003 * np.random.default_rng(3).standard_normal((2, 4, 8, 2 * LAUNCHES))
        seconds = solve_s * np.exp(noise) * np.array([[1.0], [factor]])[:, :, None, None]
        old, new = (a_run(one, NAMES, np.ones(8), launches=LAUNCHES, lead_in=lead_in) for one in seconds)
        return old, new

    old, new = runs(factor)
    alone = replace(old, measurements=old.measurements[old.measurements["strategy"] == "s:a"])
    result = compare(alone, new)
    [line] = result.table.to_dict("records")
    assert line["verdict"] == CANNOT_TELL
    assert line["reason"] == f"within what other strategies in the run can change (×{allowance:g})"
    assert any("only in the new run: s:b, s:c, s:d" in note for note in result.cautions)
    assert any("take turns" in note for note in result.cautions)
    # A larger change is claimed.
    expected = REGRESSION if factor > 1 else IMPROVEMENT
    old, new = runs((1.15 * allowance) ** (1 if factor > 1 else -1))
    alone = replace(old, measurements=old.measurements[old.measurements["strategy"] == "s:a"])
    assert verdicts(compare(alone, new)) == [expected]


def test_unfinished_solves_are_censored_neither_dropped_nor_imputed() -> None:
    """The new version is slower by 1.1 on the easier puzzles, by 3 on the harder ones, and finishes few of them."""
    rng = np.random.default_rng(7)
    old_s = np.geomspace(0.1, 1, 20)[None, :, None] * np.exp(0.01 * rng.standard_normal((1, 20, 10)))
    factor = np.where(np.arange(20) < 8, 1.1, 3.0)[None, :, None]
    new_s = old_s * factor * np.exp(0.005 * rng.standard_normal((1, 1, 10)))
    guesses = np.arange(1.0, 21.0)
    old, new = (a_run(seconds, ["s:a"], guesses, 1.05, LAUNCHES) for seconds in (old_s, new_s))
    [line] = compare(old, new).table.to_dict("records")
    assert line["estimator"] == "median"
    assert line["unfinished_old"] == 0
    assert 80 <= line["unfinished_new"] <= 100
    assert line["verdict"] == REGRESSION
    truth = np.median(new_s / old_s)
    assert line["ratio_lo"] <= truth <= line["ratio_hi"]
    dropped = (new_s / old_s)[new_s <= 1.05]
    assert np.median(dropped) < line["ratio_lo"]
    filled = np.log(np.minimum(new_s, 1.05) / old_s).mean(axis=(0, 1))
    assert np.exp(filled + 3 * filled.std()).max() < np.exp(np.log(new_s / old_s).mean())


def test_a_lost_puzzle_is_a_regression() -> None:
    old, new = two_runs(9)
    new = with_rows(new, lambda r: (r["strategy"] == "s:b") & (r["puzzle"] == "own-0003"), status="error", cpu_s=np.nan)
    result = compare(old, new)
    assert verdicts(result)[1] == REGRESSION
    assert "1 puzzle always solved before" in result.table["reason"].iloc[1]
    assert result.table["lost"].tolist() == [0, 1, 0, 0]


def rows_of(seconds: Floats, limit_s: float) -> pd.DataFrame:
    return a_run(seconds[None, None, :], ["s:a"], np.ones(1), limit_s, len(seconds)).measurements


@pytest.mark.parametrize(
    ("before", "after", "shift", "number"),
    [
        ([9.0] * 5, [10.5] * 5, 1.0, 1),
        ([9.8] * 5, [10.5] * 5, 1.0, 0),  # a change by 5% could have carried it over the limit
        ([5.0] * 5, [10.5, 10.5, 5.0, 5.0, 5.0], 1.0, 0),  # luck of forms
        ([5.0] * 4 + [11.0], [10.5] * 5, 1.0, 0),  # not always solved before
        ([5.0] * 5, [6.0] * 5, 1.0, 0),
        ([7.0] * 5, [12.0] * 5, 1.0, 1),
        ([7.0] * 5, [12.0] * 5, 1.7, 0),  # the machine became slower
    ],
)
def test_what_counts_as_lost(before: list[float], after: list[float], shift: float, number: int) -> None:
    rows = [rows_of(np.array(seconds), 10.0) for seconds in (before, after)]
    assert len(lost(*rows, math.log(1.05), math.log(shift))) == number


def test_too_few_launches_give_no_verdict_with_a_reason() -> None:
    result = compare(*two_runs(10, (3.0,), launches=4))
    assert verdicts(result) == [TOO_FEW] * 4
    assert not result.regressed
    assert "5 are needed" in result.table["reason"].iloc[0]
    assert result.table["ratio"].iloc[0] == pytest.approx(3.0, rel=0.1)
    assert result.table[["ratio_lo", "p_holm"]].isna().all(axis=None)


def test_incomplete_launches_do_not_count() -> None:
    old, new = two_runs(11, (3.0,))
    cut = replace(
        new, measurements=new.measurements[new.measurements["launch"] * 2 + new.measurements["repetition"] < 12]
    )
    cut.manifest["complete"] = False
    result = compare(old, cut)
    assert result.table["launches"].tolist() == [4] * 4
    assert any("not complete" in line for line in result.cautions)


def test_wrong_answers_have_no_time() -> None:
    old, new = two_runs(12)
    lying = with_rows(new, lambda r: (r["strategy"] == "s:a") & (r["launch"] == 2), status="wrong")
    result = compare(old, lying)
    assert verdicts(result)[0] == REGRESSION
    assert "wrong answers" in result.table["reason"].iloc[0]
    assert pd.isna(result.table["ratio"].iloc[0])
    back = compare(lying, old)
    assert verdicts(back)[0] == NOT_COMPARED
    assert not back.regressed


def test_the_order_of_rows_does_not_matter_and_swapped_runs_invert_ratios() -> None:
    old, new = two_runs(5, (1.3, 1.0, 0.7))
    shuffled = replace(new, measurements=new.measurements.sample(frac=1, random_state=1))
    there = compare(old, new).table
    pd.testing.assert_frame_equal(compare(old, shuffled).table, there)
    back = compare(new, old).table
    np.testing.assert_allclose(back["ratio"].astype(float), 1 / there["ratio"].astype(float))
    np.testing.assert_allclose(back["ratio_lo"].astype(float), 1 / there["ratio_hi"].astype(float))
    swapped = {REGRESSION: IMPROVEMENT, IMPROVEMENT: REGRESSION}
    assert list(back["verdict"]) == [swapped.get(verdict, verdict) for verdict in there["verdict"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda run: changed(run, task="unique"), "measured the task first, the other unique"),
        (lambda run: changed(run, mode="cold"), "in mode warm, the other in mode cold"),
        (lambda run: changed(run, timeout_s=3.0), "time limit was 1e.09 s in one and 3 s"),
        (lambda run: changed(run, isomorphs=False), "stored forms"),
        (lambda run: with_rows(run, lambda r: r["puzzle"] != "", loops=7), "of 1 forms in one and of 7 .* --loops 7"),
        (lambda run: with_rows(run, lambda r: r["puzzle"] != "", lead_in=8.0), "led in .* in only one of them"),
        (lambda run: replace(run, puzzles=run.puzzles.assign(grid="1")), "no puzzle in common"),
        (lambda run: with_rows(run, lambda r: r["puzzle"] != "", strategy="s:z"), "no strategy in common"),
        (lambda run: with_rows(run, lambda r: r["launch"] == 1, cpu_s=0.0), "took 0 s"),
    ],
)
def test_incompatible_runs_are_rejected(change: Callable[[Run], Run], message: str) -> None:
    old, new = two_runs(15)
    with pytest.raises(InputError, match=message):
        compare(old, change(new))


def programmed(run: Run, plugin_sha256: str = "1", version: str = "1.0") -> Run:
    """The run with facts about the program of ``s:a``."""
    strategies = [{"name": "s:a", "requires": ["solver"], "plugin_sha256": plugin_sha256}]
    manifest = run.manifest | {"strategies": strategies, "packages": {"solver": version}, "code": ["1"]}
    return replace(run, manifest=manifest)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda run: on(run, cpu="other"), "machines differ: cpu"),
        (lambda run: with_rows(run, lambda r: r["puzzle"] != "", host="host-2"), "another host"),
        (
            lambda run: replace(run, manifest=run.manifest | {"machine": {"cpu": "simulated", "python": "3.12"}}),
            "python",
        ),
        (lambda run: programmed(run, version="2"), "solver 1.0 → 2"),
        (lambda run: programmed(run, plugin_sha256="2"), "s:a: its plug-in file was changed"),
        (
            lambda run: replace(run, manifest=run.manifest | {"git": {"commit": "abc"}, "code": []}),
            "sudoku-bench itself differs",
        ),
        (lambda run: replace(run, manifest=run.manifest | {"code": ["1", "2"]}), "itself differs: code 1 → 1, 2"),
        (lambda run: changed(run, gc="off"), "settings differ: gc on → off"),
        (
            lambda run: replace(run, puzzles=run.puzzles.iloc[1:], measurements=without(run, "puzzle", "own-0000")),
            "only the 7",
        ),
        (lambda run: replace(run, measurements=without(run, "strategy", "s:c")), "only in the old run: s:c"),
    ],
)
def test_differences_between_runs_are_reported_as_cautions(change: Callable[[Run], Run], message: str) -> None:
    old, new = (programmed(run) for run in two_runs(17))
    assert not said(old, new)
    assert any(message in line for line in said(old, change(new)))


def said(old: Run, new: Run) -> list[str]:
    return cautions(RunPair.of(old, new, ("the old run", "the new run")))


def on(run: Run, **facts: str) -> Run:
    """The run, on a machine with other facts."""
    return replace(run, manifest=run.manifest | {"machine": run.manifest["machine"] | facts})


def without(run: Run, column: str, value: str) -> pd.DataFrame:
    return run.measurements[run.measurements[column] != value]


def test_decoys_and_placebos_are_ignored() -> None:
    old, new = two_runs(14)
    plain = compare(old, new).table
    extra = new.measurements[new.measurements["strategy"] == "s:a"]
    extra = extra.assign(cpu_s=99.0)
    placebos = extra.assign(strategy="(instrument) s:a", placebo="presentation")
    decoys = extra.assign(decoy="none", collection="(decoys)")
    both = replace(new, measurements=pd.concat([new.measurements, placebos, decoys], ignore_index=True))
    pd.testing.assert_frame_equal(compare(old, both).table, plain)


def test_unsupported_strategies_are_not_compared_with_a_reason() -> None:
    old, new = two_runs(13)
    idle = with_rows(new, lambda r: r["strategy"] == "s:a", status="unsupported", cpu_s=np.nan)
    result = compare(old, idle)
    assert verdicts(result)[0] == NOT_COMPARED
    assert "unsupported" in result.table["reason"].iloc[0]
