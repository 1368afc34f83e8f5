"""The puzzles that lead strategies in: right, unique, not of the run, and the same for everybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sudoku_bench.bench.plan import lead_in, plan
from sudoku_bench.bench.plan.plan import Entry, Plan
from sudoku_bench.bench.plan.suite import FLOOR, PIPE, PLACEBO, Suite
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run.forms import form_of, lead_in_of
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import solution_fault
from sudoku_bench.solvers.strategy import FIRST

JIGSAW = next(item.puzzle.shape for item in catalogue.load("jigsaw").items)
BOARDS = [Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4), Shape(5, 5), Shape(1, 9, "latin"), JIGSAW]
BOARDS += [Shape(3, 3, "x"), Shape(3, 3, "windoku"), Shape(4, 4, "x"), Shape(1, 30, "latin")]
BOARDS += [
    replace(shape, pencilmarks=True) for shape in (Shape(2, 2), Shape(3, 3), Shape(3, 3, "x"), Shape(4, 4), JIGSAW)
]
ROUNDS = (1, 2)


def an_entry(role: str = "", name: str = "test:a") -> Entry:
    return Entry(name, StrategyInfo(name, ("first",)), role)


@pytest.mark.parametrize("shape", BOARDS, ids=lambda shape: shape.name)
def test_each_has_one_solution_the_known_one_in_every_round(shape: Shape) -> None:
    planned = Plan(Suite(), FIRST, (), (), (), lead_in.lead_ins([shape]))
    for number in ROUNDS:
        solved = lead_in_of(planned, an_entry(), shape, number)
        assert len({puzzle for puzzle, _ in solved}) == len(solved) == lead_in.PUZZLES
        for puzzle, solution in solved:
            assert puzzle.shape == shape
            assert 0 in puzzle.cells
            assert solution_fault(puzzle, solution) is None
            assert [bytes(cells) for cells in solve(puzzle, limit=2).solutions] == [solution]


@pytest.mark.parametrize("name", ["size6", "easy", "hardest", "x", "pencilmark"])
def test_they_are_neither_puzzles_nor_forms_of_the_run(name: str) -> None:
    made = plan.make(Suite(strategies=("seed:norvig",), datasets=(name,), sample=20))
    [shape] = made.lead_ins
    led_in = {puzzle for number in ROUNDS for puzzle, _ in lead_in_of(made, an_entry(), shape, number)}
    assert not led_in & {item.puzzle for item in catalogue.load(name).items}
    assert not led_in & {form_of(1, planned.puzzle, number)[0] for planned in made.puzzles for number in range(1, 6)}


@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(3, 3, pencilmarks=True)], ids=lambda shape: shape.name)
def test_they_are_the_same_for_everybody_and_others_in_each_round(shape: Shape) -> None:
    planned = Plan(Suite(), FIRST, (), (), (), lead_in.lead_ins([shape]))
    first, second = (lead_in_of(planned, an_entry(), shape, number) for number in ROUNDS)
    for other in (an_entry(name="test:b"), an_entry(PLACEBO)):
        assert lead_in_of(planned, other, shape, 1) == first
    assert not {puzzle for puzzle, _ in first} & {puzzle for puzzle, _ in second}
    plain = replace(shape, pencilmarks=False)
    for role in (FLOOR, PIPE):  # which return what they are given
        given = lead_in_of(planned, an_entry(role), plain, 1)
        assert [(puzzle.cell_bytes, solution) for puzzle, solution in given] == [(s, s) for _, s in first]
