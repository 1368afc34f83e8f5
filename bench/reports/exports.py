"""A run for data frames of other languages and spreadsheets."""

from __future__ import annotations

import importlib.util
import io
from typing import TYPE_CHECKING

from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from sudoku_bench.bench.verdicts.run_tables import Run

SHEETS = ("summary", "pairs", "puzzles", "measurements")
MOST_ROWS = 1_048_575  # of a sheet below its head


def csv_wide(run: Run) -> bytes:
    """Return a row per puzzle and a column per strategy: median seconds per solve over the forms, by the run's clock.

    Infinite: the median solve did not finish; empty: not measured.
    """
    table = run.per_puzzle.pivot_table(
        index=["collection", "puzzle"], columns="strategy", values="cpu_s", sort=False
    ).reset_index()
    return table.to_csv(index=False, lineterminator="\n", float_format="%.6g").encode()


def parquet(rows: pd.DataFrame) -> bytes:
    """Return measurements as a Parquet file.

    Raises:
        InputError: pyarrow is not installed.
    """
    _require("parquet", "pyarrow")
    data = io.BytesIO()
    rows.to_parquet(data, engine="pyarrow", index=False)
    return data.getvalue()


def xlsx(run: Run, rows: pd.DataFrame) -> bytes:
    """Return an Excel workbook with a sheet per table of ``SHEETS``, of the measurements these rows.

    Raises:
        InputError: openpyxl is not installed, or there are more measurements than a sheet has rows.
    """
    import pandas as pd

    _require("xlsx", "openpyxl")
    if (number := len(rows)) > MOST_ROWS:
        raise InputError(f"{number:,} measurements, and a sheet has {MOST_ROWS:,} rows; use --to parquet")
    data = io.BytesIO()
    with pd.ExcelWriter(data, engine="openpyxl") as book:
        for name in SHEETS:
            (rows if name == "measurements" else getattr(run, name)).to_excel(book, sheet_name=name, index=False)
    return data.getvalue()


def _require(kind: str, package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise InputError(f"--to {kind}: needs the package {package}; pip install 'sudoku-bench[export]'")
