"""Power and error of crossovers, on a subset of the study."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import stats

from studies.crossovers import CROSS, ERROR, PAIRS, Model, count, draw, told
from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES
from sudoku_bench.bench.verdicts.difficulty.leads import thirds
from sudoku_bench.bench.verdicts.pairs.decision import ALPHA


def quiet(design: str, taste: str = "normal") -> Model:
    """Return a model without processes."""
    return Model(design, per_tier=300, process=(0.0, 0.0), taste=taste)


@pytest.mark.parametrize("design", CROSS)
def test_pairs_cross_where_the_model_says(design: str) -> None:
    model = quiet(design)
    field = draw(model, np.random.default_rng(1))
    x = np.log1p(field.column(GUESSES.name))
    assert np.isfinite(model.crossings).sum() == int(design == CROSS[0]) * 11 + 1
    for (a, b), at in zip(PAIRS, model.crossings, strict=True):
        ratio = (field.log_s[a] - field.log_s[b]).mean(axis=1)
        around = thirds(x) if np.isnan(at) else ((x > at - 1) & (x < at - 0.3), (x > at + 0.3) & (x < at + 1))
        before, after = (ratio[part].mean() if part.any() else ratio[x > at].mean() for part in around)
        assert (before * after > 0) == np.isnan(at)


@pytest.mark.parametrize("taste", ["normal", "skewed first", "skewed second"])
def test_strategies_are_equal_in_one_third_and_not_in_the_other(taste: str) -> None:
    for design, equal in (("equal on hard", 1), ("equal on easy", 0)):
        field = draw(quiet(design, taste), np.random.default_rng(2))
        log_s = field.log_s.mean(axis=2)
        parts = thirds(np.log1p(field.column(GUESSES.name)))
        differences = [log_s[:6, third].mean() - log_s[6:, third].mean() for third in parts]
        assert differences[equal] == pytest.approx(0, abs=0.03)
        assert abs(differences[1 - equal]) > 0.3


@pytest.mark.parametrize("number", [2, 9, *(pytest.param(n, marks=pytest.mark.thorough) for n in (4, 13, 18, 22))])
def test_few_benchmarks_without_crossovers_have_one(number: int) -> None:
    rng = np.random.default_rng(number)
    errors = sum(told(draw(ERROR[number], rng)).any() for _ in range(150))
    assert errors <= stats.binom.ppf(0.975, 150, ALPHA)


def test_twelve_crossovers_are_found_where_they_are() -> None:
    [row] = count(np.random.default_rng(6), 30, **dataclasses.asdict(Model(CROSS[0], strength=0.5)))
    assert row["power"] > 0.6
    assert row["error"] <= 0.1
    assert row["covered"] > 0.85
