"""Components of the variance of log times or ratios: puzzles, repetitions, and single measurements.

A logarithm is modelled as a sum of random effects: puzzle, repetition (each has fresh processes, whose speed varies),
and single measurement (its form, and noise). The components are estimated from mean squares (Henderson 1953; Searle,
Casella & McCulloch 1992); negative estimates are set to 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Floats, Indices
from sudoku_bench.bench.verdicts.clusters import cluster_means
from sudoku_bench.bench.verdicts.times import Times


@dataclass(frozen=True)
class Components:
    """Variances of logarithms: between puzzles, between repetitions, and between single measurements."""

    puzzle: float
    repetition: float
    single: float


def components(logs: Floats) -> Components:
    """Return the components of a complete table, puzzles × repetitions, with at least two of each."""
    puzzles, repetitions = logs.shape
    rows, columns, grand = logs.mean(axis=1), logs.mean(axis=0), float(logs.mean())
    rest = logs - rows[:, None] - columns + grand
    of_single = float((rest**2).sum()) / ((puzzles - 1) * (repetitions - 1))
    of_puzzles = repetitions * float(((rows - grand) ** 2).sum()) / (puzzles - 1)
    of_repetitions = puzzles * float(((columns - grand) ** 2).sum()) / (repetitions - 1)
    return Components(
        max(0.0, (of_puzzles - of_single) / repetitions),
        max(0.0, (of_repetitions - of_single) / puzzles),
        of_single,
    )


def log_ratios(measured: Times, a: str, b: str, cluster: Indices) -> tuple[Floats, int]:
    """Return log ratios of two strategies and the number of puzzles left out as unfinished.

    The ratios are means of clusters: clusters × repetitions. Repetitions in which less than half of the puzzles were
    measured (in an interrupted run) are left out, too.

    Args:
        cluster: cluster number of each puzzle.
    """
    at_a, at_b = (measured.strategies.index(name) for name in (a, b))
    logs = measured.log_s[at_a] - measured.log_s[at_b]
    known = ~np.isnan(logs)
    used = 2 * known.sum(axis=0) >= len(logs)
    unfinished = (measured.censored[at_a] | measured.censored[at_b])[:, used].any(axis=1)
    finished = known[:, used].all(axis=1) & ~unfinished
    kept = logs[None, finished][:, :, used]
    means, _ = cluster_means(kept, np.zeros(kept.shape, dtype=np.bool_), cluster[finished])
    return means[0], int(unfinished.sum())
