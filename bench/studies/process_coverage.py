"""Coverage of intervals where the processes of strategies vary unequally: part of ``make validate-verdicts``.

The study draws benchmarks of copies of one strategy: nothing differs but processes and noise, so that the variance
between processes matters most. Some strategies are *wild*: the variance of their processes is four or sixteen times
that of the others. It counts for each kind of pair (both tame, one wild, both wild) how many 95% intervals hold the
true ratio, and how wide they are compared with intervals that know all variances. Nothing is measured.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from bench.studies.interval_coverage import ACCEPTED, FOLDER, SEED
from bench.verdicts.arrays import Floats
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.decision import interval
from bench.verdicts.pairs.means import means
from bench.verdicts.pairs.process_variance import process_variance, repetition_variances
from bench.verdicts.pairs.winsorized import winsorized

PAIRS = 1000  # intervals of the rarest kind of pair, at least
PROCESS = 0.01  # standard deviation between processes of a tame strategy
KINDS = ("both tame", "one wild", "both wild")
LARGEST = 50  # thousands of solves of a replicate in memory at a time


@dataclass(frozen=True)
class Cell:
    """Model of benchmarks of copies.

    Attributes:
        wild: number of strategies whose processes vary more; times: by how much, as a ratio of variances.
        noise: standard deviation of one solve; taste: of the effect of a puzzle on a strategy.
    """

    strategies: int
    wild: int
    times: int
    replicates: int
    puzzles: int
    noise: float
    taste: float


def cells() -> Iterator[Cell]:
    """Yield all cells: two to twelve strategies, three and five replicates, few and many puzzles."""
    groups = ((2, 0), (2, 1), (3, 1), (4, 2), (6, 2), (12, 0), (12, 2), (12, 6))
    for (strategies, wild), replicates in itertools.product(groups, (3, 5)):
        for times in (4, 16) if wild else (1,):
            for puzzles, noise, taste in ((15, 0.03, 0.0), (100, 0.1, 0.0), (15, 0.02, 0.05)):
                yield Cell(strategies, wild, times, replicates, puzzles, noise, taste)


def drawn(cell: Cell, benchmarks: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw log times (benchmarks × strategies × puzzles × replicates); return the deviations of processes, too."""
    shape = benchmarks, cell.strategies, cell.puzzles, cell.replicates
    process = PROCESS * np.sqrt(np.where(np.arange(cell.strategies) < cell.wild, cell.times, 1))
    log_s = cell.noise * rng.standard_normal(shape)
    log_s += process[:, None, None] * rng.standard_normal((*shape[:2], 1, cell.replicates))
    return log_s + cell.taste * rng.standard_normal((*shape[:3], 1)), process


def coverage(cell: Cell, number: int, least: int = PAIRS) -> list[dict[str, Any]]:
    """Return for each kind of pair the share of intervals that hold the truth, and their relative width."""
    rng = np.random.default_rng([SEED, 3, number])
    a, b = np.triu_indices(cell.strategies, 1)
    kind = (a < cell.wild).astype(np.intp) + (b < cell.wild)
    benchmarks = int(np.ceil(least / np.bincount(kind)[np.unique(kind)].min()))
    inside, width = np.zeros(len(a)), np.zeros(len(a))
    done = 0
    while done < benchmarks:
        some = min(benchmarks - done, max(1, 1000 * LARGEST // (cell.strategies * cell.puzzles)))
        log_s, process = drawn(cell, some, rng)
        log_s = winsorized(log_s, np.zeros(log_s.shape, dtype=np.bool_))
        processes = process_variance(repetition_variances(log_s, np.ones(log_s.shape[:3], dtype=np.bool_)))[:, a, b]
        flat = type(processes)(processes.variance.ravel(), processes.half_variance.ravel())
        ratios = (log_s[:, a] - log_s[:, b]).reshape(-1, cell.puzzles, cell.replicates)
        low, high = (end.reshape(some, -1) for end in interval(means(ratios, flat), decision.ALPHA))
        inside += ((low <= 0) & (high >= 0)).sum(axis=0)
        width += (high - low).sum(axis=0)
        done += some
    noise = 2 * (cell.noise**2 / cell.replicates + cell.taste**2) / cell.puzzles
    variance = (process[a] ** 2 + process[b] ** 2) / cell.replicates + noise
    known = 2 * stats.norm.isf(decision.ALPHA / 2) * np.sqrt(variance)
    return [
        asdict(cell)
        | {
            "pair": KINDS[number],
            "intervals": benchmarks * int((kind == number).sum()),
            "held": float(inside[kind == number].mean() / benchmarks),
            "width": float((width / known)[kind == number].mean() / benchmarks),
        }
        for number in np.unique(kind)
    ]


def words(table: pd.DataFrame) -> list[str]:
    """Return the range of coverage by kind of pair and ratio of variances."""
    lines = []
    for (times, pair), group in table.groupby(["times", "pair"]):
        held, width = group["held"], group["width"]
        accepted = held.between(*ACCEPTED).sum()
        lines.append(
            f"variances 1:{times}, {pair}: held {held.min():.1%} to {held.max():.1%}, {accepted} of {len(group)} cells"
            f" within {ACCEPTED[0]:.0%} to {ACCEPTED[1]:.0%}; width {width.median():.2f} of the ideal"
        )
    return lines


def main() -> int:
    table = pd.DataFrame([row for number, cell in enumerate(cells()) for row in coverage(cell, number)])
    FOLDER.mkdir(parents=True, exist_ok=True)
    table.to_csv(FOLDER / "process_coverage.csv", index=False, lineterminator="\n", float_format="%.4g")
    print("\n".join(words(table)))
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m bench.studies.process_coverage", description=__doc__).parse_args()
    sys.exit(main())
