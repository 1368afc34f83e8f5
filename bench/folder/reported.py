"""From what the report of a run was made, so that what has not changed is not computed and drawn again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.folder import parts
from bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PUZZLES, REPORTED, Store


def source(folder: Path, others: Iterable[str]) -> str:
    """Return a hash of everything that a report is made from: the files of the run, code and settings."""
    names = (MANIFEST, MEASUREMENTS, PUZZLES, ENCODINGS)
    files = [digest(path) for path in (*(folder / name for name in names), *parts.paths(folder))]
    return hashlib.sha256(json.dumps([files, list(others)]).encode()).hexdigest()


def remember(
    store: Store, source: str, written: Sequence[Path], notes: Sequence[str], drawn: Mapping[str, str]
) -> None:
    """Store the source of a report, the files that were written with their hashes, and its notes.

    Args:
        drawn: from what the files of figures were drawn (a hash), by name.
    """
    names = [path.relative_to(store.folder).as_posix() for path in written]
    record = {"source": source, "written": names, "notes": list(notes), "drawn": dict(drawn)}
    store.write(REPORTED, json.dumps(record | {"files": _digests(store.folder, written)}, indent=1).encode())


def unchanged(folder: Path, source: str) -> tuple[list[Path], list[str]] | None:
    """Return the files and notes of the report, if it was made from this source and no file of it was changed."""
    try:
        record = _record(folder)
        written = [folder / name for name in record["written"]]
        if record["source"] != source or record["files"] != _digests(folder, written):
            return None
        return written, list(record["notes"])
    except (OSError, ValueError, KeyError, TypeError):  # missing or damaged
        return None


def drawn(folder: Path) -> dict[str, str]:
    """Return from what the files of figures were drawn, by name; without files that were changed since."""
    try:
        record = _record(folder)
        files: Mapping[str, str] = record["files"]
        return {name: source for name, source in record["drawn"].items() if files[name] == digest(folder / name)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # missing or damaged, or of an earlier version
        return {}


def _record(folder: Path) -> Any:
    return json.loads((folder / REPORTED).read_text(encoding="utf-8"))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file; empty if there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digests(folder: Path, written: Iterable[Path]) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): digest(path) for path in _files(written)}


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else (path,)
