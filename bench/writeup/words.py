"""Small parts of sentences."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[str], joined_by: str = "and") -> str:
    """Names as a sentence has them: ``a, b and c``."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} {joined_by} {last}" if most else last


def counted(number: int, one: str, many: str = "") -> str:
    """``1 puzzle``, ``2,000 puzzles``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def sentences(*parts: str) -> str:
    """The parts that have something to say, as one paragraph."""
    return " ".join(part for part in parts if part)
