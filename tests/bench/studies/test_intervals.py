"""Coverage of intervals and rate of false claims, on every seventeenth cell, and the tables of the methodology."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench.studies import intervals
from bench.studies.intervals import COVERAGE, FALSE_CLAIMS, ONE, PROCESSES, drawn, is_accepted, process_coverage, truth
from bench.studies.simulation import PAGE, RESULTS, within_level

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_intervals_have_nominal_coverage() -> None:
    covered, every = COVERAGE.results(draws=1000, every=30), pd.DataFrame(COVERAGE.cells)
    assert all(set(covered[factor]) == set(every[factor]) for factor in every)
    assert covered["as_said"].all(), covered.to_string()
    assert (covered["held"] >= 0.93).all()


@pytest.mark.slow
def test_few_benchmarks_of_ten_equal_strategies_have_a_false_claim() -> None:
    claims = FALSE_CLAIMS.results(draws=400, every=4)
    assert within_level(claims["with_a_claim"], claims["benchmarks"], 0.05)
    # Families could otherwise have few false claims merely because nothing is ever claimed.
    assert 0.04 < claims.loc[0, "pairs_alone"] / claims.loc[0, "pairs"] < 0.06


@pytest.mark.slow
@pytest.mark.parametrize(("strategies", "wild"), [(12, 2), (2, 1)])
def test_intervals_of_every_kind_of_pair_hold_the_truth(strategies: int, wild: int) -> None:
    model = {"times": 4, "replicates": 5, "puzzles": 15, "noise": 0.02, "taste": 0.05}
    for row in process_coverage(np.random.default_rng(1), 1000, strategies=strategies, wild=wild, **model):
        assert 0.925 <= row["held"] <= 0.975, row


def test_truth_without_a_limit_is_that_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Normal tastes without ties: the mean and the median of all ratios are the ratio at the middle difficulty."""
    true = truth(lambda *to_draw: drawn(*to_draw, skew=False, ties=False, form=True, limited=ONE), beyond=0.0)
    assert np.exp([true.mean, true.median]) == pytest.approx([2, 2], rel=0.01)
    assert true.least == true.most == true.median


def test_the_methodology_shows_the_committed_results() -> None:
    covered, claims = (pd.read_csv(RESULTS / study.file) for study in (COVERAGE, FALSE_CLAIMS))
    assert (covered["benchmarks"] >= 1000).all()
    assert [is_accepted(row) for row in covered.to_dict("records")] == covered["as_said"].tolist()
    assert (covered["held"] >= 0.93).all()
    assert f"at most {claims['with_a_claim'].max()} of 1,000 make any claim" in TEXT
    assert f"{covered['as_said'].sum()} of {len(covered)} cells meet this criterion" in TEXT
    for (limited, beyond), group in covered.groupby(["limited", "beyond"]):
        name = f"{beyond:.0%} beyond the limit, {'only the slower strategy' if limited == ONE else 'both strategies'}"
        shares = [f"{100 * group[key].min():.1f}% to {100 * group[key].max():.1f}%" for key in ("held", "held_range")]
        assert f"| {name if beyond else 'no limit'} | {shares[0]} | {shares[1]} |" in TEXT


def test_the_methodology_shows_the_coverage_by_kind_of_pair() -> None:
    table = pd.read_csv(RESULTS / PROCESSES.file)
    assert set(table["pair"]) == set(intervals.KINDS)
    assert table["held"].min() > 0.85
    for (times, pair), group in table.groupby(["times", "pair"]):
        held = f"{group['held'].min():.1%} to {group['held'].max():.1%}"
        within = f"{group['held'].between(*intervals.ACCEPTED).sum()} of {len(group)}"
        assert f"| 1:{times}, {pair} | {held} | {group['width'].median():.2f} | {within} |" in TEXT
