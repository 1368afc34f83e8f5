"""What the company of other strategies does to a time, and how much two copies of a strategy differ by chance.

Rounds of a strategy alone, beside others, and beside others of which one sweeps the caches, follow each other in turn,
on the same forms. *Company* is the geometric mean over puzzles of the time beside others over that alone, with
Student's interval over rounds (Gosset 1908); it should be 1. *A/A* is the standard deviation over rounds of the mean
log ratio of two copies, which verdicts have to see through.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from studies.document import DOCS, TOP, fill, table
from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.plan import plan
from sudoku_bench.bench.plan.plan import Calibration, Plan
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.runner import Runner

TESTED = ("bitboard:bands", "propagation:bitmask", "sat:complete+native@minicard", "seed:pycosat")
BESIDE = (*TESTED, "seed:norvig")
SWEEPER = "seed:pyeda"  # works on megabytes between two solves of the others
COLLECTION, PUZZLES = "hard", 40
PAGE = DOCS / "methodology" / "order-and-forms.md"
STORED = TOP / "results" / "validation" / "company.csv"
COLUMNS = ("strategy", "beside", "solve_us", "ratio", "ratio_lo", "ratio_hi", "aa_percent", "rounds")


def measure(*, rounds: int = 12) -> None:
    """Measure the company of strategies (7 minutes), and store the table."""
    alone: dict[str, list[dict[str, float]]] = {name: [] for name in TESTED}
    beside: dict[str, list[dict[str, dict[str, float]]]] = {"others": [], SWEEPER: []}
    for number in range(1, rounds + 1):
        for name in TESTED:
            alone[name].append(logs_of((name,), number)[name])
        beside["others"].append(logs_of(BESIDE, number, copies=True))
        beside[SWEEPER].append(logs_of((*BESIDE, SWEEPER), number, copies=True))
    rows = [
        (name, company, *figures(name, alone[name], measured))
        for company, measured in beside.items()
        for name in TESTED
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame.to_csv(STORED, index=False, float_format="%.4g")
    fill(PAGE, "company", page(frame))


def logs_of(names: Sequence[str], number: int, copies: bool = False) -> dict[str, dict[str, float]]:
    """Measure a round; return the log CPU time of each puzzle, by entry."""
    result: dict[str, dict[str, float]] = {}
    for row in rows_of(names, number, copies):
        if row.status == "solved" and row.cpu_s:
            result.setdefault(row.strategy, {})[row.puzzle] = math.log(row.cpu_s)
    return result


def rows_of(names: Sequence[str], number: int, copies: bool) -> Iterable[Row]:
    suite = Suite(strategies=tuple(names), datasets=(COLLECTION,), limit=PUZZLES, repetitions=1, seed=number)
    made = plan.make(suite)
    puzzles = tuple(dataclasses.replace(planned, sampled=copies) for planned in made.puzzles)
    prepared: Plan = dataclasses.replace(made, puzzles=puzzles, calibration=Calibration(TESTED if copies else ()))
    return Runner(prepared).rows()


def figures(
    name: str, alone: Sequence[dict[str, float]], beside: Sequence[dict[str, dict[str, float]]]
) -> tuple[float, ...]:
    """Return the values of ``COLUMNS`` after the first two."""
    moved = [mean_difference(there[name], own) for own, there in zip(alone, beside, strict=True)]
    copies = [mean_difference(there[f"(instrument) {name}"], there[name]) for there in beside]
    half = stats.t.isf(0.025, len(moved) - 1) * stats.sem(moved)
    centre = statistics.fmean(moved)
    ratios = (math.exp(centre), math.exp(centre - half), math.exp(centre + half))
    solve_us = 1e6 * math.exp(statistics.fmean(value for own in alone for value in own.values()))
    return (solve_us, *ratios, 100 * float(np.std(copies, ddof=1)), len(moved))


def mean_difference(a: dict[str, float], b: dict[str, float]) -> float:
    return statistics.fmean(a[puzzle] - b[puzzle] for puzzle in a.keys() & b.keys())


def page(frame: pd.DataFrame) -> str:
    """Return the table in Markdown."""
    rows = [
        (
            f"`{row.strategy}`",
            "five strategies" if row.beside == "others" else f"with `{SWEEPER}`",
            f"{float(f'{row.solve_us:.3g}'):,g}",
            f"{row.ratio:.2f} [{row.ratio_lo:.2f}, {row.ratio_hi:.2f}]",
            f"{row.aa_percent:.1f}%",
        )
        for row in frame.itertuples()
    ]
    return table(("strategy", "beside", "solve, µs", "beside / alone", "A/A"), rows)
