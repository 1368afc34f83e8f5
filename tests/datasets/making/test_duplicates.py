"""Isomorphs of earlier boards in long lists, found through a temporary file."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.making import duplicates
from sudoku_bench.datasets.making.canonical import canonical
from sudoku_bench.datasets.making.duplicates import Duplicate, Duplicates


def found(puzzles: list[Puzzle], batch: int = 7) -> list[Duplicate]:
    with Duplicates(puzzles[0].shape) as seen:
        for begin in range(0, len(puzzles), batch):
            part = puzzles[begin : begin + batch]
            cells = np.frombuffer(b"".join(p.cell_bytes for p in part), dtype=np.uint8).reshape(len(part), -1)
            lines = range(begin + 1, begin + len(part) + 1)
            seen.add(cells, lines)
        return seen.find()


def mixed(name: str, number: int, seed: int) -> list[Puzzle]:
    """Puzzles of a collection, some of their isomorphs and some copies, shuffled."""
    rng = random.Random(seed)
    puzzles = [item.puzzle for item in load(name).items[:number]]
    puzzles += [form(puzzle, random_isomorph(puzzle.shape, rng)) for puzzle in puzzles[::3]]
    puzzles += puzzles[::4]
    rng.shuffle(puzzles)
    return puzzles


def due(puzzles: list[Puzzle], is_certain: bool = True) -> list[Duplicate]:
    """What a table of all canonical forms finds."""
    firsts: dict[Puzzle, int] = {}
    expected = []
    for line, puzzle in enumerate(puzzles, start=1):
        first = firsts.setdefault(canonical(puzzle), line)
        if first != line:
            expected.append(Duplicate(line, first, puzzles[first - 1] == puzzle, is_certain))
    return expected


@pytest.mark.parametrize("batch", [1, 20, 1000])
def test_duplicates_are_those_of_a_table_in_memory(batch: int) -> None:
    puzzles = mixed("minimal", 60, batch)
    assert found(puzzles, batch) == due(puzzles)
    assert len(due(puzzles)) == 40
    assert {one.is_identical for one in due(puzzles)} == {True, False}


def test_other_shapes_are_compared_too() -> None:
    puzzles = mixed("size6", 20, 1)
    assert found(puzzles) == due(puzzles)


def test_boards_without_canonical_forms_are_very_likely_isomorphs() -> None:
    first, other = (item.puzzle for item in load("size16").items[:2])
    again = form(first, random_isomorph(first.shape, random.Random(1)))
    assert found([first, other, again, other]) == [Duplicate(3, 1, False, False), Duplicate(4, 2, True, False)]


def test_equal_fingerprints_do_not_make_isomorphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "fingerprints", lambda shape, boards: np.zeros(len(boards), dtype=np.uint64))
    puzzles = mixed("minimal", 20, 5)
    assert found(puzzles) == due(puzzles)


def test_no_boards_have_no_duplicates() -> None:
    with Duplicates(Shape(3, 3)) as seen:
        assert seen.find() == []
