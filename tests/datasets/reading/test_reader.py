"""Reading puzzles: the usual notations are accepted, and faults are reported with their lines."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sudoku_bench.datasets import InputError, Puzzle, Shape
from sudoku_bench.datasets.reading.reader import BadLine, Entry, load_file, parse, read_lines
from tests.datasets.rules import PRINTED, any_cells, board, seeds

# Document 000: its first puzzle as the tutorial prints it, without quotes.
BORDERED = """
.73|...|8..  ..4|13.|.5.  .85|..6|31.  ---+---+---
5..|.9.|.3.  ..8|.1.|5..  .1.|.6.|..7  ---+---+---
.51|6..|28.  .4.|.52|9..  ..2|...|64."""
RULED = BORDERED.split()
ROWS = [line for line in RULED if "|" in line]
TEXT = PRINTED["000a"][0]
PUZZLE = board(TEXT)

readable_shapes = st.sampled_from([Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4), Shape(5, 5)])


def puzzles(lines: list[str]) -> list[Puzzle]:
    """The puzzles of lines without faults."""
    items = list(read_lines(lines))
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item.puzzle for item in items if isinstance(item, Entry)]


def the_fault(lines: list[str]) -> BadLine:
    """The only item of these lines, which is a fault."""
    (item,) = read_lines(lines)
    assert isinstance(item, BadLine)
    return item


# One puzzle per line


def test_lines_are_read_lazily() -> None:
    assert next(read_lines(repeat(TEXT))) == Entry(PUZZLE, 1)


# Bordered grids


@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 2), Shape(3, 3), Shape(4, 3), Shape(2, 6), Shape(8, 2)])
def test_the_bars_determine_the_width_of_boxes(shape: Shape) -> None:
    puzzle = Puzzle(shape, tuple(range(1, shape.size + 1)) + (0,) * (shape.n_cells - shape.size))
    assert parse(puzzle.bordered) == puzzle


def test_bars_between_all_cells_separate_no_boxes() -> None:
    assert parse("\n".join("|" + "|".join(row.replace("|", "")) + "|" for row in ROWS)) == PUZZLE


def test_a_grid_that_is_cut_off_does_not_affect_the_next_puzzle() -> None:
    for after in ([TEXT], ["", *ROWS]):
        fault, entry = read_lines(RULED[:5] + after)
        assert isinstance(fault, BadLine)
        assert (fault.line, entry) == (1, Entry(PUZZLE, 6 if after == [TEXT] else 7))


# Faults


def test_a_letter_beyond_the_board_is_foreign() -> None:
    assert parse("." * 255 + "G").cells[-1] == 16
    assert "1 to G" in the_fault(["1" + "." * 254 + "H"]).message


@pytest.mark.parametrize("symbol", ["ﬀ", "ß", "ı", "１", "²", "\udcff"])
def test_a_character_that_looks_like_a_digit_is_foreign(symbol: str) -> None:
    for cells in (256, 625):
        assert f"character 3 is {symbol!a}" in the_fault([".." + symbol + "." * (cells - 3)]).message


@pytest.mark.parametrize("text", ["", "# nothing", f"{TEXT}\n{TEXT}"])
def test_a_text_without_exactly_one_puzzle_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"expected one puzzle, found [02]"):
        parse(text)


def test_a_bad_text_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match="line 2: 5 characters"):
        parse("# mine\n12345")


# Files


def written(folder: Path, content: bytes) -> Path:
    path = folder / "mine.txt"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte order mark"])
def test_files_of_all_systems_are_read(tmp_path: Path, end: str, mark: str) -> None:
    path = written(tmp_path, (mark + end.join([TEXT, "", *RULED]) + end).encode())
    assert load_file(path) == [Entry(PUZZLE, 1), Entry(PUZZLE, 3)]


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        (
            f"{TEXT}\n{TEXT[:80]}\n",
            2,
            "a 9x9 board needs 81",
        ),
        (f"# c\r\n\r\n{TEXT[:80]}x\r\n", 3, "character 81 is 'x'; a 9x9 board has 1 to 9"),
        ("\n".join([*ROWS[:2], ROWS[2][:-1], *ROWS[3:]]), 1, "2 of 9 rows"),
        ("\n".join([TEXT, "", *ROWS[:8]]), 3, "8 of 9 rows"),
        (f"{TEXT}\n\n{'.' * 100_000}\n{TEXT}\n", 3, "longer than"),
        ("Größe\n", 1, "5 characters"),
    ],
)
def test_a_fault_is_reported_with_file_and_line(tmp_path: Path, content: str, line: int, expected: str) -> None:
    path = written(tmp_path, content.encode())
    with pytest.raises(InputError) as caught:
        load_file(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# only a comment\n", b"\xef\xbb\xbf"])
def test_a_file_without_a_puzzle_is_refused(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match=r"mine\.txt: holds no puzzle"):
        load_file(path)


# Properties


@given(
    readable_shapes,
    seeds,
    st.randoms(use_true_random=False),
    st.sampled_from(["", " x", ",1|2|3", ";", "#", " | top95", " 123|456|789", "\t# easy", "\r\n"]),
)
def test_a_line_in_any_notation_is_the_same_puzzle(shape: Shape, seed: int, rng: Random, after: str) -> None:
    puzzle = Puzzle(shape, any_cells(shape, seed))
    empty = rng.choice([".*_", "0"])  # beside another sign, 0 may be a digit
    signs = [rng.choice(empty) if c == "." else rng.choice([c, c.lower()]) for c in puzzle.text]
    before = rng.choice(["", " ", "\t"])
    assert puzzles([before + "".join(signs) + after]) == [puzzle]


@given(readable_shapes, seeds, st.booleans(), st.booleans(), st.booleans(), st.sampled_from(["\n", "\r\n", ""]))
def test_a_grid_with_any_borders_is_the_same_puzzle(
    shape: Shape, seed: int, ruled: bool, framed: bool, spaced: bool, end: str
) -> None:
    puzzle = Puzzle(shape, any_cells(shape, seed))
    lines = puzzle.bordered.splitlines()
    if not ruled and end:
        lines = [line for line in lines if "|" in line]
    if spaced:
        lines = [" ".join(line) for line in lines]
    if framed:
        lines = [f"| {line} |" for line in lines]
    assert parse(end.join(lines)) == puzzle


@given(st.lists(st.one_of(readable_shapes, st.none()), max_size=6), seeds)
def test_puzzles_of_a_text_come_in_order_with_their_lines(shapes: list[Shape | None], seed: int) -> None:
    lines: list[str] = []
    expected = []
    for number, shape in enumerate(shapes):
        if shape is None:
            lines += ["# comment", ""]
            continue
        puzzle = Puzzle(shape, any_cells(shape, seed + number))
        expected.append(Entry(puzzle, len(lines) + 1))
        lines += puzzle.bordered.splitlines() if (seed + number) % 2 else [puzzle.text]
    assert list(read_lines(lines)) == expected


pieces = st.sampled_from(
    [*RULED, TEXT, TEXT[:80], "".join(RULED), "12|34", "..|..", "#", "", "." * 255, "ﬀ", "----", "|"]
)
texts = st.text() | st.text(alphabet='.019gGxX*_|+-=# ,;"\n\rßﬀ') | st.lists(pieces, max_size=20).map("\n".join)
texts |= st.lists(pieces, max_size=8).map("".join)


@given(texts)
@example("." * 255 + "ﬀ")
@example("-" * 60_000 + "x")
def test_any_text_is_read_or_refused_with_a_message(text: str) -> None:
    lines = text.split("\n")
    items = list(read_lines(lines))
    assert all(isinstance(item, Entry | BadLine) for item in items)
    assert [item.line for item in items] == sorted(item.line for item in items)
    assert all(1 <= item.line <= len(lines) for item in items)
    assert all(parse(item.puzzle.text).cells == item.puzzle.cells for item in items if isinstance(item, Entry))
