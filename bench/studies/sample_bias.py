"""Bias of a pair whose strategies are timed on different numbers of forms: ``make validate-samples``.

A fast strategy can be timed on the one form that all strategies solve, after a run-in, or on the mean over many forms.
The study draws times of two strategies that take the same time on every form, and counts how far the paired ratio is
from 1 and how often its 95% interval holds 1. Nothing is measured, so it does not depend on the machine.

The mean over forms is biased: a ratio is a difference of logarithms, and the logarithm of a mean exceeds the mean of
the logarithms unless all strategies average over the same number of forms.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.verdicts.arrays import Floats
from bench.verdicts.pairs import paired

FILE = Path("results/validation/sample_bias.csv")
SEED = 2026
BENCHMARKS = 1000  # per cell
PUZZLES, REPLICATES = 25, 5
FORMS = 16  # in the sample of a strategy that is timed on a mean over forms
PROCESS = 0.02  # standard deviation of the logarithm of a process's speed
SHARED = 0.5  # share of the variance of forms that both strategies have in common
MOST_BIAS = 0.01  # a design is called unbiased up to this
LEAST_COVERAGE = 0.93
DESIGNS = {"one form each": (1, 1), "16 forms and one": (FORMS, 1), "16 forms each": (FORMS, FORMS)}


@dataclass(frozen=True)
class Cell:
    """Model of benchmarks of a fast strategy and a slow one.

    Attributes:
        design: a key of ``DESIGNS``, which has the numbers of forms of the fast and the slow strategy.
        form: standard deviation of the logarithm of a solve over the forms of a puzzle.
        clock: standard deviation of the error in the time of one solve of the fast strategy, after the cost of reading
            the clocks has been subtracted, as a share of that time.
    """

    design: str
    form: float
    clock: float


def cells() -> Iterator[Cell]:
    """Yield all cells of the study."""
    for form, clock, design in itertools.product((0.0, 0.3, 0.5, 0.7), (0.0, 0.02, 0.05), DESIGNS):
        yield Cell(design, form, clock)


def log_ratios(cell: Cell, rng: np.random.Generator) -> Floats:
    """Draw one benchmark: log ratios, puzzles × replicates, whose true mean is 0."""
    numbers = DESIGNS[cell.design]
    shape = (PUZZLES, REPLICATES, max(numbers))
    common = np.sqrt(SHARED) * rng.standard_normal(shape)
    means = []
    for number in numbers:
        log_s = cell.form * (common + np.sqrt(1 - SHARED) * rng.standard_normal(shape))
        means.append(np.exp(log_s[:, :, :number]).mean(axis=2))
    fast, slow = means
    fast = fast * (1 + cell.clock / numbers[0] * rng.standard_normal(fast.shape))
    processes = PROCESS * rng.standard_normal((2, 1, REPLICATES))
    log_ratio: Floats = np.log(fast) - np.log(slow) + processes[0] - processes[1]
    return log_ratio


def result(cell: Cell, number: int, benchmarks: int = BENCHMARKS) -> dict[str, Any]:
    """Return a cell with its mean ratio (1 without bias) and the coverage of the interval."""
    rng = np.random.default_rng([SEED, number])
    ratios = [paired.compare(log_ratios(cell, rng)) for _ in range(benchmarks)]
    return asdict(cell) | {
        "benchmarks": benchmarks,
        "ratio": float(np.exp(np.mean([np.log(ratio.ratio) for ratio in ratios]))),
        "coverage": float(np.mean([not ratio.excludes_one for ratio in ratios])),
    }


def is_unbiased(table: pd.DataFrame) -> pd.Series[bool]:
    """Return for each cell whether the ratio is close to 1 and the interval holds 1 as often as it should."""
    return ((table["ratio"] - 1).abs() <= MOST_BIAS) & (table["coverage"] >= LEAST_COVERAGE)


def main() -> int:
    table = pd.DataFrame([result(cell, number) for number, cell in enumerate(cells())])
    table["unbiased"] = is_unbiased(table)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(FILE, index=False, lineterminator="\n", float_format="%.4g")
    print(table.to_string(index=False, float_format="{:.3f}".format))
    alike = table["design"].isin([name for name, (fast, slow) in DESIGNS.items() if fast == slow])
    return 0 if table.loc[alike, "unbiased"].all() else 1


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m bench.studies.sample_bias", description=__doc__).parse_args()
    sys.exit(main())
