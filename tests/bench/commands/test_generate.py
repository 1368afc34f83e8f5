"""``generate``: puzzles have the requested properties and are reproducible; wrong usage is one line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from datasets import Puzzle, Shape
from datasets.collections.catalogue import load
from datasets.reading.reader import load_file, parse
from datasets.search import solve

pytestmark = pytest.mark.slow


def generated(command, *arguments: object) -> list[Puzzle]:
    code, out, err = command("generate", *arguments)
    assert (code, err.strip()) == (0, "")  # the progress of mining ends with an empty line
    return [parse(line) for line in out.splitlines()]


def test_puzzles_are_printed_one_per_line_and_reproducible(command) -> None:
    puzzles = generated(command, "--number", 3, "--seed", 5)
    assert puzzles == generated(command, "--number", 3, "--seed", 5)
    assert not set(puzzles) & set(generated(command, "--number", 3, "--seed", 6))


@pytest.mark.parametrize("kind", [("--clues", 30), ("--mine", "conflicts", "--steps", 2)])
def test_several_jobs_make_the_same_puzzles_in_the_same_order(command, kind: tuple[object, ...]) -> None:
    alone = generated(command, *kind, "--number", 3)
    assert len(set(alone)) == 3
    assert generated(command, *kind, "--number", 3, "--jobs", 2) == alone


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


@pytest.mark.parametrize(("shape", "boxes"), [("6x6/3x2", Shape(3, 2)), ("12x12/2x6", Shape(2, 6))])
def test_boards_with_other_boxes_can_be_read_again(command, tmp_path: Path, shape: str, boxes: Shape) -> None:
    path = tmp_path / "boards.txt"
    assert command("generate", "--shape", shape, "--full", "--number", 2, "-o", path)[0] == 0
    grids = [entry.puzzle for entry in load_file(path)]
    assert [grid.shape for grid in grids] == [boxes, boxes]
    assert not any(list(grid.clashes()) for grid in grids)
    assert command("check", path)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        *(
            (("--shape", shape), f"--shape {shape}: must be 4x4, ")
            for shape in ("9", "9x8", "7x7", "6x6/1x6", "6x6/2x2")
        ),
        (("--clues", "0"), "not a positive integer"),
        (("--clues", "82"), "a 9x9 board has 81 cells"),
        (("--shape", "4x4", "--clues", "2"), "no such 4x4 puzzle"),
        (("--steps", "5"), "--steps and --lineage: need --mine"),
        (("--tier", "hard", "--solutions", "none"), "need --solutions one, not none"),
        (("--mine", "guesses", "--shape", "4x4"), "supports 9x9 boards only"),
        (("--mine", "guesses", "--clues", "24"), "--mine: can only be combined with"),
        (("--mine", "luck"), "luck"),
        (("--mine", "csp:*"), "name one"),
        (("--near", "x.txt", "--mine", "guesses"), "--near: cannot be combined with --mine"),
        (("--near", "x.txt", "--minimal"), "--near: can only be combined with"),
        (("--near", "x.txt"), "x.txt: no such file"),
        (("--jobs", "0"), "--jobs must be at least 1, not 0"),
        (("--lineage", "x.csv"), "--steps and --lineage: need --mine"),
        (("-o", "/no/such/folder/mine.txt"), "/no/such/folder/mine.txt: No such file or directory"),
    ],
)
def test_wrong_usage_is_one_line(command, arguments: tuple[str, ...], complaint: str) -> None:
    code, out, err = command("generate", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert complaint in err


@pytest.mark.parametrize("objective", ["guesses", "te_rounds"])
def test_puzzles_are_mined_for_a_measure(command, monkeypatch, objective: str) -> None:
    from datasets.making import mining

    monkeypatch.setattr(mining, "FLOOR", 2)
    monkeypatch.setattr(mining.begin, "__defaults__", (100, 2))  # steps of the climb, and the floor
    [puzzle] = generated(command, "--mine", objective, "--seed", 3, "--steps", 40)
    assert len(solve(puzzle).solutions) == 1


def test_puzzles_are_mined_for_a_strategy_and_their_lineage_recorded(command, tmp_path: Path) -> None:
    """The same command mines the same puzzles, because their guesses are counted, not timed."""
    table = tmp_path / "lineage.csv"
    arguments = ("--mine", "propagation:bitmask", "--steps", 12, "--number", 2, "--seed", 4)
    mined = generated(command, *arguments, "--lineage", table)
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["puzzle"] for row in rows] == [puzzle.text for puzzle in mined]
    assert [(row["objective"], row["seed"], row["steps"]) for row in rows] == [
        ("propagation:bitmask", "4", "12"),
        ("propagation:bitmask", "5", "12"),
    ]
    for row, puzzle in zip(rows, mined, strict=True):
        assert float(row["score"]) >= 0
        assert parse(row["grid"]).clues == 81
        assert len(solve(puzzle).solutions) == 1
    assert mined == generated(command, *arguments)


def test_puzzles_are_mined_for_a_strategy_of_the_users_own(command, plugin) -> None:
    """Without a counter, for CPU time."""
    file = plugin("""
        from datasets.search import solve

        @register
        class Own(Strategy):
            name = "own:kernel"
            tasks = ("first",)

            def search(self, puzzle, task):
                return [solve(puzzle, limit=1).solutions[0]]
    """)
    [puzzle] = generated(command, "--mine", "own:kernel", "--plugin", file, "--steps", 3)
    assert len(solve(puzzle).solutions) == 1


@pytest.mark.thorough
def test_puzzles_near_a_hard_one_have_its_lineage(command, tmp_path: Path) -> None:
    start = next(item.puzzle for item in load("hardest").items if item.name == "hardest-033")
    (tmp_path / "start.txt").write_text(start.text + "\n", encoding="utf-8")
    table = tmp_path / "lineage.csv"
    arguments = ("--near", tmp_path / "start.txt", "--steps", 40, "--number", 2)
    code, out, err = command("generate", *arguments, "--lineage", table)
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["puzzle"] for row in rows] == out.split()
    assert {(row["objective"], row["grid"]) for row in rows} == {("near", start.text)}
    assert [float(row["score"]) for row in rows] == sorted((float(row["score"]) for row in rows), reverse=True)
    assert command("generate", *arguments)[1] == out


def test_a_start_must_have_one_solution_and_hard_neighbours(command, tmp_path: Path) -> None:
    path = tmp_path / "start.txt"
    path.write_text("." * 81 + "\n", encoding="utf-8")
    assert "exactly one solution" in command("generate", "--near", path)[2]
    path.write_text(load("easy").items[0].puzzle.text + "\n", encoding="utf-8")
    assert "no hard puzzle nearby in 2 steps" in command("generate", "--near", path, "--steps", 2)[2]
