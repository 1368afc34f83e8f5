"""Total cost against number of puzzles: which strategy is the best for how many, where preparing is paid once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Stretch:
    """Numbers of puzzles for which a strategy has the lowest total cost.

    Attributes:
        first, last: numbers of puzzles, both included; ``last`` is None without an end.
        once_s, each_s: CPU seconds to prepare once, and per puzzle.
    """

    strategy: str
    first: int
    last: int | None
    once_s: float
    each_s: float


def stretches(once_s: Mapping[Any, float], each_s: Mapping[Any, float]) -> tuple[Stretch, ...]:
    """Return the lower envelope of the total costs ``once + N × each``, from one puzzle on.

    Of equal totals, the strategy with less per puzzle wins.

    Args:
        once_s, each_s: of each strategy, finite; at least one.
    """
    result: list[Stretch] = []
    first, current = 1, min(once_s, key=lambda name: (once_s[name] + each_s[name], each_s[name]))
    while True:
        # A strategy that costs less per puzzle has a lower total from a number of puzzles on.
        from_number = {
            name: max(first + 1, math.ceil((once_s[name] - once_s[current]) / (each_s[current] - each_s[name])))
            for name in each_s
            if each_s[name] < each_s[current]
        }
        following = min(from_number, key=lambda name: (from_number[name], each_s[name]), default=None)
        last = None if following is None else from_number[following] - 1
        result.append(Stretch(current, first, last, once_s[current], each_s[current]))
        if following is None or last is None:
            return tuple(result)
        # Several may overtake at the same number.
        first = last + 1
        current = min(from_number, key=lambda name: (once_s[name] + first * each_s[name], each_s[name]))
