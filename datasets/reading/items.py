"""What readers yield: puzzles, and lines that should hold one and do not."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from datasets.puzzle import Puzzle
from datasets.shape import Shape

# Names of columns and fields, in small letters. The first that a record has is taken.
PUZZLE_KEYS = ("grid", "puzzle", "puzzles", "quiz", "quizzes", "sudoku", "board", "question", "unsolved", "value")
SOLUTION_KEYS = ("solution", "solutions", "answer", "solved")
NAME_KEYS = ("name", "id", "puzzle_id", "title", "label", "hash", "puzzle")
RATING_KEYS = ("rating", "difficulty", "er", "se", "guesses", "score", "level")

MAX_FACTS = 40
MAX_WORDS = 200  # characters of a name or of a fact that are kept


@dataclass(frozen=True)
class Entry:
    """A puzzle and the line of its source (1 is the first) where it begins.

    Attributes:
        name: what the source calls it, or the comment beside it; empty if there is none.
        facts: what else the source says of it, as pairs of a name and a text, ratings among them.
        solution: the N·N digits of the solution that the source gives. They agree with the clues; whether they obey
            the rules is not checked here.
    """

    puzzle: Puzzle
    line: int
    name: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    solution: tuple[int, ...] | None = None

    @property
    def rating(self) -> tuple[str, float] | None:
        """Name and value of the rating that the source gives, if it gives one as a number."""
        return rating_of(self.facts)


@dataclass(frozen=True)
class BadLine:
    """A line that holds no puzzle although it should; ``what`` says what is wrong and how to mend it.

    ``kind`` is the same for all faults of a kind, so that they can be counted.
    """

    line: int
    what: str
    kind: str = "not a puzzle"


class Broken(Exception):
    """The form of a whole source is broken at a line, so that what follows cannot be read either."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(line, what)
        self.line, self.what = line, what


class Grid(NamedTuple):
    """Cells as they are written, not yet read: one text per cell (a string will do where each has one character).

    ``lines`` are the lines of the rows where the rows stand on lines of their own. ``shape`` is what borders say.
    """

    cells: Sequence[str]
    line: int
    shape: Shape | None = None
    lines: tuple[int, ...] = ()


def rating_of(facts: Iterable[tuple[str, str]]) -> tuple[str, float] | None:
    """Name and value of the first of the usual ratings that is among the facts as a number."""
    known = {key.lower(): (key, text) for key, text in facts}
    for wanted in RATING_KEYS:
        with contextlib.suppress(KeyError, ValueError):
            key, text = known[wanted]
            value = float(text)
            if math.isfinite(value):
                return key, value
    return None


def words(text: str) -> str:
    """A name or comment as it is kept: one line that can be printed, not too long."""
    if not (text.isascii() and text.isprintable()):
        text = text.encode(errors="surrogateescape").decode(errors="replace")
        text = "".join(c if c.isprintable() else " " for c in text)
    text = " ".join(text.split())
    return text if len(text) <= MAX_WORDS else text[: MAX_WORDS - 3] + "..."


def facts_of(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Facts as they are kept: those that say something, and not too many."""
    kept = [(words(key), words(text)) for key, text in pairs if text.strip()]
    return tuple(kept[:MAX_FACTS])
