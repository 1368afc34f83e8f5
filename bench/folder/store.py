"""A run folder. Only this module writes into it.

    manifest.json        plan, seed, method, machine, versions, checksums, command line, start, end, counts by status
    puzzles.csv          puzzle × difficulty measures and number of solutions
    encodings.csv        encoding × shape: exact sizes of the encodings of the run, if any
    measurements.csv     one row per measurement, appended when finished; all files below are derived from it
    summary.csv          strategy × collection
    pairs.csv            strategy × strategy × collection: paired ratio, interval, verdict
    noise.csv            placebo × collection: smallest difference that the instrument can detect
    vbs.csv              the virtual best solver of each collection, and the contribution of each strategy
    repeated.csv         pairs and crossovers: what stood in a second run of the suite (only on request)
    curves.csv           strategy × measure of difficulty: median time with a band
    crossovers.csv       pair × measure of difficulty: where the faster strategy changes
    plots/               figures
    selection/           figures of some of the strategies (only on request)
    report.html          the report as one page
    .reported.json       what the report was made from: if nothing of that has changed, it is not made again
    writeup/             on request: tables, macros, captions, method and sources for a paper about the run
    screening.json       what `choose` has found before the run, so that another call goes on
    .lock                locked by the runner while it writes; released when the runner ends, however it ends

Each row, or each block of a cluster, is appended with one unbuffered write, so a run can be read while it is running,
and a crash loses at most what is being measured: an incomplete last line is not a row. The manifest says nothing of
rows that have not reached the disk. All other files are replaced atomically. Nothing is written through a link: others
may have filled the folder.
"""

from __future__ import annotations

import contextlib
import csv
import fcntl
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder import tables
from sudoku_bench.bench.folder.manifest import FORMAT
from sudoku_bench.bench.folder.manifest import fault as manifest_fault
from sudoku_bench.bench.folder.rows import (
    ADDED,
    COLUMNS,
    IDENTITY,
    AnyRow,
    Brief,
    Row,
    csv_lines,
    csv_values,
    from_csv,
    rows_of,
    shown,
)
from sudoku_bench.bench.folder.tables import content, whole_lines
from sudoku_bench.bench.plan.declared import printable
from sudoku_bench.datasets.errors import InputError

MANIFEST, PUZZLES, ENCODINGS = "manifest.json", "puzzles.csv", "encodings.csv"
MEASUREMENTS, PLOTS = "measurements.csv", "plots"
RAW = (MANIFEST, PUZZLES, ENCODINGS, MEASUREMENTS)  # what cannot be made again
OTHER_COLUMNS = "has other columns than this version writes; start a new run"
LOCK, PART = ".lock", ".part"
SCREENING = "screening.json"
REPORT, REPORTED = "report.html", ".reported.json"
LOCK_TEST_S = 0.1  # longer than a test whether the lock is held


