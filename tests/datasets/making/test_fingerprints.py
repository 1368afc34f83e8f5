"""Fingerprints: the same for all isomorphs, different for almost all other boards."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.making.fingerprints import fingerprint, fingerprints
from tests.datasets.rules import empty, full_grid, seeds


@settings(max_examples=40)
@given(st.sampled_from([Shape(2, 3), Shape(3, 3), Shape(4, 4), Shape(2, 6), Shape(5, 5)]), seeds)
def test_isomorphs_have_the_same_fingerprint_and_a_changed_puzzle_another(shape: Shape, seed: int) -> None:
    grid = full_grid(shape, seed)
    rng = random.Random(seed)
    puzzle = Puzzle(shape, tuple(v if rng.random() < 0.4 else 0 for v in grid))
    assert fingerprint(form(puzzle, random_isomorph(shape, rng))) == fingerprint(puzzle)
    changed = Puzzle(shape, (*puzzle.cells[:-1], 0 if puzzle.cells[-1] else grid[-1]))
    assert fingerprint(changed) != fingerprint(puzzle)


def test_many_puzzles_have_different_fingerprints_each_its_own() -> None:
    puzzles = [item.puzzle for item in load("minimal").items]
    boards = np.frombuffer(b"".join(puzzle.cell_bytes for puzzle in puzzles), dtype=np.uint8).reshape(-1, 81)
    keys = fingerprints(Shape(3, 3), boards).tolist()
    assert len(set(keys)) == len(puzzles)
    assert [f"{key:016x}" for key in keys[:20]] == list(map(fingerprint, puzzles[:20]))


def test_one_clue_more_or_less_is_seen_on_an_empty_board() -> None:
    keys = {fingerprint(Puzzle(Shape(3, 3), (1,) * k + (0,) * (81 - k))) for k in range(3)}
    assert len(keys) == 3
    assert fingerprint(empty(Shape(2, 2))) == fingerprint(empty(Shape(2, 2)))


def test_a_board_of_wide_boxes_is_not_transposed() -> None:
    wide, cells = Shape(2, 3), [0] * 36
    cells[0], cells[1] = 1, 2
    down = [0] * 36
    down[0], down[6] = 1, 2
    assert fingerprint(Puzzle(wide, tuple(cells))) != fingerprint(Puzzle(wide, tuple(down)))
