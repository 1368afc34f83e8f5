"""The fixtures of ``tests/bench``, for documents that show commands and runs."""

from __future__ import annotations

from tests.bench.conftest import command, measure, measure_all, plugin, puzzles, run

__all__ = ["command", "measure", "measure_all", "plugin", "puzzles", "run"]
