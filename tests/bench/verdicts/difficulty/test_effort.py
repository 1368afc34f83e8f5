"""The cost of search: means of counts and times, and rates with known true values."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from bench.verdicts.difficulty.effort import Rate, effort, rate, rates
from bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run

SECONDS = np.array([[[1.0, 3.0], [2.0, 99.0]], [[4.0, 4.0], [5.0, 5.0]], [[1.0, 1.0], [1.0, 1.0]]])


def counted() -> Run:
    """Return a run of three strategies: with conflicts and guesses, with nodes and backtracks, without counters."""
    run = a_run(SECONDS, ["learns", "searches", "tells nothing"], np.ones(2), limit_s=10.0)
    rows = run.measurements
    learns, searches = rows["strategy"] == "learns", rows["strategy"] == "searches"
    rows = rows.assign(
        search_cpu_s=rows["cpu_s"] / 2,
        conflicts=np.where(learns, [10.0, 20.0, 4.0, np.nan] * 3, np.nan),
        guesses=np.where(learns, 1.0, np.nan),
        nodes=np.where(searches, 7.0, np.nan),
        backtracks=np.where(searches, 6.0, np.nan),
    )
    return dataclasses.replace(run, measurements=rows, puzzles=run.puzzles.assign(grid="." * 81))


def test_a_puzzle_has_the_means_of_its_finished_solves_and_of_the_first_counter() -> None:
    result = effort(counted())
    assert list(result["strategy"]) == ["learns"] * 2 + ["searches"] * 2
    assert list(result["counter"]) == ["conflicts"] * 2 + ["nodes"] * 2
    assert list(result["count"]) == [15, 4, 7, 7]
    assert list(result["search_s"]) == [1, 1, 2, 2.5]
    assert list(result["n"]) == [2, 1, 2, 2]
    assert set(result["size"]) == {9}


def test_strategies_without_counters_have_no_rows() -> None:
    run = counted()
    bare = run.measurements.assign(conflicts=np.nan, guesses=np.nan, nodes=np.nan, backtracks=np.nan)
    assert effort(dataclasses.replace(run, measurements=bare)).empty


def drawn(start: float, per: float, number: int, rng: np.random.Generator, noise: float = 0.2) -> Rate | None:
    counts = np.rint(np.expm1(rng.uniform(0, 6, number)))
    seconds = (start + per * counts) * np.exp(noise * rng.standard_normal(number))
    return rate(counts, seconds, np.arange(number))


@pytest.mark.parametrize(("start", "per"), [(1e-3, 2e-5), (1e-5, 1e-3), (0.0, 1e-4)])
def test_a_known_rate_is_estimated_and_covered_by_its_interval(start: float, per: float) -> None:
    held = []
    for seed in range(60):
        result = drawn(start + per / 100, per, 60, np.random.default_rng(seed))
        assert result
        assert result.rate_s == pytest.approx(per, rel=0.35)
        held.append(result.lo_s <= per <= result.hi_s)
    assert np.mean(held) > 0.85


def test_without_noise_the_fit_is_exact() -> None:
    result = drawn(1e-3, 2e-5, 60, np.random.default_rng(1), noise=1e-6)
    assert result
    assert (result.start_s, result.rate_s) == (pytest.approx(1e-3, rel=1e-4), pytest.approx(2e-5, rel=1e-4))
    assert result.hi_s / result.lo_s < 1.001


def test_the_fit_is_equivariant_to_units() -> None:
    counts, seconds = np.arange(30.0), 1e-4 * (5 + np.arange(30.0)) * np.exp(np.sin(np.arange(30)) / 5)
    one, other = rate(counts, seconds, np.arange(30)), rate(counts, 1e3 * seconds, np.arange(30))
    assert one
    assert other
    assert other.rate_s == pytest.approx(1e3 * one.rate_s, rel=1e-3)
    assert other.hi_s == pytest.approx(1e3 * one.hi_s, rel=1e-3)


def test_uncertain_rates_are_none() -> None:
    rng, numbers = np.random.default_rng(1), np.arange(40)
    seconds = np.exp(rng.standard_normal(40))
    assert rate(np.zeros(40), seconds, numbers) is None  # all count the same
    assert rate(np.arange(10.0), 1 + np.arange(10.0), numbers[:10]) is None  # too few
    assert rate(rng.integers(0, 5, 40).astype(float), seconds, numbers) is None  # the count explains nothing
    assert rate(np.arange(40.0), 1 + np.arange(40.0), numbers // 10) is None  # four lineages


def test_puzzles_of_one_lineage_count_once() -> None:
    rng = np.random.default_rng(2)
    counts = np.repeat(np.rint(np.expm1(rng.uniform(0, 6, 40))), 3)
    seconds = (1e-3 + 1e-5 * counts) * np.repeat(np.exp(0.3 * rng.standard_normal(40)), 3)
    alone, together = (rate(counts, seconds, lineages) for lineages in (np.arange(120), np.arange(120) // 3))
    assert alone
    assert together
    assert together.rate_s == pytest.approx(alone.rate_s)
    widths = [np.log(result.hi_s / result.lo_s) for result in (alone, together)]
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(3), rel=0.05)


def test_each_strategy_has_a_rate() -> None:
    rng = np.random.default_rng(3)
    conflicts = np.rint(np.expm1(rng.uniform(0, 5, 40)))
    per = np.array([1e-5, 1e-3])[:, None, None]
    seconds = (1e-3 + per * conflicts[None, :, None]) * np.exp(0.05 * rng.standard_normal((2, 40, 2)))
    run = a_run(seconds, ["cheap", "dear"], np.ones(40), conflicts=np.tile(np.repeat(conflicts, 2), 2))
    rows = run.measurements.assign(search_cpu_s=run.measurements["cpu_s"])
    run = dataclasses.replace(run, measurements=rows, puzzles=run.puzzles.assign(grid=[f"{n:081}" for n in range(40)]))
    result = rates(effort(run), run.puzzles)
    assert result["cheap"].rate_s == pytest.approx(1e-5, rel=0.3)
    assert result["dear"].rate_s == pytest.approx(1e-3, rel=0.1)
