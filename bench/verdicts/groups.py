"""The leading group: strategies beside which all others look alike, and the run without them."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.pairs.evidence import ratio_text
from sudoku_bench.bench.verdicts.run_tables import Run

COMPILERS = frozenset({"numba", "xcover"})  # packages that compile the search of a strategy that requires them
GAP = 10.0  # least ratio of times between strategies that are ahead and the next


@once
def apart(run: Run) -> tuple[str, ...]:
    """Return the leading group, beside which all others would look alike, from fast to slow; empty without one.

    These are compiled searches if they are the fastest strategies; otherwise those, at most half, that the next takes
    ``GAP`` times as long as. Medians over the puzzles of the most common board size decide; two others remain.
    """
    times = medians(run)
    number = len(list(takewhile(_compiled(run).__contains__, times.index)))
    ratios = (times.to_numpy()[1:] / times.to_numpy()[:-1])[: len(times) // 2]
    if not number and len(ratios) and ratios.max() >= GAP:
        number = int(ratios.argmax()) + 1
    return tuple(map(str, times.index[:number])) if number + 2 <= len(times) else ()


def _compiled(run: Run) -> set[str]:
    known = run.manifest.get("strategies", [])
    return {str(facts["name"]) for facts in known if COMPILERS.intersection(facts.get("requires") or ())}


def scope(run: Run) -> str:
    """Return what ``rest`` is, in words that go on in a sentence or a title; empty if it is the whole run."""
    if not apart(run):
        return ""
    return "without compiled search" if {*apart(run)} == _compiled(run) else "without the leading group"


def medians(run: Run) -> pd.Series[float]:
    """Return the median time of each strategy on boards of the most common size, if it is known, from fast to slow."""
    size, _ = most_common(run.per_puzzle)
    times = run.per_puzzle[run.per_puzzle["size"] == size].groupby("strategy", observed=True)["cpu_s"].median()
    known: pd.Series[float] = times[np.isfinite(times)].sort_values(kind="stable")
    return known


@once
def rest(run: Run) -> Run:
    """Return the run without the strategies that stand apart; the run itself if none does."""
    rows = run.measurements[~run.measurements["strategy"].isin(apart(run))]
    return replace(run, measurements=rows.reset_index(drop=True)) if apart(run) else run


def lead(run: Run) -> str:
    """Return how far the leading group is ahead, as a sentence with a leading space; empty without a group."""
    if not apart(run):
        return ""
    first, times = apart(run)[0], medians(run)
    following = times.index[len(apart(run))]
    factor = ratio_text(float(times[following] / times[first]))
    return f" By median, {first} is {factor} times as fast as {following}, the best of the others."


def left_out(run: Run) -> str:
    """Return the sentences on the strategies that ``rest`` leaves out, with a leading space; empty without any."""
    return f" {scope(run).capitalize()}: {', '.join(apart(run))}.{lead(run)}" if apart(run) else ""
