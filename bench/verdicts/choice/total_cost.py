"""Total cost against number of puzzles: which strategy is the best for how many, where preparing is paid once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sudoku_bench.bench.folder.method import setting
from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.run_data import RunData, prepare_seconds


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


@dataclass(frozen=True)
class Totals:
    """The cheapest strategy for each number of puzzles, on boards of one shape, such as ``9x9``."""

    shape: str
    best: tuple[Stretch, ...]


def totals(run: RunData) -> Totals | None:
    """Return what is the cheapest on the most common board size; None unless preparing is paid once by two.

    Only strategies that finished every solve of all puzzles take part: means over other puzzles are not comparable.
    """
    if setting(run.manifest, "mode") != "warm" or run.per_puzzle.empty:
        return None
    size, _ = most_common(run.per_puzzle)
    if not size:
        return None
    rows = run.measurements.loc[run.comparable.index]
    rows = rows.merge(run.per_puzzle.loc[run.per_puzzle["size"] == size, ["collection", "puzzle"]].drop_duplicates())
    solved = rows["status"].isin(FINISHED).groupby(rows["strategy"]).all()
    numbers = rows.drop_duplicates(["strategy", "collection", "puzzle"]).groupby("strategy").size()
    costs = {"once_s": prepare_seconds(rows), "each_s": rows.groupby("strategy")["cpu_s"].mean()}
    lines = pd.DataFrame(costs)[solved & (numbers == numbers.max())].dropna()
    lines = lines.sort_values(["each_s", "once_s"], kind="stable")
    if len(lines) < 2:
        return None
    return Totals(f"{size}x{size}", stretches(lines["once_s"].to_dict(), lines["each_s"].to_dict()))
