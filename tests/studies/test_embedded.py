"""Making the embedded collections: each stored puzzle can be made again alone, and is the same."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from studies import embedded
from studies.embedded import RECIPES, candidates, loosened
from sudoku_bench.datasets.collections.catalogue import DATA, load
from sudoku_bench.datasets.making.generator import PuzzleSpec, make
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape

SLOW = {  # numbers of puzzles that are made quickly
    **{"hard": [1], "expert": [7], "size25": [2], "refutation": [2]},
    **{"x": [1], "windoku": [1], "jigsaw": [1, 2], "pencilmark": [1, 72]},
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", RECIPES)
def test_a_puzzle_made_again_alone_is_the_stored_one(name: str) -> None:
    stored = [item.puzzle for item in load(name).items]
    assert len(stored) == RECIPES[name].number
    for number in SLOW.get(name, [1, 2, len(stored)]):
        assert stored[number - 1] in islice(candidates(RECIPES[name], number), 3)


def test_the_command_writes_the_stored_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "DATA", tmp_path)
    short = {name: replace(RECIPES[name], number=12) for name in ("easy", "size4", "multiple")}
    monkeypatch.setattr(embedded, "RECIPES", short)
    monkeypatch.setattr(sys, "argv", ["embedded", "size4", "multiple"])
    embedded.main()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["multiple.csv", "multiple.txt", "size4.txt"]
    for path in tmp_path.iterdir():
        stored = (DATA / path.name).read_bytes().splitlines(keepends=True)
        assert path.read_bytes() == b"".join(stored[: 13 if path.suffix == ".csv" else 12])


def test_a_loosened_puzzle_has_no_solution_and_no_clue_that_is_not_needed_for_that() -> None:
    given = make(PuzzleSpec(Shape(2, 3), solutions="none"), random.Random(1))
    puzzle = loosened(given, random.Random(1))
    assert solve(puzzle, limit=1).solutions == ()
    for cell, value in enumerate(puzzle.cells):
        assert value in (0, given.cells[cell])
        if value:
            without = Puzzle(puzzle.shape, (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]))
            assert solve(without, limit=1).solutions
