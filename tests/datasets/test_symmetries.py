"""Symmetries of layouts: all moves of rows and columns that keep the units, each drawn equally often."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product
from math import factorial

import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.symmetries import order, random_move
from tests.datasets.all_grids import FURTHER, grids

JIGSAW = "jigsaw=" + "".join("abcdefghi"[r // 3 * 3 + (c + r % 3) % 9 // 3] for r in range(9) for c in range(9))


@pytest.mark.parametrize(
    ("layout", "size"),
    [("", 3_359_232), ("x", 96), ("windoku", 128), ("disjoint", 5184), ("latin", 2 * factorial(9) ** 2), (JIGSAW, 36)],
)
def test_a_9x9_board_has_as_many_symmetries_as_brute_force_finds(layout: str, size: int) -> None:
    assert order(Shape.of_size(9, layout)) == size


def by_enumeration(layout: str) -> set[tuple[int, ...]]:
    """The cells of a 4×4 board after each move that keeps its units."""
    units = {frozenset(unit) for unit in Shape.of_size(4, layout).units}
    moves = set()
    for rows, columns in product(permutations(range(4)), repeat=2):
        moved = [4 * row + column for row in rows for column in columns]
        for cells in (moved, [moved[4 * (k % 4) + k // 4] for k in range(16)]):
            if {frozenset(cells[cell] for cell in unit) for unit in units} == units:
                moves.add(tuple(cells))
    return moves


@pytest.mark.parametrize("layout", FURTHER)
def test_moves_of_a_4x4_board_are_those_of_plain_enumeration_and_equally_likely(layout: str) -> None:
    shape, right, rng = Shape.of_size(4, layout), by_enumeration(layout), random.Random(1)
    assert order(shape) == len(right)
    if len(right) > 200:
        return
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(100 * len(right)):
        move = random_move(shape, rng)
        places = [
            sorted((move[2 * row], move[2 * column + 1]), key=lambda line: line % 2)
            for row, column in product(range(4), repeat=2)
        ]
        drawn[tuple(row // 2 * 4 + column // 2 for row, column in places)] += 1
    assert drawn.keys() == right
    assert all(50 < number < 150 for number in drawn.values())  # five standard deviations


def test_a_form_of_a_latin_square_may_be_a_conjugate_and_keeps_its_solutions() -> None:
    shape, right, rng = Shape.of_size(4, "latin"), set(grids([])), random.Random(3)
    puzzle = Puzzle(shape, [1, 2, 0, 0, 0, 1, *[0] * 9, 3])
    solutions = {grid for grid in right if all(clue in (0, v) for clue, v in zip(puzzle.cells, grid, strict=True))}
    axes = Counter()
    for _ in range(300):
        symmetry = random_isomorph(shape, rng)
        axes[symmetry.axes] += 1
        shown = form(puzzle, symmetry)
        assert shown.clues == puzzle.clues
        there = {grid for grid in right if all(clue in (0, v) for clue, v in zip(shown.cells, grid, strict=True))}
        assert there == set(map(symmetry.apply, solutions))
        assert all(symmetry.undo(symmetry.apply(grid)) == grid for grid in solutions)
    assert sorted(axes) == sorted(permutations(range(3)))
    assert min(axes.values()) > 20
    clash = Puzzle(shape, [1, 1, *[0] * 14])
    assert all(form(clash, random_isomorph(shape, rng)).clues == 2 for _ in range(20))
