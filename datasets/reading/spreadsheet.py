"""Excel workbooks (``.xlsx``) as text: a line per row with tabs between cells, and a blank line between sheets."""

from __future__ import annotations

import io
import zipfile
from typing import BinaryIO

from sudoku_bench.datasets.errors import InputError

WORKBOOK = "xl/workbook.xml"  # the file of a zip archive that makes it a workbook
SIZES = (4, 6, 9, 12, 16, 25, 81)  # columns of a board, or of its cells
MAX_UNPACKED = 1 << 28  # bytes
MAX_CELLS = 5_000_000


def text_of(file: BinaryIO, name: str) -> io.BytesIO:
    """Return the text of a workbook.

    Raises:
        InputError: openpyxl is missing, or the workbook is too large or damaged.
    """
    try:
        import openpyxl
    except ImportError:
        raise InputError(f"{name}: an Excel file, which needs openpyxl; pip install 'sudoku-bench[export]'") from None
    with zipfile.ZipFile(file) as archive:
        if sum(info.file_size for info in archive.infolist()) > MAX_UNPACKED:
            raise InputError(f"{name}: a workbook of more than 256 MiB; save its sheet as CSV")
    lines: list[str] = []
    n_cells = 0
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        for sheet in book.worksheets:
            rows: list[list[str]] = []
            for row in sheet.iter_rows(values_only=True):
                rows.append(["" if value is None else " ".join(str(value).split()) for value in row])
                n_cells += len(row)
                if n_cells > MAX_CELLS:
                    raise InputError(f"{name}: more than {MAX_CELLS:,} cells; save its sheet as CSV")
            margin = _margin(rows)
            lines += ["\t".join(row[margin:]) for row in rows]
            lines.append("")
    except InputError:
        raise
    except Exception as error:  # openpyxl raises whatever the damaged part of a file leads to
        raise InputError(f"{name}: is damaged ({type(error).__name__}); save it again, or as CSV") from None
    return io.BytesIO("\n".join(lines).encode("utf-8", "replace"))


def _margin(rows: list[list[str]]) -> int:
    """Return the number of empty columns to the left of what a sheet holds; 0 if its width is that of a board."""
    if not rows or len(rows[0]) in SIZES:
        return 0
    return min((next(k for k, text in enumerate(row) if text) for row in rows if any(row)), default=0)
