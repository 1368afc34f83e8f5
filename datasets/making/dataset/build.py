"""Build the data set, or continue a build: ``python -m datasets.making.dataset.build``.

Puzzles are made and rated in chunks on all cores, each chunk kept in a file of its own, so that a build that was
stopped continues where it was. The tables depend on the numbers of puzzles and the versions of the packages only, not
on the number of processes.
"""

from __future__ import annotations

import argparse
import csv
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from datasets.errors import InputError
from datasets.making.dataset.recipes import NINES, OTHERS, Recipe
from datasets.making.dataset.rows import COLUMNS, Row, chunk_rows, distinct, stratified

DEFAULT_NINES, DEFAULT_OTHERS = 100_000, 10_000
SPARE = 1.02  # chunks made beyond the number of puzzles, because isomorphs are left out
RARE = 50  # puzzles per 1,000 that recipes of rare puzzles may lack
PUZZLES, SAMPLE = "sudoku-bench-puzzles.csv", "sudoku-bench-sample.csv"
SAMPLE_SIZE = 2000


def build(folder: Path, nines: int, others: int, jobs: int | None = None) -> Iterator[tuple[int, int]]:
    """Build the data set in a folder; yield the numbers of finished and of all chunks.

    Args:
        nines, others: numbers of 9×9 puzzles and of puzzles of other sizes.
        jobs: number of processes; None: one per core.

    Raises:
        InputError: the folder cannot be written.
    """
    try:
        work = folder / "chunks"
        work.mkdir(parents=True, exist_ok=True)
        paths = [work / name for name in chunks_of(nines, others)]
        missing = [path for path in paths if not path.exists()]
        yield len(paths) - len(missing), len(paths)
        for done, _ in enumerate(_made(missing, jobs), len(paths) - len(missing) + 1):
            yield done, len(paths)
        rows = selected(map(read_rows, paths), nines, others)
        write_rows(folder / PUZZLES, rows)
        write_rows(folder / SAMPLE, stratified(rows, SAMPLE_SIZE))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}; name another folder") from None


def _made(chunks: list[Path], jobs: int | None) -> Iterator[None]:
    """Make chunks; if this is stopped, those that have been begun are finished."""
    ignore_interrupts = (signal.SIGINT, signal.SIG_IGN)  # they are for this process
    jobs = jobs or len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, ignore_interrupts) as pool:
        try:
            yield from pool.map(make_chunk, chunks)
        finally:
            pool.shutdown(cancel_futures=True)


def chunks_of(nines: int, others: int) -> list[str]:
    """Return the names of the chunks that are needed, by number, then by recipe.

    So the first chunks hold puzzles of every recipe, and a larger build keeps the puzzles of a smaller one.
    """
    numbers = chunk_numbers(nines, others)
    chunks = sorted((number, recipe.name) for recipe, end in numbers.items() for number in range(end))
    return [f"{name}-{number}.csv" for number, name in chunks]


def chunk_numbers(nines: int, others: int) -> dict[Recipe, int]:
    """Return how many chunks of each recipe are needed; the first of its kind also fills in for rare puzzles."""
    return {
        recipe: -(-int(SPARE * total * (recipe.share + RARE * (recipe is recipes[0]))) // (1000 * recipe.chunk))
        for total, recipes in ((nines, NINES), (others, OTHERS))
        for recipe in recipes
    }


def make_chunk(path: Path) -> None:
    """Make the chunk that a file is named after and write its rows, at once or not at all."""
    recipe, _, number = path.stem.rpartition("-")
    part = path.with_suffix(".part")
    write_rows(part, chunk_rows(recipe, int(number)))
    part.replace(path)


def selected(chunks: Iterable[list[Row]], nines: int, others: int) -> list[Row]:
    """Leave out isomorphs, and return the share of each recipe; the first recipe fills in for rare puzzles."""
    rows = distinct(row for chunk in chunks for row in chunk)
    chosen: list[Row] = []
    for total, (first, *rest) in ((nines, NINES), (others, OTHERS)):
        rare = [row for recipe in rest for row in _of(recipe, rows)[: total * recipe.share // 1000]]
        chosen += _of(first, rows)[: total - len(rare)] + rare
    return chosen


def _of(recipe: Recipe, rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["recipe"] == recipe.name]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def read_rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the data set of puzzles with all measures of difficulty.")
    count = partial(parser.add_argument, type=int, metavar="N")
    parser.add_argument("--out", type=Path, default=Path("build/dataset"), metavar="DIR", help="default: build/dataset")
    count("--nines", default=DEFAULT_NINES, help=f"9x9 puzzles (default {DEFAULT_NINES})")
    count("--others", default=DEFAULT_OTHERS, help=f"of other sizes (default {DEFAULT_OTHERS})")
    count("--jobs", help="processes (default: one per core)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for done, total in build(options.out, options.nines, options.others, options.jobs):
            print(f"\r{done} of {total} chunks", end="", file=sys.stderr, flush=True)
    except InputError as error:
        print(f"\nsudoku-bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nsudoku-bench: {options.out}: stopped; the same command continues", file=sys.stderr)
        return 130
    print(f"\n{options.out}: done", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
