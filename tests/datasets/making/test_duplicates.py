"""Isomorphs of earlier boards: found by fingerprints, which isomorphs share, and a search for the symmetry."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.making import duplicates
from sudoku_bench.datasets.making.duplicates import Duplicate, Duplicates, are_isomorphs, fingerprint
from tests.datasets.rules import Cells, full_grid, seeds

TINY = [Shape(2, 2), Shape(1, 3), Shape(3, 1)]
Classes = list[tuple[int, Puzzle]]  # puzzles of the same number are isomorphs


def found(puzzles: Classes, batch: int = 7) -> list[Duplicate]:
    with Duplicates(puzzles[0][1].shape) as seen:
        for begin in range(0, len(puzzles), batch):
            part = [puzzle for _, puzzle in puzzles[begin : begin + batch]]
            cells = np.frombuffer(b"".join(p.cell_bytes for p in part), dtype=np.uint8).reshape(len(part), -1)
            seen.add(cells, range(begin + 1, begin + len(part) + 1))
        return seen.find()


def mixed(name: str, number: int, seed: int) -> Classes:
    """Puzzles of a collection, some of their isomorphs and some copies, shuffled."""
    rng = random.Random(seed)
    puzzles = list(enumerate(item.puzzle for item in load(name).items[:number]))
    puzzles += [(k, form(puzzle, random_isomorph(puzzle.shape, rng))) for k, puzzle in puzzles[::3]]
    puzzles += puzzles[::4]
    rng.shuffle(puzzles)
    return puzzles


def due(puzzles: Classes, is_certain: bool = True) -> list[Duplicate]:
    firsts: dict[int, int] = {}
    expected = []
    for line, (number, puzzle) in enumerate(puzzles, start=1):
        first = firsts.setdefault(number, line)
        if first != line:
            is_identical = puzzles[first - 1][1] == puzzle
            expected.append(Duplicate(line, first, is_identical, is_certain or is_identical))
    return expected


@pytest.mark.parametrize(("name", "number", "batch"), [("minimal", 60, 1), ("minimal", 60, 99), ("size6", 20, 7)])
def test_duplicates_are_those_that_were_mixed_in(name: str, number: int, batch: int) -> None:
    puzzles = mixed(name, number, batch)
    assert found(puzzles, batch) == due(puzzles)
    assert {one.is_identical for one in due(puzzles)} == {True, False}


def test_large_boards_are_compared_too() -> None:
    puzzles = mixed("size16", 4, 1)
    assert found(puzzles) == due(puzzles)


def without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all boards one fingerprint, and leave each as it is arranged."""

    def unsorted(_shape: Shape, boards: duplicates.Boards) -> duplicates.Arrangements:
        return duplicates.Arrangements(np.zeros(len(boards), dtype=np.uint64), boards, boards.astype(np.int16))

    monkeypatch.setattr(duplicates, "arrangements", unsorted)


def test_equal_fingerprints_do_not_make_isomorphs(monkeypatch: pytest.MonkeyPatch) -> None:
    without_colours(monkeypatch)
    puzzles = mixed("minimal", 20, 5)
    assert found(puzzles) == due(puzzles)


def test_a_search_that_ends_early_leaves_it_to_the_fingerprints(monkeypatch: pytest.MonkeyPatch) -> None:
    without_colours(monkeypatch)
    monkeypatch.setattr(duplicates, "MOST_STEPS", 0)
    puzzles = [(0, load("minimal").items[0].puzzle)]
    puzzles.append((0, form(puzzles[0][1], random_isomorph(Shape(3, 3), random.Random(1)))))
    assert found(puzzles) == due(puzzles, is_certain=False)


def test_no_boards_have_no_duplicates() -> None:
    with Duplicates(Shape(3, 3)) as seen:
        assert seen.find() == []


def holes(shape: Shape, seed: int) -> Puzzle:
    """A random full grid with few, some or many empty cells, or none."""
    rng = random.Random(seed)
    share = rng.choice([0.05, 0.2, 0.4, 0.8, 1.0])
    return Puzzle(shape, tuple(v if rng.random() < share else 0 for v in full_grid(shape, seed)))


