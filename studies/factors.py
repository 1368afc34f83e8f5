"""Effects of factors on log times: of an encoding, of an engine, and of their combinations, with intervals.

The design is crossed and balanced: every level of each factor with every level of the others, on the same puzzles, in
the same repetitions. The model is mixed: factors are fixed; puzzles, their interaction with strategies, and processes
are random. In each repetition a strategy runs in a process of its own, whose deviation all its puzzles share.
``FACTORS`` counts how often the intervals cover effects that are known.

An effect is a contrast of the cell means: of a level, its mean minus the mean of all; of a combination of two levels,
what remains after both. The contrasts of all puzzles and repetitions are then a two-way table without repetition, and
the variance of its mean is estimated as that of a ratio of two strategies (``paired``).

Unfinished solves are censored: of a puzzle under a strategy with an unfinished solve, only a lower bound of the mean
log time is known. Such values are imputed several times from a normal model with additive strategies and puzzles, cut
at the bound (fitted by iterating conditional means, as in Schmee & Hahn 1979), and the results are combined (Rubin
1987).
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from studies.simulation import Rows, Simulation, crossed
from sudoku_bench.bench.verdicts.arrays import Flags, Floats
from sudoku_bench.bench.verdicts.pairs.paired import variance_of_mean

LEVEL = 0.95
SHOWN = (1, 2)  # effects of so many factors
IMPUTATIONS = 20
ITERATIONS = 100
TOLERANCE = 1e-4
MOST_CENSORED = 0.5  # share of the puzzles of a strategy; beyond that, nothing is estimated

Levels = tuple[int | None, ...]
FactorNumbers = tuple[int, ...]


@dataclass(frozen=True)
class Effect:
    """An effect, as a ratio of times, with its interval.

    Attributes:
        levels: for each factor the number of the level, None for the mean over its levels; one or two are numbers.
        ratio: geometric mean time over that of all; for a combination, over what both levels alone predict.
        p: null hypothesis: the ratio is 1.
    """

    levels: Levels
    ratio: float
    lo: float
    hi: float
    p: float


class TooManyUnfinishedError(Exception):
    """A strategy left so many puzzles unfinished that no effect can be estimated."""


def effects(log_s: Floats, censored: Flags, seed: int = 1) -> list[Effect]:
    """Estimate the effects of all levels, and of all combinations of two.

    Args:
        log_s: log times, levels of each factor × puzzles × repetitions; the log of the limit where unfinished.
        censored: whether a solve was not finished.

    Raises:
        TooManyUnfinishedError: a strategy left more than half of the puzzles unfinished.
    """
    number, flat = log_s.ndim - 2, (-1, *log_s.shape[-2:])
    tables = completed(log_s.reshape(flat), censored.reshape(flat), np.random.default_rng(seed))
    results = []
    for imputed in zip(*(components(table.reshape(log_s.shape), number, SHOWN) for table in tables), strict=True):
        factors, part = imputed[0]
        sides = part.shape[:number]
        estimates = [[mean_of(part[place]) for place in np.ndindex(sides)] for _, part in imputed]
        of_factors = combined(np.array(estimates).reshape(len(imputed), *sides, 3))
        for place, found in zip(np.ndindex(sides), of_factors.reshape(-1, 4), strict=True):
            levels = tuple(place[factor] if factor in factors else None for factor in range(number))
            results.append(Effect(levels, *map(float, found)))
    return results


def components(cells: Floats, number: int, orders: Iterable[int]) -> Iterator[tuple[FactorNumbers, Floats]]:
    """Yield for each combination of factors what its levels add beyond fewer factors; other factors have one level.

    Args:
        cells: values by level; the first ``number`` axes are factors.
        orders: how many factors are combined.
    """
    for order in orders:
        for factors in itertools.combinations(range(number), order):
            part = cells
            for axis in range(number):
                mean = part.mean(axis=axis, keepdims=True)
                part = part - mean if axis in factors else mean
            yield factors, part


def mean_of(table: Floats) -> tuple[float, float, float]:
    """Return the mean of a table of puzzles × repetitions, its variance, and the degrees of freedom of that."""
    variance, freedom = variance_of_mean(table)
    return float(table.mean()), variance or 0.0, freedom


def combined(estimates: Floats) -> Floats:
    """Combine the estimates of several imputations (Rubin 1987; degrees of freedom: Barnard & Rubin 1999).

    The effects of the levels of a factor add up to nothing, so no error is larger than all others together. Each has a
    variance of its own; the degrees of freedom are the same for all, the mean of theirs weighted by variance. Their own
    are far apart by chance where there are few processes or imputations.

    Args:
        estimates: imputations × levels of each factor × mean, variance of it, and degrees of freedom of that.

    Returns:
        levels of each factor × ratio, lower and upper end, p.
    """
    means, variances, freedoms = np.moveaxis(estimates, -1, 0)
    number, mean, within = len(means), means.mean(axis=0), variances.mean(axis=0)
    between = (1 + 1 / number) * (means.var(axis=0, ddof=1) if number > 1 else np.zeros_like(mean))
    total = within + between
    if not total.any():
        certain: Floats = np.exp(np.stack([mean, mean, mean, np.where(mean == 0, 0.0, -np.inf)], axis=-1))
        return certain
    freedom = within.sum() / (within / freedoms.mean(axis=0)).sum() if within.any() else np.inf
    if share := between.sum() / total.sum():
        of_imputations = (number - 1) / share**2
        observed = (freedom + 1) / (freedom + 3) * freedom * (1 - share)
        freedom = 1 / (1 / of_imputations + 1 / observed)
    error = np.sqrt(np.maximum(total, 1e-300))
    for axis in (axis for axis, levels in enumerate(error.shape) if levels > 1):
        error = np.minimum(error, error.sum(axis=axis, keepdims=True) - error)
    width = stats.t.ppf((1 + LEVEL) / 2, freedom) * error
    p = 2 * stats.t.sf(np.abs(mean) / error, freedom)
    found: Floats = np.stack([np.exp(mean), np.exp(mean - width), np.exp(mean + width), p], axis=-1)
    return found


def completed(log_s: Floats, censored: Flags, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield tables (strategies × puzzles × repetitions) without censored values: one, or several imputations.

    Raises:
        TooManyUnfinishedError: a strategy left more than half of the puzzles unfinished.
    """
    open_cells: Flags = np.asarray(censored.any(axis=2))  # strategies × puzzles
    if not open_cells.any():
        yield log_s
        return
    if (open_cells.mean(axis=1) > MOST_CENSORED).any():
        raise TooManyUnfinishedError
    bounds = log_s.mean(axis=2)
    fitted, spread = fit(bounds, open_cells)
    noise, processes = repetition_parts(log_s, open_cells)
    for _ in range(IMPUTATIONS):
        table = log_s.copy()
        for s, p in zip(*np.nonzero(open_cells), strict=True):
            value = fitted[s, p] + spread[s] * above((bounds[s, p] - fitted[s, p]) / spread[s], rng)
            table[s, p] = value + processes[s] + noise * rng.standard_normal(log_s.shape[2])
        yield table


