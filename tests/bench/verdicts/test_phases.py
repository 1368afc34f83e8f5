"""Medians of phases, by hand."""

from __future__ import annotations

import dataclasses

import numpy as np

from sudoku_bench.bench.verdicts.phases import PHASES, phases
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run


def run_of(seconds: list[list[list[float]]], size: int = 9, limit_s: float = 10.0, collection: str = "own") -> Run:
    """Strategies a, b ...: puzzles × repetitions; half of each solve is search, a quarter is encoding."""
    times = np.array(seconds)
    run = a_run(times, list("abcdef"[: len(times)]), np.ones(times.shape[1]), limit_s=limit_s, collection=collection)
    rows = run.measurements
    shares = dict(zip(PHASES, (1 / 4, 1 / 8, 1 / 2, 1 / 16, 1 / 16), strict=True))
    rows = rows.assign(**{f"{phase}_cpu_s": rows["cpu_s"] * share for phase, share in shares.items()})
    return dataclasses.replace(run, measurements=rows, puzzles=run.puzzles.assign(grid="." * size**2))


def test_a_phase_is_the_median_over_puzzles_of_the_medians_of_their_measurements() -> None:
    # Medians of the puzzles: 2, 4 and 8.
    [row] = phases(run_of([[[1, 2, 9], [4, 4, 4], [8, 8, 0.1]]]), 9).to_dict("records")
    assert row["whole_s"] == 4
    assert [row[f"{phase}_s"] for phase in PHASES] == [1, 0.5, 2, 0.25, 0.25]
    assert (row["n_puzzles"], row["of_puzzles"]) == (3, 3)


def test_unfinished_solves_are_left_out_and_counted() -> None:
    [row] = phases(run_of([[[1.0, 1.0], [99.0, 99.0]]]), 9).to_dict("records")
    assert (row["whole_s"], row["n_puzzles"], row["of_puzzles"]) == (1, 1, 2)


def test_preparation_counts_once_per_process() -> None:
    run = run_of([[[1.0, 1.0, 1.0, 1.0]]])
    rows = run.measurements.assign(worker=[1, 1, 1, 2], prepare_cpu_s=[3.0, 3.0, 3.0, 5.0])
    [row] = phases(dataclasses.replace(run, measurements=rows), 9).to_dict("records")
    assert row["prepare_s"] == 4.0
