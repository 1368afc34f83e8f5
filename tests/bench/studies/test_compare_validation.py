"""Verdict of the validation of ``compare`` on counts of false and missed regressions."""

from __future__ import annotations

import pytest

from bench.studies import compare_validation
from bench.studies.compare_validation import Call


@pytest.mark.parametrize(
    ("n_false", "n_found", "passed"), [(0, 10, True), (5, 8, True), (6, 10, False), (0, 7, False), (50, 0, False)]
)
def test_validation_passes_with_few_false_and_few_missed_regressions(n_false: int, n_found: int, passed: bool) -> None:
    def call(kind: str, pair: int, margin: float, slower: bool) -> Call:
        return Call(kind, pair, "", margin, 2 * slower, 0, 6, 1.0, 0.9, 1.1, slower)

    calls = [call("alike", pair, 0.05, pair < n_false) for pair in range(50)]
    calls += [call("alike", pair, 0.0, True) for pair in range(50)]  # shown without an effect on the result
    calls += [call("slowed 20%", pair, 0.05, pair < n_found) for pair in range(10)]
    table = compare_validation.counts(calls)
    assert table["regressions"].tolist() == [n_false, 50, n_found]
    assert compare_validation.passed(table) == passed
