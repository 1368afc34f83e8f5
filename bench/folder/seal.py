"""Checksums in the manifest of a run: whether its files are still what it wrote.

They recognise edits and damage by accident. Whoever forges a run can forge them too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PUZZLES
from sudoku_bench.bench.plan.declared import printable

KEY = "sha256"  # of the manifest
EDITED = "edited"  # files that were changed before the run was resumed
TABLES = (MEASUREMENTS, PUZZLES, ENCODINGS)


def sealed(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest of a finished or interrupted run with the checksums of its files and of itself."""
    content = printable({key: value for key, value in manifest.items() if key != KEY})
    return {**content, KEY: _checksums(folder, content)}


def opened(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest of a run that goes on: without checksums, and with the names of files that do not match."""
    changed = edited(folder, manifest)
    content = {key: value for key, value in manifest.items() if key != KEY}
    return content | ({EDITED: changed} if changed else {})


def edited(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Return the names of the files that are not as the run wrote them, as far as there are checksums."""
    before, recorded = manifest.get(EDITED, []), manifest.get(KEY)
    if recorded is None:
        return list(before)
    now = _checksums(folder, {key: value for key, value in manifest.items() if key != KEY})
    return sorted({*before, *(name for name in (*now, *recorded) if now.get(name) != recorded.get(name))})


def note(changed: Sequence[str]) -> list[str]:
    """Return a line on files that are not as the run wrote them, if there are any."""
    if not changed:
        return []
    differ = "is not as the run wrote it" if len(changed) == 1 else "are not as the run wrote them"
    return [f"Edited: {' and '.join(changed)} {differ}"]


def _checksums(folder: Path, content: Mapping[str, Any]) -> dict[str, str]:
    of_manifest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return {MANIFEST: of_manifest} | {name: digest(folder / name) for name in TABLES if (folder / name).exists()}


def digest(path: Path) -> str:
    """Return the SHA-256 of a file; empty if there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
