"""``show`` writes a page of one puzzle; ``solve --steps`` prints the same steps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.steps.walkthrough import walkthrough
from sudoku_bench.datasets.steps.words import line, summary

SMALL = load("size4").items[0].puzzle.text


def test_a_page_holds_its_puzzle_and_asks_for_nothing(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "own.html"
    assert command("show", "hardest-010", "--out", str(out)) == (0, f"{out}\n", "")
    text = out.read_text(encoding="utf-8")
    assert load("hardest").items[9].puzzle.text in text
    assert "<title>hardest-010</title>" in text
    assert not re.search(r"(src|href)=\"(?!data:)", text)
    assert "connect-src 'none'" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hardest-9999",), "hardest has "),
        ((SMALL, "--out", "page.txt"), "must end in .html"),
        (("." * 81, "--print"), "nothing to print: This board has no clues"),
    ],
)
def test_what_cannot_be_shown_is_one_line(command: Any, tmp_path: Path, monkeypatch: Any, arguments, message) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, error = command("show", *arguments)
    assert (code, out) == (2, "")
    assert message in error
    assert len(error.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_solve_prints_the_steps(command: Any) -> None:
    puzzle = load("easy").items[1].puzzle
    code, out, _ = command("solve", puzzle.text, "--steps")
    [solution] = solve(puzzle, limit=2).solutions
    steps = walkthrough(puzzle, solution)
    assert code == 0
    printed = [text.strip() for text in out.splitlines() if re.match(r" *\d+\. ", text)]
    assert printed == [f"{number}. {line(puzzle.shape, step)}" for number, step in enumerate(steps, 1)]
    assert out.rstrip().endswith(f"{summary(steps)}.")