def fit(bounds: Floats, open_cells: Flags) -> tuple[Floats, Floats]:
    """Fit strategies + puzzles to means of which some are lower bounds; return fitted values and, by strategy, spreads.

    Expectation and maximization: bounds are replaced by the means of the values beyond them until nothing changes.
    """
    values, extra = bounds.copy(), np.zeros_like(bounds)
    strategies, puzzles = bounds.shape
    lost = 1 - (puzzles + strategies - 1) / (strategies * puzzles)  # share of the degrees of freedom that remain
    for _ in range(ITERATIONS):
        of_strategies = values.mean(axis=1, keepdims=True)
        fitted = of_strategies + values.mean(axis=0, keepdims=True) - values.mean()
        spread = np.sqrt((((values - fitted) ** 2 + extra).mean(axis=1)) / lost)
        spread = np.maximum(spread, 1e-6)
        z = (bounds - fitted) / spread[:, None]
        hazard = np.exp(stats.norm.logpdf(z) - stats.norm.logsf(z))
        beyond = fitted + spread[:, None] * hazard
        replaced = np.where(open_cells, beyond, bounds)
        extra = np.where(open_cells, spread[:, None] ** 2 * np.maximum(0.0, 1 + z * hazard - hazard**2), 0.0)
        change = float(np.abs(replaced - values).max())
        values = replaced
        if change < TOLERANCE:
            break
    return fitted, spread


