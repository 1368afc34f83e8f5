"""Curves over difficulty, on simulated runs with known curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.difficulty.crossovers import CROSSOVER_COLUMNS, crossovers
from sudoku_bench.bench.verdicts.difficulty.curves import CURVE_COLUMNS, curves
from sudoku_bench.bench.verdicts.difficulty.fields import fields
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts import simulated_difficulty as simulation
from tests.bench.verdicts.simulated_difficulty import flat, rising, simulated, spread_out
from tests.bench.verdicts.simulated_runs import together


def on_guesses(run: Run, strategy: str = "a") -> pd.DataFrame:
    table = curves(run)
    return table[(table["axis"] == "guesses") & (table["strategy"] == strategy)].reset_index(drop=True)


def test_errors_of_guesses_do_not_flatten_a_curve() -> None:
    """Over a narrow range errors are half of the variance; without calibration the curve would be half as steep."""
    rng = np.random.default_rng(3)
    run = simulated({"a": rising(1e-3, 15, 2.0)}, 15 * np.exp(0.3 * rng.standard_normal(2000)), rng, error=0.3)

    def steepness(one: Run) -> float:
        result = on_guesses(one)
        x, y = np.log1p(result["x"]), np.log(result["median_s"])
        inner = (x > x.quantile(0.25)) & (x < x.quantile(0.75))
        return float(np.polyfit(x[inner], y[inner], 1)[0])

    assert steepness(run) == pytest.approx(2.0, abs=0.25)
    assert steepness(simulation.with_puzzles(run, guesses_se=0.0)) < 1.4


def test_beyond_the_limit_a_curve_is_only_a_bound() -> None:
    rng = np.random.default_rng(1)
    run = simulated({"a": rising(1e-3, 0), "b": flat(1e-3)}, spread_out(200, rng), rng, late=0.4)
    limit_s = run.measurements["limit_s"].iloc[0]
    result = on_guesses(run)
    late = result["median_s"].isna()
    assert late.any()
    assert result.loc[~late, "median_s"].max() <= limit_s
    assert (result.loc[late, "hi_s"].isna()).all()
    hardest = result.iloc[-1]
    assert hardest["lo_s"] == pytest.approx(limit_s)
    assert on_guesses(run, "b")["median_s"].notna().all()


def test_boards_of_different_sizes_have_separate_curves() -> None:
    rng = np.random.default_rng(7)
    guesses = spread_out(40, rng)
    small, large = (
        simulation.with_puzzles(
            simulated({"a": flat(seconds)}, guesses, rng, collection=name),
            grid=[f"{number:0{cells}}" for number in range(40)],
        )
        for name, seconds, cells in (("small", 1e-3, 16), ("large", 1.0, 625))
    )
    result = curves(together(small, large)).groupby("shape")["median_s"].agg(["min", "max"])
    assert list(result.index) == ["4x4", "25x25"][::-1]
    assert result.loc["4x4", "max"] < 0.01
    assert result.loc["25x25", "min"] > 0.1


def test_a_group_is_a_cluster_also_across_collections() -> None:
    rng = np.random.default_rng(1)
    runs = [simulated({"a": rising(1e-3, 5)}, np.arange(6.0), rng, collection=name) for name in ("one", "two")]
    one, two = (
        simulation.with_puzzles(run, group=[7, 7, 9, *rest])
        for run, rest in zip(runs, [(1, 2, 3), (4, 5, 6)], strict=True)
    )
    [field] = fields(together(one, two))
    assert field.clusters.tolist() == [0, 0, 1, 2, 3, 4, 0, 0, 1, 5, 6, 7]


@pytest.mark.parametrize("case", simulation.degenerate())
def test_degenerate_runs_give_empty_tables(case: str) -> None:
    run = simulation.degenerate()[case]
    tables = {CURVE_COLUMNS: curves(run), CROSSOVER_COLUMNS: crossovers(run)}
    for columns, table in tables.items():
        assert table.empty
        assert tuple(table.columns) == columns


def test_strategies_that_report_guesses_are_marked_on_that_axis_only() -> None:
    rng = np.random.default_rng(8)
    run = simulation.rated(simulated({"a": rising(1e-3, 5), "b": flat(2e-3)}, spread_out(60, rng), rng), rng)
    run.measurements.loc[run.measurements["strategy"] == "a", "guesses"] = 3
    marked = curves(run).groupby(["strategy", "axis"])["marked"].unique()
    assert marked["a", "guesses"].tolist() == ["yes"]
    assert all(kinds.tolist() == [""] for key, kinds in marked.items() if key != ("a", "guesses"))
