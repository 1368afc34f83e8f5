"""Simulated runs with known true parameters: times are drawn at random, not measured."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sudoku_bench.bench.folder.rows import COLUMNS
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.experiment import method_of_this_version
from sudoku_bench.bench.verdicts.run_tables import Run

Floats = NDArray[np.float64]
Curve = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Spread:
    """Standard deviations of logarithms of time.

    Attributes:
        taste: of the interaction of a puzzle and a strategy; ``draw`` draws its deviates (normal or skewed).
        form: of a form of a puzzle, for one strategy.
        process: of a repetition's processes of one strategy.
        noise: of a measurement.
    """

    taste: float = 0.3
    form: float = 0.1
    process: float = 0.01
    noise: float = 0.02
    draw: Callable[[np.random.Generator, tuple[int, ...]], Floats] = lambda rng, shape: rng.standard_normal(shape)


def drawn(
    curves: Mapping[str, Curve],
    guesses: Floats,
    repetitions: int,
    rng: np.random.Generator,
    spread: Spread = Spread(),
) -> Floats:
    """Return seconds, strategies × puzzles × repetitions.

    Args:
        curves: for each strategy, its median time in seconds as a function of the mean guesses of a puzzle.
        guesses: of each puzzle.
    """
    shape = (len(curves), len(guesses), repetitions)
    medians = np.log([curve(guesses) for curve in curves.values()])[:, :, None]
    taste = spread.taste * spread.draw(rng, (*shape[:2], 1))
    form = spread.form * rng.standard_normal(shape)
    process = spread.process * rng.standard_normal((shape[0], 1, repetitions))
    return np.exp(medians + taste + form + process + spread.noise * rng.standard_normal(shape))


def a_run(
    seconds: Floats,
    strategies: list[str],
    guesses: Floats,
    limit_s: float = 1e9,
    launches: int = 1,
    collection: str = "own",
    **columns: Any,
) -> Run:
    """Return a run that measured these times (strategies × puzzles × repetitions); times beyond the limit are timeouts.

    Args:
        columns: further columns of every measurement.
    """
    _, n_puzzles, n_repetitions = seconds.shape
    strategy, puzzle, repetition = (axis.ravel() for axis in np.indices(seconds.shape))
    names = np.array([f"{collection}-{number:04d}" for number in range(n_puzzles)], dtype=object)
    finished = seconds.ravel() <= limit_s
    repetitions = n_repetitions // launches
    values: dict[str, Any] = {
        "strategy": np.array(strategies, dtype=object)[strategy],
        "collection": collection,
        "puzzle": names[puzzle],
        "isomorph": repetition + 1,
        "task": "first",
        "mode": "warm",
        "launch": repetition // repetitions + 1,
        "repetition": repetition % repetitions + 1,
        "loops": 1,
        "status": np.where(finished, "solved", "timeout").astype(object),
        "limit_s": limit_s,
        "limit_clock": "cpu",
        "wall_s": np.where(finished, seconds.ravel(), np.nan),
        "cpu_s": np.where(finished, seconds.ravel(), np.nan),
        "prepare_cpu_s": 0.5,
        "solutions": np.where(finished, 1.0, np.nan),
        "round": repetition + 1,
        "worker": strategy * n_repetitions + repetition + 1,
    }
    measurements = pd.DataFrame(values | columns).reindex(columns=list(COLUMNS))
    measurements = measurements.astype({"decoy": object, "placebo": object, "reason": object})
    puzzles = pd.DataFrame({"collection": collection, "puzzle": names, "guesses": guesses, "solutions": 1})
    suite = dataclasses.asdict(Suite(timeout_s=limit_s, repetitions=repetitions, launches=launches))
    manifest = {"suite": suite, "method": dataclasses.asdict(method_of_this_version()), "machine": {"cpu": "simulated"}}
    return Run(manifest, measurements, puzzles)


def together(*runs: Run) -> Run:
    """Return one run of several collections."""
    return Run(
        runs[0].manifest,
        pd.concat([run.measurements for run in runs], ignore_index=True),
        pd.concat([run.puzzles for run in runs], ignore_index=True),
    )
