"""``generate``: puzzles have the requested properties and are reproducible; wrong usage is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_bench.bench.commands import cli
from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.reading.reader import BadLine, parse, read_lines
from sudoku_bench.datasets.search import solve

REGIONS = "aabbaabbccddccdd"


def generated(command, *arguments: object) -> list[Puzzle]:
    code, out, err = command("generate", *arguments)
    assert (code, err) == (0, "")
    return [parse(line) for line in out.splitlines()]


def test_puzzles_are_printed_one_per_line_and_reproducible(command) -> None:
    puzzles = generated(command, "--number", 3, "--seed", 5)
    assert puzzles == generated(command, "--number", 3, "--seed", 5)
    assert not set(puzzles) & set(generated(command, "--number", 3, "--seed", 6))


def test_puzzles_have_the_requested_properties(command) -> None:
    [puzzle] = generated(command, "--shape", "6x6", "--clues", 14, "--symmetry", "rotational")
    assert (puzzle.shape, puzzle.clues) == (Shape(2, 3), 14)
    assert [v > 0 for v in puzzle.cells] == [v > 0 for v in reversed(puzzle.cells)]
    [grid] = generated(command, "--shape", "16x16", "--full")
    assert grid.clues == 256
    [several] = generated(command, "--shape", "4x4", "--solutions", "several")
    assert len(solve(several).solutions) == 2
    [none] = generated(command, "--shape", "4x4", "--solutions", "none")
    assert not solve(none).solutions
    [easy] = generated(command, "--tier", "easy")
    assert solve(easy).guesses == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        *(
            (("--shape", shape), f"--shape {shape}: must be 4x4, ")
            for shape in ("9", "9x8", "7x7", "6x6/1x6", "6x6/2x2")
        ),
        (("--shape", "4x4", "--clues", "2"), "no such 4x4 puzzle"),
        (("--layout", "wndoku"), "no layout; choose of x"),
        (("--pencilmarks", "--clues", "3"), "combine them with"),
        (("--layout", "jigsaw=aabbcaabccdbcddd", "--shape", "4x4"), "obeys the layout"),
        (("-o", "/no/such/folder/mine.txt"), "/no/such/folder/mine.txt: No such file or directory"),
    ],
)
def test_wrong_usage_is_one_line(command, arguments: tuple[str, ...], complaint: str) -> None:
    code, out, err = command("generate", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert complaint in err


def test_options_that_cannot_be_met_leave_the_file_as_it_was(command, tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("mine\n")
    assert command("generate", "--tier", "hard", "--solutions", "none", "-o", path)[0] == 2
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        ("--layout windoku --shape 4x4", Shape(2, 2, "windoku")),
        ("--layout latin40 --holes 60", Shape.of_size(40, "latin")),
        (f"--layout jigsaw={REGIONS} --shape 4x4", Shape.of_size(4, f"jigsaw={REGIONS}")),
        ("--pencilmarks --shape 4x4", Shape(2, 2, "", pencilmarks=True)),
        ("--layout latin --pencilmarks --shape 4x4", Shape(1, 4, "latin", pencilmarks=True)),
    ],
)
def test_what_is_generated_says_its_board(options: str, shape: Shape, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["generate", "--number", "2", *options.split()]) == 0
    items = list(read_lines(capsys.readouterr().out.splitlines()))
    assert len(items) == 2
    for item in items:
        assert not isinstance(item, BadLine)
        assert item.puzzle.shape == shape
        assert "holes" in options or len(solve(item.puzzle).solutions) == 1
