"""A run for data frames of other languages and spreadsheets."""

from __future__ import annotations

import importlib.util
import io
from typing import TYPE_CHECKING

from datasets.errors import InputError

if TYPE_CHECKING:
    from bench.verdicts.run_tables import Run


def csv_wide(run: Run) -> bytes:
    """Return a row per puzzle and a column per strategy: median seconds per solve over the forms, by the run's clock.

    Infinite: the median solve did not finish; empty: not measured.
    """
    table = run.per_puzzle.pivot_table(
        index=["collection", "puzzle"], columns="strategy", values="cpu_s", sort=False
    ).reset_index()
    return table.to_csv(index=False, lineterminator="\n", float_format="%.6g").encode()


def parquet(run: Run) -> bytes:
    """Return the measurements as a Parquet file.

    Raises:
        InputError: pyarrow is not installed.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise InputError("--to parquet: needs the package pyarrow; pip install 'sudoku-bench[export]'")
    data = io.BytesIO()
    run.measurements.to_parquet(data, engine="pyarrow", index=False)
    return data.getvalue()
