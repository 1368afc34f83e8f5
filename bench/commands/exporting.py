"""``sudoku-bench export``: write a run for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.datasets.errors import InputError

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
    from sudoku_bench.bench.reports import exports as tables
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
    if out.is_symlink() and not options.out:
        raise InputError(f"{out}: is a link; remove it, or name a file with --out")
    if options.to == "csv-wide":
        data = tables.csv_wide(run)
    else:
        data = tables.parquet(rows) if options.to == "parquet" else tables.xlsx(run, rows)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(data)
    print(out)
    return 0
