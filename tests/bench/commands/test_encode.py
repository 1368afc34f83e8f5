"""``sudoku-bench encode``: files for model counters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_bench.datasets.collections.catalogue import load
from tests.conftest import TOP

EMPTY = "." * 16


def of_file(text: str) -> tuple[list[list[int]], list[int]]:
    """The clauses, and the variables that the file asks to count."""
    lines = [line.split() for line in text.splitlines()]
    clauses = [[int(x) for x in words[:-1]] for words in lines if words[0] not in ("c", "p")]
    [shown] = [words[3:-1] for words in lines if words[:3] == ["c", "p", "show"]]
    return clauses, [int(x) for x in shown]


@pytest.mark.parametrize(
    ("name", "number"), [("complete", 64), ("complete+product", 64), ("order", 48), ("log", 32), ("augmented", 64)]
)
def test_the_variables_of_cells_are_shown(command, name: str, number: int) -> None:
    code, out, err = command("encode", EMPTY, "-e", name)
    assert (code, err) == (0, "")
    assert of_file(out)[1] == list(range(1, number + 1))


def test_only_open_cells_are_shown_where_clues_are_substituted(command) -> None:
    _, out, _ = command("encode", "1234" + "." * 12, "-e", "complete+substituted")
    clauses, shown = of_file(out)
    assert shown == list(range(1, len(shown) + 1))
    assert 0 < len(shown) < 64
    assert set(shown) >= {abs(x) for clause in clauses for x in clause}


def test_a_board_that_an_encoding_of_a_plugin_does_not_support_is_one_line(tmp_path: Path) -> None:
    plugin = tmp_path / "nine.py"
    plugin.write_text(
        "import sudoku_bench as sb\n@sb.register_encoding('nine', shapes=[sb.Shape(3, 3)])\n"
        "def nine(shape):\n    return [[1]]\n"
    )
    for words, fault in (
        (("encode", EMPTY, "-e", "nine"), "nine: the encoding nine is for 9x9 only"),
        (("list", "encodings", "nine", "--strength", "size4"), "nine: no such encoding is for 4x4 boards"),
    ):  # in processes of their own: a name can be registered once
        start = [sys.executable, "-m", "sudoku_bench", *words, "--plugin", str(plugin)]
        ended = subprocess.run(start, capture_output=True, text=True, cwd=TOP)
        assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", f"sudoku-bench: {fault}\n")


def test_puzzles_are_named_as_show_names_them(command) -> None:
    [named] = [item.puzzle for item in load("size4").items if item.name == "size4-002"]
    assert command("encode", "size4-002") == command("encode", named.text)
    assert command("solve", "size4-002", "--lines") == command("solve", named.text, "--lines")
    code, _, err = command("encode", "size4-999")
    assert (code, err) == (2, "sudoku-bench: size4-999: size4 has 20 puzzles, up to size4-020\n")
