"""THE EXPERIMENT: suite -> plan -> engine and worker -> store -> verdicts -> report, and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.verdicts.run_data import Run


def load(folder: str | Path) -> Run:
    """A run as documented data frames, for notebooks: see ``bench.verdicts.run_data.Run``.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    from bench.verdicts.run_data import load as load_run  # workers import this package, and they need no pandas

    return load_run(folder)
