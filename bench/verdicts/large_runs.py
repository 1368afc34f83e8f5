"""The rows of a run in parts as one data frame, small enough for ten million rows.

Columns are read one after the other. Text becomes categories; times keep double precision, and what verdicts do not
compare (phases, counters) gets single precision.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.folder import parts
from bench.folder.rows import COLUMNS

EXACT = ("cpu_s", "wall_s", "limit_s", "started_s", "worker")


def measurements(folder: Path, last: Path) -> pd.DataFrame:
    """Return the rows of the parts of a run and of its ``measurements.csv``, columns ``bench.folder.rows.COLUMNS``.

    Args:
        last: ``measurements.csv``.

    Raises:
        InputError: a file cannot be read.
    """
    import pyarrow

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # returns what one column needed before the next
    columns = {}
    for name, of_files in zip(COLUMNS, parts.columns((*parts.paths(folder), last), COLUMNS), strict=True):
        chunks = [chunk for each in of_files for chunk in each.chunks]
        columns[name] = series(pyarrow.chunked_array(chunks, parts.schema().field(name).type), name)
    return pd.DataFrame(columns, copy=False)


def series(values: Any, name: str) -> Any:
    """Return a column with small values: categories, 32 bits, or 64 bits where precision is needed."""
    import pyarrow

    if pyarrow.types.is_dictionary(values.type):
        unified = values.unify_dictionaries()
        categories = unified.chunk(0).dictionary.to_pylist() if unified.num_chunks else []
        codes = [chunk.indices.fill_null(-1).to_numpy() for chunk in unified.chunks]
        words = pd.Categorical.from_codes(np.concatenate([np.empty(0, np.int32), *codes]), pd.Index(categories))
        return words.reorder_categories(sorted(categories))  # groups come in the order of text
    numbers = values.to_numpy()  # integers with unknown values become floats
    if numbers.dtype == np.int64:
        fits = len(numbers) == 0 or np.abs(numbers).max() < 1 << 31
        return numbers.astype(np.int32) if fits else numbers
    return numbers if name in EXACT else numbers.astype(np.float32)
