"""A run folder. Nothing else writes into one.

    manifest.json        the plan, seed, machine, versions, checksums, command line, start and end, counts by status
    puzzles.csv          puzzle × difficulty measures and number of solutions
    encodings.csv        encoding × shape: exact sizes of the encodings that take part, where there are any
    measurements.csv     one row per measurement, appended as it is finished; everything below follows from it
    summary.csv          strategy × collection
    pairs.csv            strategy × strategy × collection: paired ratio, interval, verdict
    ranks.csv            strategy × collection: mean rank, and who cannot be told apart by ranks
    noise.csv            placebo × collection: what the instrument cannot tell apart
    vbs.csv              the virtual best solver of each collection, and what each strategy has in it
    variance.csv         strategy × collection: where the variance of times comes from
    robustness.csv       whether rankings hold under other rules
    propagation.csv      SAT strategy × collection: the share solved without a conflict, without a decision
    power.csv            undecided pairs: what the next run needs to settle them (only if it was asked for)
    curves.csv           strategy × measure of difficulty: median time with a band
    crossovers.csv       pair × measure of difficulty: from where on another strategy is the faster one
    scaling.csv          strategy: how time grows with guesses and with the size of boards
    plots/               figures
    report.html          all of it as one page
    writeup/             tables, macros, captions, method and sources for a text about the run
    .lock                held by the runner while it writes; it goes with its holder, however that ends

Rows are appended with one unbuffered write each, so a run can be read while it goes on, and a crash loses at most the
measurement in flight: a last line without its end is no row. Every other file is replaced atomically.
"""

from __future__ import annotations

import csv
import fcntl
import io
import itertools
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.folder.rows import COLUMNS, Row, csv_values, from_csv
from datasets.errors import InputError

MANIFEST, PUZZLES, ENCODINGS = "manifest.json", "puzzles.csv", "encodings.csv"
MEASUREMENTS, PLOTS = "measurements.csv", "plots"
LOCK, PART = ".lock", ".part"
ASKING_S = 0.1  # longer than it takes to ask whether a lock is held

NEEDED = {"suite", "machine", "planned_rows", "started"}  # of a manifest, by whoever reads a run


class Store:
    """Writes one run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = self._rows = -1

    @classmethod
    def create(cls, folder: Path) -> Store:
        """Take a new or empty folder for a run.

        Raises:
            InputError: the folder holds something already, cannot be made, or another runner has it.
        """
        cls.must_be_new(folder)
        return cls._locked(folder)

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """Go on writing a run: a last row that was cut off is removed.

        Raises:
            InputError: another runner is writing it, or its rows cannot be read.
        """
        store = cls._locked(folder)
        path = folder / MEASUREMENTS
        if path.exists():
            data = path.read_bytes()
            os.truncate(path, len(whole_lines(data)))
        return store

    @staticmethod
    def must_be_new(folder: Path) -> None:
        """Refuse a folder that holds something (but what a run leaves that was killed as it began).

        Raises:
            InputError: it does.
        """
        if folder.is_dir() and any(path.name != LOCK and path.suffix != PART for path in folder.iterdir()):
            raise InputError(f"{folder}: is not empty; choose another --out, go on with --resume, or remove it")

    @classmethod
    def _locked(cls, folder: Path) -> Store:
        store = cls(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Not inheritable, as every descriptor in Python: no worker keeps the lock of a dead runner.
            store._lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
            _take(store._lock)
        except BlockingIOError:
            raise InputError(f"{folder}: another run is writing there; wait for it, or choose another --out") from None
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
        return store

    def close(self) -> None:
        """Give the folder free."""
        for fd in (self._rows, self._lock):
            if fd >= 0:
                os.close(fd)
        self._lock = self._rows = -1

    def append(self, row: Row) -> None:
        """Add a measurement, whole or not at all.

        Raises:
            OSError: it could not be written, for want of space for example.
        """
        if self._rows < 0:
            self._rows = os.open(self.folder / MEASUREMENTS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            if os.fstat(self._rows).st_size == 0:
                self._append(COLUMNS)
        self._append(csv_values(row))

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        self.write(MANIFEST, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())

    def write_table(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Path:
        """Write a CSV file."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        return self.write(name, text.getvalue().encode())

    def write(self, name: str, data: bytes) -> Path:
        """Replace a file of the run in one step; its path."""
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
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(values)
        data = line.getvalue().encode()
        size = os.fstat(self._rows).st_size
        try:
            while data:  # a disk that fills up takes a part, and refuses the rest
                data = data[os.write(self._rows, data) :]
        except OSError as error:
            os.ftruncate(self._rows, size)
            error.filename = error.filename or str(self.folder / MEASUREMENTS)
            raise


def whole_lines(data: bytes) -> bytes:
    """The data up to the end of its last finished line (no field of a row has a line break in it)."""
    return data[: data.rfind(b"\n") + 1]


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run.

    Raises:
        InputError: the folder is not a run.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{folder}: is not a run (it has no {MANIFEST})") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / MANIFEST}: cannot be read: {error}") from None
    if not isinstance(manifest, dict) or not manifest.keys() >= NEEDED:
        raise InputError(f"{folder / MANIFEST}: is not the manifest of a run")
    return manifest


def finished_rows(folder: Path) -> Iterator[Row]:
    """Yield the finished rows of a run, also while it is being written.

    Raises:
        InputError: they are not rows of this version, or a field cannot be read.
    """
    path = folder / MEASUREMENTS
    if not path.exists():
        return
    with path.open(newline="", encoding="utf-8") as file:
        records = csv.DictReader(itertools.takewhile(lambda line: line.endswith("\n"), file))
        if tuple(records.fieldnames or COLUMNS) != COLUMNS:
            raise InputError(f"{path}: has other columns than this version writes; start a new run")
        for number, record in enumerate(records, 1):
            try:
                yield from_csv(record)
            except ValueError as error:
                raise InputError(f"{path}: row {number}: {error}; mend or remove that row") from None


def _take(lock: int) -> None:
    """Hold a lock alone.

    Raises:
        BlockingIOError: another runner has it.
    """
    for last in (False, True):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:  # whoever only asks whether it is held (below) lets it go at once
            if last:
                raise
            time.sleep(ASKING_S)


def is_being_written(folder: Path) -> bool:
    """Does a runner hold the run?"""
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
