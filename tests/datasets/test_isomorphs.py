"""Isomorphs: the same puzzle in another presentation, the same presentation every time."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape, isomorphs
from sudoku_bench.datasets.isomorphs import form, isomorph, random_isomorph
from sudoku_bench.datasets.search import solve
from tests.datasets.rules import PRINTED, any_cells, board, clue_set, empty, seeds, shapes, small_shapes

CLASSIC = board(PRINTED["001"][0])
numbers = st.integers(0, 1000)


@given(shapes, seeds, numbers)
def test_undoing_a_symmetry_gives_back_the_original(shape: Shape, seed: int, number: int) -> None:
    puzzle = Puzzle(shape, any_cells(shape, seed))
    symmetry = isomorph(seed, puzzle, number)
    assert symmetry.undo(symmetry.apply(puzzle.cells)) == puzzle.cells
    assert symmetry.apply(symmetry.undo(puzzle.cells)) == puzzle.cells


@given(st.one_of(shapes, st.just(Shape(5, 5))), seeds, numbers)
def test_a_symmetry_moves_each_cell_and_relabels_its_digit(shape: Shape, seed: int, number: int) -> None:
    cells = any_cells(shape, seed)
    symmetry = isomorph(seed, Puzzle(shape, cells), number)
    moved = tuple(symmetry.relabel[cells[source]] for source in symmetry.source)
    assert symmetry.apply(cells) == moved
    assert symmetry.apply_to_bytes(bytes(cells)) == bytes(moved)
    assert form(Puzzle(shape, cells), symmetry) == Puzzle(shape, moved)


@given(small_shapes, seeds, st.integers(1, 1000))
def test_a_form_has_as_many_solutions_and_they_are_the_same(shape: Shape, seed: int, number: int) -> None:
    puzzle = clue_set(shape, seed)
    symmetry = isomorph(seed, puzzle, number)
    here, there = solve(puzzle, limit=3000), solve(form(puzzle, symmetry), limit=3000)
    assert len(there.solutions) == len(here.solutions)
    if len(here.solutions) < 3000:
        assert {symmetry.undo(cells) for cells in there.solutions} == set(here.solutions)


@given(shapes, seeds)
def test_form_number_0_is_the_stored_one(shape: Shape, seed: int) -> None:
    puzzle = Puzzle(shape, any_cells(shape, seed))
    assert form(puzzle, isomorph(seed, puzzle, 0)) == puzzle


def test_every_symmetry_of_the_small_board_is_equally_likely() -> None:
    rng = random.Random(1)
    sources = Counter(random_isomorph(Shape(2, 2), rng).source for _ in range(12_800))
    assert len(sources) == 128  # 8 orders of the rows, 8 of the columns, transposed or not
    chi_squared = sum((count - 100) ** 2 / 100 for count in sources.values())
    assert 71 < chi_squared < 197  # 127 degrees of freedom: the central 99.99%


def test_a_form_depends_on_seed_grid_shape_and_number() -> None:
    blank = isomorph(1, empty(Shape(3, 3)), 1)
    lying, standing = isomorph(1, empty(Shape(3, 4)), 1), isomorph(1, empty(Shape(4, 3)), 1)
    assert len({isomorph(1, CLASSIC, 1), isomorph(2, CLASSIC, 1), isomorph(1, CLASSIC, 2), blank}) == 4
    assert lying.relabel != standing.relabel


def test_forms_are_the_same_on_every_machine_and_python() -> None:
    assert form(CLASSIC, isomorph(1, CLASSIC, 1)).text == (
        "..435......3.4...2.6...9........729..2....7......8...43..........8.....5.7...1.6."
    )
    six = board("..24....5..215.....3...6....2......5")
    assert form(six, isomorph(2026, six, 3)).text == "..12....3..1.....3....1..4...653...."


@given(shapes, seeds)
def test_symmetries_are_those_of_the_standard_shuffle(shape: Shape, seed: int) -> None:
    """Runs name forms by numbers, so that the same number must always mean the same form."""

    def shuffled(numbers: range, rng: random.Random) -> list[int]:
        order = list(numbers)
        rng.shuffle(order)
        return order

    here, there = random.Random(seed), random.Random(seed)
    symmetry = random_isomorph(shape, here)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isomorphs, "_shuffled", shuffled)
        assert random_isomorph(shape, there) == symmetry
    assert here.getstate() == there.getstate()
