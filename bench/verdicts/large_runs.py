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
    """
    import pyarrow
    from pyarrow import parquet

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # returns what one column needed before the next
    csv = [path for path in (*parts.paths(folder), last) if path.suffix == parts.CSV]
    tables = {path: pyarrow.Table.from_batches(parts.csv_batches(path), parts.schema()) for path in csv}
    columns = {}
    for name in COLUMNS:
        chunks = [
            chunk
            for path in (*parts.paths(folder), last)
            for chunk in (tables[path] if path in tables else parquet.read_table(path, columns=[name]))[name].chunks
        ]
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
