"""Simulations of what a machine does to comparisons, and of what a choice keeps.

``drift``: between two runs of five launches a machine becomes faster or slower by a factor that all strategies share,
and each strategy by a quarter as much of its own. ``choice``: strategies have the same true mean cost, except that one
of them is cheaper by 0.1%, or costs half as much again. In some cells, the first strategy takes 60 times as long on
2% of all puzzles, which most samples of 20 lack.
"""

from __future__ import annotations

import math
import textwrap

import numpy as np
import pandas as pd

from studies import document
from studies.simulation import YES_NO, Rows, Simulation, crossed, rate_interval
from sudoku_bench.bench.plan.suite import MARGIN
from sudoku_bench.bench.say.phrases import listed
from sudoku_bench.bench.verdicts.arrays import Flags, Floats
from sudoku_bench.bench.verdicts.between_runs import comparison
from sudoku_bench.bench.verdicts.between_runs.comparison import MIN_LAUNCHES
from sudoku_bench.bench.verdicts.between_runs.launches import Launches, p_beyond
from sudoku_bench.bench.verdicts.between_runs.machine_effect import machine_effect
from sudoku_bench.bench.verdicts.choice.choose import ALPHA
from sudoku_bench.bench.verdicts.choice.mean_costs import excess, is_dearer, tail
from sudoku_bench.bench.verdicts.pairs.decision import LEAST_REPETITIONS, bonferroni

APART = 0.25  # drift of a single strategy, as a share of the drift that all share
LAUNCH = 0.02  # standard deviation of the figure of a launch
MOST_FALSE = 0.05


def drift_claims(
    rng: np.random.Generator,
    draws: int,
    *,
    strategies: int,
    drift: float,
    margin: float,
    change: float,
    hidden: bool,
) -> Rows:
    """Return the share of comparisons with a false claim, and with a claim on the changed strategy.

    Args:
        drift: of the machine, as a standard deviation of log times.
        change: of the first strategy, as a share; hidden: it counts as unchanged nevertheless.
    """
    called: list[Flags] = []
    for _ in range(draws):
        apart = APART * drift * rng.standard_normal((strategies, 1))
        noise = math.sqrt(2) * LAUNCH * rng.standard_normal((strategies, MIN_LAUNCHES))
        changes: Floats = drift * rng.standard_normal() + apart + noise
        changes[0] += math.log1p(change)
        launches = [(Launches(tuple(range(MIN_LAUNCHES)), np.stack([figures, figures])),) for figures in changes]
        p = []
        for place, own in enumerate(launches):
            others = [other for number, other in enumerate(launches) if number != place]
            if change and not hidden and place:
                del others[0]
            p.append(p_beyond(machine_effect(others).corrected(own), math.log1p(margin)))
        called.append(bonferroni(np.array(p)) < comparison.ALPHA)
    claims = np.array(called)
    false = float(claims[:, 1 if change else 0 :].any(axis=1).mean())
    return [{"draws": draws, "false": false, "found": float(claims[:, 0].mean()) if change else math.nan}]


def drift_markdown(table: pd.DataFrame) -> str:
    """Return the claims at the default margin by drift, each from the least to the largest number over strategies."""
    drifts = sorted(set(table["drift"]))
    rows = []
    shown = table[table["margin"] == MARGIN]
    open_change = shown["change"].mask(shown["hidden"], 0.0)
    for (hidden, change), group in shown.groupby(["hidden", open_change]):
        is_found = bool(change)
        unseen = listed((f"+{size:.0%}" for size in sorted(set(group["change"]))), "or") if hidden else ""
        claim = f"+{change:.0%} found" if is_found else f"false{f' beside an unseen {unseen}' if hidden else ''}"
        shares = group.groupby("drift")["found" if is_found else "false"]
        rows.append([claim, *(percents(of_drift) for _, of_drift in shares)])
    return document.table(["claims", *(f"drift {drift:.0%}" for drift in drifts)], rows)


def drift_held(table: pd.DataFrame) -> bool:
    return bool((table.loc[table["margin"] == MARGIN, "false"] <= MOST_FALSE).all())


NO_CHANGE = ({"change": 0.0, "hidden": False},)
DRIFT = Simulation(
    title="false and missed changes between runs on a machine that drifts (4 minutes)",
    file="compare_drift.csv",
    cells=[
        {"strategies": size["strategies"], "drift": size["drift"], "margin": margin, **change}
        for size in crossed(strategies=(1, 2, 4, 10), drift=(0.0, 0.02, 0.04, 0.06))
        for margin, changes in (
            *((margin, NO_CHANGE) for margin in (MARGIN, 0.0)),
            (MARGIN, crossed(change=(0.1, 0.2), hidden=(False,))),
            (MARGIN, crossed(change=(0.12, 0.2), hidden=(True,)) if size["strategies"] > 1 else ()),
        )
        for change in changes
    ],
    measure=drift_claims,
    draws=500,
    seed=(2028,),
    held=drift_held,
    markdown=drift_markdown,
)

PROCESS, FORM = 0.01, 0.1  # standard deviations of log times: of a process, and of a form of a puzzle
CHEAPER, DEARER = 0.001, 0.5
SHAPE = 4.0  # of the gamma distribution of skewed tastes: skewness 1
TAIL, TIMES_AS_LONG = 0.02, 60
KEPT = 0.93


