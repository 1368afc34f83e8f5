"""Coverage of the intervals of ``factor_effects`` on drawn benchmarks whose truth is known: ``make validate-factors``.

Log times are the sum of the effects of two factors and of their combination, of a puzzle, of a puzzle under a strategy,
of a process and of a measurement. In some cells a time limit leaves solves unfinished. The share of intervals that
contain the true effect should be 93% to 97%.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.studies.factor_effects import TooManyUnfinishedError, contrasts, effects
from bench.verdicts.arrays import Flags, Floats

FOLDER = Path("results/validation")
SEED = 2028
DRAWS = 100
LEVELS = (4, 3)
PUZZLE, TASTE = 0.8, 0.3  # standard deviations of log times: of puzzles, and of puzzles under one strategy
FORM = 0.1  # of a measurement
LEAST, MOST = 0.93, 0.97


@dataclass(frozen=True)
class Cell:
    """A model of a benchmark.

    Attributes:
        process: standard deviation of a process.
        unfinished: share of solves beyond the limit, on average over strategies.
    """

    puzzles: int
    replicates: int
    process: float
    unfinished: float


def cells() -> Iterator[Cell]:
    for values in itertools.product((15, 40), (1, 3, 5), (0.01, 0.1), (0.0, 0.05, 0.1)):
        cell = Cell(*values)
        if cell.replicates > 1 or cell.process < 0.1:  # one replicate cannot show how processes vary
            yield cell


def truth(rng: np.random.Generator) -> Floats:
    """Draw the mean log time of each combination."""
    a, b = 0.5 * rng.standard_normal((LEVELS[0], 1)), 0.5 * rng.standard_normal((1, LEVELS[1]))
    combination: Floats = a + b + 0.2 * rng.standard_normal(LEVELS)
    return combination


def drawn(cell: Cell, means: Floats, rng: np.random.Generator) -> tuple[Floats, Flags]:
    """Draw log times, and which of them are limits."""
    shape = (*LEVELS, cell.puzzles, cell.replicates)
    log_s = means[:, :, None, None] + PUZZLE * rng.standard_normal((1, 1, cell.puzzles, 1))
    log_s = log_s + TASTE * rng.standard_normal((*LEVELS, cell.puzzles, 1))
    log_s = (
        log_s + cell.process * rng.standard_normal((*LEVELS, 1, cell.replicates)) + FORM * rng.standard_normal(shape)
    )
    if not cell.unfinished:
        return log_s, np.zeros(shape, dtype=bool)
    limit = np.quantile(log_s, 1 - cell.unfinished)
    return np.minimum(log_s, limit), log_s >= limit


def coverage(cell: Cell, draws: int, seed: int) -> dict[str, float]:
    """The share of intervals that contain the true effect, for levels and for combinations."""
    hits: dict[str, list[bool]] = {"levels": [], "combinations": []}
    weights = [weight for _, weight in contrasts(LEVELS)]
    for number in range(draws):
        rng = np.random.default_rng([seed, number])
        means = truth(rng)
        try:
            estimated = effects(*drawn(cell, means, rng), seed=number)
        except TooManyUnfinishedError:  # no interval is given then
            continue
        for effect, weight in zip(estimated, weights, strict=True):
            kind = "levels" if None in effect.levels else "combinations"
            hits[kind].append(bool(effect.lo <= np.exp((weight * means).sum()) <= effect.hi))
    return {kind: float(np.mean(found)) for kind, found in hits.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Count how often intervals of effects of factors cover the truth.")
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--out", type=Path, default=FOLDER)
    options = parser.parse_args()
    rows = []
    for cell in cells():
        rows.append(asdict(cell) | coverage(cell, options.draws, SEED))
        print("  ".join(f"{key} {value:g}" for key, value in rows[-1].items()), flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    table = pd.DataFrame(rows)
    table.to_csv(options.out / "factors.csv", index=False, lineterminator="\n", float_format="%.4g")
    covered = table[["levels", "combinations"]].to_numpy()
    print(f"coverage {covered.min():.1%} to {covered.max():.1%}, mean {covered.mean():.1%}")
    return 0 if LEAST <= covered.mean() <= MOST and covered.min() >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
