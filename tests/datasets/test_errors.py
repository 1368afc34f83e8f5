"""Text of others in messages and tables."""

from __future__ import annotations

import pytest

from sudoku_bench.datasets.errors import InputError, escaped, harmless


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("größer ≥ 3", "größer ≥ 3"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\u202egnp.exe", "a\\u202egnp.exe"),
        ("two\nlines\u2028three", "two\\nlines\\u2028three"),
        ("\udcff.txt", "\\udcff.txt"),
    ],
)
def test_letters_that_are_not_printable_are_escaped(text: str, shown: str) -> None:
    assert escaped(text) == str(InputError(text)) == shown
    assert shown.isprintable()


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1"])
def test_a_formula_becomes_text(text: str) -> None:
    assert harmless(text) == f"'{text}"


def test_other_text_is_as_it_was() -> None:
    assert harmless("own-0001") == "own-0001"


def test_another_system_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from sudoku_bench.__main__ import main

    monkeypatch.setattr("sys.platform", "darwin")
    assert main() == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(
        "sudoku-bench: needs /proc, CPU affinity and process limits of Linux, and this is darwin"
    )
