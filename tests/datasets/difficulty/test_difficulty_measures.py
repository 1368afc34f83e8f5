"""Trial and error and unsolved cells against their definitions, written slowly, for boards of several shapes.

A state is a list of sets: the candidates of each cell. ``test_rating.py`` shows that the measures are the same for all
forms of a puzzle.
"""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.difficulty.board import board_tables
from sudoku_bench.datasets.difficulty.singles import Unsolved, unsolved
from sudoku_bench.datasets.difficulty.trial import Trial, trial, trial_kernel
from sudoku_bench.datasets.search import solve
from tests.datasets.rules import PRINTED, Cells, board, clue_set, units

State = list[set[int]]


class Logic:
    """Units and peers of a board, and the effect of one round of singles."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.cells, self.size = puzzle.cells, puzzle.shape.size
        self.units = list(units(puzzle.shape))
        self.peers = [{p for u in self.units if c in u for p in u} - {c} for c in range(len(self.cells))]

    def start(self) -> State:
        """The clues, and all digits for the other cells."""
        return [{v} if v else set(range(1, self.size + 1)) for v in self.cells]

    def places(self, state: State, unit: list[int], digit: int) -> list[int]:
        return [cell for cell in unit if digit in state[cell]]

    def contradicts(self, state: State) -> bool:
        digits = range(1, self.size + 1)
        return not all(state) or not all(self.places(state, unit, d) for unit in self.units for d in digits)

    def round(self, state: State) -> State:
        """Find all naked and hidden singles, then place them all at once."""
        singles = {(cell, digit) for cell, left in enumerate(state) if len(left) == 1 for digit in left}
        for unit in self.units:
            for digit in range(1, self.size + 1):
                places = self.places(state, unit, digit)
                if len(places) == 1:
                    singles.add((places[0], digit))
        after = [set(left) for left in state]
        for cell, digit in singles:
            after[cell] &= {digit}
            for peer in self.peers[cell]:
                after[peer].discard(digit)
        return after

    def settle(self, state: State) -> State:
        while (after := self.round(state)) != state:
            state = after
        return state

    def open_cells(self, state: State) -> list[int]:
        return [cell for cell, left in enumerate(state) if len(left) > 1]


def unsolved_cells(puzzle: Puzzle) -> tuple[int, int]:
    """Open cells after singles, and after singles and locked candidates."""
    logic = Logic(puzzle)
    state = logic.settle(logic.start())
    singles = len(logic.open_cells(state))
    changed = True
    while changed:
        changed = False
        for one in logic.units:
            for digit in range(1, logic.size + 1):
                places = set(logic.places(state, one, digit))
                for other in logic.units:
                    if other != one and places <= set(other):
                        for cell in set(other) - set(one):
                            changed |= digit in state[cell]
                            state[cell].discard(digit)
        state = logic.settle(state)
    return singles, len(logic.open_cells(state))


def trial_and_error(puzzle: Puzzle) -> tuple[int, int]:
    """Rounds and depth."""
    logic = Logic(puzzle)
    state, most = logic.settle(logic.start()), 0
    while logic.open_cells(state):
        costs = {
            (cell, digit): cost
            for cell in logic.open_cells(state)
            for digit in state[cell]
            if (cost := refutation(logic, state, cell, digit))
        }
        if not costs:
            return most, 2
        cheapest = min(costs.values())
        most = max(most, cheapest)
        for (cell, digit), cost in costs.items():
            if cost == cheapest:
                state[cell].discard(digit)
        state = logic.settle(state)
    return most, 1


def refutation(logic: Logic, before: State, cell: int, digit: int) -> int:
    """The round that finds a contradiction if a candidate is assumed; 0 if no round does."""
    state = [set(left) for left in before]
    state[cell] = {digit}
    for peer in logic.peers[cell]:
        state[peer].discard(digit)
    number = 1
    while not logic.contradicts(state):
        after = logic.round(state)
        if after == state:
            return 0
        state, number = after, number + 1
    return number


def minimal(shape: Shape, seed: int) -> tuple[Puzzle, Cells]:
    """A minimal puzzle and its solution."""
    rng = random.Random(seed)
    empty = Puzzle(shape, (0,) * shape.n_cells)
    solution = solve(empty, limit=1, seed=seed).solutions[0]
    cells = list(solution)
    for cell in rng.sample(range(shape.n_cells), shape.n_cells):
        cells[cell] = 0
        if len(solve(Puzzle(shape, tuple(cells)), limit=2).solutions) > 1:
            cells[cell] = solution[cell]
    return Puzzle(shape, tuple(cells)), solution


@cache
def printed(name: str) -> tuple[Puzzle, Cells]:
    """A printed puzzle and its solution."""
    puzzle, solution = PRINTED[name]
    return board(puzzle), board(solution).cells


SMALL_SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4)]
SMALL_CASES = [(shape, seed) for shape in SMALL_SHAPES for seed in range(6)]


@pytest.mark.parametrize(("shape", "seed"), SMALL_CASES)
def test_small_boards_are_measured_as_defined(shape: Shape, seed: int) -> None:
    puzzle, solution = minimal(shape, seed)
    assert trial(puzzle, solution) == Trial(*trial_and_error(puzzle))
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))


@pytest.mark.parametrize("name", sorted(PRINTED.keys() - {"000c"}))  # whose trials take long by definition
def test_printed_puzzles_are_measured_as_defined(name: str) -> None:
    puzzle, solution = printed(name)
    assert trial(puzzle, solution) == Trial(*trial_and_error(puzzle))
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))


def test_the_solution_avoids_trials_and_changes_nothing() -> None:
    for name in PRINTED:
        puzzle, solution = printed(name)
        no_solution = np.zeros(81, dtype=np.int64)
        rounds, depth = trial_kernel(np.array(puzzle.cells), no_solution, *board_tables(puzzle.shape))
        assert Trial(int(rounds), int(depth)) == trial(puzzle, solution)


def test_the_solution_of_another_puzzle_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit the clues"):
        trial(printed("000a")[0], printed("000b")[1])


def test_contradictory_clues_leave_the_unsolved_cells_undefined() -> None:
    assert unsolved(board("11" + "." * 14)) is None
    assert unsolved(board("123." + "...4" + "." * 8)) is None  # the last cell of row 1 has no candidate
    for shape in (*SMALL_SHAPES, Shape(3, 3), Shape(3, 4)):
        for puzzle in (clue_set(shape, seed) for seed in range(20)):
            if open_cells := unsolved(puzzle):
                assert 0 <= open_cells.locked <= open_cells.singles <= shape.n_cells - puzzle.clues
