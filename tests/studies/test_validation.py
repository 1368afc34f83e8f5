"""Counts of verdicts with a known answer, by report."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from studies import document, validation
from studies.simulation import PAGE, RESULTS
from studies.validation import (
    ALIKE,
    ALL,
    BUSY,
    FALSE,
    QUIET,
    SLOWED,
    compare_counts,
    copies_of,
    counts,
    outcomes_of,
)


def outcome(question: str, run: int, claimed: bool, condition: str = QUIET, family: int = 5) -> dict[str, Any]:
    figures = dict.fromkeys(("ratio", "ratio_lo", "ratio_hi"), float("nan"))
    if question != FALSE:
        figures = {"ratio": 1.1, "ratio_lo": 1.05, "ratio_hi": 1.15}
    return {"condition": condition, "family": family, "question": question, "run": run, **figures, "claimed": claimed}


@pytest.mark.parametrize(
    ("question", "most", "of", "met"),
    [
        (FALSE, 3, 20, ("yes", "no")),  # a rule of 5% gives 3 or more of 20 in 7.5% of cases, 4 or more in 1.6%
        (FALSE, 7, 80, ("yes", "no")),
        ("+10% memory", 18, 20, ("no", "yes")),
        ("+5% search", 14, 20, ("no", "yes")),
    ],
)
def test_the_required_rates(question: str, most: int, of: int, met: tuple[str, str]) -> None:
    for claimed, expected in zip((most, most + 1), met, strict=True):
        outcomes = [outcome(question, number, number < claimed) for number in range(of)]
        others = [outcome(FALSE, 0, False, BUSY), outcome(FALSE, 0, False, QUIET, 15)]  # each counted apart
        table = counts(pd.DataFrame([*outcomes, *others]))
        line, *_, total = table.to_dict("records")
        assert (line["claimed"], line["of"], line["met"]) == (claimed, of, expected)
        assert line["rate_lo"] < claimed / of < line["rate_hi"]
        n_reports = 2 + (of if question == FALSE else 0)
        assert (total["condition"], total["family"], total["of"]) == (ALL, ALL, n_reports)


def outcomes_from(kind: str, *pairs: tuple[str, str, str]) -> dict[str, tuple[bool, float]]:
    """What is counted of a report on five copies, given its pairs (a, b, verdict); with the ratio."""
    same = {"collection": "own", "clock": "cpu", "ratio": 0.9, "ratio_lo": 0.8, "ratio_hi": 0.95}
    same |= {"at_least": 0.9, "at_most": 0.9, "wins": 1, "ties": 2, "losses": 3}
    frame = pd.DataFrame([{"a": f"copy:{a}", "b": f"copy:{b}", "verdict": verdict, **same} for a, b, verdict in pairs])
    outcomes = outcomes_of(frame, copies_of(kind, 5))
    return {each["question"]: (each["claimed"], each.get("ratio", float("nan"))) for each in outcomes}


@pytest.mark.parametrize("verdict", ["a_faster", "b_faster"])
def test_any_claim_between_copies_that_are_alike_makes_the_report_false(verdict: str) -> None:
    assert not outcomes_from(ALIKE, ("b", "a", "equivalent"), ("c", "a", "indistinguishable"))[FALSE][0]
    assert outcomes_from(ALIKE, ("b", "a", "equivalent"), ("c", "a", verdict))[FALSE][0]


def test_a_slowed_copy_is_found_in_either_order_and_only_as_the_slower_one() -> None:
    found = outcomes_from(
        SLOWED, ("search10", "a", "b_faster"), ("a", "memory10", "a_faster"), ("search5", "a", "equivalent")
    )
    assert [claimed for claimed, _ in found.values()] == [False, True, True, False, False]  # the first: no false claim
    assert found["+10% search"] == (True, 0.9)
    assert found["+10% memory"] == (True, pytest.approx(1 / 0.9))
    wrong = outcomes_from(SLOWED, ("memory5", "a", "a_faster"))
    assert (wrong[FALSE][0], wrong["+5% memory"][0]) == (True, False)


def test_the_table_of_the_methodology_is_that_of_the_committed_claims() -> None:
    claims = pd.read_csv(RESULTS / "claims.csv")
    stored = pd.read_csv(RESULTS / "counts.csv", dtype={"family": str})
    pd.testing.assert_frame_equal(counts(claims), stored, rtol=1e-3)
    assert (stored.loc[stored["question"] == FALSE, "met"] == "yes").all()
    assert document.region(PAGE, "validation") == validation.markdown(stored)


@pytest.mark.parametrize(
    ("n_false", "n_found", "held"), [(0, 10, True), (5, 8, True), (6, 10, False), (0, 7, False), (50, 0, False)]
)
def test_compare_makes_few_false_claims_and_misses_few_regressions(n_false: int, n_found: int, held: bool) -> None:
    def call(kind: str, slower: bool) -> dict[str, Any]:
        verdicts = {"regressions": 2 * slower, "improvements": 0, "found": slower}
        return {"kind": kind, **verdicts, "ratio": 1.0, "ratio_lo": 0.9, "ratio_hi": 1.1}

    calls = [*(call("alike", k < n_false) for k in range(50)), *(call("slowed 20%", k < n_found) for k in range(10))]
    table = compare_counts(pd.DataFrame(calls))
    assert table["regressions"].tolist() == [n_false, n_found]
    assert validation.compare_held(table) == held


def test_the_committed_counts_of_compare_are_those_of_its_calls_and_hold() -> None:
    calls, stored = (pd.read_csv(RESULTS / f"compare_{name}.csv") for name in ("calls", "counts"))
    pd.testing.assert_frame_equal(compare_counts(calls), stored, rtol=1e-3)
    assert validation.compare_held(stored)
