"""Old and new version of a strategy in one run: verdicts from a table of pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.between_runs.comparison import (
    CANNOT_TELL,
    IMPROVEMENT,
    NO_CHANGE,
    NOT_COMPARED,
    REGRESSION,
    TOO_FEW,
)
from sudoku_bench.bench.verdicts.between_runs.versions import compare
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run

PREFIXES = "old/", "new/"


def line(a: str, b: str, ratio: float, lo: float, hi: float, verdict: str, **more: Any) -> dict[str, Any]:
    """A pair, its deciding interval twice as far as the other in logarithms; beyond the margin if that is."""
    wide = {"ratio_lo": lo**2 / ratio, "ratio_hi": hi**2 / ratio, "at_least": math.nan, "at_most": math.nan}
    fields = {"collection": "own", "a": a, "b": b, "n_puzzles": 20, "ratio": ratio, "ratio_lo": lo, "ratio_hi": hi}
    beyond = "yes" if wide["ratio_lo"] > 1.05 or wide["ratio_hi"] < 1 / 1.05 else ""
    counts = {"p_holm": 0.01, "wins": 3, "ties": 1, "losses": 16, "beyond_margin": beyond, "verdict": verdict}
    return fields | wide | counts | more


def run_of(*strategies: str) -> Run:
    seconds = np.full((len(strategies), 20, 2), 0.01)
    return a_run(seconds, list(strategies), np.ones(20), 1.0)


BOTH = "old/s:a", "new/s:a"


@pytest.mark.parametrize(
    ("pair", "verdict"),
    [
        (line("new/s:a", "old/s:a", 1.3, 1.2, 1.41, "b_faster"), REGRESSION),
        (line("old/s:a", "new/s:a", 1 / 1.3, 1 / 1.41, 1 / 1.2, "a_faster"), REGRESSION),
        (line("new/s:a", "old/s:a", 1.1, 1.06, 1.14, "b_faster"), CANNOT_TELL),  # the deciding one is within
        (line("new/s:a", "old/s:a", 0.7, 0.65, 0.75, "a_faster"), IMPROVEMENT),
        (line("old/s:a", "new/s:a", 1.3, 1.2, 1.41, "b_faster"), IMPROVEMENT),
        (line("new/s:a", "old/s:a", 0.97, 0.95, 0.99, "a_faster"), CANNOT_TELL),
        (line("old/s:a", "new/s:a", 1.0, 0.98, 1.02, "equivalent"), NO_CHANGE),
        (line("old/s:a", "new/s:a", 1.2, 0.8, 1.7, "indistinguishable"), CANNOT_TELL),
        (line("old/s:a", "new/s:a", 2.0, 1.5, 2.5, "too_few"), TOO_FEW),
        (line("new/s:a", "old/s:a", np.nan, 1.5, np.nan, "b_faster", beyond_margin="yes"), REGRESSION),  # at least
    ],
)
def test_a_pair_becomes_a_verdict_on_the_new_version(pair: dict[str, Any], verdict: str) -> None:
    result = compare(run_of(*BOTH), pd.DataFrame([pair]), ["s:a"], PREFIXES, 0.05)
    assert result["verdict"].tolist() == [verdict]


def test_puzzles_that_the_new_version_does_not_finish_are_a_regression() -> None:
    run = run_of(*BOTH)
    rows = run.measurements
    failed = (rows["strategy"] == BOTH[1]) & (rows["puzzle"] == "own-0002")
    rows = rows.assign(status=rows["status"].mask(failed, "timeout"), cpu_s=rows["cpu_s"].mask(failed))
    pairs = pd.DataFrame([line("old/s:a", "new/s:a", 1.0, 0.99, 1.01, "equivalent")])
    result = compare(replace(run, measurements=rows), pairs, ["s:a"], PREFIXES, 0.05)
    assert result[["verdict", "lost"]].values.tolist() == [[REGRESSION, 1]]


def test_a_wrong_new_version_is_a_regression_and_a_wrong_old_one_is_not_compared() -> None:
    run, none = run_of(*BOTH), pd.DataFrame([line("s:x", "s:y", 1.0, 0.9, 1.1, "equivalent")])
    for wrong, verdict in ((BOTH[1], REGRESSION), (BOTH[0], NOT_COMPARED)):
        rows = run.measurements
        lying = replace(run, measurements=rows.assign(status=rows["status"].mask(rows["strategy"] == wrong, "wrong")))
        assert compare(lying, none, ["s:a"], PREFIXES, 0.05)["verdict"].tolist() == [verdict]
