"""Build the data set: chunks on all cores, each kept in a file of its own, then the files that are published.

A build that is stopped continues where it was: finished chunks are not made again. The files depend on the numbers of
puzzles and the versions of the packages only, not on the number of processes.
"""

from __future__ import annotations

import csv
import hashlib
import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from pathlib import Path

from datasets.errors import InputError
from datasets.making.dataset.card import card
from datasets.making.dataset.recipes import NINES, OTHERS, Recipe
from datasets.making.dataset.rows import COLUMNS, Row, chunk_rows, distinct, stratified

SPARE = 1.02  # chunks made beyond the number of puzzles, because isomorphs are left out
RARE = 50  # puzzles per 1,000 that recipes of rare puzzles may lack
NAME, SAMPLE = "sudoku-bench-puzzles", "sudoku-bench-sample"
SAMPLE_SIZE = 2000

Chunk = tuple[str, int]


def build(folder: Path, nines: int, others: int, jobs: int | None = None) -> Iterator[tuple[int, int]]:
    """Build the data set in a folder; yield the numbers of finished and of all chunks.

    Args:
        nines, others: numbers of 9×9 puzzles and of puzzles of other sizes.
        jobs: number of processes; None: one per core.

    Raises:
        InputError: the folder cannot be written.
    """
    chunks = chunks_of(nines, others)
    work = folder / "chunks"
    try:
        work.mkdir(parents=True, exist_ok=True)
        every = in_proportion({recipe.name: n_chunks for recipe, n_chunks in chunks.items()})
        missing = [chunk for chunk in every if not _path(work, chunk).exists()]
        done = len(every) - len(missing)
        yield done, len(every)
        for _ in _made(work, missing, jobs or len(os.sched_getaffinity(0))):
            done += 1
            yield done, len(every)
        _publish(folder, _selected(work, chunks, nines, others))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}; name another folder") from None


def _made(work: Path, chunks: Sequence[Chunk], jobs: int) -> Iterator[None]:
    """Make chunks; yield after each. If this is stopped, chunks that are not finished are given up."""
    if jobs == 1:
        for chunk in chunks:
            make_chunk(work, chunk)
            yield
        return
    ignore_interrupts = (signal.SIGINT, signal.SIG_IGN)  # they are for this process, which ends the others
    with ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, ignore_interrupts) as pool:
        try:
            for future in as_completed([pool.submit(make_chunk, work, chunk) for chunk in chunks]):
                future.result()
                yield
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def make_chunk(work: Path, chunk: Chunk) -> None:
    """Make a chunk and write its rows, at once or not at all."""
    path = _path(work, chunk)
    part = path.with_suffix(f".{os.getpid()}.part")
    _write_csv(part, chunk_rows(*chunk))
    part.replace(path)


def chunks_of(nines: int, others: int) -> dict[Recipe, int]:
    """Return how many chunks of each recipe are needed; the first of its kind also fills in for rare puzzles."""
    chunks = {}
    for total, recipes in ((nines, NINES), (others, OTHERS)):
        for recipe in recipes:
            share = recipe.share + (RARE if recipe is recipes[0] else 0)
            chunks[recipe] = -(-int(SPARE * total * share) // (1000 * recipe.chunk))
    return chunks


def in_proportion(numbers: dict[str, int]) -> list[Chunk]:
    """Return the chunks of recipes, given the number of each, in an order whose beginnings hold all in proportion."""
    shares = {(name, k): (k + 1) / number for name, number in numbers.items() for k in range(number)}
    return sorted(shares, key=shares.__getitem__)


def _path(work: Path, chunk: Chunk) -> Path:
    return work / f"{chunk[0]}-{chunk[1]}.csv"


def _selected(work: Path, chunks: dict[Recipe, int], nines: int, others: int) -> list[Row]:
    """Read the chunks, leave out isomorphs, and return the share of each recipe; the first recipe fills in for others.

    Chunks are read by number, then by recipe, so a larger build keeps the puzzles of a smaller one.
    """
    order = sorted((number, recipe.name) for recipe, n_chunks in chunks.items() for number in range(n_chunks))
    rows = distinct(row for number, name in order for row in _read_csv(_path(work, (name, number))))
    selected: list[Row] = []
    for total, recipes in ((nines, NINES), (others, OTHERS)):
        first, *rest = recipes
        rare = [row for recipe in rest for row in _of(recipe, rows, total * recipe.share // 1000)]
        selected += _of(first, rows, total - len(rare)) + rare
    return selected


def _of(recipe: Recipe, rows: list[Row], number: int) -> list[Row]:
    return [row for row in rows if row["recipe"] == recipe.name][:number]


def _publish(folder: Path, rows: list[Row]) -> None:
    """Write the tables, the card and the checksums."""
    sample = stratified(rows, SAMPLE_SIZE)
    for name, part in ((NAME, rows), (SAMPLE, sample)):
        _write_csv(folder / f"{name}.csv", part)
        _write_parquet(folder / f"{name}.parquet", part)
    (folder / "README.md").write_text(card(rows, NAME, SAMPLE, len(sample)), encoding="utf-8")
    names = [f"{name}.{ending}" for name in (NAME, SAMPLE) for ending in ("csv", "parquet")]
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in (*names, "README.md")]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def _write_csv(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def _read_csv(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _write_parquet(path: Path, rows: Sequence[Row]) -> None:
    """Write the same table as Parquet, with numbers as numbers; bounds such as ``>10.5`` stay texts."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError("the data set needs pyarrow; pip install 'sudoku-bench[export]'") from None
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    table = pyarrow.table({name: _numbers(values) for name, values in columns.items()})
    parquet.write_table(table, path, compression="zstd")


def _numbers(values: list[str]) -> list[float | None] | list[int | None] | list[str]:
    """Convert the values of a column to integers or floats, with None for unknown ones; unchanged if one is neither."""
    for convert in (int, float):
        try:
            return [convert(value) if value else None for value in values]
        except ValueError:
            continue
    return values