class Store:
    """Writes one run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = self._rows = -1
        self._size = 0  # of the rows, in bytes

    @classmethod
    def create(cls, folder: Path) -> Store:
        """Create a run in a new or empty folder.

        Raises:
            InputError: the folder is not empty, cannot be created, or is locked by another runner.
        """
        cls.require_new(folder)
        return cls._locked(folder)

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """Continue writing a run, without an incomplete last row, and in a file of its own.

        Raises:
            InputError: another runner is writing it, or the folder cannot be written.
        """
        store = cls._locked(folder)
        path = folder / MEASUREMENTS
        if path.exists():
            data = content(path)
            whole = whole_lines(data)
            if whole != data or path.is_symlink() or path.stat().st_nlink > 1:
                store.write(MEASUREMENTS, whole)
        return store

    @staticmethod
    def require_new(folder: Path) -> None:
        """Refuse a folder that is not empty (apart from remains of a run killed at its start).

        Raises:
            InputError: the folder is not empty.
        """
        kept = (LOCK, SCREENING)
        if folder.is_dir() and any(path.name not in kept and path.suffix != PART for path in folder.iterdir()):
            raise InputError(f"{folder}: is not empty; choose another --out, continue with --resume, or remove it")

    @classmethod
    def _locked(cls, folder: Path) -> Store:
        store = cls(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Not inheritable (the default in Python), so no worker keeps the lock of a dead runner.
            store._lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
            _acquire(store._lock)
        except BlockingIOError:
            raise InputError(f"{folder}: another run is writing there; wait for it, or choose another --out") from None
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
        return store

    def close(self) -> None:
        """Release the lock."""
        for fd in (self._rows, self._lock):
            if fd >= 0:
                os.close(fd)
        self._lock = self._rows = -1

    def append(self, rows: Iterable[Row]) -> None:
        """Append measurements, all or none of them.

        Raises:
            InputError: the existing rows are of an earlier version.
            OSError: they could not be written, for example because the disk is full.
        """
        if self._rows < 0:
            self._open_rows()
        self._append([csv_values(row) for row in rows])

    def _open_rows(self) -> None:
        path = self.folder / MEASUREMENTS
        self._rows = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        self._size = os.fstat(self._rows).st_size
        if self._size == 0:
            self._append([COLUMNS])
        elif not content(path).startswith(encoded(csv_lines([COLUMNS]))):
            raise InputError(f"{path}: {OTHER_COLUMNS}")

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest, once the rows that it speaks of have reached the disk."""
        if (self.folder / MEASUREMENTS).exists():
            _sync(self.folder / MEASUREMENTS)
        self.write(MANIFEST, encoded(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"))

    def write_table(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Path:
        """Write a CSV file."""
        return self.write(name, encoded(csv_lines([columns, *rows])))

    def write(self, name: str, data: bytes) -> Path:
        """Replace a file of the run atomically, by a new file that is no link; return its path.

        Raises:
            InputError: its folder is a link, or no folder.
            OSError: it cannot be written.
        """
        path = self.folder / name
        within = path.parent
        if within != self.folder and (within.is_symlink() or (within.exists() and not within.is_dir())):
            raise InputError(f"{within}: is a link or a file, where a run has a folder of its own; remove it")
        part = path.with_name(path.name + PART)
        try:
            path.parent.mkdir(exist_ok=True)
            part.unlink(missing_ok=True)
            with part.open("xb") as file:
                file.write(data)
            if name in RAW:
                _sync(part)
            part.replace(path)
            if name in RAW:
                _sync(self.folder)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            error.filename = str(path)
            raise
        return path

    def _append(self, rows: Iterable[Sequence[str]]) -> None:
        rest = data = encoded(csv_lines(rows))
        try:
            while rest:  # a disk that fills up accepts a part and rejects the rest
                rest = rest[os.write(self._rows, rest) :]
        except OSError as error:
            os.ftruncate(self._rows, self._size)
            error.filename = error.filename or str(self.folder / MEASUREMENTS)
            raise
        self._size += len(data)


def keep_screening(folder: Path, record: Mapping[str, Any]) -> None:
    """Write what ``choose`` has found before there is a run."""
    folder.mkdir(parents=True, exist_ok=True)
    Store(folder).write(SCREENING, encoded(json.dumps(record)))


def encoded(text: str) -> bytes:
    """Encode as UTF-8; bytes of a file name that are no UTF-8 become escapes, which JSON understands too."""
    return text.encode(errors="backslashreplace")


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, have reached the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run; letters that a terminal would obey are escaped.

    Raises:
        InputError: the folder is not a run, or its manifest holds what no version writes.
    """
    try:
        manifest: dict[str, Any] = printable(json.loads(content(folder / MANIFEST).decode("utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        what = f"is not a run (it has no {MANIFEST})" if folder.exists() else "no such folder"
        raise InputError(f"{folder}: {what}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{folder / MANIFEST}: cannot be read: {error}") from None
    if isinstance(manifest, dict) and manifest.get("format", FORMAT) != FORMAT:
        raise InputError(
            f"{folder / MANIFEST}: format {manifest['format']!r} is not {FORMAT}, which this version reads"
        )
    if fault := manifest_fault(manifest):
        raise InputError(f"{folder / MANIFEST}: {fault}; restore it as the run wrote it")
    return manifest


def whole_rows(folder: Path, kind: type[AnyRow]) -> Iterator[tuple[int, AnyRow]]:
    """Yield the finished rows of a run with their lines in ``measurements.csv``, also while it is being written.

    Raises:
        InputError: there are not all columns that every version writes, a field cannot be what it is, or a row stands
            twice.
    """
    path, line, names, seen = folder / MEASUREMENTS, 2, list[str](), set[int]()
    try:
        for block in tables.blocks(path) if path.exists() else ():
            lines = list(csv.reader(block.split("\n")[:-1], strict=True))
            if not names:
                names, lines = lines[0], lines[1:]
                if not set(COLUMNS) - set(ADDED) <= set(names):
                    raise InputError(f"{path}:1: {OTHER_COLUMNS}")
                identity = itemgetter(*map(names.index, IDENTITY))
            rows = rows_of(names, lines, kind) if lines else []
            seen.update(map(hash, map(identity, lines)))
            if line + len(rows) != len(seen) + 2 or len(set(names)) < len(names):
                raise ValueError("a row or a column stands twice")
            yield from enumerate(rows, start=line)
            line += len(rows)
    except (ValueError, csv.Error):  # line by line, to say where and what
        parsed: list[AnyRow] = []
        for number, _ in tables.checked(path, IDENTITY, lambda record: parsed.append(from_csv(record, kind))):
            row = parsed.pop()
            if number >= line:
                yield number, row


def check(folder: Path) -> None:
    """Refuse tables of a run whose fields cannot be what they are, whose rows stand twice, or which do not fit.

    Raises:
        InputError: there is such a row; the message names the file, the line and the column.
    """
    known = tables.puzzles_in(folder / PUZZLES)
    for line, row in whole_rows(folder, Brief):
        if (row.collection, row.puzzle) not in known:
            place = f"{folder / MEASUREMENTS}:{line}"
            raise InputError(f"{place}: the puzzle {shown(row.puzzle)} is not in {PUZZLES}; restore its row")


def _acquire(lock: int) -> None:
    """Acquire an exclusive lock.

    Raises:
        BlockingIOError: another runner holds it.
    """
    for is_last in (False, True):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:  # a test whether it is held (below) releases it at once
            if is_last:
                raise
            time.sleep(LOCK_TEST_S)


def is_being_written(folder: Path) -> bool:
    """Does a runner hold the lock?"""
    try:
        lock = os.open(folder / LOCK, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
