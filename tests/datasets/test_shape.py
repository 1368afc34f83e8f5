"""Boards: how many units and peers, which cells, which names."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given

from sudoku_bench.datasets import Shape
from tests.datasets.rules import shapes, units


@pytest.mark.parametrize(
    ("size", "box_rows", "box_cols"),
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (12, 3, 4), (16, 4, 4), (25, 5, 5), (7, 1, 7)],
)
def test_customary_boxes_are_the_squarest_and_lie(size: int, box_rows: int, box_cols: int) -> None:
    assert Shape.of_size(size) == Shape(box_rows, box_cols)


@given(shapes)
def test_units_are_the_rows_columns_and_boxes(shape: Shape) -> None:
    assert sorted(map(sorted, shape.units)) == sorted(map(sorted, units(shape)))


@given(shapes)
def test_the_box_of_a_cell_is_the_one_that_holds_it(shape: Shape) -> None:
    for number, box in enumerate(shape.boxes):
        assert {shape.box_of(*divmod(cell, shape.size)) for cell in box} == {number}


@given(shapes)
def test_peers_are_the_pairs_that_share_a_unit(shape: Shape) -> None:
    together = {pair for unit in units(shape) for pair in combinations(sorted(unit), 2)}
    assert {(a, b) for a, peers in enumerate(shape.peers) for b in peers} == together | {(b, a) for a, b in together}
    assert all(list(peers) == sorted(set(peers)) for peers in shape.peers)


@pytest.mark.parametrize("sides", [(0, 3), (3, 0), (-1, 3), (-2, -2), (1, 1)])
def test_a_board_without_cells_or_choice_is_refused(sides: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a board cannot have boxes of"):
        Shape(*sides)


def test_boxes_are_named_only_where_they_are_not_the_customary_ones() -> None:
    names = [shape.name for shape in (Shape(3, 3), Shape(2, 3), Shape(3, 4), Shape(3, 2))]
    assert names == ["9x9", "6x6", "12x12", "6x6 (3x2 boxes)"]


def test_digits_beyond_nine_are_letters() -> None:
    assert Shape(3, 3).symbols == "123456789"
    assert Shape(4, 4).symbols == "123456789ABCDEFG"
    assert Shape(5, 5).symbols == "123456789ABCDEFGHIJKLMNOP"


def test_a_board_with_more_digits_than_characters_has_no_symbols() -> None:
    assert len(set(Shape(6, 6).symbols)) == 36
    with pytest.raises(ValueError, match="63x63"):
        _ = Shape(1, 63).symbols
