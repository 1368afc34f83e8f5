"""Coverage of intervals, on every seventeenth cell, and what the page of the studies says of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from studies.intervals import COVERAGE, ONE, drawn, is_accepted, truth
from studies.simulation import PAGE, RESULTS

TEXT = " ".join(PAGE.read_text(encoding="utf-8").split())


@pytest.mark.thorough
def test_intervals_have_nominal_coverage() -> None:
    covered = COVERAGE.results(draws=1000, every=30)
    every = pd.DataFrame(COVERAGE.cells).drop(columns="draws")
    assert all(set(covered[factor]) == set(every[factor]) for factor in every)
    assert covered["as_said"].all(), covered.to_string()
    assert (covered["held"] >= 0.93).all()


def test_truth_without_a_limit_is_that_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Normal tastes without ties: the mean and the median of all ratios are the ratio at the middle difficulty."""
    true = truth(lambda *to_draw: drawn(*to_draw, skew=False, ties=False, form=True, limited=ONE), beyond=0.0)
    assert np.exp([true.mean, true.median]) == pytest.approx([2, 2], rel=0.01)
    assert true.least == true.most == true.median


def test_the_page_shows_the_committed_results() -> None:
    covered = pd.read_csv(RESULTS / COVERAGE.file)
    assert (covered["benchmarks"] >= 1000).all()
    assert [is_accepted(row) for row in covered.to_dict("records")] == covered["as_said"].tolist()
    assert (covered["held"] >= 0.93).all()
    assert covered["as_said"].all()
    assert f"All {len(covered)} cells meet it" in TEXT
    all_finish, cut = covered[covered["beyond"] == 0], covered[covered["beyond"] > 0]
    assert f"{all_finish['held'].min():.1%} to {all_finish['held'].max():.1%} where all solves finish" in TEXT
    held, whole = cut["held"], cut["held_range"]
    assert f"it is {held.min():.1%} to {held.max():.1%}, and of all ratios" in TEXT
    assert f"leaves possible {whole.min():.1%} to {whole.max():.1%}" in TEXT
