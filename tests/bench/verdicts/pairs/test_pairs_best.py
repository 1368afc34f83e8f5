"""Each strategy against the best of its collection: which one is the best, and what is claimed of the others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.bench.verdicts.pairs.decision import ALPHA
from sudoku_bench.bench.verdicts.pairs.pairs import pairs
from tests.bench.verdicts.simulated_runs import Floats, Spread, a_run, drawn, together

NAMES = "abcdefgh"
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


def test_too_few_data_are_not_in_the_family() -> None:
    runs = [a_run(seconds_of([1.0, 2.0], n), ["a", "b"], np.ones(n), collection=str(n)) for n in (40, 10)]
    table = pairs(together(*runs)).set_index("collection")
    assert table["verdict"].to_dict() == {"40": "b_faster", "10": "too_few"}
    assert set(table["family"]) == {1}


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    strategies=st.integers(2, 8),
    puzzles=st.integers(13, 40),
    steps=st.floats(0.0, 0.3),
    beyond=st.sampled_from([0.0, 0.01, 0.2]),
)
def test_verdict_interval_and_p_value_never_contradict_each_other(
    seed: int, strategies: int, puzzles: int, steps: float, beyond: float
) -> None:
    rng = np.random.default_rng(seed)
    ratios = np.exp(steps * rng.integers(-2, 3, strategies)).tolist()
    seconds = seconds_of(ratios, puzzles, seed, Spread(taste=0.1))
    limit = float(np.quantile(seconds, 1 - beyond)) if beyond else 1e9
    table = pairs(a_run(seconds, list(NAMES[:strategies]), np.ones(puzzles), limit_s=limit))
    assert len(table) == strategies - 1
    low, high = table["ratio_lo"].fillna(0), table["ratio_hi"].fillna(np.inf)
    claimed, equivalent = table["verdict"] == "b_faster", table["verdict"] == "equivalent"
    faster = table["verdict"] == "a_faster"
    assert beyond or not faster.any()
    assert ((claimed | faster) == (table["p_holm"] < ALPHA)).all()
    assert (claimed == (low > 1)).all()
    assert (claimed | faster)[table["beyond_margin"] == "yes"].all()
    assert ((low > 1 / 1.05) & (high < 1.05))[equivalent].all()
    assert (table["findable"].dropna() > 1).all()
