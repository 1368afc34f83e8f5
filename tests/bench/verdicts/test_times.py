"""Tests of times as arrays."""

from __future__ import annotations

import numpy as np

from sudoku_bench.bench.verdicts.times import times
from tests.bench.verdicts.simulated_runs import a_run


def test_places_of_measurements_do_not_depend_on_the_order_of_rows() -> None:
    rng = np.random.default_rng(1)
    seconds = rng.uniform(0.1, 2.0, (3, 5, 4))
    run = a_run(seconds, ["a", "b", "c"], np.ones(5), limit_s=1.0, launches=2)
    result = times(run.measurements.sample(frac=1, random_state=2))
    order = np.ix_(
        [result.strategies.index(name) for name in "abc"],
        [result.puzzles.index(f"own-{number:04d}") for number in range(5)],
        [result.repetitions.index((launch, repetition)) for launch in (1, 2) for repetition in (1, 2)],
    )
    assert np.allclose(result.log_s[order], np.log(np.minimum(seconds, 1.0)))
    assert (result.censored[order] == (seconds > 1.0)).all()
