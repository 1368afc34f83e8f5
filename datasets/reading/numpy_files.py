"""numpy's ``.npy`` files: boards as n × N·N or n × N × N numbers, as one board, or as n texts."""

from __future__ import annotations

import io
import math
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid, printable_line
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES, parse_grid
from sudoku_bench.datasets.reading.text_lines import single_grid
from sudoku_bench.datasets.shape import Shape

MAGIC = b"\x93NUMPY"
BATCH = 1024  # boards that are read at once
MAX_ITEM = 8192  # bytes of a text; the largest board needs 1296 characters of 4 bytes


def read(stream: io.BufferedReader, name: str) -> Iterator[Entry | BadLine]:
    """Read the boards of a file; the *line* of an entry is the number of its board, from 1.

    Raises:
        InputError: the file is damaged, or its array is no array of boards.
    """
    import numpy as np

    try:
        version = np.lib.format.read_magic(stream)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        with warnings.catch_warnings(action="ignore"):  # numpy advises to write an array of Python 2 again
            shape, is_fortran, dtype = read_header(stream)
        if not all(type(length) is int and length >= 0 for length in shape):
            raise ValueError("lengths of axes are whole numbers from 0")
    except Exception as error:  # numpy raises whatever evaluating a damaged header leads to
        reason = printable_line(str(error))
        raise InputError(f"{name}: is damaged ({reason}); write it again with numpy.save") from None
    if dtype.kind not in "iufSU" or not 0 < dtype.itemsize <= MAX_ITEM:
        raise InputError(f"{name}: an array of {dtype}; save boards as integers or texts")
    board = _board(shape, is_text=dtype.kind in "SU")
    if board is None:
        size = "x".join(map(str, shape))
        raise InputError(f"{name}: an array of {size or 'one value'}; save boards as n x N·N or n x N x N numbers")
    if is_fortran and len(shape) > 1:
        raise InputError(f"{name}: an array in Fortran's order; save numpy.ascontiguousarray(...) of it")
    number, width, left = 1, math.prod(shape[board:]), math.prod(shape[:board])
    while left:
        n = min(BATCH, left)
        data = stream.read(n * width * dtype.itemsize)
        if len(data) < n * width * dtype.itemsize:
            raise InputError(f"{name}:{number}: is cut short here; get a new copy")
        for values in np.frombuffer(data, dtype=dtype).reshape(n, width):
            yield _entry(values, number)
            number += 1
        left -= n


def _board(shape: tuple[int, ...], is_text: bool) -> int | None:
    """Return the number of leading axes that count boards; None if these are no boards."""
    if is_text:
        return len(shape)
    if len(shape) > 1 and shape[-1] == shape[-2] in SIZES:
        return len(shape) - 2
    return len(shape) - 1 if shape and shape[-1] in SHAPES else None


def _entry(values: Any, number: int) -> Entry | BadLine:
    """Convert the values of a board: numbers, or one text."""
    if values.dtype.kind in "SU":
        if values.dtype.kind == "U" and (values.view(f"{values.dtype.byteorder}u4") > sys.maxunicode).any():
            return BadLine(number, "a text with characters that do not exist; save it again", "no text")
        text = values[0].decode("ascii", "replace") if values.dtype.kind == "S" else str(values[0])
        grid = single_grid(text, number)
        if grid is None:
            return BadLine(number, "an empty text; write a puzzle", "empty field")
        return grid if isinstance(grid, BadLine) else parse_grid(grid)
    cells = [f"{value:g}" for value in values.tolist()]
    is_small = Shape.of_size(int(len(cells) ** 0.5)).size <= 9
    return parse_grid(Grid("".join(cells) if is_small and max(map(len, cells)) == 1 else cells, number))
