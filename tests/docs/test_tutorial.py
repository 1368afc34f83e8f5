"""The path of the tutorial, from a file of puzzles to a figure: its commands in their order, on fewer puzzles."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sudoku_bench.bench.commands import report
from sudoku_bench.bench.figures import catalogue
from tests.conftest import TOP
from tests.docs.code_blocks import blocks

pytestmark = pytest.mark.thorough

PAGE = TOP / "docs" / "tutorial.md"
COMMANDS = re.findall(r"^    sudoku-bench (.*)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
FEWER = ["--limit", "15", "--repetitions", "1", "--loops", "1", "--timeout", "0.1", "--pin", "off"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a reader who saved the puzzles and the strategy."""
    monkeypatch.chdir(tmp_path)
    [puzzles], [strategy] = blocks(PAGE, "text"), blocks(TOP / "docs" / "add-a-strategy.md", "python")
    Path("puzzles.txt").write_text(puzzles, encoding="utf-8")
    Path("naive.py").write_text(strategy, encoding="utf-8")
    return tmp_path


def test_every_command_of_the_tutorial_works_after_those_before_it(command, folder: Path, monkeypatch) -> None:
    cactus = tuple(figure for figure in catalogue.FIGURES if catalogue.name(figure) == "cactus")
    monkeypatch.setattr(catalogue, "FIGURES", cactus)
    for line in COMMANDS:
        words = shlex.split(line, comments=True)
        with monkeypatch.context() as during:
            if words[0] == "run":  # what `report` writes is written below
                during.setattr(report, "report", lambda *_, **__: 0)
                words += FEWER if "results/mine" in words else ["--dry-run"]
            code, _, err = command(*words)
        assert code == 0, f"{line}: {err}"
    [paper] = blocks(PAGE, "latex")
    for file in re.findall(r"\{(results/[^}]*)\}", paper):
        assert Path(file).is_file(), file
    numbers = Path("results/mine/writeup/numbers.tex").read_text(encoding="utf-8")
    for name in re.findall(r"\\bench\{([^}]*)\}", paper):
        assert name in numbers
    text = PAGE.read_text(encoding="utf-8")
    for file in re.findall(r"`(results/mine/[\w/.-]+)`", text):
        assert Path(file).is_file(), file
