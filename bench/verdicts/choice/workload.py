"""The workload that a strategy is chosen for, and the range of difficulty of its puzzles."""

from __future__ import annotations

import math
from dataclasses import dataclass

from datasets.errors import InputError

MODES = {"one-cold": "cold", "stream": "warm"}  # workload -> mode of the run that measures it


@dataclass(frozen=True)
class Workload:
    """A workload.

    Attributes:
        name: as given; mode: of the run that measures it; batch: number of puzzles per call (None: one by one).
    """

    name: str
    mode: str
    batch: int | None = None

    @classmethod
    def parse(cls, text: str) -> Workload:
        """Parse ``one-cold``, ``stream`` or ``batch:B``.

        Raises:
            InputError: it is none of these.
        """
        if text in MODES:
            return cls(text, MODES[text])
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
        """Parse ``LO..HI``; a missing end is unbounded.

        Raises:
            InputError: it is not a range.
        """
        if text is None:
            return cls(axis)
        low, dots, high = text.partition("..")
        try:
            result = cls(axis, float(low or -math.inf), float(high or math.inf))
        except ValueError:
            result = cls(axis, math.nan)
        if not dots or not result.low <= result.high:
            raise InputError(f"{text!r} is not a range of difficulty; use LO..HI, such as 2..50, or 10.. or ..10")
        return result

    def __str__(self) -> str:
        low, high = (f"{end:g}" if math.isfinite(end) else "" for end in (self.low, self.high))
        return f"{self.axis} {low}..{high}"
