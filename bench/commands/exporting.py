"""``sudoku-bench export``: write a run in the format of another tool."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bench.commands.options import add_shared
from datasets.errors import InputError

if TYPE_CHECKING:
    from bench.verdicts.run_tables import Run

SUFFIXES = {"pytest-benchmark": ".json", "parquet": ".parquet", "xlsx": ".xlsx", "mkplot": "", "csv-wide": ".csv"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a run in the format of another tool: all measurements (parquet), the tables (xlsx), or the"
        " median time of each puzzle (csv-wide, mkplot) or of each strategy on each puzzle (pytest-benchmark: wall"
        " time)."
    )
    add_shared(parser, "run")
    parser.add_argument("--to", required=True, choices=tuple(SUFFIXES), help="format")
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="output file; a folder for mkplot (default: named after the run, in the current folder)",
    )
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Write the export and print its path."""
    from bench.say import terminal
    from bench.verdicts import run_tables

    run = run_tables.load(options.run)
    terminal.note_edits(run)
    out = options.out or Path(f"{options.run.resolve().name}-{options.to}{SUFFIXES[options.to]}")
    if out.resolve().is_relative_to(options.run.resolve()):
        raise InputError(f"--out {out}: lies in the run folder, which holds the files of the run only")
    for path, data in exported(run, options.to, out):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    print(out)
    return 0


def exported(run: Run, to: str, out: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the files of an export: one, or for mkplot one per strategy.

    Raises:
        InputError: a package is missing, or the format cannot hold the run.
    """
    from bench.exchange import pytest_benchmark, tables

    if to == "mkplot":
        yield from ((out / name, data) for name, data in tables.mkplot(run))
    elif to == "pytest-benchmark":
        yield out, json.dumps(pytest_benchmark.document(run), indent=1).encode() + b"\n"
    else:
        yield out, {"parquet": tables.parquet, "xlsx": tables.xlsx, "csv-wide": tables.csv_wide}[to](run)
