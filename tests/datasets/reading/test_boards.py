"""Boards with other rules and pencilmarks in files: what is read, and what is refused with its line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import BadLine, Entry, load_file, parse, read_file

LINE = "1" + "." * 80
REGIONS = "".join("abcdefghi"[r // 3 * 3 + (c + r % 3) % 9 // 3] for r in range(9) for c in range(9))
JIGSAW = Puzzle(Shape.of_size(9, f"jigsaw={REGIONS}"), [1, *[0] * 80])
MARKS = "1.3.5.789....5............" + "." + "123456789" * 78
ORDER = "order 3\n   0  -1  -1\n  -1   2  -1\n  -1  -1   1\n"


Read = Callable[[str], list[Entry | BadLine]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def of_file(text: str) -> list[Entry | BadLine]:
        (tmp_path / "mine.txt").write_text(text)
        return list(read_file(tmp_path / "mine.txt"))

    return of_file


def puzzles(items: Sequence[Entry | BadLine]) -> list[Puzzle]:
    return [item.puzzle for item in items if isinstance(item, Entry)]


@pytest.mark.parametrize("layout", ["x", "windoku", "disjoint", "latin", "x+windoku", f"jigsaw={REGIONS}"])
@pytest.mark.parametrize("body", [LINE, "\n".join(["1........", *["........."] * 8]), f"puzzle,name\n{LINE},a"])
def test_a_comment_says_the_layout_of_a_source_in_any_format(layout: str, body: str) -> None:
    assert parse(f"# made by hand\n# layout: {layout}\n{body}\n") == Puzzle(Shape.of_size(9, layout), [1, *[0] * 80])


def test_a_layout_that_there_is_not_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"\n# layout: wndoku\n{LINE}\n")
    with pytest.raises(InputError, match=r"mine\.txt:2: 'wndoku' is no layout; choose of x, windoku"):
        load_file(path)


def test_pencilmarks_are_read_nine_a_cell_and_a_cell_may_have_none(read: Read) -> None:
    masks = [0b111010101, 0b10000, 0, *[511] * 78]
    expected = Puzzle.of_candidates(Shape(3, 3), masks)
    for text in (MARKS, MARKS.replace(".", "0"), f"{MARKS} 124 15000.5 0.1", f"# easy\n{MARKS}"):
        assert puzzles(read(text)) == [expected]
    assert expected.text == MARKS
    assert puzzles(read(f"# layout: x\n{MARKS}")) == [Puzzle.of_candidates(Shape(3, 3, "x"), masks)]
    assert parse(Puzzle.of_candidates(Shape(2, 2), [5, *[15] * 15]).text).forbidden == ((0, 2), (0, 4))


@pytest.mark.parametrize(
    "text",
    [LINE + REGIONS, f"{LINE} {REGIONS}", f"{LINE}\n{REGIONS}\n", f"{LINE}\n{REGIONS.upper()}\n", f"{LINE},{REGIONS}"],
)
def test_a_jigsaw_is_clues_and_letters_of_regions(text: str, read: Read) -> None:
    assert puzzles(read(text)) == [JIGSAW] == [parse(text)]
    assert puzzles(read(f"{text}\n# another\n{text}")) == [JIGSAW, JIGSAW]


def test_quasigroups_are_read_by_their_order(read: Read) -> None:
    expected = Puzzle(Shape.of_size(3, "latin"), [1, 0, 0, 0, 3, 0, 0, 0, 2])
    assert puzzles(read(ORDER)) == [expected]
    assert puzzles(read(f"{ORDER}\norder 2\n0 -1 -1 0\n")) == [
        expected,
        Puzzle(Shape.of_size(2, "latin"), [1, 0, 0, 1]),
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("order 2\n0 1\n1 2\n", 1, "numbers from -1"),
        ("order 2\n0 1\n1\n", 1, "rows of 2 numbers"),
        ("order 2\n0 1\n1 x\n", 3, "numbers from -1"),
        ("order 99\n", 1, "orders from 2 to 62"),
        (f"{ORDER}nonsense\n", 5, "docs/formats"),
        (f"{LINE}{REGIONS[:-1]}a\n", 1, "9 letters, each for 9 cells"),
        (f"{LINE}\n{REGIONS}\n{LINE}\n", 3, "without a line of regions"),
        (f"{LINE}\n{REGIONS}\n{LINE}\n{LINE}\n{REGIONS}\n", 3, "without a line of regions"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, line: int, message: str, read: Read) -> None:
    [fault] = [item for item in read(text) if isinstance(item, BadLine)]
    assert fault.line == line
    assert message in fault.message
