"""Which puzzles are relatives: the mined collection ``hardest`` has up to three of one start grid.

What two strategies make of one of them is no news of the others, so puzzles of one lineage count as one.
"""

from __future__ import annotations

import csv
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from datasets.collections import catalogue
from datasets.errors import InputError

MINED = "hardest"


def clusters(puzzles: pd.DataFrame, collection: str, names: tuple[str, ...]) -> NDArray[np.intp]:
    """A number for each of these puzzles of a collection, the same for puzzles of one lineage.

    Args:
        puzzles: as ``Run.puzzles``; a mined puzzle is known by its grid, wherever it was read from.
    """
    numbers = np.arange(len(names))
    if "grid" not in puzzles:
        return numbers
    own = puzzles[puzzles["collection"] == collection].drop_duplicates("puzzle").set_index("puzzle")["grid"]
    lineages = own.reindex(list(names)).map(_lineages())
    if lineages.isna().all():
        return numbers
    found = lineages.fillna(pd.Series([f"(alone) {name}" for name in names], index=lineages.index))
    return pd.factorize(found)[0]


@cache
def _lineages() -> dict[str, str]:
    """Grid -> lineage of every mined puzzle."""
    path = catalogue.HERE / "data" / f"{MINED}.csv"
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lineage = {line["puzzle"]: line["lineage"] for line in csv.DictReader(file)}
    except (OSError, KeyError) as error:
        raise InputError(f"{path}: cannot be read: {error}; install sudoku-bench again") from None
    return {item.puzzle.text: lineage[item.name] for item in catalogue.load(MINED).items if item.name in lineage}
