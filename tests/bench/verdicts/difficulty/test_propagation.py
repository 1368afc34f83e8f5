"""Propagation strength from rows of a run: known shares, known intervals, and what takes no part."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from bench.folder.rows import COLUMNS
from bench.verdicts.difficulty import propagation
from bench.verdicts.run_tables import Run

BASE = {"collection": "c", "task": "first", "mode": "warm", "status": "solved", "cpu_s": 0.01, "limit_s": 1.0}


def table(*rows: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame([{**BASE, **row} for row in rows]).reindex(columns=list(COLUMNS))
    return propagation.table(Run({}, frame, pd.DataFrame()))


def solves(strategy: str, *counts: tuple[int, int, int], **facts: Any) -> list[dict[str, Any]]:
    """Rows of (puzzle, conflicts, decisions)."""
    return [
        {"strategy": strategy, "puzzle": f"p{puzzle}", "conflicts": conflicts, "decisions": decisions, **facts}
        for puzzle, conflicts, decisions in counts
    ]


def test_shares_are_those_of_the_puzzles() -> None:
    [line] = table(*solves("sat:a", (1, 0, 0), (2, 0, 3), (3, 5, 9), (4, 1, 1))).to_dict("records")
    assert (line["no_conflict"], line["no_decision"]) == (0.5, 0.25)
    assert (line["n_puzzles"], line["median_conflicts"]) == (4, 0.5)
    assert tuple(line) == propagation.COLUMNS
    [line] = table(*solves("sat:a", (1, 0, 0), (1, 0, 0), (1, 0, 0), (2, 7, 7))).to_dict("records")
    assert (line["no_conflict"], line["n_puzzles"]) == (0.5, 2)  # a puzzle counts once, however often it was solved


@pytest.mark.parametrize("status", ["timeout", "memout"])
def test_unfinished_solves_count_as_solves_with_conflicts(status: str) -> None:
    unfinished = {"strategy": "sat:a", "puzzle": "p9", "status": status}
    [line] = table(*solves("sat:a", (1, 0, 0)), unfinished).to_dict("records")
    assert (line["no_conflict"], line["no_decision"]) == (0.5, 0.5)
    assert pd.isna(line["median_conflicts"])


def test_rows_unrelated_to_the_puzzle_are_ignored() -> None:
    others = [
        *solves("sat:a", (5, 9, 9), decoy="none"),
        *solves("sat:a", (6, 9, 9), placebo="instrument"),
        *solves("sat:a", (7, 9, 9), status="error"),
        *solves("sat:a", (8, 9, 9), status="wrong"),
    ]
    [line] = table(*solves("sat:a", (1, 0, 0)), *others).to_dict("records")
    assert (line["n_puzzles"], line["no_conflict"]) == (1, 1.0)


def test_counters_that_are_not_reported_are_empty() -> None:
    rows = [
        *({"strategy": "sat:only-conflicts", "puzzle": f"p{i}", "conflicts": i} for i in range(2)),
        *({"strategy": "seed:nothing", "puzzle": f"p{i}", "guesses": 0} for i in range(2)),
    ]
    [line] = table(*rows).to_dict("records")
    assert (line["strategy"], line["no_conflict"]) == ("sat:only-conflicts", 0.5)
    assert pd.isna(line["no_decision"])


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),  # Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29
    [
        (81 / 263, 263, 0.2553, 0.3662),
        (15 / 148, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1 / 29, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_match_published_values(share: float, n: int, low: float, high: float) -> None:
    assert propagation.wilson(share, n) == pytest.approx((low, high), abs=5e-5)
