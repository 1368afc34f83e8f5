"""A run folder. Nothing else writes into one.

    manifest.json        the plan, seed, machine, versions, checksums, command line, start and end, counts by status
    puzzles.csv          puzzle × difficulty measures and number of solutions
    measurements.csv     one row per measurement, appended as it is finished; everything below follows from it
    summary.csv          strategy × collection
    plots/               figures

Rows are appended with one unbuffered write each, so a run can be read while it goes on and a crash loses at most the
measurement in flight. Every other file is replaced atomically.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.rows import COLUMNS, csv_values
from datasets.errors import InputError

MANIFEST, PUZZLES, MEASUREMENTS, SUMMARY, PLOTS = (
    "manifest.json",
    "puzzles.csv",
    "measurements.csv",
    "summary.csv",
    "plots",
)

NEEDED = {"suite", "machine", "planned_rows", "started"}  # of a manifest, by whoever reads a run


class Store:
    """Writes one run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def create(cls, folder: Path, manifest: Mapping[str, Any]) -> Store:
        """Begin a run in a new or empty folder.

        Raises:
            InputError: the folder holds something already, or cannot be made.
        """
        cls.must_be_new(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            store = cls(folder)
            store.write_manifest(manifest)
            store._append(COLUMNS)
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
        return store

    @staticmethod
    def must_be_new(folder: Path) -> None:
        """Refuse a folder that holds something.

        Raises:
            InputError: it does.
        """
        if folder.is_dir() and any(folder.iterdir()):
            raise InputError(f"{folder}: is not empty; choose another --out, or remove it")

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a measurement."""
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
        part = path.with_name(path.name + ".part")
        part.write_bytes(data)
        part.replace(path)
        return path

    def _append(self, values: Sequence[str]) -> None:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(values)
        fd = os.open(self.folder / MEASUREMENTS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(fd, line.getvalue().encode())
        finally:
            os.close(fd)


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
