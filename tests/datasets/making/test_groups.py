"""Groups of puzzles that are not independent."""

from __future__ import annotations

import random

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.making.groups import groups


def isomorphs(puzzle: Puzzle, number: int) -> list[Puzzle]:
    rng = random.Random(puzzle.text)
    return [form(puzzle, random_isomorph(puzzle.shape, rng)) for _ in range(number)]


def first(name: str, number: int) -> list[Puzzle]:
    return [item.puzzle for item in load(name).items[:number]]


def test_isomorphs_are_one_group_on_boards_of_every_size() -> None:
    for name in ("size4", "size6", "hard", "size16"):
        one, two = first(name, 2)
        mixed = [one, two, *isomorphs(two, 3), *isomorphs(one, 2), one]
        assert groups(mixed, [""] * len(mixed)) == [1, 2, 2, 2, 2, 1, 1, 1], name


def test_a_lineage_is_a_group_and_a_chain_connects() -> None:
    one, two, three, four = first("easy", 4)
    [copy] = isomorphs(two, 1)
    assert groups([one, two, three, copy, four], ["a", "b", "", "a", ""]) == [1, 1, 2, 1, 3]


def test_a_puzzle_belongs_to_the_lineage_that_it_started() -> None:
    start, one, two, other = first("hard", 4)
    assert groups([one, start, other, two], [start.text, "known", "", start.text]) == [1, 1, 2, 1]


def test_on_boards_with_other_rules_values_may_have_other_names() -> None:
    """Rows of a board with diagonals cannot be exchanged."""
    rows = ((1, 2, 0, 0), (0, 0, 3, 0)), ((4, 1, 0, 0), (0, 0, 2, 0)), ((0, 0, 3, 0), (1, 2, 0, 0))
    one, renamed, turned = (Puzzle(Shape(2, 2, "x"), (*top, *[0] * 8, *bottom)) for top, bottom in rows)
    assert groups([one, renamed, turned], [""] * 3) == [1, 1, 2]
    marks = [Puzzle.of_candidates(Shape(2, 2), [mask, *[15] * 15]) for mask in (3, 5, 3)]
    assert groups([one, *marks], [""] * 4) == [1, 2, 3, 2]


def test_clues_that_clash_are_no_obstacle() -> None:
    clash = Puzzle(Shape(2, 2), (1, 1, *[0] * 14))
    same = Puzzle(Shape(2, 2), (*[0] * 14, 2, 2))
    other = Puzzle(Shape(2, 2), (1, 0, 1, *[0] * 13))
    assert groups([clash, other, same], [""] * 3) == [1, 2, 1]
