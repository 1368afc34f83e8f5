"""Simulations of what a machine, a choice and a number of forms do to comparisons.

``drift``: between two runs of five launches a machine becomes faster or slower by a factor that all strategies share,
and each strategy by a quarter as much of its own. ``choice``: strategies have the same true mean cost, except that one
of them is cheaper by 0.1%, or costs half as much again. ``forms``: two strategies take the same time on every form; a
fast one can be timed on the one form that all solve, or on the mean over many.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from bench.plan.suite import MARGIN
from bench.studies import document
from bench.studies.simulation import YES_NO, Rows, Simulation, crossed
from bench.verdicts.arrays import Flags, Floats
from bench.verdicts.between_runs import comparison
from bench.verdicts.between_runs.comparison import MAJORITY, MIN_LAUNCHES
from bench.verdicts.between_runs.launches import Launches
from bench.verdicts.between_runs.machine_effect import AS_MEASURED, machine_effect
from bench.verdicts.choice.choose import ALPHA
from bench.verdicts.choice.mean_costs import excess
from bench.verdicts.pairs import paired
from bench.verdicts.pairs.decision import holm

APART = 0.25  # drift of a single strategy, as a share of the drift that all share
LAUNCH = 0.02  # standard deviation of the figure of a launch
MOST_FALSE = 0.05
DEFAULT, NONE = "default", "none"


def drift_claims(
    rng: np.random.Generator,
    draws: int,
    *,
    anchors: str,
    strategies: int,
    drift: float,
    margin: float,
    change: float,
    hidden: bool,
) -> Rows:
    """Return the share of comparisons with a false claim, and with a claim on the changed strategy.

    Args:
        anchors: ``default`` (all others that did not change) or ``none`` (times as measured).
        drift: of the machine, as a standard deviation of log times.
        change: of the first strategy, as a share; hidden: it is an anchor of the others nevertheless.
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
            machine = AS_MEASURED if anchors == NONE else machine_effect(others)
            p.append(machine.corrected(own).p_beyond(math.log1p(margin)))
        called.append(holm(np.array(p)) < comparison.ALPHA)
    claims = np.array(called)
    false = float(claims[:, 1 if change else 0 :].any(axis=1).mean())
    return [{"draws": draws, "false": false, "found": float(claims[:, 0].mean()) if change else math.nan}]


def drift_markdown(table: pd.DataFrame) -> str:
    """Return the claims at the default margin, by number of strategies and drift."""
    drifts = sorted(set(table["drift"]))
    at_default = table[(table["margin"] == MARGIN) & ~table["hidden"]]
    rows = []
    for (anchors, strategies, change), group in at_default.groupby(["anchors", "strategies", "change"]):
        shares = group.set_index("drift")["found" if change else "false"]
        claim = f"change of +{change:.0%} found" if change else "false"
        rows.append([str(anchors), str(strategies), claim, *(f"{shares[drift]:.1%}" for drift in drifts)])
    return document.table(["anchors", "strategies", "claims", *(f"drift {drift:.0%}" for drift in drifts)], rows)


def drift_held(table: pd.DataFrame) -> bool:
    at_default = table[(table["anchors"] == DEFAULT) & (table["margin"] == MARGIN)]
    return bool((at_default["false"] <= MOST_FALSE).all())


NO_CHANGE = ({"change": 0.0, "hidden": False},)
DRIFT = Simulation(
    title="false and missed changes between runs on a machine that drifts (4 minutes)",
    file="compare_drift.csv",
    cells=[
        {"anchors": anchors, "strategies": size["strategies"], "drift": size["drift"], "margin": margin, **change}
        for size in crossed(strategies=(1, 2, 4, 10), drift=(0.0, 0.02, 0.04, 0.06))
        for anchors, margin, changes in (
            *((anchors, margin, NO_CHANGE) for anchors in (DEFAULT, NONE) for margin in (MARGIN, 0.0)),
            (DEFAULT, MARGIN, crossed(change=(0.1, 0.2), hidden=YES_NO if size["strategies"] > MAJORITY else (False,))),
        )
        for change in changes
    ],
    measure=drift_claims,
    draws=500,
    seed=(2028,),
    held=drift_held,
    markdown=drift_markdown,
)

REPETITIONS = 5
PROCESS, FORM = 0.01, 0.1  # standard deviations of log times: of a process, and of a form of a puzzle
CHEAPER, DEARER = 0.001, 0.5
SHAPE = 4.0  # of the gamma distribution of skewed tastes: skewness 1
KEPT = 0.93


