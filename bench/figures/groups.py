"""What figures open on: strategies that are a scale for each other, and the crossover with most at stake."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import numpy as np
import pandas as pd

from bench.verdicts.board_size import most_common
from bench.verdicts.once import once
from bench.verdicts.run_tables import Run

COMPILERS = frozenset({"numba", "xcover"})  # packages that compile the search of a strategy that requires them
GAP = 10.0  # least ratio of times between strategies that are ahead and the next


@once
def apart(run: Run) -> tuple[str, ...]:
    """Return the leading group, beside which all others would look alike, from fast to slow; empty without one.

    These are compiled searches if they are the fastest strategies; otherwise those, at most half, that the next takes
    ``GAP`` times as long as. Medians over the puzzles of the most common board size decide; two others remain.
    """
    size, _ = most_common(run.per_puzzle)
    times = run.per_puzzle[run.per_puzzle["size"] == size].groupby("strategy", observed=True)["cpu_s"].median()
    times = times[np.isfinite(times)].sort_values(kind="stable")
    known = run.manifest.get("strategies", [])
    compiled = {facts["name"] for facts in known if COMPILERS.intersection(facts.get("requires") or ())}
    number = len(list(takewhile(compiled.__contains__, times.index)))
    ratios = (times.to_numpy()[1:] / times.to_numpy()[:-1])[: len(times) // 2]
    if not number and len(ratios) and ratios.max() >= GAP:
        number = int(ratios.argmax()) + 1
    return tuple(map(str, times.index[:number])) if number + 2 <= len(times) else ()


@once
def rest(run: Run) -> Run:
    """Return the run without the strategies that stand apart; the run itself if none does."""
    rows = run.measurements[~run.measurements["strategy"].isin(apart(run))]
    return replace(run, measurements=rows.reset_index(drop=True)) if apart(run) else run


def left_out(run: Run) -> str:
    """Return the sentence on the strategies that ``rest`` leaves out, with a leading space; empty if there are none."""
    return f" Without the leading group: {', '.join(apart(run))}." if apart(run) else ""


@once
def told(run: Run) -> pd.DataFrame:
    """Return the crossovers that are told and placed, those first where the wrong choice costs most at both ends.

    That is the smaller one of the ratios of times on easy and on hard puzzles.
    """
    table = run.crossovers[(run.crossovers["told"] == "yes") & run.crossovers["crossover"].notna()]
    ratios = table[["ratio_easiest", "ratio_hardest"]].astype(float)
    stakes = ratios.where(ratios > 1, 1 / ratios).min(axis=1)
    return table.loc[stakes.sort_values(ascending=False, kind="stable").index]
