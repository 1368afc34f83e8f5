"""Counts of verdicts with a known answer, from run folders that the command wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bench.studies import validation
from bench.studies.slowed_copies import Slowdown
from bench.studies.validation import ALIKE, BUSY, COPIES, EVERY, PLAIN, QUIET, SLOWED, Claim
from tests.conftest import TOP

RESULTS = TOP / "results" / "validation"


def claim(kind: str, run: int, found: bool, condition: str = QUIET) -> Claim:
    verdict = "b_faster" if found else "indistinguishable"
    return Claim(condition, kind, "s:x", run, "copy:a", PLAIN, verdict, 1.1, 1.05, 1.15, found, None)


@pytest.mark.parametrize(
    ("kind", "n_found", "of", "met"),
    [
        ("alike", 16, 200, "yes"),
        ("alike", 17, 200, "no"),
        ("+10% memory", 19, 20, "yes"),
        ("+10% memory", 18, 20, "no"),
        ("+5% search", 15, 20, "yes"),
        ("+5% search", 14, 20, "no"),
    ],
)
def test_the_required_rates(kind: str, n_found: int, of: int, met: str) -> None:
    table = validation.counts([claim(kind, number // 10, number < n_found) for number in range(of)])
    line = table.set_index("strategy").loc[EVERY]
    assert (line["found"], line["of"], line["met"]) == (n_found, of, met)
    assert line["rate_lo"] < n_found / of < line["rate_hi"]
    assert line["runs"] == -(-n_found // 10)


def test_conditions_are_counted_apart() -> None:
    table = validation.counts([claim("+10% search", 0, condition == QUIET, condition) for condition in (QUIET, BUSY)])
    found = table[table["strategy"] == EVERY].set_index("condition")["met"].to_dict()
    assert found == {QUIET: "yes", BUSY: "no"}
    assert "| busy | +10% search | 0 of 1 | 0.0% to 97.5% | >= 95% |" in validation.markdown(table)


def pairs_file(folder: Path, rows: list[tuple[str, str, str]]) -> None:
    columns = {"collection": "own", "ratio": 0.9, "ratio_lo": 0.8, "ratio_hi": 0.95, "decided_lo": 0.8}
    columns |= {"decided_hi": 0.95, "at_least": 0.9, "at_most": 0.9, "wins": 1, "ties": 2, "losses": 3}
    lines = [{"a": a, "b": b, "verdict": verdict, **columns} for a, b, verdict in rows]
    pd.DataFrame(lines).to_csv(folder / "pairs.csv", index=False)


def test_claims_of_slowed_copies_are_those_against_the_plain_one(monkeypatch: Any, tmp_path: Path) -> None:
    first, second = "copy:search10", "copy:memory5"
    assert COPIES[SLOWED][first] == Slowdown(0.1, "search")
    pairs_file(
        tmp_path,
        [(PLAIN, first, "a_faster"), (second, PLAIN, "a_faster"), (first, second, "b_faster")],
    )
    monkeypatch.setattr(
        validation,
        "against",
        lambda _folder, _baseline: [{"a": first, "verdict": "b_faster"}, {"a": second, "verdict": "a_faster"}],
    )
    claims = list(validation.claims_of(tmp_path, QUIET, SLOWED, "s:x", 3))
    # The second is claimed too, but as the faster one, which is wrong.
    assert [(one.kind, one.found, one.against_baseline) for one in claims] == [
        ("+10% search", True, True),
        ("+5% memory", False, False),
    ]
    assert claims[0].ratio == pytest.approx(1 / 0.9)
    assert claims[0].decided_lo == pytest.approx(1 / 0.95)


def test_every_pair_of_copies_that_are_alike_is_a_claim_in_either_direction(monkeypatch: Any, tmp_path: Path) -> None:
    pairs_file(
        tmp_path,
        [("copy:a", "copy:b", "a_faster"), ("copy:a", "copy:c", "equivalent"), ("copy:b", "copy:c", "b_faster")],
    )
    rows = [{"a": "copy:b", "verdict": "indistinguishable"}, {"a": "copy:c", "verdict": "b_faster"}]
    monkeypatch.setattr(validation, "against", lambda _folder, _baseline: rows)
    claims = list(validation.claims_of(tmp_path, BUSY, ALIKE, "s:x", 0))
    assert [one.found for one in claims] == [True, False, True]
    assert [one.against_baseline for one in claims] == [False, True, None]


def test_the_table_of_the_methodology_is_that_of_the_committed_claims() -> None:
    claims = pd.read_csv(RESULTS / "claims.csv").replace({float("nan"): None})
    counts = pd.read_csv(RESULTS / "counts.csv")
    again = validation.counts([Claim(**row) for row in claims.to_dict("records")])
    shared = ["condition", "kind", "strategy", "found", "of", "baseline_found", "baseline_of", "runs", "runs_of"]
    pd.testing.assert_frame_equal(again[shared], counts[shared], check_dtype=False)
    of_alike = counts[(counts["kind"] == ALIKE) & (counts["strategy"] == EVERY)]
    assert (of_alike["of"] >= 200).all()
    assert (counts.loc[(counts["condition"] == QUIET) & (counts["strategy"] == EVERY), "met"] == "yes").all()
    page = (TOP / "docs" / "methodology.md").read_text(encoding="utf-8")
    assert validation.markdown(counts) in page
