"""Measurements that stand twice in a run with parts, such as those of a part that was copied."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.folder import parts
from bench.folder.rows import IDENTITY
from datasets.errors import InputError


def check(files: Sequence[Path]) -> None:
    """Refuse files of a run in which a measurement stands twice; needs a few bytes for each row.

    Args:
        files: the parts, then ``measurements.csv``.

    Raises:
        InputError: there is one, or a file cannot be read; the message names the files and rows.
    """
    import numpy as np

    keys: Any = None
    for of_files in parts.columns(files, IDENTITY):
        codes, number = coded(of_files)
        keys = codes if keys is None else keys * number + codes
        lengths = [len(each) for each in of_files]
    ordered = np.sort(keys)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(again):
        (first, at), (second, too) = (place(int(row), lengths) for row in np.flatnonzero(keys == again[0])[:2])
        raise InputError(
            f"{files[second]}: row {too} repeats row {at} of {files[first]}; restore the files as the run wrote them"
        )


def coded(of_files: Sequence[Any]) -> tuple[Any, int]:
    """Return the values of a column as integers from 0 on, and a bound on them."""
    import numpy as np
    import pyarrow

    column = pyarrow.chunked_array([chunk for each in of_files for chunk in each.chunks], of_files[0].type)
    if not pyarrow.types.is_dictionary(column.type):
        numbers = column.to_numpy().astype(np.int64)
        return numbers, int(numbers.max(initial=0)) + 1
    chunks = column.unify_dictionaries().chunks
    codes = [np.zeros(0, np.int64), *(chunk.indices.to_numpy().astype(np.int64) for chunk in chunks)]
    return np.concatenate(codes), len(chunks[0].dictionary) if chunks else 1


def place(row: int, lengths: Sequence[int]) -> tuple[int, int]:
    """Return the file of a row of the run, and the number of the row in it, from 1."""
    file = 0
    while row >= lengths[file]:
        row -= lengths[file]
        file += 1
    return file, row + 1
