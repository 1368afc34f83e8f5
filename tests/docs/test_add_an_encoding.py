"""The examples of the page on encodings of one's own work as written."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.plan.strategies import select
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault, solution_fault
from tests.conftest import TOP
from tests.docs.code_blocks import blocks
from tests.solvers.solving import answer_of_worker

ENCODING, SCHEME, LIBRARY = blocks(TOP / "docs" / "add-an-encoding.md", "python")
HARD_4 = parse("432.........2.4.")


def run(code: str) -> dict[str, Any]:
    """Execute a block as a module; return its names."""
    names: dict[str, Any] = {}
    exec(compile(code, "add-an-encoding.md", "exec", dont_inherit=True), names)
    return names


@pytest.mark.parametrize(
    ("code", "name"),
    [(ENCODING, "sat:peers@glucose4"), (SCHEME, "sat:complete+fours@glucose4")],
    ids=["peers", "fours"],
)
def test_a_file_with_the_example_is_measured(code: str, name: str, tmp_path: Path) -> None:
    plugin = tmp_path / "own.py"
    plugin.write_text(code, encoding="utf-8")
    [info] = select([name], [str(plugin)])
    assert answer_fault(HARD_4, answer_of_worker(info, HARD_4, "unique"), expected=1) is None


def test_the_encoder_is_a_library(capsys: pytest.CaptureFixture[str]) -> None:
    run(LIBRARY)
    cells = ast.literal_eval(capsys.readouterr().out)
    assert cells[0] == 5
    assert solution_fault(Puzzle(Shape(3, 3), (0,) * 81), cells) is None
