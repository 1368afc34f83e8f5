"""Superseded rows: those of a puzzle that was left half measured, and that is measured again as a whole elsewhere."""

from __future__ import annotations

import csv
from collections.abc import Collection
from pathlib import Path

from bench.folder.rows import COLUMNS

SUPERSEDED = "superseded.csv"
REPLICATE = ("collection", "puzzle", "launch", "repetition")

Replicate = tuple[str, str, int, int]


def supersede(measurements: Path, replicates: Collection[Replicate]) -> int:
    """Move the rows of some replicates of puzzles into ``superseded.csv``; return their number.

    The caller holds the lock of the run. A crash in between leaves them in both files, never in none.
    """
    places = [COLUMNS.index(name) for name in REPLICATE]
    rest, number = measurements.with_name(measurements.name + ".part"), 0
    archive = measurements.with_name(SUPERSEDED)
    is_new = not archive.exists()
    with (
        measurements.open(encoding="utf-8", newline="") as lines,
        rest.open("w", encoding="utf-8", newline="") as kept,
        archive.open("a", encoding="utf-8", newline="") as moved,
    ):
        header = next(lines, "")
        kept.write(header)
        if is_new:
            moved.write(header)
        for line in lines:
            fields = next(csv.reader([line]))
            collection, puzzle, launch, repetition = (fields[place] for place in places)
            goes = (collection, puzzle, int(launch), int(repetition)) in replicates
            (moved if goes else kept).write(line)
            number += goes
    rest.replace(measurements)
    return number
