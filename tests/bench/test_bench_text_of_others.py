"""Names and text of others stay harmless wherever a run shows them."""

from __future__ import annotations

import csv
import os

from tests.bench.conftest import FOURS

EVIL = "=cmd|' \x1b]0;t\x07\u202e<script>alert(1)</script>\\input{x}"

SPEAKS = f"""
    @register
    class Speaks(Backtracker):
        name = "test:speaks"

        def search(self, puzzle, task):
            if puzzle.cells.count(0) == 9:
                raise ValueError({EVIL!r})
            return super().search(puzzle, task)

        def counters(self):
            return {{{EVIL!r}: 1.0}}

    @register
    class Unwilling(Backtracker):
        name = "test:unwilling"

        def prepare(self, shape):
            raise Unsupported({EVIL!r})
"""


def test_text_of_strategies_and_files_is_harmless_everywhere(run, plugin, puzzles, command) -> None:
    """In the terminal, in every table, in the page, in LaTeX, and in JSON."""
    name = "=cmd\u202e<b>\x1b[31m.txt"
    arguments = ("--repetitions", 1)
    result = run("-s", "test:*", "--plugin", plugin(SPEAKS), "-d", puzzles(*FOURS, name=name), *arguments)
    assert result.code == 0, result.err
    code, out, err = command("status", result.folder)
    assert code == 0
    for text in (result.out, result.err, out, err):
        assert all(letter.isprintable() or letter == "\n" for letter in text), ascii(text)
    for path in sorted(result.folder.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                for field in row:
                    assert field.isprintable(), (path.name, ascii(field))
                    assert not field.startswith(("=", "+", "@")), (path.name, field)
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert command("report", result.folder, "--writeup", "--quiet")[0] == 0
    texts = sorted((result.folder / "writeup").rglob("*.tex"))
    assert texts
    assert not [path for path in texts if "\\input{x}" in path.read_text(encoding="utf-8")]


def test_a_file_name_that_is_not_utf_8_is_no_traceback(measure, plugin, puzzles, tmp_path) -> None:
    file = puzzles(*FOURS)
    odd = os.fsencode(tmp_path) + b"/odd\xff.txt"
    os.rename(file, odd)  # noqa: PTH104
    result = measure("-s", "seed:norvig", "-d", os.fsdecode(odd), "--repetitions", 1)
    assert result.code == 0, result.err
    assert set(result.rows["collection"]) == {"odd\\udcff"}
