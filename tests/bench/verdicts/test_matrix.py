"""One time per strategy and puzzle, on the puzzles that all strategies were measured on."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from bench.verdicts.matrix import matrix
from bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run, together


def with_grids(run: Run) -> Run:
    return dataclasses.replace(run, puzzles=run.puzzles.assign(grid="." * 81))


def two_collections() -> Run:
    """Two puzzles and three puzzles; ``b`` is slower than the limit of 10 s on the last one."""
    one = a_run(np.array([[[1.0], [2.0]], [[3.0], [1.0]]]), ["a", "b"], np.zeros(2), limit_s=10.0, collection="one")
    two = a_run(
        np.array([[[4.0], [5.0], [6.0]], [[2.0], [9.0], [11.0]]]), ["a", "b"], np.zeros(3), 10.0, collection="two"
    )
    return with_grids(together(one, two))


def test_times_of_all_collections_and_the_best_of_them() -> None:
    result = matrix(two_collections())
    assert result.strategies == ("a", "b")
    assert result.seconds.tolist() == [[1, 2, 4, 5, 6], [3, 1, 2, 9, math.inf]]
    assert result.best.tolist() == [1, 1, 2, 5, 6]
    assert result.solved.tolist() == [5, 4]
    assert (result.note("a"), result.note("b")) == ("", "4 of 5 solved")
    assert result.omitted == 0


def test_unsupported_puzzles_are_not_solved() -> None:
    run = two_collections()
    rows = run.measurements
    theirs = (rows["strategy"] == "b") & (rows["collection"] == "one")
    result = matrix(
        dataclasses.replace(run, measurements=rows.assign(status=rows["status"].mask(theirs, "unsupported")))
    )
    assert result.seconds[1].tolist() == [math.inf, math.inf, 2, 9, math.inf]
    assert result.unsupported == {"b": ("one",)}
    assert result.note("b") == "2 of 5 solved, unsupported: one"
    assert result.omitted == 0


def test_unmeasured_puzzles_are_left_out_for_all() -> None:
    run = two_collections()
    result = matrix(dataclasses.replace(run, measurements=run.measurements.iloc[:-1]))
    assert result.seconds.tolist() == [[1, 2, 4, 5], [3, 1, 2, 9]]
    assert result.omitted == 1
