"""Results about puzzles, computed on all cores and kept from run to run in the user's cache folder.

A result depends on its key and on the code only. A hash of the code is part of the file's name, so that after a change
everything is computed again. A file that is damaged, locked for long or cannot be written is as good as none.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import datasets
import solvers
from bench import plan
from bench.machine import description
from bench.machine.system import usable_cores
from datasets.collections import fetch

VERSIONS = 3  # files of other versions of the code that stay
BUSY_S = 1.0  # to wait for another run that is writing


def results(
    kind: str, keys: Sequence[str], compute: Callable[[int], Any], final: Callable[[Any], bool] = lambda _: True
) -> Iterator[Any]:
    """Yield the result of each key, in order; what is not kept is computed by several threads.

    Args:
        kind: results of another kind have other keys.
        compute: returns the result of the key at a place, as JSON has it (lists, no tuples). It should release
            Python's lock.
        final: may a result be kept?

    Raises:
        Exception: the first that ``compute`` raises. Results before it are kept.
    """
    with contextlib.closing(Kept()) as kept:
        known = [kept.get(f"{kind} {key}") for key in keys]
        missing = [place for place, result in enumerate(known) if result is None]
        if not missing:
            yield from known
            return
        pool = ThreadPoolExecutor(len(usable_cores() or (0,)))
        try:
            computed = pool.map(compute, missing)
            for key, result in zip(keys, known, strict=True):
                if result is None:
                    result = next(computed)
                    if final(result):
                        kept.put(f"{kind} {key}", result)
                yield result
        finally:
            pool.shutdown(cancel_futures=True)


class Kept:
    """The file of this version of the code; use it in one thread."""

    def __init__(self) -> None:
        self._file: sqlite3.Connection | None = None
        path = folder() / f"{version()}.sqlite"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
            self._file.execute("PRAGMA synchronous = OFF")  # what a crash of the machine loses is computed again
            self._file.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result TEXT) WITHOUT ROWID")
        except (sqlite3.Error, OSError):
            self._give_up(path)
        _remove_old(path.parent)

    def get(self, key: str) -> Any:
        """Return the result of a key; None if there is none."""
        if self._file:
            with contextlib.suppress(sqlite3.Error, ValueError):
                found = self._file.execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
                return json.loads(found[0]) if found else None
        return None

    def put(self, key: str, result: Any) -> None:
        if self._file:
            with contextlib.suppress(sqlite3.Error):
                self._file.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(result)))

    def close(self) -> None:
        if self._file:
            self._file.close()
        self._file = None

    def _give_up(self, path: Path) -> None:
        """Remove a file that cannot be used; the next run makes a new one."""
        self.close()
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def folder() -> Path:
    return fetch.folder() / "results"


@cache
def version() -> str:
    """Return a hash of the code that computes results, and of the packages that it uses."""
    return description.code_hash((datasets, solvers, plan), ("python-sat", "numba", "numpy"))


def _remove_old(files: Path) -> None:
    with contextlib.suppress(OSError):
        newest_first = sorted(files.glob("*.sqlite"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in newest_first[1 + VERSIONS :]:
            path.unlink(missing_ok=True)
