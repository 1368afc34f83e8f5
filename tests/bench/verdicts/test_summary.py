"""Summaries, by hand-computed examples."""

from __future__ import annotations

import dataclasses
import itertools
import math
import statistics

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.run.experiment import method_of_this_version
from sudoku_bench.bench.verdicts.arrays import Floats, Indices
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.summary import (
    FIGURES,
    SUMMARY_COLUMNS,
    geometric_mean,
    summarize,
    time_figures,
)

LIMIT_S = 10.0


def a_run(
    *rows: tuple[str, str, str, float | None], task: str = "first", references: dict[str, int] | None = None
) -> Run:
    """Rows of (strategy, puzzle, status, cpu_s); a puzzle called ``decoy...`` is one."""
    measurements = pd.DataFrame(rows, columns=["strategy", "puzzle", "status", "cpu_s"])
    measurements["cpu_s"] = measurements["cpu_s"].astype(float)
    measurements = measurements.assign(
        collection="own", task=task, mode="warm", limit_s=LIMIT_S, placebo=None, worker=1
    )
    measurements["prepare_cpu_s"] = 0.5
    measurements["stream_position"] = np.nan
    measurements["wall_s"] = 2 * measurements["cpu_s"]
    measurements["launch"] = 1
    measurements["repetition"] = measurements.groupby(["strategy", "puzzle"]).cumcount() + 1
    measurements["decoy"] = measurements["puzzle"].map(lambda name: "several" if name.startswith("decoy") else None)
    names = list(dict.fromkeys(measurements["puzzle"]))
    puzzles = pd.DataFrame(
        {
            "collection": "own",
            "puzzle": names,
            "guesses": 1.0,
            "solutions": [(references or {}).get(n, 1) for n in names],
        }
    )
    return Run({"method": dataclasses.asdict(method_of_this_version())}, measurements, puzzles)


def line(run: Run, strategy: str = "s") -> pd.Series:
    return summarize(run).set_index("strategy").loc[strategy]


def test_the_puzzle_is_the_unit_and_its_time_is_the_median_of_its_solves() -> None:
    result = line(
        a_run(*(("s", "p", "solved", t) for t in (1.0, 2.0, 9.0)), *(("s", "q", "solved", t) for t in (4.0, 8.0, 8.0)))
    )
    assert result["median_s"] == pytest.approx(5.0)  # of 2 and 8
    assert result["gmean_s"] == pytest.approx(4.0)  # the root of 2 · 8
    assert result["par2_s"] == pytest.approx((4.0 + 20 / 3) / 2)
    assert result["max_s"] == pytest.approx(9.0)
    assert (result["n_puzzles"], result["n_measurements"], result["solved"]) == (2, 6, 6)


@pytest.mark.parametrize("status", ["timeout", "memout", "error", "gave_up"])
def test_every_unsolved_status_counts_as_unfinished(status: str) -> None:
    result = line(a_run(("s", "a", "solved", 1.0), ("s", "b", status, 0.001), ("s", "c", status, 0.001)))
    assert math.isnan(result["median_s"])
    assert result["par2_s"] == pytest.approx((1 + 4 * LIMIT_S) / 3)


@pytest.mark.parametrize("fault", ["wrong", "mistimed"])
def test_a_strategy_with_a_wrong_answer_or_a_false_time_has_no_times(fault: str) -> None:
    rows = [("s", "a", "solved", 1.0), ("s", "b", fault, 0.1), ("t", "a", "solved", 2.0), ("t", "b", "solved", 2.0)]
    summary = summarize(a_run(*rows)).set_index("strategy")
    times = [*FIGURES, "wall_median_s"]
    assert summary.loc["s", times].isna().all()
    assert summary.loc["s", fault] == 1
    assert summary.loc["t", times].notna().all()


def test_a_wrong_answer_to_a_decoy_marks_the_strategy_but_is_not_counted_as_measurement() -> None:
    result = line(a_run(("s", "a", "solved", 1.0), ("s", "decoy", "wrong", 0.1), task="unique"))
    assert (result["wrong"], result["disqualified"]) == (0, "wrong: 1 on own")
    assert (result["n_puzzles"], result["n_measurements"]) == (1, 1)
    assert math.isnan(result["median_s"])


@pytest.mark.parametrize("task", ["first", "count:1"])
def test_first_is_timed_only_on_puzzles_with_one_solution(task: str) -> None:
    rows = [("s", "a", "solved", 1.0), ("s", "many", "solved", 5.0), ("s", "none", "solved", 7.0)]
    references = {"many": 2, "none": 0}
    assert line(a_run(*rows, references=references, task=task))["max_s"] == 1.0
    assert line(a_run(*rows, references=references, task="unique"))["max_s"] == pytest.approx(7.0)


