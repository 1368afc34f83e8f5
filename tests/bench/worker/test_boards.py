"""Boards in messages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.worker import boards
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from tests.datasets.rules import any_cells, seeds, shapes

INTEGERS = st.one_of(st.integers(-3, 300), st.integers(-(2**63), 2**63 - 1))


@given(shapes, st.lists(seeds, max_size=5))
def test_puzzles_survive_a_request(shape: Shape, several: list[int]) -> None:
    puzzles = [Puzzle(shape, any_cells(shape, seed)) for seed in several]
    assert boards.puzzles_of(shape, boards.text_of(puzzles)) == puzzles


def test_the_cells_of_a_request_are_integers_before_the_clock_starts() -> None:
    [puzzle] = boards.puzzles_of(Shape(2, 2), "00" * 16)
    assert vars(puzzle)["cells"] == (0,) * 16


@given(st.lists(st.lists(st.lists(INTEGERS, max_size=4), max_size=3), max_size=3))
def test_any_integers_survive_a_reply(answers: list[list[list[int]]]) -> None:
    """Also wrong ones, so that the judge can say what is wrong."""
    received = boards.unpacked(json.loads(json.dumps(boards.packed(answers))))
    assert [[list(cells) for cells in answer] for answer in received] == answers


@pytest.mark.parametrize("answers", [7, [7], [["xx"]], [["0"]]])
def test_what_is_no_answer_is_refused(answers: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        boards.unpacked(answers)
