"""Counts of verdicts with a known answer, from run folders that the command wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bench.studies import document, validation
from bench.studies.copies import Slowdown
from bench.studies.simulation import PAGE, RESULTS
from bench.studies.validation import ALIKE, BUSY, EVERY, KINDS, PLAIN, QUIET, SLOWED, claims_of, compare_counts, counts


def claim(kind: str, run: int, found: bool, condition: str = QUIET) -> dict[str, Any]:
    facts = {"condition": condition, "kind": kind, "strategy": "s:x", "run": run, "a": "copy:a", "b": PLAIN}
    figures = {"ratio": 1.1, "decided_lo": 1.05, "decided_hi": 1.15}
    return {**facts, **figures, "found": found, "against_baseline": None}


@pytest.mark.parametrize(
    ("kind", "most", "of", "met"),
    [("alike", 16, 200, ("yes", "no")), ("+10% memory", 18, 20, ("no", "yes")), ("+5% search", 14, 20, ("no", "yes"))],
)
def test_the_required_rates(kind: str, most: int, of: int, met: tuple[str, str]) -> None:
    for found, expected in zip((most, most + 1), met, strict=True):
        claims = [claim(kind, number // 10, number < found) for number in range(of)]
        table = counts(pd.DataFrame([*claims, claim(kind, 0, False, BUSY)]))  # a condition is counted apart
        line, _ = table[table["strategy"] == EVERY].to_dict("records")
        assert (line["found"], line["of"], line["met"]) == (found, of, expected)
        assert line["rate_lo"] < found / of < line["rate_hi"]
        assert line["runs"] == -(-found // 10)


@pytest.fixture
def claims_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The claims of a run of a kind, given its pairs (a, b, verdict) and those against the baseline (a, verdict)."""
    same = {"collection": "own", "ratio": 0.9, "ratio_lo": 0.8, "ratio_hi": 0.95, "decided_lo": 0.8}
    same |= {"decided_hi": 0.95, "at_least": 0.9, "at_most": 0.9, "wins": 1, "ties": 2, "losses": 3}

    def call(kind: str, pairs: list[tuple[str, str, str]], against: dict[str, str]) -> list[dict[str, Any]]:
        rows = [{"a": a, "b": b, "verdict": verdict, **same} for a, b, verdict in pairs]
        pd.DataFrame(rows).to_csv(tmp_path / "pairs.csv", index=False)
        from_baseline = [{"a": a, "verdict": verdict} for a, verdict in against.items()]
        monkeypatch.setattr(validation, "against", lambda _folder, _baseline: from_baseline)
        return list(claims_of(tmp_path, kind))

    return call


def test_claims_of_slowed_copies_are_those_against_the_plain_one(claims_from) -> None:
    search, memory = "copy:search10", "copy:memory5"
    assert KINDS[SLOWED].copies[search] == Slowdown(0.1, "search")
    pairs = [(PLAIN, search, "a_faster"), (memory, PLAIN, "a_faster"), (search, memory, "b_faster")]
    claims = claims_from(SLOWED, pairs, {search: "b_faster", memory: "a_faster"})
    # The second is claimed too, but as the faster one, which is wrong.
    assert [(one["kind"], one["found"], one["against_baseline"]) for one in claims] == [
        ("+10% search", True, True),
        ("+5% memory", False, False),
    ]
    assert claims[0]["ratio"] == pytest.approx(1 / 0.9)
    assert claims[0]["decided_lo"] == pytest.approx(1 / 0.95)


def test_every_pair_of_copies_that_are_alike_is_a_claim_in_either_direction(claims_from) -> None:
    pairs = [("copy:a", "copy:b", "a_faster"), ("copy:a", "copy:c", "equivalent"), ("copy:b", "copy:c", "b_faster")]
    claims = claims_from(ALIKE, pairs, {"copy:b": "indistinguishable", "copy:c": "b_faster"})
    assert [one["found"] for one in claims] == [True, False, True]
    assert [one["against_baseline"] for one in claims] == [False, True, None]


def test_the_table_of_the_methodology_is_that_of_the_committed_claims() -> None:
    stored = pd.read_csv(RESULTS / "counts.csv")
    counted = counts(pd.read_csv(RESULTS / "claims.csv").replace({float("nan"): None}))
    integers = ["condition", "kind", "strategy", "found", "of", "baseline_found", "baseline_of", "runs", "runs_of"]
    pd.testing.assert_frame_equal(counted[integers], stored[integers], check_dtype=False)
    assert (stored.loc[(stored["condition"] == QUIET) & (stored["strategy"] == EVERY), "met"] == "yes").all()
    assert document.region(PAGE, "validation") == validation.markdown(stored)


@pytest.mark.parametrize(
    ("n_false", "n_found", "held"), [(0, 10, True), (5, 8, True), (6, 10, False), (0, 7, False), (50, 0, False)]
)
def test_compare_makes_few_false_claims_and_misses_few_regressions(n_false: int, n_found: int, held: bool) -> None:
    def call(kind: str, pair: int, margin: float, slower: bool) -> dict[str, Any]:
        verdicts = {"regressions": 2 * slower, "improvements": 0, "rows": 6, "found": slower}
        ratios = {"ratio": 1.0, "ratio_lo": 0.9, "ratio_hi": 1.1}
        return {"kind": kind, "pair": pair, "anchors": "", "margin": margin, **verdicts, **ratios}

    calls = [call("alike", pair, 0.05, pair < n_false) for pair in range(50)]
    calls += [call("alike", pair, 0.0, True) for pair in range(50)]  # shown without an effect on the result
    table = compare_counts(pd.DataFrame(calls + [call("slowed 20%", pair, 0.05, pair < n_found) for pair in range(10)]))
    assert table["regressions"].tolist() == [n_false, 50, n_found]
    assert validation.compare_held(table) == held
