"""Coverage of intervals and rate of false claims, on a subset of the study.

``make validate-verdicts`` draws every cell. These tests draw every seventeenth cell, which covers all values of
every factor.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bench.studies import interval_coverage
from bench.studies.interval_coverage import ALIKES, Alike, Cell, cells, coverage, false_claims, is_accepted
from tests.conftest import TOP

pytestmark = pytest.mark.slow

RESULTS = TOP / "results" / "validation"
CELLS = list(enumerate(cells()))
SUBSET = CELLS[::17]
BENCHMARKS = 1000


def test_the_cells_combine_all_factors_and_the_subset_covers_their_values() -> None:
    every = pd.DataFrame([cell for _, cell in CELLS])
    assert len(every) == len(every.drop_duplicates()) == 4 * 2 * 2 * 2 * (1 + 2 * 3)
    subset = pd.DataFrame([cell for _, cell in SUBSET])
    for factor in every:
        assert set(subset[factor]) == set(every[factor]), factor


@pytest.mark.parametrize(("number", "cell"), SUBSET, ids=lambda value: str(value)[:60])
def test_intervals_have_nominal_coverage(number: int, cell: Cell) -> None:
    covered = pd.DataFrame([coverage(cell, number, BENCHMARKS)])
    assert is_accepted(covered).all(), covered.to_string()
    assert covered["held"].item() >= 0.93


@pytest.mark.parametrize("number", [0, 1, 4, 5, 8], ids=lambda number: ALIKES[number].name)
def test_few_benchmarks_of_ten_equal_strategies_have_a_false_claim(number: int) -> None:
    counts = false_claims(ALIKES[number], number, 400)
    assert counts["with_a_claim"] <= stats.binom.ppf(0.975, 400, 0.05)


def test_uncorrected_pairs_are_claimed_to_differ_at_their_nominal_level() -> None:
    """Families could otherwise have few false claims merely because nothing is ever claimed."""
    counts = false_claims(Alike("tastes", 40, 5, 0.3, False, 0.1, 0.01), 0, 200)
    assert 0.04 < counts["pairs_alone"] / counts["pairs"] < 0.06


def test_the_committed_study_is_complete_and_accepted() -> None:
    covered, claims = (pd.read_csv(RESULTS / name) for name in ("coverage.csv", "false_claims.csv"))
    factors = list(Cell.__annotations__)
    expected = pd.DataFrame([cell for _, cell in CELLS])
    pd.testing.assert_frame_equal(covered[factors], expected[factors])
    assert (covered["benchmarks"] >= 1000).all()
    assert (covered["as_said"] == is_accepted(covered)).all()
    assert list(claims["name"]) == [alike.name for alike in ALIKES]
    assert (claims["benchmarks"] >= 1000).all()
    assert (claims["with_a_claim"] * 1000 / claims["benchmarks"] <= 64).all()
    assert (covered["held"] >= 0.93).all()
    assert covered["as_said"].mean() > 0.98
    page = (TOP / "docs" / "methodology.md").read_text(encoding="utf-8")
    assert f"at most {claims['with_a_claim'].max()} of 1,000 make any claim" in page
    assert f"{covered['as_said'].sum()} of {len(covered)} cells meet this criterion" in page
    for (limited, beyond), group in covered.groupby(["limited", "beyond"]):
        name = (
            f"{beyond:.0%} beyond the limit, {'both strategies' if limited == 'both' else 'only the slower strategy'}"
        )
        shares = [f"{100 * group[key].min():.1f}% to {100 * group[key].max():.1f}%" for key in ("held", "held_range")]
        assert f"| {name if beyond else 'no limit'} | {shares[0]} | {shares[1]} |" in page


def test_truth_without_a_limit_is_that_of_the_model() -> None:
    """Normal tastes without ties: the mean and the median of all ratios are the ratio at the middle difficulty."""
    cell = Cell(20, False, False, True, 0.0, "one")
    true = interval_coverage.truth(cell)
    assert np.exp([true.mean, true.median]) == pytest.approx([2, 2], rel=0.01)
    assert true.least == true.most == true.median
