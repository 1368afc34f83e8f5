"""Results about puzzles: those of the embedded collections are shipped, others computed on all cores and kept.

A result depends on its key and on the code only. A key begins with the name of the result and ends with the puzzle.
What is kept from run to run lies in the user's cache folder; a hash of the code is part of the file's name, so that
after a change everything is computed again. A file there that is damaged, locked for long or cannot be written is as
good as none, and so is a result that was changed: each has a checksum. Of the shipped results, those of a measure whose
code has changed are computed again (``make known`` ships the new ones). Shipped references stay: two strategies have
established them, and the number of solutions of a puzzle depends on no code.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sudoku_bench import datasets, solvers
from sudoku_bench.bench import plan, process, worker
from sudoku_bench.bench.machine import description
from sudoku_bench.bench.machine.system import usable_cores
from sudoku_bench.bench.process.computing import computing
from sudoku_bench.datasets import sources
from sudoku_bench.datasets.collections import catalogue, fetch
from sudoku_bench.datasets.difficulty.rating import SOURCES, sources_of
from sudoku_bench.datasets.errors import InputError

SHIPPED = catalogue.DATA / "known.json.gz"
VERSIONS = 3  # files of other versions of the code that stay
BUSY_S = 1.0  # to wait for another run that is writing


def results(
    keys: Sequence[str], compute: Callable[[int], Any], final: Callable[[Any], bool] = lambda _: True
) -> Iterator[Any]:
    """Yield the result of each key, in order; what is neither shipped nor kept is computed by several threads.

    Args:
        compute: returns the result of the key at a place, as JSON has it (lists, no tuples). It should release
            Python's lock.
        final: may a result be kept?

    Raises:
        Exception: the first that ``compute`` raises. Results before it are kept.
        InputError: the shipped results are damaged.
    """
    with contextlib.closing(opened()) as kept:
        known = [shipped()[key] if key in shipped() else lookup(kept, key) for key in keys]
        missing = [place for place, result in enumerate(known) if result is None]
        if not missing:
            yield from known
            return
        with computing(len(usable_cores())) as pool:
            computed = pool.map(compute, missing)
            for key, result in zip(keys, known, strict=True):
                if result is None:
                    result = next(computed)
                    if final(result):
                        keep(kept, key, result)
                yield result


@cache
def shipped() -> dict[str, Any]:
    """Return the results of the embedded puzzles by their keys, except those of measures whose code has changed.

    The first line of the file has the digest of each measure's code and the checksum of the other lines, one per
    puzzle: the puzzle as in a key, and its results by their names.

    Raises:
        InputError: the file is damaged.
    """
    try:
        head, _, body = gzip.decompress(SHIPPED.read_bytes()).partition(b"\n")
        facts = json.loads(head)
        if hashlib.sha256(body).hexdigest() != facts["sha256"]:
            raise ValueError("its checksum is another")
    except (OSError, EOFError, ValueError, KeyError, zlib.error) as error:
        raise InputError(f"{SHIPPED}: {error}; install sudoku-bench again") from None
    changed = {name for name in SOURCES if facts["sources"].get(name) != digest(name)}
    puzzles = map(json.loads, body.splitlines())
    return {
        f"{name} {puzzle}": result
        for puzzle, of_puzzle in puzzles
        for name, result in of_puzzle.items()
        if name.partition("@")[0] not in changed
    }


def digest(measure: str) -> str:
    """Return a digest of the code that computes a measure."""
    return sources.digest(sources_of(measure))


def opened() -> sqlite3.Connection:
    """Return the file of this version of the code; one in memory if it cannot be used."""
    path = folder() / f"{version()}.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_old(path)
        return _with_table(path)
    except (sqlite3.Error, OSError):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)  # the next run makes a new one
        return _with_table(":memory:")


def _with_table(path: Path | str) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    file.execute("PRAGMA synchronous = OFF")  # what a crash of the machine loses is computed again
    file.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result TEXT, checksum TEXT) WITHOUT ROWID")
    return file


def lookup(kept: sqlite3.Connection, key: str) -> Any:
    """Return the result of a key; None if there is none, or if it was changed since it was kept."""
    with contextlib.suppress(sqlite3.Error, ValueError):
        for text, checksum in kept.execute("SELECT result, checksum FROM results WHERE key = ?", (key,)):
            return json.loads(text) if checksum == _checksum(key, text) else None
    return None


def keep(kept: sqlite3.Connection, key: str, result: Any) -> None:
    text = json.dumps(result)
    with contextlib.suppress(sqlite3.Error):
        kept.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, text, _checksum(key, text)))


def _checksum(key: str, text: str) -> str:
    return hashlib.sha256(f"{key} {text}".encode()).hexdigest()


def folder() -> Path:
    return fetch.folder() / "results"


@cache
def version() -> str:
    """Return a hash of the code that computes results, and of the packages that it uses."""
    return description.code_hash((datasets, solvers, plan, process, worker), ("python-sat", "numba", "numpy"))


def _remove_old(path: Path) -> None:
    others = sorted(path.parent.glob("*.sqlite"), key=lambda other: other.stat().st_mtime, reverse=True)
    for other in [other for other in others if other != path][VERSIONS:]:
        other.unlink(missing_ok=True)
