"""Trial and error, unsolved cells and backdoors: what the definitions say, for boards of several shapes."""

from __future__ import annotations

import random
from functools import cache

import pytest

from datasets import Puzzle, Shape
from datasets.collections.catalogue import load
from datasets.difficulty.backdoor import MAX_SETS, Backdoor, backdoor
from datasets.difficulty.singles import Unsolved, unsolved
from datasets.difficulty.trial import Trial, tables, trial, trial_kernel
from datasets.isomorphs import form, isomorph
from datasets.search import solve
from tests.datasets.difficulty.slow_logic import backdoor_size, minimal, trial_and_error, unsolved_cells
from tests.datasets.rules import PRINTED, Cells, board, clue_set

SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4)]
SMALL = [(shape, seed) for shape in SHAPES for seed in range(6)]


@cache
def printed(name: str) -> tuple[Puzzle, Cells]:
    puzzle, solution = PRINTED[name]
    return board(puzzle), board(solution).cells


@pytest.mark.parametrize(("shape", "seed"), SMALL)
def test_small_boards_are_rated_as_defined(shape: Shape, seed: int) -> None:
    puzzle, solution = minimal(shape, seed)
    rated = trial(puzzle, solution)
    assert (rated.rounds, rated.depth) == trial_and_error(puzzle)
    assert backdoor(puzzle, solution) == Backdoor(backdoor_size(puzzle, solution), exact=True)
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))


@pytest.mark.parametrize("name", PRINTED)
def test_printed_puzzles_are_rated_as_defined(name: str) -> None:
    puzzle, solution = printed(name)
    rated = trial(puzzle, solution)
    assert (rated.rounds, rated.depth) == trial_and_error(puzzle)
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))


@pytest.mark.parametrize("name", ["000a", "000c", "002"])
def test_backdoors_of_printed_puzzles_are_the_smallest(name: str) -> None:
    puzzle, solution = printed(name)
    assert backdoor(puzzle, solution) == Backdoor(backdoor_size(puzzle, solution), exact=True)


def test_any_cell_of_a_smallest_backdoor_makes_the_rest_smaller_by_one() -> None:
    sizes = set()
    for item in load("expert").items[:20]:
        puzzle, solution = item.puzzle, solve(item.puzzle).solutions[0]
        found = backdoor(puzzle, solution)
        assert found.exact
        sizes.add(found.size)
        empty = [cell for cell, value in enumerate(puzzle.cells) if not value]
        rest = [backdoor(known(puzzle, solution, cell), solution).size for cell in empty]
        assert min(rest) == max(0, found.size - 1)
    assert {1, 2} <= sizes


def known(puzzle: Puzzle, solution: Cells, cell: int) -> Puzzle:
    return Puzzle(puzzle.shape, (*puzzle.cells[:cell], solution[cell], *puzzle.cells[cell + 1 :]))


def test_a_bound_stands_where_the_search_for_a_backdoor_ends() -> None:
    """Clues of a board of 25×25 that say little: sets of a few cells are more than the search tries."""
    shape = Shape(5, 5)
    solution = solve(Puzzle(shape, (0,) * 625), limit=1, seed=3).solutions[0]
    kept = set(random.Random(3).sample(range(625), 120))
    few = Puzzle(shape, tuple(v if c in kept else 0 for c, v in enumerate(solution)))
    found = backdoor(few, solution)
    assert not found.exact
    assert 1 <= found.size <= 2
    assert MAX_SETS >= 64 * 63 * 62 // 6  # all sets of three cells of a 9×9 board with 17 clues


def test_singles_alone_need_no_trial_and_no_backdoor() -> None:
    puzzle, solution = printed("000a")
    assert trial(puzzle, solution) == Trial(0, 1)
    assert backdoor(puzzle, solution) == Backdoor(0, exact=True)
    assert unsolved(puzzle) == Unsolved(0, 0)


def test_the_solution_spares_trials_and_changes_nothing() -> None:
    import numpy as np

    for name in PRINTED:
        puzzle, solution = printed(name)
        nothing = np.zeros(81, dtype=np.int64)
        rounds, depth = trial_kernel(np.array(puzzle.cells), nothing, *tables(puzzle.shape))
        assert Trial(int(rounds), int(depth)) == trial(puzzle, solution)


@pytest.mark.parametrize("measure", [trial, backdoor])
def test_another_puzzles_solution_is_refused(measure) -> None:
    puzzle, _ = printed("000a")
    with pytest.raises(ValueError, match="does not fit the clues"):
        measure(puzzle, printed("000b")[1])


def test_contradictory_clues_leave_nothing_to_count() -> None:
    assert unsolved(board("11" + "." * 14)) is None
    assert unsolved(board("123." + "...4" + "." * 8)) is None  # the last cell of row 1 has no candidate


@pytest.mark.parametrize("shape", [*SHAPES, Shape(3, 3), Shape(3, 4)])
def test_puzzles_of_any_kind_are_measured(shape: Shape) -> None:
    for seed in range(20):
        puzzle = clue_set(shape, seed)
        left = unsolved(puzzle)
        if left is not None:
            assert 0 <= left.locked <= left.singles <= shape.n_cells - puzzle.clues


@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4)])
def test_forms_of_a_puzzle_are_rated_alike(shape: Shape) -> None:
    for seed in range(3):
        puzzle, solution = minimal(shape, seed)
        for number in range(1, 5):
            symmetry = isomorph(seed, puzzle, number)
            other, others = form(puzzle, symmetry), symmetry.apply(solution)
            assert trial(other, others) == trial(puzzle, solution)
            assert backdoor(other, others) == backdoor(puzzle, solution)
            assert unsolved(other) == unsolved(puzzle)
