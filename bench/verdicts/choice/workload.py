"""What is to be solved: a workload, and how difficult its puzzles are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from datasets.errors import InputError

KINDS = {"one-cold": "cold", "stream": "warm"}  # workload -> mode of the run that measures it


@dataclass(frozen=True)
class Workload:
    """What is to be solved.

    Attributes:
        name: as given; mode: of the run that measures it; batch: how many puzzles go into one call.
    """

    name: str
    mode: str
    batch: int | None = None

    @classmethod
    def parse(cls, text: str) -> Workload:
        """``one-cold``, ``stream`` or ``batch:B``.

        Raises:
            InputError: it is none of these.
        """
        if text in KINDS:
            return cls(text, KINDS[text])
        kind, _, number = text.partition(":")
        if kind == "batch" and number.isascii() and number.isdigit() and int(number) > 0:
            return cls(text, text, int(number))
        raise InputError(f"{text!r} is not a workload; use one-cold, stream or batch:B with a number of puzzles B")


@dataclass(frozen=True)
class Range:
    """A range of difficulty, both ends included."""

    axis: str
    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def parse(cls, text: str | None, axis: str) -> Range:
        """``LO..HI``; an end that is missing is open.

        Raises:
            InputError: it is no range.
        """
        if text is None:
            return cls(axis)
        low, dots, high = text.partition("..")
        try:
            found = cls(axis, float(low or -math.inf), float(high or math.inf))
        except ValueError:
            found = cls(axis, math.nan)
        if not dots or not found.low <= found.high:
            raise InputError(f"{text!r} is not a range of difficulty; use LO..HI, such as 2..50, or 10.. or ..10")
        return found

    def __str__(self) -> str:
        low, high = (f"{end:g}" if math.isfinite(end) else "" for end in (self.low, self.high))
        return f"{self.axis} {low}..{high}"
