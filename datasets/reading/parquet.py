"""Parquet files: tables whose columns are named as those of CSV files (``datasets/reading/csv_table``).

A cell of the column of puzzles is a text, or a list of numbers. The package pyarrow reads the files; it is an extra.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.csv_table import Columns
from sudoku_bench.datasets.reading.items import BadLine, Entry

MAGIC = b"PAR1"
BATCH = 1024  # records that are converted at once


def read(file: BinaryIO, name: str, column: str | None = None) -> Iterator[Entry | BadLine]:
    """Read the puzzles of a seekable file; the *line* of an entry is the number of its record, from 1.

    Raises:
        InputError: pyarrow is missing, or the file is damaged.
        BrokenSource: as ``csv_table.read``.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError(f"{name}: a Parquet file, which needs pyarrow; pip install 'sudoku-bench[export]'") from None
    try:
        table = parquet.ParquetFile(file)
        columns = Columns(list(table.schema_arrow.names), column, 1)
        number = 1
        for batch in table.iter_batches(batch_size=BATCH):
            for record in zip(*(values.to_pylist() for values in batch.columns), strict=True):
                yield columns.entry(list(map(_text, record)), number)
                number += 1
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:  # the last of a damaged name
        raise InputError(f"{name}: is damaged or cut short ({str(error).splitlines()[0]}); get a new copy") from None


def _text(value: Any) -> str:
    """Return a field as it would stand in a CSV file."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return " ".join(map(_text, value)) if isinstance(value, list | tuple) else str(value)
