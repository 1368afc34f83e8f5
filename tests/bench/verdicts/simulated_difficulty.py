"""Simulated runs with known curves over difficulty, for the tests of curves, crossovers and growth."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sudoku_bench.bench.verdicts.difficulty.fields import Field
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import Curve, Spread, a_run, drawn

Floats = NDArray[np.float64]
USUAL = Spread()


def flat(seconds: float) -> Curve:
    """Return the curve of a strategy whose time does not depend on difficulty."""
    return lambda guesses: np.full(len(guesses), seconds)


def rising(seconds: float, at: float, power: float = 1.0) -> Curve:
    """Return the curve of a strategy that takes ``seconds`` at ``at`` guesses, growing as a power of guesses + 1."""
    return lambda guesses: seconds * ((1 + guesses) / (1 + at)) ** power


def spread_out(n: int, rng: np.random.Generator, hardest: float = 150.0) -> Floats:
    """Return guesses of n puzzles, uniform on a logarithmic scale."""
    return np.expm1(rng.uniform(0, np.log1p(hardest), n))


def simulated(
    curves: dict[str, Curve],
    guesses: Floats,
    rng: np.random.Generator,
    spread: Spread = USUAL,
    late: float = 0.0,
    error: float = 0.0,
    **columns: Any,
) -> Run:
    """Return a run of strategies with these curves.

    Args:
        late: share of the first strategy's solves that exceed the limit.
        error: standard error of guesses, as a share of them; the run records the guesses with this error.
    """
    seconds = drawn(curves, guesses, 3, rng, spread)
    limit_s = float(np.quantile(seconds[0], 1 - late)) if late else 1e9
    seen = guesses * np.exp(error * rng.standard_normal(len(guesses)))
    run = a_run(seconds, list(curves), seen, limit_s=limit_s, **columns)
    return with_puzzles(run, guesses_se=error * seen)


def a_field(
    curves: dict[str, Curve],
    guesses: Floats,
    rng: np.random.Generator,
    spread: Spread = USUAL,
    late: float = 0.0,
    error: float = 0.0,
) -> Field:
    """Return the field of such a run directly, which is faster, for tests that need many of them."""
    seconds = drawn(curves, guesses, 3, rng, spread)
    limit_s = float(np.quantile(seconds[0], 1 - late)) if late else np.inf
    seen = guesses * np.exp(error * rng.standard_normal(len(guesses)))
    return Field(
        size=None,
        strategies=tuple(curves),
        puzzles=pd.DataFrame({"guesses": seen, "guesses_se": error * seen}),
        log_s=np.log(np.minimum(seconds, limit_s)),
        censored=seconds > limit_s,
        clusters=np.arange(len(guesses)),
        mined=np.zeros(len(guesses), dtype=np.bool_),
        searchers=frozenset(),
    )


def with_puzzles(run: Run, **columns: Any) -> Run:
    """Return the run with other columns of its puzzles."""
    return dataclasses.replace(run, puzzles=run.puzzles.assign(**columns))


def shuffled(run: Run, seed: int) -> Run:
    """Return the same run with its rows in another order."""
    return dataclasses.replace(
        run,
        measurements=run.measurements.sample(frac=1, random_state=seed).reset_index(drop=True),
        puzzles=run.puzzles.sample(frac=1, random_state=seed).reset_index(drop=True),
    )


def degenerate() -> dict[str, Run]:
    """Return runs that have no curve over difficulty."""
    rng = np.random.default_rng(1)
    curves = {"a": rising(1e-3, 10), "b": flat(2e-3)}
    many = spread_out(40, rng)
    finished = simulated(curves, many, rng)
    unfinished = finished.measurements.assign(status="timeout", cpu_s=np.nan, limit_s=1.0)
    return {
        "one puzzle": simulated(curves, many[:1], rng),
        "few puzzles": simulated(curves, many[:8], rng),
        "all timeouts": dataclasses.replace(finished, measurements=unfinished),
        "all alike": simulated(curves, np.full(40, 7.0), rng),
        "not rated": with_puzzles(finished, guesses=np.nan, guesses_se=np.nan),
        "several solutions": with_puzzles(finished, solutions=2),
        "all wrong": dataclasses.replace(finished, measurements=finished.measurements.assign(status="wrong")),
        "all unsupported": dataclasses.replace(
            finished, measurements=finished.measurements.assign(status="unsupported", cpu_s=np.nan)
        ),
        "nothing": dataclasses.replace(finished, measurements=finished.measurements.iloc[:0]),
        "no puzzles": dataclasses.replace(finished, puzzles=finished.puzzles.iloc[:0]),
    }


def rated(run: Run, rng: np.random.Generator, sign: Sequence[int] = (1, 1)) -> Run:
    """Return the run with rounds of trial and error and unsolved cells.

    Args:
        sign: of the correlation of each of the two with guesses.
    """
    guesses = run.puzzles["guesses"].to_numpy()
    level = np.log1p(guesses) + 0.5 * rng.standard_normal(len(guesses))
    rounds = np.clip(np.round(level if sign[0] > 0 else 5 - level), 0, 9)
    cells = np.clip(np.round(12 * (level if sign[1] > 0 else 5 - level)), 0, 60)
    return with_puzzles(run, te_rounds=rounds, te_depth=1, unsolved_locked=cells)
