"""``sudoku-bench export``: write a run for other tools."""

from __future__ import annotations

import argparse
import importlib.util
import io
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from sudoku_bench.bench.verdicts.run_tables import Run

SHEETS = ("summary", "pairs", "puzzles", "measurements")  # of a workbook
MOST_ROWS = 1_048_575  # of a sheet below its head
SUFFIXES = {"parquet": ".parquet", "xlsx": ".xlsx", "csv-wide": ".csv"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a run for other tools: the measurements (parquet), the tables (xlsx), or the median time of each"
        " strategy on each puzzle (csv-wide)."
    )
    add_shared(parser, "run")
    parser.add_argument("--to", required=True, choices=tuple(SUFFIXES), help="format")
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="output file (default: named after the run, in the current folder)",
    )
    parser.add_argument("--controls", action="store_true", help="also write rows of controls, such as placebos")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Write the export and print its path."""
    from sudoku_bench.bench.say import terminal
    from sudoku_bench.bench.verdicts import run_tables
    from sudoku_bench.bench.verdicts.run_data import of_strategies

    if options.controls and options.to == "csv-wide":
        raise InputError("--controls: the table csv-wide has strategies only; remove it")
    run = run_tables.load(options.run)
    rows = run.measurements if options.controls else of_strategies(run.measurements)
    terminal.note_edits(run)
    out = options.out or Path(f"{options.run.resolve().name}-{options.to}{SUFFIXES[options.to]}")
    if out.resolve().is_relative_to(options.run.resolve()):
        raise InputError(f"--out {out}: lies in the run folder, which holds the files of the run only")
    if out.suffix != SUFFIXES[options.to]:
        raise InputError(f"--out {out}: a file of {options.to} ends with {SUFFIXES[options.to]}")
    if out.is_symlink() and not options.out:
        raise InputError(f"{out}: is a link; remove it, or name a file with --out")
    data = csv_wide(run) if options.to == "csv-wide" else parquet(rows) if options.to == "parquet" else xlsx(run, rows)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(data)
    print(out)
    return 0


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
    require("parquet", "pyarrow")
    data = io.BytesIO()
    rows.to_parquet(data, engine="pyarrow", index=False)
    return data.getvalue()


def xlsx(run: Run, rows: pd.DataFrame) -> bytes:
    """Return an Excel workbook with a sheet per table of ``SHEETS``, of the measurements these rows.

    Raises:
        InputError: openpyxl is not installed, or there are more measurements than a sheet has rows.
    """
    import pandas as pd

    require("xlsx", "openpyxl")
    if (number := len(rows)) > MOST_ROWS:
        raise InputError(f"{number:,} measurements, and a sheet has {MOST_ROWS:,} rows; use --to parquet")
    data = io.BytesIO()
    with pd.ExcelWriter(data, engine="openpyxl") as book:
        for name in SHEETS:
            (rows if name == "measurements" else getattr(run, name)).to_excel(book, sheet_name=name, index=False)
    return data.getvalue()


def require(kind: str, package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise InputError(f"--to {kind}: needs the package {package}; pip install 'sudoku-bench[export]'")
