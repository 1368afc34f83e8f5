"""Rows of a CSV with ratings of 9x9 puzzles, and whether the ratings here agree with them."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.datasets.difficulty.slow_explainer.rater import LARGEST, Rated, rate

BEYOND = LARGEST + 1
NAMES = ("ER", "EP", "ED")


@dataclass(frozen=True)
class Rating:
    """A stored rating: a value in tenths, or a bound below it."""

    tenths: int
    is_bound: bool = False

    @classmethod
    def read(cls, text: str) -> Rating:
        """Read text such as ``4.2`` or ``>10.5``."""
        return cls(round(10 * float(text.removeprefix(">"))), text.startswith(">"))

    @property
    def is_known(self) -> bool:
        """Whether it is a value on the part of the scale that is rated here."""
        return not self.is_bound and self.tenths <= LARGEST

    def agrees(self, tenths: int | None) -> bool:
        """Whether a rating here, None for one beyond, can be of the same puzzle."""
        if self.is_bound:
            return (tenths or BEYOND) > min(self.tenths, LARGEST)
        return (tenths or BEYOND) == min(self.tenths, BEYOND)

    def __str__(self) -> str:
        return f"{'>' * self.is_bound}{self.tenths / 10}"


@dataclass(frozen=True)
class Row:
    """A puzzle and its stored ER, EP and ED."""

    puzzle: str
    stored: tuple[Rating, ...]


@dataclass(frozen=True)
class Compared:
    """A row and its ratings here, None for those beyond."""

    row: Row
    rated: tuple[int | None, ...]

    @property
    def agreement(self) -> tuple[bool, ...]:
        """Whether ER, EP and ED agree."""
        return tuple(stored.agrees(tenths) for stored, tenths in zip(self.row.stored, self.rated, strict=True))


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a CSV that hold a 9x9 puzzle with its ratings.

    Raises:
        ValueError: a column is missing.
    """
    with path.open(newline="", encoding="utf-8") as lines:
        table = csv.DictReader(lines)
        columns = {name.upper(): name for name in table.fieldnames or ()}
        missing = {"PUZZLE", *NAMES} - columns.keys()
        if missing:
            raise ValueError(f"{path.name}: no column {', '.join(sorted(missing))}")
        for record in table:
            puzzle = record[columns["PUZZLE"]]
            ratings = [record[columns[name]] for name in NAMES]
            if len(puzzle) == 81 and all(ratings):
                yield Row(puzzle, tuple(Rating.read(text) for text in ratings))


def chosen(path: Path, number: int | None, seed: int = 0) -> list[Row]:
    """Choose rows at random; all of them, in their order, without a number."""
    found = list(rows(path))
    return found if number is None else random.Random(seed).sample(found, min(number, len(found)))


def compared(row: Row) -> Compared:
    """Rate the puzzle of a row."""
    rated: Rated = rate([int(cell) if cell.isdigit() else 0 for cell in row.puzzle])
    return Compared(row, (rated.er, rated.ep, rated.ed))
