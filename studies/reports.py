"""False claims of a whole report, on simulated runs in which strategies are equally fast, or nearly.

Each report compares every strategy with the best of its collection, by the code of ``pairs.csv``. A claim is false if
the strategy that is called slower is not, or if two are called equivalent that are not. Half of the strategies have
unlucky forms: a few solves that take several times as long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from studies import document
from studies.simulation import DRAWS, Cell, Rows, Simulation, crossed, tastes, within_level
from sudoku_bench.bench.plan.suite import MARGIN
from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.comparable import CPU, Block
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.pair_estimates import PairBlock, estimates, process_variances
from sudoku_bench.bench.verdicts.pairs.pairs import decisions, with_best
from sudoku_bench.bench.verdicts.times import Times

NOISE, PROCESS = 0.02, 0.01  # standard deviations of log times: of a solve, and of a process
LOG_MARGIN = math.log1p(MARGIN)
LARGEST_BIAS = 0.01
Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def rarely(factor: float) -> Draw:
    """Return a draw of log times that one form in ten makes longer by a factor; the mean is 0."""
    return lambda rng, shape: np.float64(math.log(factor)) * ((rng.random(shape) < 0.1) - np.float64(0.1))


FORMS: Mapping[str, Draw] = {
    "alike": lambda rng, shape: 0.1 * rng.standard_normal(shape),
    "1 in 10 x2.7": rarely(math.e),
    "1 in 10 x7.4": rarely(math.e**2),
    "exponential": lambda rng, shape: 0.6 * (rng.exponential(size=shape) - 1),
}


def drawn(
    rng: np.random.Generator, truth: Floats, puzzles: int, repetitions: int, taste: float, forms: str, shared: bool
) -> Floats:
    """Draw log times of a collection: strategies × puzzles × repetitions.

    Args:
        truth: mean log time of each strategy.
        taste: standard deviation of the (skewed) effect of a puzzle on a strategy.
        forms: what forms of a puzzle do to every second strategy, beginning with the first; a key of ``FORMS``.
        shared: strategies come in groups of three with one engine, which determines most of their tastes.
    """
    shape = len(truth), puzzles, repetitions
    of_puzzles = tastes(rng, shape[:2], skew=True)
    if shared:
        of_engines = tastes(rng, shape[:2], skew=True)[np.arange(len(truth)) // 3]
        of_puzzles = math.sqrt(0.8) * of_engines + math.sqrt(0.2) * of_puzzles
    log_s = truth[:, None, None] + rng.standard_normal((1, puzzles, 1)) + taste * of_puzzles[:, :, None]
    log_s = log_s + PROCESS * rng.standard_normal((len(truth), 1, repetitions)) + NOISE * rng.standard_normal(shape)
    log_s[::2] += FORMS[forms](rng, log_s[::2].shape)
    return log_s


def pair_block(log_s: Floats, collection: str) -> PairBlock:
    """Return all pairs of a collection in which every solve was finished."""
    strategies, puzzles, repetitions = log_s.shape
    names = [tuple(map(str, range(number))) for number in (strategies, puzzles)]
    labels = tuple((1, number) for number in range(repetitions))
    times = Times(names[0], names[1], labels, log_s, np.zeros(log_s.shape, dtype=np.bool_))
    block = Block(collection, CPU, times, frozenset(), frozenset())
    return PairBlock(block, *np.triu_indices(strategies, 1), np.arange(puzzles))


def count(
    rng: np.random.Generator,
    draws: int,
    *,
    strategies: int,
    collections: int,
    puzzles: int,
    repetitions: int,
    taste: float,
    forms: str,
    shared: bool,
    lead: float,
    slower: float,
) -> Rows:
    """Count the reports with a false claim, and those that find the last strategy slower than the best.

    Args:
        lead: log ratio by which the second strategy is faster than the first; the others are up to twice as far behind.
        slower: by which the last strategy is slower than the first (0: it is as fast).
    """
    truth: Floats = lead * (np.abs(np.arange(strategies) - 1) % 3).astype(np.float64)
    truth[-1] = truth[-1] + math.log1p(slower) if slower else truth[-1]
    false, found, claims, log_ratios, findable = 0, 0, 0, [], []
    for _ in range(draws):
        blocks = [
            pair_block(drawn(rng, truth, puzzles, repetitions, taste, forms, shared), str(number))
            for number in range(collections)
        ]
        chosen, estimated = with_best(blocks, LOG_MARGIN)
        columns = decisions(chosen, estimated, best=True)
        true = np.concatenate([truth[block.a] - truth[block.b] for block in chosen])
        is_last = np.concatenate([block.a == strategies - 1 for block in chosen])
        is_slower, is_equivalent = (columns["verdict"] == kind for kind in (decision.B_FASTER, decision.EQUIVALENT))
        false += bool((is_slower & (true <= 0)).any() or (is_equivalent & (np.abs(true) >= LOG_MARGIN)).any())
        found += bool((is_slower & is_last).any())
        claims += int(is_slower.sum())
        findable.append(float(np.median(columns["findable"])))
        first = PairBlock(blocks[0].block, np.array([0]), np.array([1]), blocks[0].cluster)
        log_ratios.append(float(estimates(first, process_variances([first])[0], LOG_MARGIN).columns["ratio"][0]))
    return [
        {
            "reports": draws,
            "with_a_false_claim": false,
            "found": found if slower else math.nan,
            "findable": math.exp(float(np.mean(findable))),
            "bias": float(np.mean(log_ratios)) - float(truth[0] - truth[1]),
            "bias_error": float(np.std(log_ratios)) / math.sqrt(draws),
        }
    ]


def markdown(table: pd.DataFrame) -> str:
    """Return the largest share of reports with a false claim, by size of the family and forms."""
    several = table["collections"] > 1
    kinds = table["forms"].mask(several, table["collections"].map("alike, {} collections".format))
    shares = (table["with_a_false_claim"] / table["reports"]).groupby([table["strategies"], kinds]).max().unstack()
    names = [*FORMS, *sorted(set(kinds[several]))]
    rows = [[str(strategies), *row[names].map("{:.1%}".format)] for strategies, row in shares.iterrows()]
    return document.table(["strategies", *names], rows)


def is_held(table: pd.DataFrame) -> bool:
    unbiased = (table["bias"].abs() <= LARGEST_BIAS + 2 * table["bias_error"]).all()
    return bool(unbiased) and within_level(table["with_a_false_claim"], table["reports"], decision.ALPHA)


PLAIN: dict[str, Any] = {
    **{"collections": 1, "puzzles": 40, "repetitions": 5, "taste": 0.3, "forms": "alike", "shared": False},
    **{"lead": 0.0, "slower": 0.0},
}
CHANGES: Sequence[Cell] = (
    *crossed(puzzles=(15, 20, 40), repetitions=(3, 5), forms=FORMS),
    *crossed(taste=(0.0,), repetitions=(3, 5)),  # copies
    *crossed(taste=(0.1, 0.5), shared=(True,)),
    *crossed(lead=(0.005, 0.02), taste=(0.0, 0.3)),  # near ties
    {"collections": 5, "taste": 0.05, DRAWS: 1000},
    *crossed(slower=(0.05, 0.1), taste=(0.0,)),
)
REPORTS = Simulation(
    title="false claims of a report, each strategy against the best (10 minutes)",
    file="reports.csv",
    cells=[{**PLAIN, "strategies": strategies, **change} for strategies in (2, 5, 15) for change in CHANGES],
    measure=count,
    draws=300,
    seed=(2026, 4),
    held=is_held,
    markdown=markdown,
)
