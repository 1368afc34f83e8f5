"""Tables as text (CSV), as workbooks and as Parquet files, record by record; ``fields`` says what their fields mean."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.blocks import Line
from sudoku_bench.datasets.reading.fields import Columns, Fields, columns_of, flat, key_of
from sudoku_bench.datasets.reading.items import PUZZLE_KEYS, BadLine, BrokenSource, Entry
from sudoku_bench.datasets.reading.symbols import SIZES
from sudoku_bench.datasets.reading.text_lines import COMMENT, too_long

PARQUET = b"PAR1"
MAX_UNPACKED = 1 << 28  # bytes of a workbook
DELIMITERS = ",;\t"
_LONG = "\x01\n"  # in place of a line that is too long


def is_header(line: str) -> bool:
    """Return whether a line names a column of puzzles, with or without other columns."""
    return any(key_of(name) in PUZZLE_KEYS for delimiter in DELIMITERS for name in _names(line, delimiter))


def read_csv(lines: Iterable[Line], path: str | None = None) -> Iterator[Entry | BadLine]:
    """Read a table of text; its header is the first line that is neither blank nor a comment.

    Raises:
        BrokenSource: there is no column of this name, or no column is known to contain puzzles, or several may.
    """
    texts = ((number, _LONG if line is None else line.rstrip("\r\n") + "\n") for number, line in lines)
    start, header = next(((n, t) for n, t in texts if t.strip() and not t.startswith(COMMENT)), (0, ""))
    if header == _LONG:
        raise BrokenSource(start, "a header that is too long; name the columns in the first line")
    delimiter = max(DELIMITERS, key=header.count)
    names, columns = _names(header, delimiter), None
    records = csv.reader((text for _, text in texts), delimiter=delimiter)
    while True:
        first = start + records.line_num + 1
        try:
            record = next(records, None)
        except csv.Error:
            yield BadLine(first, "a field that is too long, or a quote that is not closed; close it", "broken record")
            continue
        if record is None:
            return
        if record == [_LONG.strip()]:
            yield too_long(first)
        elif any(map(str.strip, record)) and len(record) != len(names):
            message = f"{len(record)} fields where the header names {len(names)}; add or remove fields"
            yield BadLine(first, message, "wrong number of fields")
        elif any(map(str.strip, record)):
            fields = dict(zip(names, map(plain, record), strict=True))
            columns = columns or _columns_of(fields, path, start)
            yield columns.entry(fields, first)


def _names(line: str, delimiter: str) -> list[str]:
    return [field.strip() for field in next(csv.reader([line.rstrip("\n").replace("\r", "")], delimiter=delimiter), [])]


def plain(field: str) -> str:
    """Return a field without what makes Excel take it for text: ``="0012"``."""
    field = field.strip()
    return field[2:-1] if field.startswith('="') and field.endswith('"') else field


def sheets(file: BinaryIO, name: str) -> Iterator[str]:
    """Yield each sheet of an Excel workbook as text, with tabs between cells, without empty rows and columns around it.

    Raises:
        InputError: openpyxl is missing, or the workbook is too large or damaged.
    """
    import pandas as pd

    with zipfile.ZipFile(file) as archive:
        if sum(info.file_size for info in archive.infolist()) > MAX_UNPACKED:
            raise InputError(f"{name}: a workbook of more than 256 MiB; save its sheet as CSV")
    try:
        book = pd.read_excel(file, sheet_name=None, header=None, dtype=str, keep_default_na=False, engine="openpyxl")
    except ImportError:
        raise InputError(f"{name}: an Excel file, which needs openpyxl; pip install 'sudoku-bench[export]'") from None
    except Exception as error:  # openpyxl raises whatever the damaged part of a file leads to
        raise InputError(f"{name}: is damaged ({type(error).__name__}); save it again, or as CSV") from None
    for sheet in book.values():
        rows = [[" ".join(str(cell).split()) for cell in row] for row in sheet.to_numpy()]
        used = [next(k for k, cell in enumerate(row) if cell) for row in rows if any(row)]
        margin = 0 if sheet.shape[1] in (*SIZES, 81) else min(used, default=0)
        yield "".join("\t".join(row[margin:]) + "\n" for row in rows)


def read_parquet(file: BinaryIO, name: str, path: str | None = None) -> Iterator[Entry | BadLine]:
    """Read the puzzles of a seekable file; the *line* of an entry is the number of its record, from 1.

    Raises:
        InputError: pyarrow is missing, or the file is damaged.
        BrokenSource: as ``read_csv``.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError(f"{name}: a Parquet file, which needs pyarrow; pip install 'sudoku-bench[export]'") from None
    columns, number = None, 0
    try:
        for batch in parquet.ParquetFile(file).iter_batches():
            for record in batch.to_pylist():
                number, fields = number + 1, dict(flat(record))
                columns = columns or _columns_of(fields, path, 1)
                yield columns.entry(fields, number)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:  # the last of a damaged name
        raise InputError(f"{name}: is damaged or cut short ({str(error).splitlines()[0]}); get a new copy") from None


def _columns_of(fields: Fields, path: str | None, line: int) -> Columns:
    try:
        return columns_of(fields, path)
    except ValueError as error:
        raise BrokenSource(line, str(error)) from None
