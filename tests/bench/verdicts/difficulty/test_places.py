"""Places of crossovers of simulated pairs with known curves."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES
from sudoku_bench.bench.verdicts.difficulty.places import FieldAxis, Place, place
from tests.bench.verdicts.simulated_difficulty import a_field, flat, rising, spread_out
from tests.bench.verdicts.simulated_runs import Curve, Spread

TRUE = 12.0
CURVES = {"a": rising(1e-3, TRUE), "b": flat(1e-3)}  # b is faster than a above 12 guesses
BOTH_RISE = {"a": rising(1e-3, TRUE, 1.5), "b": rising(1e-3, TRUE, 0.5)}
USUAL = Spread()
SKEW = Spread(draw=lambda rng, shape: rng.exponential(1, shape) - np.log(2))


def found(
    curves: dict[str, Curve], n: int, seed: int, spread: Spread = USUAL, late: float = 0.0, error: float = 0.0
) -> Place:
    rng = np.random.default_rng(seed)
    pair = FieldAxis(a_field(curves, spread_out(n, rng), rng, spread, late, error), GUESSES).pair(0, 1)
    assert pair is not None
    return place(pair)


@pytest.mark.parametrize(
    ("curves", "n", "spread", "late", "error"),
    [
        (CURVES, 80, Spread(), 0.0, 0.0),
        (CURVES, 200, SKEW, 0.2, 0.12),
        (BOTH_RISE, 200, Spread(taste=0.5), 0.2, 0.12),
        (CURVES, 200, Spread(), 0.4, 0.12),
    ],
    ids=["80", "200 skew, 20% late", "200, both rise, 20% late", "200, 40% late"],
)
def test_the_interval_of_a_known_crossover_has_its_nominal_coverage(
    curves: dict[str, Curve], n: int, spread: Spread, late: float, error: float
) -> None:
    places = [found(curves, n, seed, spread, late, error) for seed in range(80)]
    at, lo, hi = np.array([(each.at, each.lo, each.hi) for each in places]).T
    assert ((lo <= at) & (at <= hi)).all()
    assert 0.91 <= ((lo <= np.log1p(TRUE)) & (hi >= np.log1p(TRUE))).mean() <= 0.995
    assert np.expm1(np.median(at)) == pytest.approx(TRUE, rel=0.1)
    assert np.median(np.expm1(hi) / np.expm1(lo)) < 3  # it is informative


def test_a_side_without_a_decided_place_extends_to_the_last_puzzle() -> None:
    """b is hardly ever faster on the hardest puzzles, so nothing bounds the crossover from above."""
    rng = np.random.default_rng(1)
    hardly = {"a": lambda guesses: np.where(guesses > 100, 1.01e-3, 5e-4), "b": flat(1e-3)}
    field_axis = FieldAxis(a_field(hardly, spread_out(60, rng), rng), GUESSES)
    pair = field_axis.pair(0, 1)
    assert pair is not None
    result = place(pair)
    assert result.hi == pytest.approx(pair.x.max())
    assert pair.x.min() < result.lo < result.hi
