"""Conflicts of a CDCL solver as a measure of difficulty: with the rules that the clues leave open as with all rules."""

from __future__ import annotations

import pytest
from pysat.solvers import Solver

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty import conflicts
from sudoku_bench.datasets.difficulty.conflicts import ENGINES, unused_engine
from sudoku_bench.datasets.difficulty.open_rules import FIRST_REDUCTION
from sudoku_bench.datasets.isomorphs import form, isomorph
from tests.datasets.rules import board

FORMS = range(1, 4)


def with_all_rules(puzzle: Puzzle, engine: str) -> list[int]:
    """The conflicts of forms with a fresh solver that gets all rules."""
    counts = []
    for number in FORMS:
        clues = conflicts._clues(form(puzzle, isomorph(2, puzzle, number)))
        with Solver(name=engine, bootstrap_with=conflicts.rules(puzzle.shape) + clues) as solver:
            solver.solve()
            counts.append(solver.accum_stats()["conflicts"])
    return counts


@pytest.mark.parametrize("engine", conflicts.ENGINES)
@pytest.mark.parametrize("name", ["size6", "size12", "minimal", "hardest", "multiple"])
def test_the_rules_that_the_clues_leave_open_have_the_conflicts_of_all_rules(name: str, engine: str) -> None:
    for item in load(name).items[:2]:
        assert conflicts._conflicts(item.puzzle, 2, FORMS, engine) == with_all_rules(item.puzzle, engine)


def test_forms_whose_solver_reduces_its_clauses_get_all_rules() -> None:
    puzzle = load("size16").items[1].puzzle
    all_rules = with_all_rules(puzzle, conflicts.ENGINE)
    assert min(all_rules) < FIRST_REDUCTION < max(all_rules)
    assert conflicts._conflicts(puzzle, 2, FORMS, conflicts.ENGINE) == all_rules


def test_clues_that_contradict_each_other_get_all_rules() -> None:
    assert conflicts._conflicts(board("11" + "." * 79), 2, FORMS, conflicts.ENGINE) == [0] * 3


def test_conflicts_are_reproducible_with_errors_and_depend_on_the_engine() -> None:
    easy, expert = load("easy").items[0].puzzle, load("expert").items[0].puzzle
    counted = [conflicts.conflicts(expert, 1, forms=4, engine=engine) for engine in ENGINES[:2]]
    assert counted[0] == conflicts.conflicts(expert, 1, 4) != conflicts.conflicts(expert, 2, 4)
    assert all(each.standard_error for each in counted)
    assert counted[0].mean != counted[1].mean
    assert conflicts.conflicts(easy, 1, 4).mean == 0


def test_the_engine_of_the_measure_is_one_that_no_strategy_uses() -> None:
    assert unused_engine(["seed:norvig", "sat:complete+pairwise@minisat22"]) == ENGINES[0]
    assert unused_engine([f"sat:complete+pairwise@{ENGINES[0]}", f"sat:log@{ENGINES[1]}"]) == ENGINES[2]
    assert unused_engine([f"sat:log@{engine}" for engine in ENGINES]) in ENGINES
