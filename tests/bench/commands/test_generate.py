"""`generate`: what is asked for comes, the same every time; what cannot be is one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasets import Puzzle, Shape
from datasets.reading.reader import load_file, parse
from datasets.search import solve


def made(command, *arguments: object) -> list[Puzzle]:
    code, out, err = command("generate", *arguments)
    assert (code, err) == (0, "")
    return [parse(line) for line in out.splitlines()]


def test_puzzles_come_one_per_line_and_the_same_again(command) -> None:
    found = made(command, "--number", 3, "--seed", 5)
    assert [len(solve(puzzle).solutions) for puzzle in found] == [1, 1, 1]
    assert found == made(command, "--number", 3, "--seed", 5)
    assert not set(found) & set(made(command, "--number", 3, "--seed", 6))


def test_options_are_heeded(command) -> None:
    [puzzle] = made(command, "--shape", "6x6", "--clues", 14, "--symmetry", "rotational")
    assert (puzzle.shape, puzzle.clues) == (Shape(2, 3), 14)
    assert [v > 0 for v in puzzle.cells] == [v > 0 for v in reversed(puzzle.cells)]
    [grid] = made(command, "--shape", "16x16", "--full")
    assert grid.clues == 256
    [several] = made(command, "--shape", "4x4", "--solutions", "several")
    assert len(solve(several).solutions) == 2
    [none] = made(command, "--shape", "4x4", "--solutions", "none")
    assert not solve(none).solutions
    [easy] = made(command, "--tier", "easy")
    assert solve(easy).guesses == 0


def test_boxes_can_be_of_other_sides(command) -> None:
    code, out, _ = command("generate", "--shape", "6x6/3x2", "--full")
    assert code == 0
    cells = tuple(int(symbol) for symbol in out.strip())
    assert len(solve(Puzzle(Shape(3, 2), cells)).solutions) == 1
    assert not list(Puzzle(Shape(3, 2), cells).clashes())


def test_puzzles_go_to_a_file(command, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    assert made(command, "--shape", "4x4", "--number", 4, "-o", path) == []
    assert [entry.puzzle for entry in load_file(path)] == made(command, "--shape", "4x4", "--number", 4)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--shape", "9"), "--shape 9: write it as 9x9"),
        (("--shape", "9x8"), "--shape 9x8: write it as 9x9"),
        (("--shape", "40x40"), "--shape 40x40: must be from 2x2"),
        (("--shape", "6x6/2x2"), "a box of 2x2 cells does not hold 6 digits"),
        (("--clues", "0"), "not a positive integer"),
        (("--clues", "82"), "a 9x9 board has 81 cells"),
        (("--shape", "4x4", "--clues", "2"), "no such 4x4 puzzle"),
        (("--steps", "5"), "--steps and --resume: need --mine"),
        (("--tier", "hard", "--solutions", "none"), "not with none"),
        (("--mine", "guesses", "--shape", "4x4"), "supports 9x9 boards only"),
        (("--mine", "guesses", "--clues", "24"), "--mine: can only be combined with"),
        (("--mine", "guesses", "--number", "2", "--resume", "x"), "--resume: stores a single search"),
        (("--mine", "luck"), "invalid choice"),
        (("-o", "/no/such/folder/mine.txt"), "/no/such/folder/mine.txt: cannot be written"),
    ],
)
def test_what_cannot_be_is_one_line(command, arguments: tuple[str, ...], complaint: str) -> None:
    code, out, err = command("generate", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert complaint in err


@pytest.mark.parametrize("objective", ["guesses", "te_rounds", "conflicts"])
def test_mining_resumes_where_it_stopped(command, tmp_path: Path, monkeypatch, objective: str) -> None:
    from datasets.making import mining

    monkeypatch.setattr(mining, "CLIMB", 100)
    monkeypatch.setattr(mining, "FLOOR", 2)
    monkeypatch.setattr(mining.begin, "__defaults__", (100, 2))
    arguments = ("generate", "--mine", objective, "--seed", 3, "--steps", 40)
    code, whole, _ = command(*arguments)
    assert code == 0
    kept = tmp_path / "kept.json"
    interrupted = mining.advance(mining.begin(objective, 3, 40), lambda *_: 1.0, 30)
    kept.write_text(mining.dumps(interrupted), encoding="utf-8")
    assert command(*arguments, "--resume", kept)[:2] == (0, whole)
    assert mining.loads(kept.read_text(encoding="utf-8")).ended
    assert len(solve(parse(whole.strip())).solutions) == 1


def test_a_file_that_keeps_no_search_or_another_one_is_named(command, tmp_path: Path) -> None:
    from datasets.making import mining

    kept = tmp_path / "kept.json"
    for content in ("", "[1]", "{}", json.dumps({"seed": 1})):
        kept.write_text(content, encoding="utf-8")
        code, _, err = command("generate", "--mine", "guesses", "--resume", kept)
        assert code == 2
        assert f"{kept}: stores no search" in err
    kept.write_text(mining.dumps(mining.begin("guesses", 8, 10)), encoding="utf-8")
    code, _, err = command("generate", "--mine", "guesses", "--seed", 9, "--resume", kept)
    assert code == 2
    assert "stores a search for guesses with --seed 8 --steps 10" in err
