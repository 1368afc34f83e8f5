"""The count on standard error."""

from __future__ import annotations

import io

import pytest

from bench.say import counter
from bench.say.counter import Counter


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch):
    """Count 25 things, one each second; return what appears on standard error."""

    def count(output: io.StringIO, error: io.StringIO) -> str:
        seconds = iter(range(1000))
        monkeypatch.setattr(counter, "wall_s", lambda: float(next(seconds)))
        monkeypatch.setattr("sys.stdout", output)
        monkeypatch.setattr("sys.stderr", error)
        with Counter("puzzles solved") as counted:
            for _ in range(25):
                counted.add()
        return error.getvalue()

    return count


def test_a_file_gets_an_occasional_line(shown) -> None:
    lines = shown(io.StringIO(), io.StringIO()).splitlines()
    assert lines == ["10 puzzles solved, 1 per second", "20 puzzles solved, 1 per second"]


def test_a_terminal_shows_the_latest_count_and_nothing_at_the_end(shown) -> None:
    text = shown(io.StringIO(), Terminal())
    assert "25 puzzles solved" in text
    assert "\n" not in text
    assert text.endswith("\r\x1b[K")


def test_nothing_is_shown_between_answers_on_a_terminal(shown) -> None:
    assert shown(Terminal(), Terminal()) == ""
