"""Random edits of a run folder, as hands and failing disks make them: part of ``make faults``."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
from pathlib import Path
from typing import Any

from bench.folder import seal
from bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PUZZLES

STRATEGIES = ("bitboard:bands", "seed:pycosat", "sat:complete+pairwise@cadical195")  # of the part that is edited
COLLECTIONS = ("easy", "hard", "size4")
WORDS = ("", "x", "-1", "0", "nan", "inf", "1e400", "=cmd()", "9" * 30, '"', "\0", "\u202e", "\xff", "solved", "null")


def copy_part(run: Path, folder: Path, rows: int) -> None:
    """Copy the first rows of some strategies of the reference run into a new folder, as a run of its own."""
    folder.mkdir()
    header, *lines = (run / MEASUREMENTS).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if is_kept(*line.split(",")[:2])][:rows]
    puzzles = {tuple(line.split(",")[1:3]) for line in kept}
    first, *rest = (run / PUZZLES).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / MEASUREMENTS).write_text("".join([header, *kept]), encoding="utf-8")
    of_run = [line for line in rest if tuple(line.split(",")[:2]) in puzzles]
    (folder / PUZZLES).write_text("".join([first, *of_run]), encoding="utf-8")
    shutil.copy(run / ENCODINGS, folder / ENCODINGS)
    manifest = json.loads((run / MANIFEST).read_text(encoding="utf-8")) | {"planned_rows": len(kept)}
    (folder / MANIFEST).write_text(json.dumps(seal.sealed(folder, manifest), indent=2), encoding="utf-8")


def is_kept(label: str, collection: str) -> bool:
    return label.rpartition(" ")[2] in STRATEGIES and collection in COLLECTIONS


def renew(run: Path, folder: Path) -> None:
    """Copy a run folder over another."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(run, folder)


def interrupt(folder: Path) -> None:
    """Make a run look like one that was killed."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    alive = {key: value for key, value in manifest.items() if key != seal.KEY}
    (folder / MANIFEST).write_text(json.dumps(alive | {"complete": False, "ended": None}), encoding="utf-8")


def random_edit(folder: Path, rng: random.Random) -> None:
    """Edit one place of one file: a field, a line, a byte, or a value of the manifest."""
    paths = [folder / name for name in (MANIFEST, MEASUREMENTS, PUZZLES, ENCODINGS)]
    path = rng.choice([path for path in paths if path.exists()])
    if path.name == MANIFEST and rng.random() < 0.7:
        with contextlib.suppress(ValueError):  # an edit before has broken it
            document = json.loads(path.read_bytes())
            damage(document, rng)
            path.write_text(json.dumps(document), encoding="utf-8")
    elif path.name == MANIFEST or rng.random() < 0.2:
        data = bytearray(path.read_bytes())
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
            path.write_bytes(data[: rng.randrange(len(data))] if rng.random() < 0.2 else data)
    else:
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True) or [","]
        place = rng.randrange(len(lines))
        lines[place] = edited_line(lines[place], rng)
        path.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")


def edited_line(line: str, rng: random.Random) -> str:
    """Return a line of a table with another field, twice, cut off, empty, or not at all."""
    if rng.random() < 0.7:
        fields = line.rstrip("\n").split(",")
        fields[rng.randrange(len(fields))] = rng.choice(WORDS)
        return ",".join(fields) + "\n"
    return rng.choice((line * 2, "", line[: rng.randrange(1 + len(line))], "\n"))


def damage(value: Any, rng: random.Random) -> None:
    """Replace or remove one value somewhere in a document."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.8:
        damage(value[key], rng)
    elif rng.random() < 0.3:
        del value[key]
    else:
        value[key] = rng.choice((None, True, -1, 1.5, 10**30, float("nan"), "", "\x1b[1m", [], [1], {}, {"a": 1}))
