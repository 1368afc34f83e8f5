"""Trial and error, backdoor sizes and unsolved cells against their definitions, for boards of several shapes.

``test_rating.py`` shows that they are the same for all forms of a puzzle.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty.backdoor import MAX_SETS, Backdoor, backdoor
from sudoku_bench.datasets.difficulty.board import board_tables
from sudoku_bench.datasets.difficulty.singles import Unsolved, unsolved
from sudoku_bench.datasets.difficulty.trial import Trial, trial, trial_kernel
from sudoku_bench.datasets.search import solve
from tests.datasets.difficulty.slow_logic import (
    SMALL_CASES,
    SMALL_SHAPES,
    backdoor_size,
    minimal,
    printed,
    trial_and_error,
    unsolved_cells,
)
from tests.datasets.rules import PRINTED, Cells, board, clue_set


@pytest.mark.parametrize(("shape", "seed"), SMALL_CASES)
def test_small_boards_are_measured_as_defined(shape: Shape, seed: int) -> None:
    puzzle, solution = minimal(shape, seed)
    assert trial(puzzle, solution) == Trial(*trial_and_error(puzzle))
    assert backdoor(puzzle, solution) == Backdoor(backdoor_size(puzzle, solution), exact=True)
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))


@pytest.mark.parametrize("name", sorted(PRINTED.keys() - {"000c"}))  # whose trials take long by definition
def test_printed_puzzles_are_measured_as_defined(name: str) -> None:
    puzzle, solution = printed(name)
    assert trial(puzzle, solution) == Trial(*trial_and_error(puzzle))
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))
    if name in ("000a", "002"):
        assert backdoor(puzzle, solution) == Backdoor(backdoor_size(puzzle, solution), exact=True)


def test_the_solution_avoids_trials_and_changes_nothing() -> None:
    for name in PRINTED:
        puzzle, solution = printed(name)
        no_solution = np.zeros(81, dtype=np.int64)
        rounds, depth = trial_kernel(np.array(puzzle.cells), no_solution, *board_tables(puzzle.shape))
        assert Trial(int(rounds), int(depth)) == trial(puzzle, solution)


def test_singles_alone_need_no_trial_and_an_empty_backdoor() -> None:
    puzzle, solution = printed("000a")
    assert (trial(puzzle, solution), backdoor(puzzle, solution)) == (Trial(0, 1), Backdoor(0, exact=True))
    assert unsolved(puzzle) == Unsolved(0, 0)


@pytest.mark.parametrize("measure", [trial, backdoor])
def test_the_solution_of_another_puzzle_is_refused(measure) -> None:
    with pytest.raises(ValueError, match="does not fit the clues"):
        measure(printed("000a")[0], printed("000b")[1])


def test_the_value_of_a_cell_of_a_smallest_backdoor_makes_the_rest_smaller_by_one() -> None:
    sizes = set()
    for item in load("expert").items[:20]:
        puzzle, solution = item.puzzle, solve(item.puzzle).solutions[0]
        result = backdoor(puzzle, solution)
        assert result.exact
        sizes.add(result.size)
        empty = [cell for cell, value in enumerate(puzzle.cells) if not value]
        rest = [backdoor(with_clue(puzzle, solution, cell), solution).size for cell in empty]
        assert min(rest) == max(0, result.size - 1)
    assert {1, 2} <= sizes


def with_clue(puzzle: Puzzle, solution: Cells, cell: int) -> Puzzle:
    return Puzzle(puzzle.shape, (*puzzle.cells[:cell], solution[cell], *puzzle.cells[cell + 1 :]))


def test_a_search_for_a_backdoor_that_stops_returns_a_lower_bound() -> None:
    """A 25×25 board with few clues has more sets of a few cells than the search tries."""
    shape = Shape(5, 5)
    solution = solve(Puzzle(shape, (0,) * 625), limit=1, seed=3).solutions[0]
    clue_cells = set(random.Random(3).sample(range(625), 120))
    few = Puzzle(shape, tuple(v if c in clue_cells else 0 for c, v in enumerate(solution)))
    result = backdoor(few, solution)
    assert not result.exact
    assert 1 <= result.size <= 2
    assert MAX_SETS >= 64 * 63 * 62 // 6  # all sets of three cells of a 9×9 board with 17 clues


def test_contradictory_clues_leave_the_unsolved_cells_undefined() -> None:
    assert unsolved(board("11" + "." * 14)) is None
    assert unsolved(board("123." + "...4" + "." * 8)) is None  # the last cell of row 1 has no candidate
    for shape in (*SMALL_SHAPES, Shape(3, 3), Shape(3, 4)):
        for puzzle in (clue_set(shape, seed) for seed in range(20)):
            if open_cells := unsolved(puzzle):
                assert 0 <= open_cells.locked <= open_cells.singles <= shape.n_cells - puzzle.clues
