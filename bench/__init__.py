"""Measure strategies and report on the runs. ``bench.load`` is the public entry for notebooks and scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.verdicts.run_tables import Run


def load(folder: str | Path) -> Run:
    """Load a run folder as documented data frames (see ``bench.verdicts.run_tables.Run``).

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    from bench.verdicts.run_tables import load as load_run  # workers import this package and need no pandas

    return load_run(folder)
