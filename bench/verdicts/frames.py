"""A run as data frames: what every verdict is made from."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from bench.rows import COLUMNS
from bench.store import MEASUREMENTS, PUZZLES, read_manifest, whole_lines
from datasets.errors import InputError

TEXT = dict.fromkeys(  # columns that are text even where they look like numbers
    (
        *("strategy", "collection", "puzzle", "task", "mode", "status", "reason", "limit_clock", "host", "decoy"),
        *("placebo", "phases", "other_counters", "grid", "solution", "er", "backdoor"),
    ),
    str,
)


@dataclass(frozen=True)
class Run:
    """A run as data frames.

    Attributes:
        measurements: a row per measurement, columns as in ``bench.rows.COLUMNS``.
        puzzles: a row per puzzle with its difficulty and number of solutions.
    """

    manifest: dict[str, Any]
    measurements: pd.DataFrame
    puzzles: pd.DataFrame


def load(folder: str | Path) -> Run:
    """Read a run folder.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    measurements = _read(folder / MEASUREMENTS, ("strategy", "collection", "puzzle", "status", "cpu_s", "decoy"))
    puzzles = _read(folder / PUZZLES, ("collection", "puzzle", "guesses", "solutions"))
    return Run(manifest, measurements.reindex(columns=list(COLUMNS)), puzzles)


def _read(path: Path, needed: Sequence[str]) -> pd.DataFrame:
    """A table of a run, without a last line that was cut off."""
    try:
        text = io.BytesIO(whole_lines(path.read_bytes()))
        frame = pd.read_csv(text, dtype=TEXT, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    missing = [column for column in needed if column not in frame]
    if missing:
        raise InputError(f"{path}: has no column {missing[0]}; it is not what a run writes there")
    return frame


def of_strategies(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of strategies, without those of placebos and of the floor."""
    return rows[rows["placebo"].isna()]


def with_cpu_limit(run: Run) -> pd.DataFrame:
    """The measurements, with the limit of CPU time also where the guard by the wall clock stopped a solve."""
    rows = run.measurements
    guarded = rows.reindex(columns=["limit_clock"])["limit_clock"] == "wall"
    if not guarded.any():
        return rows
    return rows.assign(limit_s=rows["limit_s"].mask(guarded, run.manifest["suite"]["timeout_s"]))