def repetition_parts(log_s: Floats, open_cells: Flags) -> tuple[float, Floats]:
    """The spread of repetitions of a puzzle, and the mean deviation of each strategy's process in each repetition."""
    deviations = np.where(open_cells[:, :, None], np.nan, log_s - log_s.mean(axis=2, keepdims=True))
    processes = np.nanmean(deviations, axis=1)
    repetitions = log_s.shape[2]
    if repetitions == 1:
        return 0.0, np.zeros_like(processes)
    noise = np.sqrt(np.nanmean((deviations - processes[:, None, :]) ** 2) * repetitions / (repetitions - 1))
    return float(noise), processes


def above(bound: float, rng: np.random.Generator) -> float:
    """Draw a standard normal deviate above a bound."""
    return float(stats.norm.isf(rng.uniform() * stats.norm.sf(bound)))


def shares(log_s: Floats) -> dict[FactorNumbers, float]:
    """The share of each factor and each combination of factors in the variance of the cell means of log times."""
    cells = log_s.mean(axis=(-2, -1))
    parts = components(cells, cells.ndim, range(1, cells.ndim + 1))
    squares = {factors: float((part**2).mean()) for factors, part in parts}
    total = sum(squares.values())
    return {factors: square / total if total else 0.0 for factors, square in squares.items()}


SEED = 2028
LEVELS = (4, 3)
PUZZLE, TASTE = 0.8, 0.3  # standard deviations of log times: of puzzles, and of puzzles under one strategy
FORM = 0.1  # of a measurement
LEAST, MOST = 0.93, 0.97


def drawn(
    rng: np.random.Generator, *, puzzles: int, replicates: int, process: float, unfinished: float
) -> tuple[Floats, Floats, Flags]:
    """Draw the mean log time of each combination, and log times with which of them are limits (see ``coverage``)."""
    a, b = 0.5 * rng.standard_normal((LEVELS[0], 1)), 0.5 * rng.standard_normal((1, LEVELS[1]))
    means: Floats = a + b + 0.2 * rng.standard_normal(LEVELS)
    shape = (*LEVELS, puzzles, replicates)
    log_s = means[:, :, None, None] + PUZZLE * rng.standard_normal((1, 1, puzzles, 1))
    log_s = log_s + TASTE * rng.standard_normal((*LEVELS, puzzles, 1))
    log_s = log_s + process * rng.standard_normal((*LEVELS, 1, replicates)) + FORM * rng.standard_normal(shape)
    limit = np.quantile(log_s, 1 - unfinished) if unfinished else np.inf
    return means, np.minimum(log_s, limit), log_s >= limit


def coverage(_: np.random.Generator, draws: int, **cell: Any) -> Rows:
    """Return the share of intervals that contain the true effect, for levels and for combinations.

    Benchmark k has the same random numbers in every cell. No interval is given where too much is unfinished.

    Args:
        cell: numbers of puzzles and of ``replicates``; ``process``: standard deviation of a process; ``unfinished``:
            share of solves beyond the limit, on average over strategies.
    """
    hits: dict[str, list[bool]] = {"levels": [], "combinations": []}
    for number in range(draws):
        means, log_s, censored = drawn(np.random.default_rng([SEED, number]), **cell)
        true = np.exp(np.concatenate([part.ravel() for _, part in components(means, len(LEVELS), SHOWN)]))
        with contextlib.suppress(TooManyUnfinishedError):
            for effect, ratio in zip(effects(log_s, censored, seed=number), true, strict=True):
                hits["levels" if None in effect.levels else "combinations"].append(
                    bool(effect.lo <= ratio <= effect.hi)
                )
    return [{kind: float(np.mean(held)) for kind, held in hits.items()}]


def is_covered(table: pd.DataFrame) -> bool:
    covered = table[["levels", "combinations"]].to_numpy()
    return bool(LEAST <= covered.mean() <= MOST and covered.min() >= LEAST)


FACTORS = Simulation(
    title="coverage of the intervals of the grid of encodings (15 minutes)",
    file="factors.csv",
    cells=[
        cell
        for cell in crossed(puzzles=(15, 40), replicates=(1, 3, 5), process=(0.01, 0.1), unfinished=(0.0, 0.05, 0.1))
        if cell["replicates"] > 1 or cell["process"] < 0.1  # one repetition cannot show how processes vary
    ],
    measure=coverage,
    draws=100,
    seed=(SEED,),
    held=is_covered,
)
