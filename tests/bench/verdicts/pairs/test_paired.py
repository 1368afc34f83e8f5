"""The paired ratio on simulated tables whose true ratio is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

from sudoku_bench.bench.verdicts.pairs.paired import compare

TRUE = math.log(1.07)
TABLES = 500

Tables = NDArray[np.float64]


def simulated(seed: int, puzzles: int, repetitions: int, sd: tuple[float, float, float]) -> Tables:
    """Return tables of log ratios: the true one plus effects of puzzle and repetition, and noise."""
    rng = np.random.default_rng(seed)
    of_puzzle, of_process, noise = sd
    return (
        TRUE
        + of_puzzle * rng.standard_normal((TABLES, puzzles, 1))
        + of_process * rng.standard_normal((TABLES, 1, repetitions))
        + noise * rng.standard_normal((TABLES, puzzles, repetitions))
    )


def coverage(tables: Tables) -> float:
    """Return the share of tables whose interval covers the true ratio."""
    result = [compare(table) for table in tables]
    return sum(r.lo is not None and r.hi is not None and r.lo <= math.exp(TRUE) <= r.hi for r in result) / len(result)


MIXTURES = {
    "puzzles": (40, 5, (0.10, 0.0, 0.02)),
    "processes": (40, 5, (0.0, 0.02, 0.02)),
    "both": (40, 5, (0.05, 0.02, 0.05)),
    "both alike": (20, 5, (0.05, 0.025, 0.05)),
    "few puzzles": (6, 5, (0.05, 0.0, 0.05)),
    "many repetitions": (20, 20, (0.05, 0.02, 0.05)),
    "two repetitions": (40, 2, (0.10, 0.0, 0.05)),
    "one repetition": (40, 1, (0.05, 0.0, 0.05)),
    "one puzzle": (1, 8, (0.0, 0.02, 0.05)),
}


@pytest.mark.parametrize("mixture", MIXTURES)
def test_the_interval_has_its_nominal_coverage(mixture: str) -> None:
    share = coverage(simulated(1, *MIXTURES[mixture]))
    assert 0.92 <= share <= 0.98


finite = st.floats(-5, 5).map(lambda x: round(x, 6))
tables = st.tuples(st.integers(2, 6), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=finite)
)


@given(tables)
def test_swapping_the_two_inverts_the_ratio(table) -> None:
    one, other = compare(table), compare(-table)
    assert other.ratio == pytest.approx(1 / one.ratio)
    assert one.lo is not None
    assert other.hi == pytest.approx(1 / one.lo)
    assert other.lo == pytest.approx(1 / one.hi)
    assert other.p == pytest.approx(one.p)


@pytest.mark.parametrize("shape", [(5, 3), (5, 1), (1, 5)])
def test_without_noise_the_ratio_is_exact(shape: tuple[int, int]) -> None:
    result = compare(np.full(shape, math.log(2)))
    assert (result.ratio, result.lo, result.hi) == tuple(pytest.approx(2.0) for _ in range(3))
    assert result.p == pytest.approx(0, abs=1e-9)
    assert result.n_puzzles == shape[0]
    alike = compare(np.zeros(shape))
    assert (alike.ratio, alike.lo, alike.hi, alike.p) == (1, 1, 1, 1)


def test_puzzles_alone_give_the_interval_of_student() -> None:
    values = np.array([0.1, 0.2, 0.4, 0.5])
    result = compare(values[:, None])
    low, high = stats.t.interval(0.95, 3, values.mean(), values.std(ddof=1) / 2)
    assert (result.lo, result.hi) == (pytest.approx(math.exp(low)), pytest.approx(math.exp(high)))
    assert result.p == pytest.approx(stats.ttest_1samp(values, 0).pvalue)


def test_a_single_value_has_no_interval() -> None:
    result = compare(np.array([[math.log(3)]]))
    assert (result.ratio, result.lo, result.hi, result.p) == (pytest.approx(3), None, None, None)
