"""A run for spreadsheets, data frames of other languages and plotting scripts."""

from __future__ import annotations

import importlib.util
import io
import json
import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from datasets.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from bench.verdicts.run_tables import Run

SHEETS = ("summary", "pairs", "puzzles", "measurements")
MOST_ROWS = 1_048_575  # of a sheet below its head
WRITERS = {"parquet": "pyarrow", "xlsx": "openpyxl"}


def wide(run: Run) -> pd.DataFrame:
    """Return a row per puzzle and a column per strategy: median seconds per solve over the forms, by the run's clock.

    Infinite: the median solve did not finish; NaN: not measured.
    """
    return run.per_puzzle.pivot_table(
        index=["collection", "puzzle"], columns="strategy", values="cpu_s", sort=False
    ).reset_index()


def csv_wide(run: Run) -> bytes:
    return wide(run).to_csv(index=False, lineterminator="\n", float_format="%.6g").encode()


def parquet(run: Run) -> bytes:
    """Return the measurements as a Parquet file.

    Raises:
        InputError: pyarrow is not installed.
    """
    _require("parquet")
    data = io.BytesIO()
    run.measurements.to_parquet(data, engine="pyarrow", index=False)
    return data.getvalue()


def xlsx(run: Run) -> bytes:
    """Return an Excel workbook with a sheet per table of ``SHEETS``.

    Raises:
        InputError: openpyxl is not installed, or there are more measurements than a sheet has rows.
    """
    import pandas as pd

    _require("xlsx")
    if len(run.measurements) > MOST_ROWS:
        raise InputError(
            f"the run has {len(run.measurements):,} measurements, more than the {MOST_ROWS:,} rows of a sheet;"
            " use --to parquet"
        )
    data = io.BytesIO()
    with pd.ExcelWriter(data, engine="openpyxl") as book:
        for name in SHEETS:
            getattr(run, name).to_excel(book, sheet_name=name, index=False)
    return data.getvalue()


def mkplot(run: Run) -> Iterator[tuple[str, bytes]]:
    """Yield a file per strategy for mkplot: its name, and the status and median seconds of each puzzle as JSON."""
    for strategy, rows in run.per_puzzle.groupby("strategy", sort=False):
        stats = {
            f"{collection}/{puzzle}": {"status": True, "rtime": time}
            if math.isfinite(time)
            else {"status": False, "rtime": limit_s}
            for collection, puzzle, time, limit_s in zip(
                rows["collection"], rows["puzzle"], rows["cpu_s"], rows["limit_s"], strict=True
            )
        }
        preamble = {
            "program": strategy,
            "prog_args": "",
            "prog_alias": strategy,
            "benchmark": run.manifest["suite"]["name"],
        }
        text = json.dumps({"preamble": preamble, "stats": stats}, indent=1) + "\n"
        yield f"{re.sub(r'[^A-Za-z0-9+@.-]', '_', str(strategy))}.json", text.encode()


def _require(kind: str) -> None:
    if importlib.util.find_spec(WRITERS[kind]) is None:
        raise InputError(f"--to {kind}: needs the package {WRITERS[kind]}; pip install 'sudoku-bench[export]'")
