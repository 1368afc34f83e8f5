"""The rows of the data set: a puzzle with its identifier, origin, split and all measures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from datasets.difficulty.rating import COLUMNS as MEASURES
from datasets.difficulty.rating import rate
from datasets.making.dataset.recipes import RECIPES, made
from datasets.making.embedded import key_of
from datasets.puzzle import Puzzle, cells_text
from datasets.search import solve

COLUMNS = ("id", "board", "puzzle", "solution", "recipe", "lineage", "split", *MEASURES)
WORK = 20_000_000  # deduced literals of an explainer rating, some seconds; beyond this the ratings are bounds
SPLITS = (("train", 80), ("validation", 90), ("test", 100))  # and the percentile where each ends

Row = dict[str, str]


def identifier(puzzle: Puzzle) -> str:
    """Return 24 hexadecimal digits that are equal for isomorphs: of the canonical form, or of the fingerprint."""
    return hashlib.sha256(f"{puzzle.shape.name} {key_of(puzzle)}".encode()).hexdigest()[:24]


def split(lineage: str) -> str:
    """Return the split that all puzzles of a lineage belong to."""
    percentile = int(hashlib.sha256(f"split {lineage}".encode()).hexdigest(), 16) % 100
    return next(name for name, end in SPLITS if percentile < end)


def chunk_rows(recipe: str, number: int) -> list[Row]:
    """Make and rate the puzzles of a chunk; isomorphs of earlier puzzles of the chunk are left out."""
    rows: dict[str, Row] = {}
    for puzzle, lineage in made(RECIPES[recipe], number):
        key = identifier(puzzle)
        if key not in rows:
            rows[key] = _row(puzzle, key, recipe, lineage)
    return list(rows.values())


def _row(puzzle: Puzzle, key: str, recipe: str, lineage: str) -> Row:
    solution = solve(puzzle, limit=1).solutions[0]
    measures = rate(puzzle, int(key[:15], 16), solutions=1, solution=solution, work=WORK).fields()
    origin = (key, puzzle.shape.name, puzzle.text, cells_text(puzzle.shape, solution), recipe, lineage, split(lineage))
    return dict(zip(COLUMNS, origin, strict=False)) | measures


def distinct(rows: Iterable[Row]) -> list[Row]:
    """Leave out isomorphs of earlier rows."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(row["id"], row)
    return list(found.values())


def er_stratum(row: Row) -> str:
    """Return the half step of ER that a puzzle belongs to, such as ``7.5``; for other sizes its recipe."""
    value = row["er"].lstrip(">")
    return f"{int(float(value) * 2) / 2:.1f}" if value else row["recipe"]


def stratified(rows: list[Row], number: int) -> list[Row]:
    """Return a sample with as equal numbers of each stratum as there are; it depends on the identifiers only.

    The order of the rows is kept.
    """
    strata: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest()):
        strata.setdefault(er_stratum(row), []).append(row)
    chosen: set[str] = set()
    left = sorted(strata.values(), key=len)
    for k, stratum in enumerate(left):
        share = (number - len(chosen)) // (len(left) - k)
        chosen |= {row["id"] for row in stratum[:share]}
    return [row for row in rows if row["id"] in chosen]
