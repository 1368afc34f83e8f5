"""What figures open on: whom they name, strategies that lead all others, and the crossover with most at stake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.difficulty.fields import AXES, fields
from sudoku_bench.bench.verdicts.difficulty.leads import leads
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.pairs.decision import ALPHA, attainable
from sudoku_bench.bench.verdicts.pairs.evidence import ratio_text
from sudoku_bench.bench.verdicts.run_tables import Run

COMPILERS = frozenset({"numba", "xcover"})  # packages that compile the search of a strategy that requires them
NAMED = 9  # strategies with names and colours, if nobody asks for more
GAP = 10.0  # least ratio of times between strategies that are ahead and the next


@once
def named(run: Run) -> tuple[str, ...]:
    """Return the strategies that figures name and colour, in the order that was asked for, else from fast to slow.

    These are all, if they are ``NAMED`` or fewer. Of more, they are those that were asked for by name, the two that
    cross with most at stake, and those that are the best of a collection, also without the leading group.
    """
    rows = run.measurements
    measured = [str(name) for name in rows.loc[rows["placebo"].isna(), "strategy"].unique()]
    times = [str(name) for name in _medians(run).index] if len(run.per_puzzle) else []
    names = run.selection.ordered(dict.fromkeys([*times, *measured]))
    if len(names) <= NAMED:
        return tuple(names)
    scores = run.summary.dropna(subset="par2_s").sort_values("par2_s", kind="stable")
    others = scores[~scores["strategy"].isin(apart(run))]
    best = Counter(str(name) for table in (scores, others) for name in table.drop_duplicates("collection")["strategy"])
    crossing = told(run).query("not beaten").head(1)[["faster_below", "faster_above"]].to_numpy().ravel()
    first = dict.fromkeys([*run.selection.asked, *crossing, *(name for name, _ in best.most_common())])
    shown = list(first)[: max(NAMED, len(run.selection.asked))]
    return tuple(name for name in names if name in shown)


@once
def apart(run: Run) -> tuple[str, ...]:
    """Return the leading group, beside which all others would look alike, from fast to slow; empty without one.

    These are compiled searches if they are the fastest strategies; otherwise those, at most half, that the next takes
    ``GAP`` times as long as. Medians over the puzzles of the most common board size decide; two others remain.
    """
    times = _medians(run)
    known = run.manifest.get("strategies", [])
    compiled = {facts["name"] for facts in known if COMPILERS.intersection(facts.get("requires") or ())}
    number = len(list(takewhile(compiled.__contains__, times.index)))
    ratios = (times.to_numpy()[1:] / times.to_numpy()[:-1])[: len(times) // 2]
    if not number and len(ratios) and ratios.max() >= GAP:
        number = int(ratios.argmax()) + 1
    return tuple(map(str, times.index[:number])) if number + 2 <= len(times) else ()


def _medians(run: Run) -> pd.Series[float]:
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
    first, times = apart(run)[0], _medians(run)
    following = times.index[len(apart(run))]
    factor = ratio_text(float(times[following] / times[first]))
    return f" By median, {first} is {factor} times as fast as {following}, the best of the others."


def left_out(run: Run) -> str:
    """Return the sentences on the strategies that ``rest`` leaves out, with a leading space; empty without any."""
    return f" Without the leading group: {', '.join(apart(run))}.{lead(run)}" if apart(run) else ""


@once
def told(run: Run) -> pd.DataFrame:
    """Return the crossovers that are told and placed, those first that others do not beat, then by what is at stake.

    A crossover is *beaten* (a column) if a third strategy outside the leading group is shown to be faster than one of
    the two where that one leads. At stake is the smaller one of the ratios of times on easy and on hard puzzles: what
    the wrong choice costs at least.
    """
    table = run.crossovers[(run.crossovers["told"] == "yes") & run.crossovers["crossover"].notna()]
    ratios = table[["ratio_easiest", "ratio_hardest"]].astype(float)
    stakes = ratios.where(ratios > 1, 1 / ratios).min(axis=1)
    beaten = np.array([is_beaten(run, line) for line in table.to_dict("records")], dtype=np.bool_)
    ordered = table.assign(beaten=beaten, stakes=stakes)
    return ordered.sort_values(["beaten", "stakes"], ascending=[True, False], kind="stable").drop(columns="stakes")


def is_beaten(run: Run, crossing: Mapping[Any, Any]) -> bool:
    """Return whether a third strategy outside the leading group is shown to be faster than one of two that cross.

    It is tested where that one leads: on the easiest or the hardest third, as in ``leads`` (95% over all pairs).
    """
    axis = next(axis for axis in AXES if axis.name == crossing["axis"])
    field = next(field for field in fields(run) if field.shape == crossing["shape"])
    pairs = leads(field, axis)
    tests = 4 * len(pairs.a)  # each pair in both directions on both thirds
    for third, leader in ((pairs.easy, crossing["faster_below"]), (pairs.hard, crossing["faster_above"])):
        number = field.strategies.index(leader)
        for other, against, p in ((pairs.a, pairs.b, third.p_a), (pairs.b, pairs.a, third.p_b)):
            is_shown = tests * np.maximum(p, attainable(third.puzzles) / 2) < ALPHA
            faster = other[(against == number) & is_shown]
            if {field.strategies[place] for place in faster} - set(apart(run)):
                return True
    return False
