"""Conflicts of a CDCL solver as a measure of difficulty."""

from __future__ import annotations

from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty.conflicts import ENGINES, conflicts, unused_engine


def test_conflicts_are_reproducible_and_zero_for_a_puzzle_that_singles_solve() -> None:
    easy, expert = load("easy").items[0].puzzle, load("expert").items[0].puzzle
    assert conflicts(easy, 1, 4).mean == 0
    assert conflicts(expert, 1, 4) == conflicts(expert, 1, 4)
    assert conflicts(expert, 2, 4).mean != conflicts(expert, 1, 4).mean


def test_conflicts_have_errors_and_depend_on_the_engine() -> None:
    expert = load("expert").items[0].puzzle
    first, second = (conflicts(expert, 1, forms=4, engine=engine) for engine in ENGINES[:2])
    assert first.standard_error
    assert second.standard_error
    assert first.mean != second.mean


def test_the_engine_of_the_measure_is_one_that_no_strategy_uses() -> None:
    assert unused_engine(["seed:norvig", "sat:complete+pairwise@minisat22"]) == ENGINES[0]
    assert unused_engine([f"sat:complete+pairwise@{ENGINES[0]}", f"sat:log@{ENGINES[1]}"]) == ENGINES[2]
    assert unused_engine([f"sat:log@{engine}" for engine in ENGINES]) in ENGINES
