"""Do intervals hold the truth as often as they say, and are false claims as rare? A thinner part of the study.

``make validate-verdicts`` draws every cell; here is every seventeenth, which meets all values of every factor.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bench.studies import interval_coverage
from bench.studies.interval_coverage import ALIKES, Alike, Cell, as_said, cells, coverage, false_claims
from tests.conftest import TOP

RESULTS = TOP / "results" / "validation"
ALL = list(enumerate(cells()))
SOME = ALL[::17]
BENCHMARKS = 1000


def test_the_cells_are_those_that_were_promised() -> None:
    every = pd.DataFrame([cell for _, cell in ALL])
    assert len(every) == len(every.drop_duplicates()) == 4 * 2 * 2 * 2 * (1 + 2 * 3)
    some = pd.DataFrame([cell for _, cell in SOME])
    for factor in every:
        assert set(some[factor]) == set(every[factor]), factor


@pytest.mark.parametrize(("number", "cell"), SOME, ids=lambda value: str(value)[:60])
def test_intervals_hold_the_truth_as_often_as_they_say(number: int, cell: Cell) -> None:
    found = pd.DataFrame([coverage(cell, number, BENCHMARKS)])
    assert as_said(found).all(), found.to_string()
    assert found["held"].item() >= 0.93


@pytest.mark.parametrize("number", [0, 1, 4, 5, 8], ids=lambda number: ALIKES[number].name)
def test_hardly_any_benchmark_of_ten_strategies_alike_has_a_false_claim(number: int) -> None:
    found = false_claims(ALIKES[number], number, 400)
    assert found["with_a_claim"] <= stats.binom.ppf(0.975, 400, 0.05)


def test_each_pair_by_itself_is_claimed_to_differ_as_often_as_its_level_says() -> None:
    """Lest the families have few false claims because nothing is ever claimed."""
    found = false_claims(Alike("tastes", 40, 5, 0.3, False, 0.1, 0.01), 0, 200)
    assert 0.04 < found["pairs_alone"] / found["pairs"] < 0.06


def test_the_committed_study_is_whole_and_kept_what_it_promises() -> None:
    covered, claims = (pd.read_csv(RESULTS / name) for name in ("coverage.csv", "false_claims.csv"))
    factors = list(Cell.__annotations__)
    expected = pd.DataFrame([cell for _, cell in ALL])
    pd.testing.assert_frame_equal(covered[factors], expected[factors])
    assert (covered["benchmarks"] >= 1000).all()
    assert (covered["as_said"] == as_said(covered)).all()
    assert list(claims["name"]) == [alike.name for alike in ALIKES]
    assert (claims["benchmarks"] >= 1000).all()
    assert (claims["with_a_claim"] * 1000 / claims["benchmarks"] <= 64).all()
    assert (covered["held"] >= 0.93).all()
    assert covered["as_said"].mean() > 0.98
    page = (RESULTS.parent.parent / "docs" / "methodology.md").read_text(encoding="utf-8")
    assert f"at most {claims['with_a_claim'].max()} of 1,000 make any claim" in page
    assert f"{covered['as_said'].sum()} of {len(covered)} cells keep that" in page
    for (limited, beyond), cells_of in covered.groupby(["limited", "beyond"]):
        name = f"{beyond:.0%} beyond the limit, {'both' if limited == 'both' else 'the slower one alone'}"
        shares = [
            f"{100 * cells_of[key].min():.1f}% to {100 * cells_of[key].max():.1f}%" for key in ("held", "held_range")
        ]
        assert f"| {name if beyond else 'no limit'} | {shares[0]} | {shares[1]} |" in page


def test_truth_without_a_limit_is_that_of_the_model() -> None:
    """Normal tastes without ties: the mean and the median of all ratios are the ratio at the middle difficulty."""
    cell = Cell(20, False, False, True, 0.0, "one")
    known = interval_coverage.truth(cell)
    assert np.exp([known.mean, known.median]) == pytest.approx([2, 2], rel=0.01)
    assert known.least == known.most == known.median
