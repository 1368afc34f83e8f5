"""The explainer scale against published ratings: ``python -m bench.studies.explainer_table RATINGS.csv``.

Prints, for each half step of the published ER, how many puzzles have the same ER, EP and ED here, how many ratings stay
unknown within the limit of work, and the CPU time of a rating; then the puzzles that differ. The CSV has the columns
``puzzle`` (the grid), ``ER``, ``EP`` and ``ED``.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from bench.worker.clocks import own_cpu_s
from datasets.difficulty.explainer import BEYOND, explain
from datasets.difficulty.explainer.scale import NO_LIMIT
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reading.reader import parse

COLUMNS = ("ER", "EP", "ED")
COMPILING_WORK = 3_000_000  # of the first rating, which compiles every technique that the hardest puzzle needs


@dataclass(frozen=True)
class Compared:
    """Published and own ratings (ER, EP, ED) of a puzzle, and the CPU seconds that rating it took."""

    puzzle: Puzzle
    published: tuple[float, ...]
    own: tuple[float, ...]
    cpu_s: float

    @property
    def half_step(self) -> float:
        """The published ER, rounded down to a half."""
        return int(self.published[0] * 2) / 2


def read(path: Path) -> list[tuple[Puzzle, tuple[float, ...]]]:
    """Read puzzles with their ratings.

    Raises:
        InputError: the file cannot be read, or a row has no puzzle or not all ratings.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = {"puzzle", *COLUMNS} - set(reader.fieldnames or ())
            if missing:
                raise InputError(f"{path}:1: no column {' and '.join(sorted(missing))}; name them in the first line")
            return [_row(row, f"{path}:{reader.line_num}") for row in reader]
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: is not a text file; a CSV with the columns puzzle, ER, EP and ED is needed"
        ) from None


def _row(row: dict[str, str], where: str) -> tuple[Puzzle, tuple[float, ...]]:
    try:
        return parse(row["puzzle"] or ""), tuple(float(row[column] or "") for column in COLUMNS)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except ValueError:
        raise InputError(f"{where}: a rating is no number; write ER, EP and ED as numbers") from None


def compare(rated: Iterable[tuple[Puzzle, tuple[float, ...]]], work: int) -> Iterator[Compared]:
    """Rate each puzzle."""
    for puzzle, published in rated:
        begin_s = own_cpu_s()
        explained = explain(puzzle, work)
        cpu_s = own_cpu_s() - begin_s
        yield Compared(puzzle, published, (explained.er, explained.ep, explained.ed), cpu_s)


def as_markdown(compared: Iterable[Compared]) -> str:
    """Return the table by half steps in Markdown."""
    lines = ["| ER | puzzles | ER equal | EP equal | ED equal | unknown | CPU ms, median | mean | max |"]
    lines.append("| --- |" + " --- |" * 8)
    rows = sorted(compared, key=lambda row: row.half_step)
    for half_step, group in groupby(rows, key=lambda row: row.half_step):
        lines.append(_line(f"{half_step:.1f}", list(group)))
    return "\n".join([*lines, _line("all", rows)]) + "\n"


def _line(name: str, rows: list[Compared]) -> str:
    equal = [sum(row.own[k] == row.published[k] for row in rows) for k in range(3)]
    unknown = sum(row.own[0] == BEYOND for row in rows)
    ms = [1000 * row.cpu_s for row in rows]
    numbers = [len(rows), *equal, unknown, *(f"{f(ms):.3g}" for f in (np.median, np.mean, np.max))]
    return f"| {name} | " + " | ".join(map(str, numbers)) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the explainer scale with published ratings.")
    parser.add_argument("ratings", metavar="RATINGS.csv", type=Path, help="with the columns puzzle, ER, EP and ED")
    parser.add_argument("--work", type=int, default=NO_LIMIT, help="limit of work for each puzzle (default none)")
    parser.add_argument("--up-to", type=float, default=BEYOND, metavar="ER", help="leave out puzzles with a higher ER")
    parser.add_argument("--from", dest="start", type=float, default=0.0, metavar="ER", help="... with a lower ER")
    options = parser.parse_args()
    try:
        rated = [row for row in read(options.ratings) if options.start <= row[1][0] <= options.up_to]
    except InputError as error:
        print(f"explainer_table: {error}", file=sys.stderr)
        return 2
    if not rated:
        print(f"explainer_table: {options.ratings}: no puzzle in this range", file=sys.stderr)
        return 2
    explain(max(rated, key=lambda row: row[1])[0], min(options.work, COMPILING_WORK))
    compared = []
    for row in compare(rated, options.work):
        compared.append(row)
        if row.own != row.published:
            print(row.puzzle.text, *row.published, "here", *row.own, flush=True)
    print(as_markdown(compared))
    return 0


if __name__ == "__main__":
    sys.exit(main())
