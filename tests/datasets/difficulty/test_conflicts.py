"""Conflicts of a CDCL solver as a measure of difficulty and as an objective for mining."""

from __future__ import annotations

from datasets.collections.catalogue import load
from datasets.difficulty.conflicts import mean_conflicts, objective


def test_conflicts_are_reproducible_and_zero_for_a_puzzle_that_singles_solve() -> None:
    easy, expert = load("easy").items[0].puzzle, load("expert").items[0].puzzle
    assert mean_conflicts(easy, 1, forms=4) == 0
    assert mean_conflicts(expert, 1, forms=4) == mean_conflicts(expert, 1, forms=4) > 0
    assert mean_conflicts(expert, 2, forms=4) != mean_conflicts(expert, 1, forms=4)
    assert objective(expert, 1, bound=10_000.0) == 0
    assert objective(expert, 1, bound=0.0) == mean_conflicts(expert, 2)
