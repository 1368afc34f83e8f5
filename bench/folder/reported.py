"""From what the report of a run was made, so that what has not changed is not made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sudoku_bench.bench.folder.seal import digest
from sudoku_bench.bench.folder.store import RAW, REPORTED, Store
from sudoku_bench.bench.folder.tables import content
from sudoku_bench.bench.plan.declared import printable
from sudoku_bench.datasets.errors import InputError


@dataclass(frozen=True)
class Written:
    """What a report consists of.

    Attributes:
        paths: its files, and folders of which all files are its own.
        notes: what is missing, and why.
    """

    paths: Sequence[Path]
    notes: Sequence[str]


def once(store: Store, others: Iterable[str], make: Callable[[], Written]) -> Written:
    """Return the report that is there if it was made from the same run and no file of it was changed; else make it.

    Args:
        others: what a report is made from beside the files of the run: code and settings.
    """
    folder = store.folder
    run = [digest(folder / name) for name in RAW]
    source = hashlib.sha256(json.dumps([*run, *others]).encode()).hexdigest()
    try:
        record = printable(json.loads(content(folder / REPORTED).decode("utf-8")))
        written = Written([_within(folder, name) for name in record["written"]], list(record["notes"]))
        if record["source"] == source and record["files"] == _digests(folder, written.paths):
            return written
    except (OSError, InputError, ValueError, LookupError, TypeError, RecursionError):  # missing or damaged
        pass
    written = make()
    names = [path.relative_to(folder).as_posix() for path in written.paths]
    record = {"source": source, "written": names, "notes": list(written.notes)}
    store.write(REPORTED, json.dumps(record | {"files": _digests(folder, written.paths)}, indent=1).encode())
    return written


def _within(folder: Path, name: str) -> Path:
    """Return the path of a file of the report.

    Raises:
        ValueError: the name leads out of the folder.
    """
    if Path(name).is_absolute() or ".." in Path(name).parts or (folder / name).is_symlink():
        raise ValueError(name)
    return folder / name


def _digests(folder: Path, written: Iterable[Path]) -> Mapping[str, str]:
    return {path.relative_to(folder).as_posix(): digest(path) for path in _files(written)}


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else (path,)