def arrangements(width: int, groups: int) -> Iterator[list[int]]:
    for order in permutations(range(groups)):
        for within in product(permutations(range(width)), repeat=groups):
            yield [group * width + k for group in order for k in within[group]]


def first_of_all(puzzle: Puzzle) -> Cells:
    """The least isomorph by trying every arrangement, with digits labelled in order of appearance."""
    shape, n = puzzle.shape, puzzle.shape.size
    boards = [[puzzle.cells[k : k + n] for k in range(0, n * n, n)]]
    if shape.box_rows == shape.box_cols:
        boards.append(list(zip(*boards[0], strict=True)))
    isomorphs = []
    columns = list(arrangements(shape.box_cols, n // shape.box_cols))
    for rows in arrangements(shape.box_rows, n // shape.box_rows):
        for cells, column in product(boards, columns):
            names = {0: 0}
            isomorphs.append(tuple(names.setdefault(cells[r][c], len(names)) for r in rows for c in column))
    return min(isomorphs)


@settings(max_examples=60)
@given(st.sampled_from(TINY), seeds, seeds)
def test_two_boards_are_isomorphs_if_their_least_isomorphs_are_equal(shape: Shape, seed: int, other_seed: int) -> None:
    one, other = holes(shape, seed), holes(shape, other_seed)
    is_same = first_of_all(one) == first_of_all(other)
    assert are_isomorphs(shape, one.cell_bytes, other.cell_bytes) == is_same
    assert fingerprint(one) == fingerprint(other) or not is_same


@settings(max_examples=40)
@given(st.sampled_from([Shape(2, 3), Shape(3, 3), Shape(2, 5), Shape(3, 4)]), seeds)
def test_isomorphs_are_recognised_and_a_changed_puzzle_is_none(shape: Shape, seed: int) -> None:
    puzzle, grid = holes(shape, seed), full_grid(shape, seed)
    isomorph = form(puzzle, random_isomorph(shape, random.Random(seed)))
    assert are_isomorphs(shape, puzzle.cell_bytes, isomorph.cell_bytes) is not False
    assert fingerprint(isomorph) == fingerprint(puzzle)
    changed = Puzzle(shape, (*puzzle.cells[:-1], 0 if puzzle.cells[-1] else grid[-1]))
    assert not are_isomorphs(shape, changed.cell_bytes, isomorph.cell_bytes)
    assert fingerprint(changed) != fingerprint(puzzle)


def test_a_board_of_wide_boxes_is_not_transposed() -> None:
    across, down = (Puzzle(Shape(2, 3), (1, *[0] * (step - 1), 2, *[0] * (35 - step))) for step in (1, 6))
    assert fingerprint(across) != fingerprint(down)
    assert not are_isomorphs(Shape(2, 3), across.cell_bytes, down.cell_bytes)


@settings(max_examples=40)
@given(st.sampled_from([*TINY, Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4)]), seeds)
def test_an_arrangement_is_an_isomorph_whose_cells_come_from_where_it_says(shape: Shape, seed: int) -> None:
    puzzle = holes(shape, seed)
    _, [board], [places] = duplicates.arrangements(shape, np.frombuffer(puzzle.cell_bytes, np.uint8)[None])
    assert sorted(places) == list(range(shape.n_cells))
    names = {puzzle.cells[place]: value for place, value in zip(places, board.tolist(), strict=True)}
    assert [names[puzzle.cells[place]] for place in places] == board.tolist()
    assert are_isomorphs(shape, puzzle.cell_bytes, board.tobytes()) is not False


def test_isomorphs_of_a_puzzle_without_symmetries_have_one_arrangement() -> None:
    for item in load("minimal").items[:20]:
        forms = [form(item.puzzle, random_isomorph(Shape(3, 3), random.Random(seed))) for seed in range(10)]
        cells = np.frombuffer(b"".join(each.cell_bytes for each in forms), dtype=np.uint8).reshape(10, -1)
        assert len({board.tobytes() for board in duplicates.arrangements(Shape(3, 3), cells).boards}) == 1
