"""Power and error of crossovers, on a subset of the study; ``make validate-crossovers`` draws all cells."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bench.studies import crossover_power
from bench.studies.crossover_power import BENCHMARKS, CROSS, NULLS, Cell, cells, draw, is_accepted, markdown, study
from bench.studies.crossover_rules import RULES, signed_ranks, signs, used, without_processes
from bench.verdicts.difficulty.fields import GUESSES
from bench.verdicts.difficulty.leads import thirds
from bench.verdicts.pairs.decision import ALPHA


def quiet(design: str) -> Cell:
    """Return a cell without processes."""
    return Cell(design, per_tier=300, process=(0.0, 0.0))


@pytest.mark.parametrize("design", CROSS)
def test_pairs_cross_where_the_study_says(design: str) -> None:
    benchmark = draw(quiet(design), np.random.default_rng(1))
    x = np.log1p(benchmark.field.column(GUESSES.name))
    assert benchmark.crossing.sum() == int(design == CROSS[0]) * 11 + 1
    for (a, b), crossing, at in zip(crossover_power.PAIRS, benchmark.crossing, benchmark.at, strict=True):
        ratio = (benchmark.field.log_s[a] - benchmark.field.log_s[b]).mean(axis=1)
        means = [
            ratio[part].mean() for part in ((x > at - 1) & (x < at - 0.3), (x > at + 0.3) & (x < at + 1)) if part.any()
        ]
        assert (np.ptp(np.sign(means)) > 0) == crossing if crossing else np.isnan(at)
        if not crossing:
            easy, hard = (ratio[third].mean() for third in thirds(x))
            assert easy * hard > 0


@pytest.mark.parametrize(("design", "equal"), [("equal on hard", 1), ("equal on easy", 0)])
@pytest.mark.parametrize("taste", ["normal", "skewed first", "skewed second"])
def test_strategies_are_equal_in_one_third_and_not_in_the_other(design: str, equal: int, taste: str) -> None:
    cell = dataclasses.replace(quiet(design), taste=taste)
    field = draw(cell, np.random.default_rng(2)).field
    log_s = field.log_s.mean(axis=2)
    differences = [
        log_s[:6, third].mean() - log_s[6:, third].mean() for third in thirds(np.log1p(field.column(GUESSES.name)))
    ]
    assert differences[equal] == pytest.approx(0, abs=0.03)
    assert abs(differences[1 - equal]) > 0.3


def test_lineages_share_their_effects_and_a_limit_cuts_off_searches() -> None:
    field = draw(Cell(CROSS[0], lineages=True), np.random.default_rng(3)).field
    assert np.bincount(field.clusters[field.mined])[80:].tolist() == [3, 3, 3, 3, 3, 3, 2]
    assert len(np.unique(field.clusters)) == 87
    limited = draw(Cell(CROSS[0], beyond=0.3), np.random.default_rng(3)).field
    assert limited.censored[:2, -20:].mean() == pytest.approx(0.3, abs=0.01)
    assert not limited.censored[8:].any()


def test_signed_ranks_and_signs_are_those_of_scipy() -> None:
    ratios = np.random.default_rng(4).normal(-0.2, 1, (20, 25))
    expected = [stats.wilcoxon(row, alternative="less", method="exact").pvalue for row in ratios]
    assert signed_ranks(ratios) == pytest.approx(expected)
    expected = [stats.binomtest(int((row < 0).sum()), 25, alternative="greater").pvalue for row in ratios]
    assert signs(ratios) == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [28, 35, *(pytest.param(number, marks=pytest.mark.thorough) for number in (30, 39, 44, 48))],
    ids=lambda n: str(cells()[n])[5:50],
)
def test_few_benchmarks_without_crossovers_have_one(number: int) -> None:
    cell = cells()[number]
    assert cell.design in NULLS
    rng = np.random.default_rng(number)
    wrong = sum(bool((used(draw(cell, rng).field) < ALPHA).any()) for _ in range(150))
    assert wrong <= stats.binom.ppf(0.975, 150, ALPHA)


def test_without_the_variance_of_processes_copies_cross() -> None:
    """The cells would otherwise hold whatever the rule does about processes."""
    cell = Cell("equal on easy", process=(0.04, 0.04), taste="none")
    rng = np.random.default_rng(5)
    drawn = [draw(cell, rng).field for _ in range(10)]
    assert sum(bool((without_processes(field) < ALPHA).any()) for field in drawn) >= 8


@pytest.mark.slow
def test_twelve_crossovers_are_found_more_often_than_if_all_pairs_were_tested() -> None:
    row = study(Cell(CROSS[0], strength=0.5), 1, 30, 30)
    assert row["power_used"] > 0.6
    assert row["power_used"] > row["power_all_pairs"] + 0.2
    assert row["error_used"] <= 0.1
    assert row["covered"] > 0.85


def test_the_committed_study_is_complete_accepted_and_in_the_document() -> None:
    table = pd.read_csv(crossover_power.RESULTS)
    expected = pd.DataFrame([dataclasses.asdict(cell) for cell in cells()])
    factors = [name for name in Cell.__annotations__ if name != "process"]
    pd.testing.assert_frame_equal(table[factors], expected[factors])
    assert {f"{what}_{rule}" for what in ("power", "error") for rule in RULES} <= set(table)
    assert is_accepted(table).all()
    null = table[table["design"].isin(NULLS)]
    assert (null["benchmarks"] == BENCHMARKS).all()
    assert null["error_used"].mean() <= 0.03
    assert markdown(table) in crossover_power.PAGE.read_text(encoding="utf-8")
