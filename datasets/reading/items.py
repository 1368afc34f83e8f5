"""The items that readers yield: puzzles, and lines that should contain a puzzle and do not."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sudoku_bench.datasets.puzzle import Packed, Puzzle
from sudoku_bench.datasets.shape import Shape

# Names of columns and fields, in lower case. The first one that a record has is used.
PUZZLE_KEYS = (
    *("grid", "puzzle", "puzzles", "quiz", "quizzes", "sudoku"),
    *("board", "question", "unsolved", "value", "task"),
)
SOLUTION_KEYS = ("solution", "solutions", "answer", "solved")
NAME_KEYS = ("name", "id", "puzzle_id", "title", "label", "hash", "puzzle")
LINEAGE_KEY = "lineage"
RATING_KEYS = ("rating", "difficulty", "er", "se", "guesses", "score", "level")

MAX_FACTS = 40
MAX_TEXT = 200  # characters of a name or of a fact that are kept


class Entry(NamedTuple):
    """A puzzle and the line of its source (1 is the first) where it begins.

    Attributes:
        name: the name or comment in the source; facts: its other information, as pairs of a name and a text.
        solution: the digits of the solution in the source. They agree with the clues; the rules are not checked.
        notation: how digits and empty cells were read, as text; empty if it is the usual notation.
    """

    puzzle: Puzzle
    line: int
    name: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    solution: tuple[int, ...] | None = None
    notation: str = ""

    @property
    def rating(self) -> tuple[str, float] | None:
        """Name and value of the first numeric rating among the facts, in the order of ``RATING_KEYS``; None without."""
        facts = {key.lower(): (key, text) for key, text in self.facts}
        for key in filter(facts.__contains__, RATING_KEYS):
            name, text = facts[key]
            with contextlib.suppress(ValueError):
                if math.isfinite(value := float(text)):
                    return name, value
        return None


@dataclass(frozen=True)
class BadLine:
    """A line that should contain a puzzle but does not: what is wrong and how to fix it; ``kind``s are counted."""

    line: int
    message: str
    kind: str = "not a puzzle"


class BrokenSource(Exception):
    """The syntax of a source is broken at a line, so the rest of the source cannot be read either."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line, self.message = line, message


def unpacked(items: Iterable[Entry | BadLine | Packed]) -> Iterator[Entry | BadLine]:
    """Yield items one by one."""
    for item in items:
        if isinstance(item, Packed):
            yield from map(Entry, item, item.lines)
        else:
            yield item


class Grid(NamedTuple):
    """The texts of the cells of a grid, a string if each is one character, and the line where it begins.

    Attributes:
        shape: the shape that the borders show; None without borders.
        lines: line numbers of the rows, if each row has its own line.
    """

    cells: Sequence[str]
    line: int
    shape: Shape | None = None
    lines: tuple[int, ...] = ()


def joined(cells: list[str]) -> str | list[str]:
    """Join cells of one character each to one text; others stay a list."""
    return "".join(cells) if all(len(cell) == 1 for cell in cells) else cells


def printable_line(text: str) -> str:
    """Normalise a name or comment to one printable line of at most ``MAX_TEXT`` characters."""
    if not (text.isascii() and text.isprintable()):
        text = text.encode(errors="surrogatepass").decode(errors="replace")
        text = "".join(c if c.isprintable() else " " for c in text)
    text = " ".join(text.split())
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 3] + "..."


def facts_of(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Normalise facts: drop empty ones and keep at most ``MAX_FACTS``."""
    facts = [(printable_line(key), printable_line(text)) for key, text in pairs if text.strip()]
    return tuple(facts[:MAX_FACTS])