def test_columns_are_stable() -> None:
    summary = summarize(a_run(("s", "a", "solved", 1.0)))
    assert tuple(summary.columns) == SUMMARY_COLUMNS
    promised = "strategy collection task mode n_puzzles n_measurements solved timeouts errors wrong median_s gmean_s"
    promised += " gmean_lo_s gmean_hi_s par2_s p95_s max_s"
    assert list(summary.columns)[:17] == promised.split()


def test_the_interval_of_a_geometric_mean_is_students() -> None:
    times = np.array([1.0, math.e, math.e**2])
    mean, low, high = geometric_mean(times, np.arange(3))
    half = 4.302652729911275 * 1 / math.sqrt(3)  # t of 2 degrees of freedom at 97.5%; standard deviation 1
    assert mean == pytest.approx(math.e)
    assert low == pytest.approx(math.exp(1 - half))
    assert high == pytest.approx(math.exp(1 + half))
    assert geometric_mean(np.array([2.0]), np.arange(1)) == (pytest.approx(2.0), None, None)
    copied = geometric_mean(times.repeat(4), np.arange(3).repeat(4))  # isomorphs say nothing new
    assert copied == pytest.approx((mean, low, high))


def of_each(seconds: Floats) -> tuple[Floats, Indices]:
    """The limit of each solve, and the cluster of each puzzle."""
    return np.full(seconds.shape, LIMIT_S), np.arange(seconds.shape[1])


solves = st.lists(st.floats(0.1, LIMIT_S) | st.just(math.inf), min_size=1, max_size=4)


@given(st.lists(solves, min_size=1, max_size=12))
def test_figures_are_those_of_the_medians_of_puzzles_and_empty_where_an_unfinished_solve_decides(
    puzzles: list[list[float]],
) -> None:
    seconds = np.array([[*times, *[math.nan] * (4 - len(times))] for times in puzzles])[None]
    figures = {name: value[0] for name, value in time_figures(seconds, *of_each(seconds)).items()}
    middles, far = np.array([statistics.median(times) for times in puzzles]), 1e9
    for name, share in (("p25_s", 0.25), ("median_s", 0.5), ("p75_s", 0.75), ("p95_s", 0.95)):
        value = np.quantile(np.minimum(middles, far), share)
        assert figures[name] == pytest.approx(value if value <= LIMIT_S else math.nan, nan_ok=True)
    known = np.isfinite(middles).all()
    assert figures["gmean_s"] == pytest.approx(statistics.geometric_mean(middles) if known else math.nan, nan_ok=True)
    longest = max(itertools.chain(*puzzles))
    assert figures["max_s"] == pytest.approx(longest if longest <= LIMIT_S else math.nan, nan_ok=True)
    scores = [statistics.mean(min(time, 2 * LIMIT_S) for time in times) for times in puzzles]
    assert figures["par2_s"] == pytest.approx(statistics.mean(scores))


@pytest.mark.parametrize("fault", ["wrong", "mistimed"])
def test_a_wrong_placebo_marks_its_strategy(fault: str) -> None:
    run = a_run(("s", "a", "solved", 1.0), ("(instrument) s", "a", fault, 1.0), ("t", "a", "solved", 1.0))
    run.measurements.loc[1, "placebo"] = "instrument"
    summary = summarize(run).set_index("strategy")
    assert list(summary.index) == ["s", "t"]
    assert summary.loc["s", [fault, "disqualified"]].tolist() == [0, f"{fault}: 1 on own (placebo)"]
    assert math.isnan(summary.loc["s", "median_s"])
    assert summary.loc["t", "median_s"] == pytest.approx(1.0)


def test_wrong_answers_are_counted_where_they_were_given() -> None:
    """A strategy that solved all of ``hard``, and answered wrongly on ``own``, by itself and as a placebo."""
    solves = [("s", "a", "wrong", 1.0), ("s", "b", "solved", 1.0), ("(instrument) s", "a", "wrong", 1.0)]
    run = a_run(*solves, ("s", "c", "solved", 1.0), ("t", "c", "solved", 1.0))
    run.measurements.loc[2, "placebo"] = "instrument"
    run.measurements.loc[3:, "collection"] = "hard"
    run.puzzles.loc[2, "collection"] = "hard"
    summary = summarize(run).set_index(["strategy", "collection"])
    assert summary["wrong"].to_dict() == {("s", "own"): 1, ("s", "hard"): 0, ("t", "hard"): 0}
    fault = "wrong: 1 on own, 1 on own (placebo)"
    assert summary["disqualified"].to_dict() == {("s", "own"): fault, ("s", "hard"): fault, ("t", "hard"): ""}
    assert summary["median_s"].notna().to_dict() == {("s", "own"): False, ("s", "hard"): False, ("t", "hard"): True}
