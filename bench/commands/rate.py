"""``sudoku-bench rate``: rate the difficulty of puzzles, as a table or CSV written row by row."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from sudoku_bench.bench.commands.in_order import in_order
from sudoku_bench.bench.commands.options import add_shared, jobs_of
from sudoku_bench.bench.run.side_tables import IDENTITY
from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.difficulty.rating import COLUMNS, rate
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.reader import COMPLETE, BadLine, read_file

Row = dict[str, str]
Item = tuple[str, str, Puzzle]  # with the names of its collection and of itself

SEED = 1  # of the random orders
NAME_WIDTH, NUMBER_WIDTH = 24, 8


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Rate the difficulty of each puzzle of a file or collection. docs/difficulty.md explains the measures."
    )
    parser.add_argument("file", metavar="FILE", help="file of puzzles or name of a collection; - for standard input")
    parser.add_argument("--csv", action="store_true", help="print CSV with one row per puzzle and all columns")
    add_shared(parser, "--jobs", help="puzzles rated at a time (default: one per core; 1 for a pipe)")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Print a row as soon as a puzzle and those before it are rated; return 2 if a line is not a puzzle."""
    write: Callable[[Row], None] | None = None
    unreadable = complete = number = 0
    # A few puzzles are read ahead for several jobs, so what comes through a pipe would be rated late.
    is_pipe = options.file not in catalogue.entries() and not Path(options.file).is_file()
    jobs = 1 if is_pipe and options.jobs is None else jobs_of(options)

    for item, row in rated(options.file, jobs):
        if isinstance(item, BadLine) and item.kind == COMPLETE:
            complete += 1
            continue
        if isinstance(item, BadLine):
            unreadable += 1
            print(f"{options.file}:{item.line}: {item.message}", file=sys.stderr)
            continue
        number += 1
        write = write or (_csv_writer() if options.csv else _table_writer())
        write(row)
    if complete:
        note = f"note: {complete} of {number + complete} are complete grids, which are left out"
        print(f"{options.file}: {note}", file=sys.stderr)
    if write is None and not unreadable:
        raise InputError(f"{options.file}: holds no puzzle; write one per line")
    return 2 if unreadable else 0


def rated(file: str, jobs: int) -> Iterator[tuple[Item | BadLine, Row]]:
    """Yield each puzzle of a file or collection with its names and measures, in order; a line that is none with none.

    Raises:
        InputError: the file cannot be read.
    """

    def row(item: Item | BadLine) -> Row:
        if isinstance(item, BadLine):
            return {}
        return dict(zip(IDENTITY, (*item[:2], item[2].text), strict=True)) | rate(item[2], SEED)

    return in_order(row, puzzles_in(file), jobs)


def puzzles_in(file: str) -> Iterator[Item | BadLine]:
    """Yield collection, name and puzzle of each item lazily, named as in a run."""
    if file in catalogue.entries():
        collection = catalogue.load(file)
        yield from ((collection.name, item.name, item.puzzle) for item in collection.items)
        return
    stem = "stdin" if file == "-" else Path(file).stem
    number = 0
    for entry in read_file(file):
        if isinstance(entry, BadLine):
            yield entry
        else:
            number += 1
            yield stem, f"{stem}-{number:04d}", entry.puzzle


def _csv_writer() -> Callable[[Row], None]:
    writer = csv.DictWriter(sys.stdout, (*IDENTITY, *COLUMNS), lineterminator="\n")
    writer.writeheader()

    def write(row: Row) -> None:
        writer.writerow(row)
        sys.stdout.flush()

    return write


def _table_writer() -> Callable[[Row], None]:
    console = plain_console()
    headings = {column: _heading(column) for column in COLUMNS}

    def line(name: str, texts: Row) -> str:
        numbers = (
            texts[column].rjust(
                NUMBER_WIDTH if column.startswith("guesses") or heading == "±" else max(5, len(heading))
            )
            for column, heading in headings.items()
        )
        return " ".join([name.ljust(NAME_WIDTH), *numbers]).rstrip()

    console.print(line("puzzle", headings), style="bold", soft_wrap=True)
    return lambda row: console.print(line(row["puzzle"], row), soft_wrap=True)


def _heading(column: str) -> str:
    return "±" if column.endswith("_se") else column.removeprefix("te_").removeprefix("unsolved_")
