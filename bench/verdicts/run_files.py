"""A run folder as data frames: its tables are read block by block, and refused if no run can have written them."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.method import WALL, clock
from sudoku_bench.bench.folder.rows import ADDED, COLUMNS, IDENTITY, STATUSES, shown
from sudoku_bench.bench.folder.store import ENCODINGS, MEASUREMENTS, PUZZLES, check, read_manifest
from sudoku_bench.bench.folder.tables import SIZES, blocks, check_encodings, puzzles_in
from sudoku_bench.bench.verdicts.run_data import GROUP, KEY, REPEATED, RunData
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError, harmless
from sudoku_bench.datasets.reading import reader

TEXT = (  # columns that are text even where they look like numbers
    *("strategy", "collection", "puzzle", "task", "mode", "status", "reason", "limit_clock", "host", "decoy"),
    *("placebo", "phases", "other_counters", "grid", "solution", "er", "ep", "ed"),
    *("encoding", "shape"),
)
GRID = re.compile(r"[@.\w]+")  # on boards from 36×36 on, a clue is @
BLOCK = 4 << 20  # bytes that pandas parses at a time: each call costs as much as some hundred rows
LARGE_BYTES = 256 << 20  # about a million rows; text of larger tables is read as categories, which need less memory
MEASURED = tuple(column for column in COLUMNS if column not in ADDED)  # no run lacks these
AnyRun = TypeVar("AnyRun", bound=RunData)


def read(folder: str | Path, kind: type[AnyRun], wanted: Container[str] = COLUMNS) -> AnyRun:
    """Read a run folder into an object of a kind.

    In a run of a tool that measures wall time alone, ``cpu_s`` holds that.

    Args:
        wanted: columns of measurements.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    measurements = read_table(folder / MEASUREMENTS, MEASURED, wanted)
    if clock(manifest) == WALL:
        measurements["cpu_s"] = measurements["wall_s"]  # the only time there is; reports call it wall time
    puzzles = read_table(folder / PUZZLES, ("collection", "puzzle", "grid", "guesses", "solutions"))
    puzzles_in(folder / PUZZLES)
    edited = tuple(seal.edited(folder, manifest))
    if edited or seal.KEY not in manifest or _is_odd(measurements, puzzles):  # others are as the run wrote them
        check(folder)
    if GROUP not in puzzles:  # the run is of an earlier version
        puzzles[GROUP] = groups_of(puzzles["grid"])
    rows, between_runs = (
        measurements.reindex(columns=list(filter(wanted.__contains__, COLUMNS))),
        _between_runs(folder / REPEATED),
    )
    if len(rows) < manifest["planned_rows"]:  # some were lost
        manifest["complete"] = False
    return kind(manifest, rows, puzzles, edited, _encodings(folder / ENCODINGS), between_runs)


def _is_odd(rows: pd.DataFrame, puzzles: pd.DataFrame) -> bool:
    """Return whether no run can have written the tables, whatever their checksums are."""
    columns = [str(name) for name in rows if name in COLUMNS and name not in (*TEXT, *rows.select_dtypes("number"))]
    place, identity = KEY[1:], list(IDENTITY)
    twice = rows.duplicated(identity).any()
    endless = any(np.isinf(rows[name]).any() for name in rows.select_dtypes("float"))
    empty = rows[identity].isna().any(axis=None)
    unknown = set(rows[place].drop_duplicates().itertuples(index=False)) - set(puzzles[place].itertuples(index=False))
    return bool(columns or twice or endless or empty or unknown) or not set(rows["status"].dropna().unique()) <= set(
        STATUSES
    )


def groups_of(grids: Iterable[str]) -> list[int] | float:
    """Return the group of each puzzle as far as grids show it, for boards with the usual boxes; NaN if one is no grid.

    Lineages are those of mined collections.
    """
    from sudoku_bench.datasets.making.groups import groups  # imports numba

    texts = list(grids)
    try:
        boards = [reader.parse(text) for text in texts]
    except InputError:
        return math.nan
    return groups(boards, [catalogue.lineages().get(text, "") for text in texts])


def _between_runs(path: Path) -> float:
    """Return what a report on a second run found; NaN if there is none, or of an earlier version."""
    if not path.exists():
        return math.nan
    return float(read_table(path, ()).reindex(columns=["between"])["between"].astype(float).max())


def _encodings(path: Path) -> pd.DataFrame | None:
    if not path.exists():
        return None
    table = read_table(path, ("encoding", "shape", *SIZES))
    check_encodings(path)
    return table


def read_table(path: Path, needed: Sequence[str], wanted: Container[str] | None = None) -> pd.DataFrame:
    """Read a table of a run, block by block; an incomplete last line is left out.

    Args:
        wanted: columns that are read (None: all).

    Raises:
        InputError: it cannot be read, a needed column is missing, or a text is none that a run writes.
    """
    is_large = path.exists() and path.stat().st_size > LARGE_BYTES
    types, header = dict.fromkeys(TEXT, "category" if is_large else str), ""
    parts: dict[str, list[pd.Series[Any]]] = {}
    try:
        for block in blocks(path, BLOCK):
            text, header = header + block, header or block[: block.find("\n") + 1]
            frame = pd.read_csv(
                io.StringIO(text),
                dtype=types,
                keep_default_na=False,
                na_values=[""],
                usecols=None if wanted is None else lambda name: name in wanted,
            )
            for name in frame:
                parts.setdefault(str(name), []).append(frame[name].copy())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    # Column by column, so that no more than one of them is in memory twice.
    frame = pd.DataFrame({name: _joined(parts.pop(name)) for name in list(parts)}, copy=False)
    for name in frame.columns.intersection(list(TEXT)):
        odd = [text for text in map(str, frame[name].dropna().unique()) if harmless(text) != text]
        if formulas := [text for text in odd if not (name in ("grid", "solution") and GRID.fullmatch(text))]:
            raise InputError(f"{path}: {name} {shown(formulas[0])} is a formula, which no run writes; correct it")
    missing = [column for column in needed if column not in frame and (wanted is None or column in wanted)]
    if missing:
        raise InputError(f"{path}: has no column {missing[0]}; it was not written by a run")
    return frame


def _joined(parts: Sequence[pd.Series[Any]]) -> Any:
    """Return a column from its parts; categories are sorted, so that groups come in the order of text."""
    if isinstance(parts[0].dtype, pd.CategoricalDtype):
        return pd.api.types.union_categoricals(list(parts), sort_categories=True)
    return pd.concat(parts, ignore_index=True).array
