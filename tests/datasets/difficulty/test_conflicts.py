"""Conflicts of a CDCL solver as a measure of difficulty: with the rules that the clues leave open as with all rules."""

from __future__ import annotations

import pytest
from pysat.solvers import Solver

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty.conflicts import ENGINE, ENGINES, _clues, conflicts, rules, unused_engine
from sudoku_bench.datasets.difficulty.open_rules import FIRST_REDUCTION
from sudoku_bench.datasets.isomorphs import form, isomorph
from tests.datasets.rules import board

FORMS = 3


def with_all_rules(puzzle: Puzzle, engine: str) -> list[int]:
    """The conflicts of forms with a fresh solver that gets all rules."""
    counts = []
    for number in range(1, FORMS + 1):
        clues = _clues(form(puzzle, isomorph(2, puzzle, number)))
        with Solver(name=engine, bootstrap_with=rules(puzzle.shape) + clues) as solver:
            solver.solve()
            counts.append(solver.accum_stats()["conflicts"])
    return counts


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["size6", "size12", "minimal", "hardest", "multiple"])
def test_the_rules_that_the_clues_leave_open_have_the_conflicts_of_all_rules(name: str, engine: str) -> None:
    for item in load(name).items[:2]:
        assert conflicts(item.puzzle, 2, FORMS, engine) == with_all_rules(item.puzzle, engine)


def test_forms_whose_solver_reduces_its_clauses_get_all_rules() -> None:
    puzzle = load("size16").items[1].puzzle
    all_rules = with_all_rules(puzzle, ENGINE)
    assert min(all_rules) < FIRST_REDUCTION < max(all_rules)
    assert conflicts(puzzle, 2, FORMS, ENGINE) == all_rules


def test_clues_that_contradict_each_other_get_all_rules() -> None:
    assert conflicts(board("11" + "." * 79), 2, FORMS, ENGINE) == [0] * 3


def test_conflicts_are_reproducible_vary_with_the_form_and_depend_on_the_engine() -> None:
    easy, expert = load("easy").items[0].puzzle, load("expert").items[0].puzzle
    one, other = (conflicts(expert, 1, forms=4, engine=engine) for engine in ENGINES[:2])
    assert one == conflicts(expert, 1, 4) != conflicts(expert, 2, 4)
    assert len(set(one)) > 1
    assert one != other
    assert conflicts(easy, 1, 4) == [0] * 4


def test_the_engine_of_the_measure_is_one_that_no_strategy_uses() -> None:
    assert unused_engine(["seed:norvig", "sat:complete+pairwise@minisat22"]) == ENGINES[0]
    assert unused_engine([f"sat:complete+pairwise@{ENGINES[0]}", f"sat:log@{ENGINES[1]}"]) == ENGINES[2]
    assert unused_engine([f"sat:log@{engine}" for engine in ENGINES]) in ENGINES
