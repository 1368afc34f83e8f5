"""Each strategy against the best of its collection: which one is the best, and what is claimed of the others."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.pairs.pairs import pairs
from tests.bench.verdicts.simulated_runs import Floats, Spread, a_run, drawn

USUAL = Spread()


def seconds_of(ratios: list[float], puzzles: int = 40, seed: int = 1, spread: Spread = USUAL) -> Floats:
    """Return times of strategies with these ratios on puzzles of any difficulty."""
    rng = np.random.default_rng(seed)
    curves = {str(number): (lambda x, ratio=ratio: ratio * x) for number, ratio in enumerate(ratios)}
    return drawn(curves, np.exp(rng.standard_normal(puzzles)), 5, rng, spread)


def test_every_strategy_is_compared_with_the_one_of_the_lowest_geometric_mean() -> None:
    seconds = seconds_of([3.0, 1.0, 2.0])
    table = pairs(a_run(seconds, list("abc"), np.ones(40)))
    assert list(zip(table["a"], table["b"], strict=True)) == [("a", "b"), ("c", "b")]
    assert set(table["verdict"]) == {"b_faster"}
    means = np.exp(np.log(seconds).mean(axis=(1, 2)))
    assert table["ratio"].to_list() == pytest.approx([means[0] / means[1], means[2] / means[1]])
    totals = seconds.sum(axis=(1, 2))
    assert table["total_ratio"].to_list() == pytest.approx([totals[0] / totals[1], totals[2] / totals[1]])
    assert set(table["family"]) == {3}


def test_one_slow_solve_in_ten_is_part_of_the_ratio_whatever_the_number_of_repetitions() -> None:
    """A strategy that takes six times as long on one form in ten takes 6^0.1 = 1.20 times as long, typically."""
    rng = np.random.default_rng(3)
    for repetitions in (3, 5, 8):
        base = np.exp(rng.standard_normal((1, 400, 1)) + 0.02 * rng.standard_normal((2, 400, repetitions)))
        is_slow = np.arange(400 * repetitions).reshape(400, repetitions) % 10 == 0
        base[1] *= np.where(is_slow, 6.0, 1.0)
        [row] = pairs(a_run(base, list("ab"), np.ones(400))).to_dict("records")
        assert row["ratio"] == pytest.approx(6**0.1, rel=0.01)
        assert 1.3 < row["total_ratio"] < 1.8  # (0.9 + 0.1 * 6) on average


def test_the_best_solves_most_then_it_has_the_lowest_time() -> None:
    seconds = seconds_of([4.0, 1.0, 2.0], spread=Spread(taste=0.1))
    seconds[1, :3] = 1e3
    table = pairs(a_run(seconds, list("abc"), np.ones(40), limit_s=100.0))
    assert set(table["b"]) == {"c"}
    assert table.set_index("a")["verdict"].to_dict() == {"a": "b_faster", "b": "a_faster"}
    assert math.isnan(table.set_index("a").loc["b", "total_ratio"])
    seconds[0, 1:4] = seconds[2, 2:5] = 1e3
    table = pairs(a_run(seconds, list("abc"), np.ones(40), limit_s=100.0))
    assert set(table["b"]) == {"b"}  # all solve as many: PAR-2
