"""The forms that a run solves: made when they are needed, and kept for all strategies that solve them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from sudoku_bench.bench.plan.plan import Plan, PlannedPuzzle
from sudoku_bench.bench.run.judge import Form
from sudoku_bench.datasets.isomorphs import Isomorph, form, isomorph, random_isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

WARM_UP_FORMS = (-1, -2, -3)
FORMS_KEPT = 4096  # more than one puzzle of all strategies needs, unless measurements are very long
SYMMETRIES = 1019  # for run-ins; a prime, so that copies of a grid, whose form numbers are far apart, have others


@lru_cache(maxsize=FORMS_KEPT)
def form_of(seed: int, puzzle: Puzzle, number: int) -> Form:
    """Return a form of a puzzle, cached for all strategies that solve it."""
    symmetry = isomorph(seed, puzzle, number)
    return form(puzzle, symmetry), symmetry


@lru_cache(maxsize=FORMS_KEPT)
def untimed_form(seed: int, puzzle: Puzzle, number: int) -> Puzzle:
    """Return a form of a puzzle for a run-in, which takes a fourth of the time: puzzles share a set of symmetries."""
    return form(puzzle, _symmetry(seed, puzzle.shape, number % SYMMETRIES))


@lru_cache(maxsize=SYMMETRIES)
def _symmetry(seed: int, shape: Shape, number: int) -> Isomorph:
    return random_isomorph(shape, random.Random(f"{seed}/run-in/{shape.code}/{number}"))


def solution_of(planned: PlannedPuzzle) -> Puzzle:
    """Return the solution of a planned puzzle, a puzzle without empty cells."""
    assert planned.reference.solution is not None
    return Puzzle(replace(planned.puzzle.shape, pencilmarks=False), planned.reference.solution)


def easiest_puzzles(plan: Plan) -> Mapping[Shape, Puzzle]:
    """Return the puzzle with the most clues of each shape of the plan (often an easy one)."""
    easiest: dict[Shape, Puzzle] = {}
    for planned in plan.puzzles:
        shape = planned.puzzle.shape
        if shape not in easiest or planned.puzzle.clues > easiest[shape].clues:
            easiest[shape] = planned.puzzle
    return easiest


def warm_up_forms(plan: Plan) -> Mapping[Shape, list[Puzzle]]:
    """Return untimed forms of the easiest puzzle of each shape of the plan."""
    return {
        shape: [form(puzzle, isomorph(plan.suite.seed, puzzle, number)) for number in WARM_UP_FORMS]
        for shape, puzzle in easiest_puzzles(plan).items()
    }