def choice(
    rng: np.random.Generator, draws: int, *, puzzles: int, spread: float, strategies: int, skew: bool, last: bool
) -> Rows:
    """Count how often the cheapest strategy is the best or tied with it, and how often not if it is dearer.

    Args:
        spread: standard deviation of the logarithms of costs over puzzles, about.
        skew: tastes of puzzles for strategies are skewed to the right.
        last: the cheapest strategy is the one that reacts most strongly to difficulty, otherwise the least.
    """
    slopes, taste, shape = np.linspace(0.6, 1.0, strategies) * spread, 0.4 * spread, (strategies, puzzles)
    of_taste = -SHAPE * math.log1p(-taste / math.sqrt(SHAPE)) - taste * math.sqrt(SHAPE) if skew else taste**2 / 2
    log_means = slopes**2 / 2 + of_taste + (PROCESS**2 + FORM**2) / 2  # of costs before they are scaled to a mean of 1
    place, kept, excluded = -1 if last else 0, 0, 0
    for _ in range(draws):
        deviates = (rng.gamma(SHAPE, size=shape) - SHAPE) / math.sqrt(SHAPE) if skew else rng.standard_normal(shape)
        of_puzzles = slopes[:, None] * rng.standard_normal(puzzles) + taste * deviates - log_means[:, None]
        process = PROCESS * rng.standard_normal((strategies, 1, REPETITIONS))
        costs = np.exp(of_puzzles[:, :, None] + process + FORM * rng.standard_normal((*shape, REPETITIONS)))
        for factor in (1 - CHEAPER, 1 + DEARER):
            scaled = costs.copy()
            scaled[place] *= factor
            slower = is_slower(scaled, place)
            kept += factor < 1 and not slower
            excluded += factor > 1 and slower
    return [{"draws": draws, "kept": kept / draws, "excluded": excluded / draws}]


def is_slower(costs: Floats, place: int) -> bool:
    """Return whether a strategy is called slower than the best, as ``choose`` does.

    Args:
        costs: strategies × puzzles × repetitions.
    """
    means = costs.mean(axis=(1, 2))
    best = int(means.argmin())
    alpha = ALPHA / (len(costs) - 1)
    return bool(means[place] > means[best] and excess(costs[place], costs[best], alpha).p < alpha)


def choice_markdown(table: pd.DataFrame) -> str:
    """Return the least share kept, and the range of shares excluded, by spread and number of puzzles."""
    rows = []
    for spread, of_spread in table.groupby("spread"):
        groups = [group for _, group in of_spread.groupby("puzzles")]
        rows.append([f"{spread}", *(f"{g['kept'].min():.1%}; {percents(g['excluded'])}" for g in groups)])
    return document.table(["spread", *(f"{number} puzzles" for number in sorted(set(table["puzzles"])))], rows)


def percents(shares: pd.Series[float]) -> str:
    return f"{100 * shares.min():.0f}-{100 * shares.max():.0f}%"


CHOICE = Simulation(
    title="whether `choose` keeps the cheapest strategy (5 minutes)",
    file="choice.csv",
    cells=crossed(
        puzzles=(15, 30, 60, 100), spread=(0.5, 1.0, 1.5, 2.0, 2.5), strategies=(2, 5), skew=YES_NO, last=YES_NO
    ),
    measure=choice,
    draws=500,
    seed=(2027,),
    held=lambda table: bool((table["kept"] >= KEPT).all()),
    markdown=choice_markdown,
)

PUZZLES = 25
OF_PROCESS = 0.02  # standard deviation of the logarithm of a process's speed
SHARED = 0.5  # share of the variance of forms that both strategies have in common
MOST_BIAS = 0.01  # a design is called unbiased up to this
COVERED = 0.93
DESIGNS = {"one form each": (1, 1), "16 forms and one": (16, 1), "16 forms each": (16, 16)}  # fast and slow strategy


def forms(rng: np.random.Generator, draws: int, *, design: str, form: float, clock: float) -> Rows:
    """Return the mean ratio (1 without bias) and the coverage of the interval.

    Args:
        form: standard deviation of the logarithm of a solve over the forms of a puzzle.
        clock: standard deviation of the error in the time of one solve of the fast strategy, after the cost of reading
            the clocks has been subtracted, as a share of that time.
    """
    numbers = DESIGNS[design]
    shape = (PUZZLES, REPETITIONS, max(numbers))
    ratios = []
    for _ in range(draws):
        common = np.sqrt(SHARED) * rng.standard_normal(shape)
        means = []
        for number in numbers:
            log_s = form * (common + np.sqrt(1 - SHARED) * rng.standard_normal(shape))
            means.append(np.exp(log_s[:, :, :number]).mean(axis=2))
        fast, slow = means
        fast = fast * (1 + clock / numbers[0] * rng.standard_normal(fast.shape))
        processes = OF_PROCESS * rng.standard_normal((2, 1, REPETITIONS))
        ratios.append(paired.compare(np.log(fast) - np.log(slow) + processes[0] - processes[1]))
    mean = float(np.exp(np.mean([np.log(ratio.ratio) for ratio in ratios])))
    covered = float(np.mean([not ratio.excludes_one for ratio in ratios]))
    unbiased = abs(mean - 1) <= MOST_BIAS and covered >= COVERED
    return [{"benchmarks": draws, "ratio": mean, "coverage": covered, "unbiased": unbiased}]


FORMS = Simulation(
    title="bias of pairs timed on different numbers of forms (10 seconds)",
    file="sample_bias.csv",
    cells=[
        {name: cell[name] for name in ("design", "form", "clock")}
        for cell in crossed(form=(0.0, 0.3, 0.5, 0.7), clock=(0.0, 0.02, 0.05), design=DESIGNS)
    ],
    measure=forms,
    draws=1000,
    seed=(2026,),
    held=lambda table: bool(table.loc[table["design"] != "16 forms and one", "unbiased"].all()),
)