def choice(
    rng: np.random.Generator,
    draws: int,
    *,
    puzzles: int,
    spread: float,
    strategies: int,
    skew: bool,
    last: bool,
    tails: bool,
) -> Rows:
    """Count how often the cheapest strategy is the best or tied with it, and how often not if it is dearer.

    Of the samples that have a puzzle of the tail, count also in how many a tail is named, and in how many the cheapest
    is kept.

    Args:
        spread: standard deviation of the logarithms of costs over puzzles, about.
        skew: tastes of puzzles for strategies are skewed to the right.
        last: the cheapest strategy is the one that reacts most strongly to difficulty, otherwise the least.
        tails: the first strategy has a tail.
    """
    slopes, taste, shape = np.linspace(0.6, 1.0, strategies) * spread, 0.4 * spread, (strategies, puzzles)
    of_taste = -SHAPE * math.log1p(-taste / math.sqrt(SHAPE)) - taste * math.sqrt(SHAPE) if skew else taste**2 / 2
    log_means = slopes**2 / 2 + of_taste + (PROCESS**2 + FORM**2) / 2  # of costs before they are scaled to a mean of 1
    place, kept, excluded = -1 if last else 0, 0, 0
    with_tail = named = kept_with_tail = 0
    for _ in range(draws):
        deviates = (rng.gamma(SHAPE, size=shape) - SHAPE) / math.sqrt(SHAPE) if skew else rng.standard_normal(shape)
        of_puzzles = slopes[:, None] * rng.standard_normal(puzzles) + taste * deviates - log_means[:, None]
        process = PROCESS * rng.standard_normal((strategies, 1, LEAST_REPETITIONS))
        costs = np.exp(of_puzzles[:, :, None] + process + FORM * rng.standard_normal((*shape, LEAST_REPETITIONS)))
        is_tail = rng.random(puzzles) < (TAIL if tails else 0)
        if tails:
            costs[0] *= (np.where(is_tail, TIMES_AS_LONG, 1) / (1 + TAIL * (TIMES_AS_LONG - 1)))[:, None]
        with_tail += bool(is_tail.any())
        named += bool(is_tail.any()) and any(tail(own) for own in costs)
        for factor in (1 - CHEAPER, 1 + DEARER):
            scaled = costs.copy()
            scaled[place] *= factor
            slower = is_slower(scaled, place)
            kept += factor < 1 and not slower
            kept_with_tail += factor < 1 and not slower and bool(is_tail.any())
            excluded += factor > 1 and slower
    low, high = rate_interval(kept, draws)
    counted = {"draws": draws, "kept": kept / draws, "kept_lo": low, "kept_hi": high, "excluded": excluded / draws}
    return [counted | {"with_tail": with_tail, "named": named, "kept_with_tail": kept_with_tail}]


def is_slower(costs: Floats, place: int) -> bool:
    """Return whether a strategy is called slower than the best, as ``choose`` does.

    Args:
        costs: strategies × puzzles × repetitions.
    """
    means = costs.mean(axis=(1, 2))
    best = int(means.argmin())
    alpha = ALPHA / (len(costs) - 1)
    own, of_best = costs[place], costs[best]
    return bool(means[place] > means[best] and is_dearer(own, of_best, excess(own, of_best, alpha), alpha))


def choice_markdown(table: pd.DataFrame) -> str:
    """Return the least share kept, and the range of shares excluded, by spread and number of puzzles; and the tails."""
    rows, without, tails = [], table[~table["tails"]], table[table["tails"] & table["last"]]
    for spread, of_spread in without.groupby("spread"):
        groups = [group for _, group in of_spread.groupby("puzzles")]
        rows.append([f"{spread}", *(f"{g['kept'].min():.1%}; {percents(g['excluded'])}" for g in groups)])
    numbers = [f"{number} puzzles" for number in sorted(set(without["puzzles"]))]
    sizes = tails.groupby("puzzles")
    kept, named = ([percents(group[name] / group["with_tail"]) for _, group in sizes] for name in TAIL_COUNTS)
    of_all, counts = listed(percents(group["kept"]) for _, group in sizes), listed(map(str, sizes.groups))
    text = (
        f"With {counts} puzzles, {of_all} of runs keep the cheapest strategy; of those with such a puzzle,"
        f" {listed(kept)} do, and {listed(named)} name the tail."
    )
    return document.table(["spread", *numbers], rows) + "\n\n" + textwrap.fill(text, 120)


TAIL_COUNTS = ("kept_with_tail", "named")


def choice_held(table: pd.DataFrame) -> bool:
    """Return whether the cheapest is kept in all cells; with tails, where the sample has a puzzle of the tail."""
    tails = table[table["tails"]]
    in_tails = tails["kept_with_tail"] >= KEPT * tails["with_tail"]
    return bool((table.loc[~table["tails"], "kept"] >= KEPT).all() and in_tails.all())


def percents(shares: pd.Series[float]) -> str:
    low, high = (f"{100 * share:.0f}" for share in (shares.min(), shares.max()))
    return f"{high}%" if low == high else f"{low}-{high}%"


CHOICE = Simulation(
    title="whether `choose` keeps the cheapest strategy (5 minutes)",
    file="choice.csv",
    cells=[
        *crossed(
            puzzles=(15, 30, 60, 100),
            spread=(0.5, 1.0, 1.5, 2.0, 2.5),
            strategies=(2, 6),
            skew=YES_NO,
            last=YES_NO,
            tails=(False,),
        ),
        *crossed(puzzles=(20, 40, 100), spread=(0.3,), strategies=(2, 6), skew=(False,), last=YES_NO, tails=(True,)),
    ],
    measure=choice,
    draws=500,
    seed=(2027,),
    held=choice_held,
    markdown=choice_markdown,
)
