"""A run folder. Only this module writes into it.

    manifest.json        plan, seed, method, machine, versions, checksums, command line, start, end, counts by status
    puzzles.csv          puzzle × difficulty measures and number of solutions
    encodings.csv        encoding × shape: exact sizes of the encodings of the run, if any
    measurements.csv     one row per measurement, appended when finished; all files below are derived from it
    measurements/        the older rows of a run of millions, as Parquet files (see ``bench.folder.parts``)
    superseded.csv       rows of puzzles left half measured by a lost cluster; no part of the results
    summary.csv          strategy × collection
    pairs.csv            strategy × strategy × collection: paired ratio, interval, verdict
    noise.csv            placebo × collection: smallest difference that the instrument can detect
    vbs.csv              the virtual best solver of each collection, and the contribution of each strategy
    power.csv            undecided pairs: what the next run needs to decide them (only on request)
    curves.csv           strategy × measure of difficulty: median time with a band
    crossovers.csv       pair × measure of difficulty: where the faster strategy changes
    scaling.csv          strategy: growth of time with guesses and with board size
    plots/               figures
    selection/           figures of some of the strategies (only on request)
    report.html          the report as one page
    .reported.json       what the report was made from: if nothing of that has changed, it is not made again
    writeup/             on request: tables, macros, captions, method and sources for a paper about the run
    .lock                locked by the runner while it writes; released when the runner ends, however it ends

Each row is appended with one unbuffered write, so a run can be read while it is running, and a crash loses at most the
measurements in progress (``bench.run.lane``): an incomplete last line is not a row. All other files are replaced
atomically.
"""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.folder import parts, superseded, tables, twice
from bench.folder.manifest import fault as manifest_fault
from bench.folder.rows import ADDED, COLUMNS, IDENTITY, Row, csv_line, csv_values, from_csv
from bench.folder.superseded import Replicate
from bench.folder.tables import whole_lines
from datasets.errors import InputError

MANIFEST, PUZZLES, ENCODINGS = "manifest.json", "puzzles.csv", "encodings.csv"
MEASUREMENTS, PLOTS = "measurements.csv", "plots"
OTHER_COLUMNS = "has other columns than this version writes; start a new run"
LOCK, PART = ".lock", ".part"
REPORT, REPORTED = "report.html", ".reported.json"
LOCK_TEST_S = 0.1  # longer than a test whether the lock is held


class Store:
    """Writes one run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = self._rows = -1
        self._size = 0  # of the rows, in bytes
        self._of_last: tuple[object, ...] = ()

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
        """Continue writing a run; an incomplete last row is removed.

        Raises:
            InputError: another runner is writing it, or the folder cannot be written.
        """
        store = cls._locked(folder)
        path = folder / MEASUREMENTS
        if path.exists():
            data = path.read_bytes()
            os.truncate(path, len(whole_lines(data)))
        parts.finish_conversions(folder)
        return store

    @staticmethod
    def require_new(folder: Path) -> None:
        """Refuse a folder that is not empty (apart from remains of a run killed at its start).

        Raises:
            InputError: the folder is not empty.
        """
        if folder.is_dir() and any(path.name != LOCK and path.suffix != PART for path in folder.iterdir()):
            raise InputError(f"{folder}: is not empty; choose another --out, continue with --resume, or remove it")

    @classmethod
    def _locked(cls, folder: Path) -> Store:
        store = cls(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Not inheritable (the default in Python), so no worker keeps the lock of a dead runner.
            store._lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
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

    def append(self, row: Row) -> None:
        """Append a measurement completely or not at all.

        Raises:
            InputError: the existing rows are of an earlier version.
            OSError: it could not be written, for example because the disk is full.
        """
        of_row = (row.launch, row.round, row.collection, row.puzzle)
        if self._rows < 0:
            self._open_rows()
        elif of_row != self._of_last and self._size >= parts.PART_BYTES and parts.can_archive():
            os.close(self._rows)
            self._rows = -1
            parts.archive(self.folder / MEASUREMENTS)  # between two puzzles, so that each is in one place
            self._open_rows()
        self._of_last = of_row
        self._append(csv_values(row))

    def supersede(self, replicates: Collection[Replicate]) -> int:
        """Move the rows of some replicates of puzzles out of the results; return their number."""
        path = self.folder / MEASUREMENTS
        return superseded.supersede(path, replicates) if path.exists() else 0

    def _open_rows(self) -> None:
        path = self.folder / MEASUREMENTS
        self._rows = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._size = os.fstat(self._rows).st_size
        if self._size == 0:
            self._append(COLUMNS)
        elif first_line(path) != ",".join(COLUMNS) + "\n":
            raise InputError(f"{path}: {OTHER_COLUMNS}")

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        self.write(MANIFEST, encoded(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"))

    def write_table(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Path:
        """Write a CSV file."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        return self.write(name, encoded(text.getvalue()))

    def write(self, name: str, data: bytes) -> Path:
        """Replace a file of the run atomically; return its path."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        part = path.with_name(path.name + PART)
        try:
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            error.filename = str(path)
            raise
        return path

    def _append(self, values: Sequence[str]) -> None:
        rest = data = encoded(csv_line(values))
        try:
            while rest:  # a disk that fills up accepts a part and rejects the rest
                rest = rest[os.write(self._rows, rest) :]
        except OSError as error:
            os.ftruncate(self._rows, self._size)
            error.filename = error.filename or str(self.folder / MEASUREMENTS)
            raise
        self._size += len(data)


def encoded(text: str) -> bytes:
    """Encode as UTF-8; bytes of a file name that are no UTF-8 become escapes, which JSON understands too."""
    return text.encode(errors="backslashreplace")


def first_line(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        return file.readline()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run.

    Raises:
        InputError: the folder is not a run, or its manifest holds what no version writes.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{folder}: is not a run (it has no {MANIFEST})") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{folder / MANIFEST}: cannot be read: {error}") from None
    if fault := manifest_fault(manifest):
        raise InputError(f"{folder / MANIFEST}: {fault}; restore it as the run wrote it")
    return manifest


def finished_rows(folder: Path) -> Iterator[Row]:
    """Yield the finished rows of a run, also while it is being written.

    Raises:
        InputError: as ``placed_rows``.
    """
    for _, row in placed_rows(folder):
        yield row


def placed_rows(folder: Path) -> Iterator[tuple[int, Row]]:
    """Yield the finished rows of a run with their lines in ``measurements.csv``, 0 for the rows of parts.

    Raises:
        InputError: the columns are not those of this version, a field cannot be what it is, or a row stands twice.
    """
    path, older = folder / MEASUREMENTS, parts.paths(folder)
    if older:
        twice.check((*older, *([path] if path.exists() else [])))
    for row in parts.rows(folder):
        yield 0, row
    if not path.exists():
        return
    header, before = first_line(path), [column for column in COLUMNS if column not in ADDED]
    if header.endswith("\n") and header not in (",".join(COLUMNS) + "\n", ",".join(before) + "\n"):
        raise InputError(f"{path}:1: {OTHER_COLUMNS}")
    parsed: list[Row] = []
    for line, _ in tables.checked(path, IDENTITY, lambda record: parsed.append(from_csv(record))):
        yield line, parsed.pop()


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
        lock = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
