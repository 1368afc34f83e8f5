"""Local medians and lines through medians, on values with known true parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_bench.bench.verdicts.difficulty.local import known_range, local_median, median_slope, windows

Floats = NDArray[np.float64]
SAMPLES = 120


def separate_clusters(x: Floats) -> NDArray[np.intp]:
    """Return a separate cluster for every puzzle."""
    return np.arange(len(x))


def noise(kind: str, x: Floats, rng: np.random.Generator) -> Floats:
    """Return deviates of median 0: normal, skewed, or with a spread that grows along x."""
    if kind == "skew":
        return rng.exponential(1, len(x)) - math.log(2)
    return rng.standard_normal(len(x)) * (0.2 + 0.4 * x if kind == "growing" else 1)


def censored(y: Floats, share: float) -> Floats:
    """Return the values with the largest ones censored."""
    return np.where(y > np.quantile(y, 1 - share), math.inf, y) if share else y


CELLS = [(20, "normal", 0.0), (40, "skew", 0.2), (100, "normal", 0.4), (100, "skew", 0.1), (100, "growing", 0.2)]


@pytest.mark.parametrize(("n", "kind", "share"), CELLS)
def test_the_band_of_a_bent_curve_has_its_nominal_coverage(n: int, kind: str, share: float) -> None:
    rng = np.random.default_rng(1)
    places = np.linspace(0.25, 4.75, 10)
    held = np.full((SAMPLES, len(places)), np.nan)
    for sample in held:
        x = rng.uniform(0, 5, n)
        y = censored(np.log(1 + 0.03 * np.expm1(x)) + 0.4 * noise(kind, x, rng), share)
        known = known_range(x, y, windows(x, places, separate_clusters(x)))
        x_known = x[known.inside]
        inside = (places >= x_known.min()) & (places <= x_known.max())
        near = windows(x_known, places[inside], separate_clusters(x_known))
        band = local_median(y[known.inside] - known.slope * x_known, near)
        truth = np.log(1 + 0.03 * np.expm1(near.places)) - known.slope * near.places
        sample[inside] = (band.lo <= truth) & (truth <= band.hi)
    assert 0.92 <= np.nanmean(held) <= 0.98  # three standard errors about 95%
    often = np.isfinite(held).sum(axis=0) >= SAMPLES / 2
    assert np.nanmean(held[:, often], axis=0).min() >= 0.89


def test_a_puzzle_and_its_copies_are_one_observation() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 5, 40)
    at = np.linspace(0.5, 4.5, 5)
    kernel = windows(x, at, separate_clusters(x))
    copies = windows(np.repeat(x, 3), at, np.repeat(separate_clusters(x), 3))
    independent = windows(np.repeat(x, 3), at, np.arange(120))
    assert (independent.error < 0.75 * copies.error).all()
    assert (copies.error > 0.75 * kernel.error).all()


def test_a_line_without_noise_is_exact_despite_censoring() -> None:
    x = np.arange(40.0)
    assert median_slope(x, np.where(x > 30, math.inf, 3 - 0.25 * x)) == pytest.approx(-0.25)


def test_degenerate_values_give_no_line() -> None:
    x = np.arange(10.0)
    nothing = np.full(10, math.inf)
    assert [median_slope(x, nothing), median_slope(np.ones(10), x), median_slope(x[:1], x[:1])] == [0, 0, 0]
    nowhere = known_range(x, nothing, windows(x, x, separate_clusters(x)))
    assert nowhere.slope == 0
    assert not nowhere.inside.any()
