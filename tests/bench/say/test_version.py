"""``sudoku-bench --version``."""

from __future__ import annotations

from importlib.metadata import version


def test_the_version_is_that_of_the_distribution(command) -> None:
    assert command("--version") == (0, f"sudoku-bench {version('sudoku-bench')}\n", "")
