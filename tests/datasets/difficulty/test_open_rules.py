"""The rules that the clues leave open have the conflicts of all rules."""

from __future__ import annotations

import pytest
from pysat.solvers import Solver

from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty import conflicts
from sudoku_bench.datasets.difficulty.open_rules import FIRST_REDUCTION
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Puzzle
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
