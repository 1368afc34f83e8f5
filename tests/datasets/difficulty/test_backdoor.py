"""Backdoor sizes against the definition, for boards of several shapes."""

from __future__ import annotations

import random

import pytest

from datasets import Puzzle, Shape
from datasets.collections.catalogue import load
from datasets.difficulty.backdoor import MAX_SETS, Backdoor, backdoor
from datasets.isomorphs import form, isomorph
from datasets.search import solve
from tests.datasets.difficulty.slow_logic import SMALL_CASES, backdoor_size, minimal, printed
from tests.datasets.rules import Cells


@pytest.mark.parametrize(("shape", "seed"), SMALL_CASES)
def test_small_boards_are_measured_as_defined(shape: Shape, seed: int) -> None:
    puzzle, solution = minimal(shape, seed)
    assert backdoor(puzzle, solution) == Backdoor(backdoor_size(puzzle, solution), exact=True)


@pytest.mark.parametrize("name", ["000a", "000c", "002"])
def test_backdoors_of_printed_puzzles_are_the_smallest(name: str) -> None:
    puzzle, solution = printed(name)
    assert backdoor(puzzle, solution) == Backdoor(backdoor_size(puzzle, solution), exact=True)


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


def test_a_search_that_stops_returns_a_lower_bound() -> None:
    """A 25×25 board with few clues has more sets of a few cells than the search tries."""
    shape = Shape(5, 5)
    solution = solve(Puzzle(shape, (0,) * 625), limit=1, seed=3).solutions[0]
    clue_cells = set(random.Random(3).sample(range(625), 120))
    few = Puzzle(shape, tuple(v if c in clue_cells else 0 for c, v in enumerate(solution)))
    result = backdoor(few, solution)
    assert not result.exact
    assert 1 <= result.size <= 2
    assert MAX_SETS >= 64 * 63 * 62 // 6  # all sets of three cells of a 9×9 board with 17 clues


def test_a_puzzle_that_singles_solve_has_an_empty_backdoor() -> None:
    puzzle, solution = printed("000a")
    assert backdoor(puzzle, solution) == Backdoor(0, exact=True)


def test_the_solution_of_another_puzzle_is_refused() -> None:
    puzzle, _ = printed("000a")
    with pytest.raises(ValueError, match="does not fit the clues"):
        backdoor(puzzle, printed("000b")[1])


@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4)])
def test_forms_of_a_puzzle_have_the_same_backdoor_size(shape: Shape) -> None:
    for seed in range(3):
        puzzle, solution = minimal(shape, seed)
        for number in range(1, 5):
            symmetry = isomorph(seed, puzzle, number)
            assert backdoor(form(puzzle, symmetry), symmetry.apply(solution)) == backdoor(puzzle, solution)
