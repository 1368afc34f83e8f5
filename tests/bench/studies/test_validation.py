"""Counts of verdicts with a known answer, from run folders that the command wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bench.studies import document, validation
from bench.studies.copies import Slowdown
from bench.studies.simulation import PAGE, RESULTS
from bench.studies.validation import ALIKE, BUSY, KINDS, PLAIN, QUIET, SLOWED, claims_of, compare_counts, counts


def claim(kind: str, run: int, found: bool, condition: str = QUIET) -> dict[str, Any]:
    figures = {"ratio": 1.1, "decided_lo": 1.05, "decided_hi": 1.15}
    return {"condition": condition, "kind": kind, "run": run, **figures, "found": found}


@pytest.mark.parametrize(
    ("kind", "most", "of", "met"),
    [("alike", 16, 200, ("yes", "no")), ("+10% memory", 18, 20, ("no", "yes")), ("+5% search", 14, 20, ("no", "yes"))],
)
def test_the_required_rates(kind: str, most: int, of: int, met: tuple[str, str]) -> None:
    for found, expected in zip((most, most + 1), met, strict=True):
        claims = [claim(kind, number // 10, number < found) for number in range(of)]
        table = counts(pd.DataFrame([*claims, claim(kind, 0, False, BUSY)]))  # a condition is counted apart
        line, _ = table.to_dict("records")
        assert (line["found"], line["of"], line["met"]) == (found, of, expected)
        assert line["rate_lo"] < found / of < line["rate_hi"]
        assert line["runs"] == -(-found // 10)


def claims_from(folder: Path, kind: str, pairs: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """The claims of a run of a kind, given its pairs (a, b, verdict)."""
    same = {"collection": "own", "ratio": 0.9, "ratio_lo": 0.8, "ratio_hi": 0.95, "decided_lo": 0.8}
    same |= {"decided_hi": 0.95, "at_least": 0.9, "at_most": 0.9, "wins": 1, "ties": 2, "losses": 3}
    rows = [{"a": a, "b": b, "verdict": verdict, **same} for a, b, verdict in pairs]
    pd.DataFrame(rows).to_csv(folder / "pairs.csv", index=False)
    return list(claims_of(folder, kind))


def test_claims_of_slowed_copies_are_those_against_the_plain_one(tmp_path: Path) -> None:
    search, memory = "copy:search10", "copy:memory5"
    assert KINDS[SLOWED].copies[search] == Slowdown(0.1, "search")
    pairs = [(PLAIN, search, "a_faster"), (memory, PLAIN, "a_faster"), (search, memory, "b_faster")]
    claims = claims_from(tmp_path, SLOWED, pairs)
    # The second is claimed too, but as the faster one, which is wrong.
    assert [(one["kind"], one["found"]) for one in claims] == [("+10% search", True), ("+5% memory", False)]
    assert claims[0]["ratio"] == pytest.approx(1 / 0.9)
    assert claims[0]["decided_lo"] == pytest.approx(1 / 0.95)


def test_every_pair_of_copies_that_are_alike_is_a_claim_in_either_direction(tmp_path: Path) -> None:
    pairs = [("copy:a", "copy:b", "a_faster"), ("copy:a", "copy:c", "equivalent"), ("copy:b", "copy:c", "b_faster")]
    assert [one["found"] for one in claims_from(tmp_path, ALIKE, pairs)] == [True, False, True]


def test_the_table_of_the_methodology_is_that_of_the_committed_claims() -> None:
    claims, stored = (pd.read_csv(RESULTS / f"{name}.csv", keep_default_na=False) for name in ("claims", "counts"))
    pd.testing.assert_frame_equal(counts(claims), stored, rtol=1e-3)
    assert (stored.loc[stored["condition"] == QUIET, "met"] == "yes").all()
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
