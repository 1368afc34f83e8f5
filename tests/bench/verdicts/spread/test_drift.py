"""Drift: a change of the machine is visible, random variation is not mistaken for it."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from bench.verdicts.run_tables import Run
from bench.verdicts.spread.drift import residuals, trend
from tests.bench.verdicts.simulated_runs import Spread, a_run, drawn

SECONDS_EACH = 0.5


def clocked(slower: float, repetitions: int = 3, puzzles: int = 60, launches: int = 1) -> Run:
    """Return a run in random order within each round, on a machine that becomes slower by a factor half way."""
    rng = np.random.default_rng(7)
    names = ["fast", "middle", "slow"]
    curves = {name: lambda x, k=k: 1e-3 * 10**k * (1 + x) for k, name in enumerate(names)}
    seconds = drawn(curves, np.full(puzzles, 3.0), repetitions, rng, Spread(form=0.05))
    run = a_run(seconds, names, np.full(puzzles, 3.0), launches=launches)
    rows = run.measurements
    order = np.lexsort((rng.random(len(rows)), rows["round"]))
    started = np.empty(len(rows))
    started[order] = np.arange(len(rows)) * SECONDS_EACH
    late = started >= len(rows) * SECONDS_EACH / 2
    cpu = rows["cpu_s"] * np.where(late, slower, 1.0)
    return dataclasses.replace(run, measurements=rows.assign(cpu_s=cpu, started_s=started))


def halves(run: Run) -> tuple[float, float]:
    """Return the running median, as a ratio, early and late in the run."""
    result = trend(residuals(run))
    third = len(result) // 3
    early, late = result["log_ratio"].iloc[:third].mean(), result["log_ratio"].iloc[-third:].mean()
    return math.exp(early), math.exp(late)


def by_hand(seconds: list[list[float]], **more: float) -> Run:
    """One strategy: puzzles × repetitions, one measurement a second."""
    run = a_run(np.array([seconds]), ["s"], np.ones(len(seconds)), **more)
    return dataclasses.replace(run, measurements=run.measurements.assign(started_s=np.arange(len(run.measurements))))


def test_a_residual_is_the_time_over_the_geometric_mean_of_its_puzzle() -> None:
    result = residuals(by_hand([[1.0, 4.0], [9.0, 9.0]]))
    assert np.exp(result["log_ratio"]).tolist() == pytest.approx([0.5, 2.0, 1.0, 1.0])
    assert result["started_s"].tolist() == [0, 1, 2, 3]


def test_puzzles_with_an_unfinished_or_a_single_measurement_are_left_out() -> None:
    assert set(residuals(by_hand([[1.0, 4.0], [1.0, 99.0]], limit_s=10.0))["puzzle"]) == {"own-0000"}
    assert residuals(by_hand([[1.0], [2.0]])).empty


@pytest.mark.parametrize("repetitions", [2, 3, 5])
def test_a_machine_that_slows_down_by_a_fifth_is_visible(repetitions: int) -> None:
    early, late = halves(clocked(1.2, repetitions))
    assert late / early == pytest.approx(1.2, rel=0.05)


def test_a_constant_machine_has_a_running_median_of_one() -> None:
    result = trend(residuals(clocked(1.0)))
    assert np.abs(result["log_ratio"]).max() < math.log(1.04)
    assert ((result["lo"] <= 0) & (result["hi"] >= 0)).mean() > 0.8
    assert (result["lo"] <= result["log_ratio"]).all()
    assert (result["hi"] >= result["log_ratio"]).all()


def test_windows_do_not_span_launches() -> None:
    run = clocked(1.0, repetitions=4, launches=2)
    result = trend(residuals(run))
    starts = run.measurements.groupby("launch")["started_s"].agg(["min", "max"])
    assert set(result["launch"]) == {1, 2}
    for launch, group in result.groupby("launch"):
        low, high = starts.loc[launch]
        assert group["started_s"].between(low, high).all()
        assert group["started_s"].is_monotonic_increasing


def test_without_comparable_rows_the_table_is_empty() -> None:
    result = trend(residuals(by_hand([[1.0]])))
    assert result.empty
