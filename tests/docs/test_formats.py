"""docs/formats.md: what it says of other formats works as typed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import sudoku_bench as sb
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.given import puzzles
from tests.conftest import TOP
from tests.datasets.rules import PRINTED, board

PUZZLES = [board(text) for text, _ in PRINTED.values()][:2]


def test_three_lines_of_python_read_program_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Puzzle] = []

    def run(datasets: Any, strategies: list[str]) -> None:
        given.extend(puzzles(datasets))

    rows = [[puzzle.cells[k : k + 9] for k in range(0, 81, 9)] for puzzle in PUZZLES]
    (tmp_path / "board.py").write_text(f"grids = {rows}\n")
    text = (TOP / "docs" / "formats.md").read_text(encoding="utf-8")
    found = re.search(r"^    import numpy.*?(?=^\S)", text, re.MULTILINE | re.DOTALL)
    assert found
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sb, "run", run)
    exec(re.sub(r"^    ", "", found[0], flags=re.MULTILINE), {})
    assert given == PUZZLES
