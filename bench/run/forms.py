"""The forms that a run solves: made when they are needed, and kept for all strategies that solve them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from sudoku_bench.bench.plan.plan import Entry, Measurement, Plan, PlannedPuzzle
from sudoku_bench.bench.plan.suite import FLOOR, PIPE
from sudoku_bench.bench.process.solve_request import Solved
from sudoku_bench.bench.run.outcome import Form
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

FORMS_KEPT = 4096  # more than one puzzle of all strategies needs, unless measurements are very long


def forms_of(plan: Plan, measurement: Measurement) -> list[Form]:
    """Return the forms of a measurement; for the floor and the pipe, forms of the solution."""
    planned = measurement.planned
    forms = [form_of(plan.suite.seed, planned.puzzle, number) for number in measurement.forms]
    if measurement.entry.role in (FLOOR, PIPE):
        solution = solution_of(planned)
        return [(form(solution, symmetry), symmetry) for _, symmetry in forms]
    return forms


@lru_cache(maxsize=FORMS_KEPT)
def form_of(seed: int, puzzle: Puzzle, number: int) -> Form:
    """Return a form of a puzzle, cached for all strategies that solve it."""
    symmetry = isomorph(seed, puzzle, number)
    return form(puzzle, symmetry), symmetry


def solution_of(planned: PlannedPuzzle) -> Puzzle:
    """Return the solution of a planned puzzle, a puzzle without empty cells."""
    assert planned.reference.solution is not None
    return Puzzle(replace(planned.puzzle.shape, pencilmarks=False), planned.reference.solution)


def lead_in_of(plan: Plan, entry: Entry, shape: Shape, number: int) -> Sequence[Solved]:
    """Return the puzzles that lead an entry in, in other forms in each round; the floor and the pipe get solutions.

    Args:
        number: of the round, in all launches.
    """
    if entry.role not in (FLOOR, PIPE):
        return _led_in(plan.suite.seed, plan.lead_ins[shape], number)
    of_shape = next(each for each in plan.lead_ins if replace(each, pencilmarks=False) == shape)
    return [(Puzzle(shape, cells), cells) for _, cells in _led_in(plan.suite.seed, plan.lead_ins[of_shape], number)]


@lru_cache(maxsize=16)
def _led_in(seed: int, made: tuple[Solved, ...], number: int) -> list[Solved]:
    symmetries = ((puzzle, cells, isomorph(seed, puzzle, number)) for puzzle, cells in made)
    return [(form(puzzle, symmetry), symmetry.apply_to_bytes(cells)) for puzzle, cells, symmetry in symmetries]
