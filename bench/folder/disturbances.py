"""What the manifest of a run says about its machine, for those who only read runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sudoku_bench.bench.machine.description import clock_replacements
from sudoku_bench.bench.machine.disturbance import lasted, words

__all__ = ("lasted", "replaced_clocks", "words")


def replaced_clocks(manifest: Mapping[str, Any]) -> list[str]:
    """Return the variables in the environment of a run that load code which can replace a clock."""
    return clock_replacements(manifest["machine"].get("environment") or ())
