"""Layouts: which units they have, how many grids, and what is refused."""

from __future__ import annotations

import random

import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import size_of_text
from sudoku_bench.datasets.verify import solution_fault, solved
from tests.datasets.all_grids import FURTHER, REGIONS, grids, latin_squares
from tests.datasets.rules import empty

FOUR = {"": 288, "latin": 576, "x": 48, "latin+x": 48, "windoku": 168, "disjoint": 168}


@pytest.mark.parametrize("layout", FURTHER)
def test_the_grids_of_a_4x4_layout_are_those_of_plain_enumeration(layout: str) -> None:
    shape = Shape.of_size(4, layout)
    right = set(grids(FURTHER[layout]))
    found = solve(empty(shape), limit=1000).solutions
    assert set(found) == right
    assert len(found) == len(right) == FOUR.get(layout, len(right))
    faultless = [solution_fault(empty(shape), grid) is None for grid in latin_squares()]
    assert faultless == [grid in right for grid in latin_squares()]
    assert solved(shape, empty(shape).cell_bytes * 576, b"".join(map(bytes, latin_squares()))) == faultless


@pytest.mark.parametrize(
    ("layout", "units", "peer_pairs"),
    [("", 27, 810), ("latin", 18, 648), ("x", 29, 864), ("windoku", 31, 874), ("disjoint", 36, 972)],
)
def test_units_and_pairs_of_peers_of_9x9_boards(layout: str, units: int, peer_pairs: int) -> None:
    shape = Shape.of_size(9, layout)
    assert len(shape.units) == len(shape.full_units) == units
    assert sum(map(len, shape.peers)) == 2 * peer_pairs


def test_windows_and_diagonals_lie_where_they_are_printed() -> None:
    windows = [unit for kind, units in Shape(3, 3, "windoku").kinds if kind == "window" for unit in units]
    assert [window[0] for window in windows] == [10, 14, 46, 50]
    assert windows[0] == (10, 11, 12, 19, 20, 21, 28, 29, 30)
    assert dict(Shape(2, 3, "x").kinds)["diagonal"] == ((0, 7, 14, 21, 28, 35), (5, 10, 15, 20, 25, 30))


def test_a_layout_has_one_spelling() -> None:
    assert Shape(3, 3, "latin") == Shape(1, 9, "latin") == Shape.of_size(9, "latin")
    assert Shape(2, 2, "windoku+x+x") == Shape(2, 2, "x+windoku")
    other_letters = REGIONS.translate(str.maketrans("abcd", "z9B?"))
    assert Shape.of_size(4, f"jigsaw={other_letters}") == Shape.of_size(4, f"jigsaw={REGIONS}")
    assert Shape.of_size(4, "unit=5,0") == Shape.of_size(4, "unit=0,5")


def test_names_show_the_layout_and_codes_tell_all_shapes_apart() -> None:
    shapes = [Shape(3, 3), Shape(3, 3, "x"), Shape.of_size(4, f"jigsaw={REGIONS}+x"), Shape(3, 2, "disjoint")]
    shapes += [Shape(3, 3, "", pencilmarks=True), Shape.of_size(4, "latin+unit=0,5+unit=1,2")]
    assert [shape.name for shape in shapes] == [
        *("9x9", "9x9 x", "4x4 jigsaw+x ca4d4a", "6x6 (3x2 boxes) disjoint"),
        *("9x9 pencilmarks", "4x4 latin+unit 4033c3"),
    ]
    assert Shape.of_size(4, f"jigsaw={REGIONS}").name != Shape.of_size(4, "jigsaw=aabbaabbccddccdd").name
    assert shapes[0].code == "3x3"
    assert len({shape.code for shape in shapes}) == len(shapes)
    assert [Shape(*shape.arguments) for shape in shapes] == shapes  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ("wndoku", "'wndoku' is no layout; choose of x, windoku"),
        ("jigsaw", "no layout; choose of"),
        ("jigsaw=aabb", "regions of a 6x6 board are 6 letters"),
        ("windoku", "square boxes"),
        ("latin+disjoint", "has no boxes"),
        ("unit=1", "2 to 6 different cells"),
        ("unit=1,1", "2 to 6 different cells"),
        ("unit=1,36", "2 to 6 different cells"),
        (f"latin+jigsaw={'aaaaaabbbbbbccccccddddddeeeeeeffffff'}", "in place of boxes"),
    ],
)
def test_a_layout_that_does_not_suit_a_board_is_refused(layout: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Shape.of_size(6, layout)


def test_a_clue_and_a_cell_with_one_candidate_are_one_board() -> None:
    shape, cells = Shape(2, 2, "x"), [1, *[0] * 15]
    clues = Puzzle(shape, cells)
    assert clues.board.candidates == (1, *[15] * 15)
    same = Puzzle.of_candidates(shape, clues.board.candidates)
    assert (same, hash(same), same.shape.pencilmarks) == (clues, hash(clues), False)
    marked = Puzzle.of_candidates(shape, (1, 0b0110, *[15] * 14))
    assert marked.shape == Shape(2, 2, "x", pencilmarks=True)
    assert (marked.cells, marked.forbidden, marked.clues) == (tuple(cells), ((1, 1), (1, 4)), 5)
    assert marked.text.startswith("1....23.1234")
    assert marked.board.units == shape.units
    assert marked.board.peers == shape.peers
    assert marked != Puzzle.of_candidates(shape, (1, 0b0111, *[15] * 14))


@pytest.mark.parametrize("candidates", [[15] * 15, [16, *[15] * 15], [-1, *[15] * 15]])
def test_candidates_of_another_board_are_refused(candidates: list[int]) -> None:
    with pytest.raises(ValueError, match="16 cells with candidates 1 to 4"):
        Puzzle.of_candidates(Shape(2, 2), candidates)


def test_pencilmarks_are_obeyed_and_a_cell_without_any_is_no_solution() -> None:
    shape, every = Shape(2, 2), grids(FURTHER[""])
    rng = random.Random(1)
    for _ in range(50):
        masks = [rng.randrange(1, 16) | 1 << value - 1 for value in rng.choice(every)]
        puzzle = Puzzle.of_candidates(shape, masks)
        right = {grid for grid in every if all(mask >> value - 1 & 1 for mask, value in zip(masks, grid, strict=True))}
        assert set(solve(puzzle, limit=300).solutions) == right
        assert {grid for grid in every if solution_fault(puzzle, grid) is None} == right
        shown = form(puzzle, symmetry := isomorph(7, puzzle, 3))
        assert set(solve(shown, limit=300).solutions) == set(map(symmetry.apply, right))
    assert solve(Puzzle.of_candidates(shape, [0, *[15] * 15]), limit=2).solutions == ()


@pytest.mark.parametrize("layout", FURTHER)
def test_forms_of_a_layout_keep_its_rules(layout: str) -> None:
    shape, right = Shape.of_size(4, layout), set(grids(FURTHER[layout]))
    for number in range(5):
        symmetry = isomorph(1, empty(shape), number)
        assert set(map(symmetry.apply, right)) == right


def test_the_size_of_a_board_is_told_by_the_text_of_its_puzzle() -> None:
    marked = Puzzle.of_candidates(Shape(2, 2), [5, *[15] * 15])
    latin = Puzzle(Shape.of_size(8, "latin"), [1, *[0] * 63])
    assert (len(marked.text), len(latin.text)) == (64, 64)
    assert [size_of_text(puzzle.text) for puzzle in (marked, latin, empty(Shape(3, 3)))] == [4, 8, 9]
