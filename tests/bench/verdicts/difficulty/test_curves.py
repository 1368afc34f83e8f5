"""Curves over difficulty, on simulated runs with known curves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from bench.verdicts.difficulty.curves import CURVE_COLUMNS, curves, of_axis
from bench.verdicts.difficulty.fields import AXES, GUESSES, calibrated, fields
from bench.verdicts.lineages import clusters
from bench.verdicts.run_tables import Run
from datasets.collections.catalogue import mined
from tests.bench.verdicts import simulated_difficulty as simulation
from tests.bench.verdicts.simulated_difficulty import flat, rising, simulated, spread_out
from tests.bench.verdicts.simulated_runs import Floats, Spread

SKEW = Spread(draw=lambda rng, shape: rng.exponential(1, shape) - np.log(2))


def bent(guesses: Floats) -> Floats:
    """Return a start of one millisecond plus a constant time per guess."""
    return 1e-3 + 5e-5 * guesses


def on_guesses(run: Run, strategy: str = "a") -> pd.DataFrame:
    table = curves(run)
    return table[(table["axis"] == "guesses") & (table["strategy"] == strategy)].reset_index(drop=True)


@pytest.mark.parametrize(
    ("n", "spread", "late", "error"),
    [(40, Spread(), 0.0, 0.0), (100, SKEW, 0.2, 0.12), (100, Spread(), 0.4, 0.12)],
    ids=["40", "100 skew, 20% late", "100, 40% late"],
)
def test_the_band_of_a_known_curve_has_its_nominal_coverage(n: int, spread: Spread, late: float, error: float) -> None:
    rng = np.random.default_rng(1)
    held = []
    for _ in range(150):
        field = simulation.a_field({"a": bent}, spread_out(n, rng), rng, spread, late, error)
        result = pd.DataFrame(of_axis(field, GUESSES))
        result = result[result["median_s"].notna()]
        truth = bent(result["x"].to_numpy())
        held.append(np.mean((result["lo_s"].fillna(0) <= truth) & ~(result["hi_s"] < truth)))
    assert 0.93 <= np.mean(held) <= 0.975


def test_simulated_fields_are_those_of_simulated_runs() -> None:
    """Tests of error rates use simulated fields instead of runs."""
    guesses = spread_out(60, np.random.default_rng(1))
    [one] = fields(simulated({"a": bent}, guesses, np.random.default_rng(2), late=0.3, error=0.1))
    other = simulation.a_field({"a": bent}, guesses, np.random.default_rng(2), late=0.3, error=0.1)
    np.testing.assert_allclose(one.hi, other.hi)
    assert (other.lo <= one.lo + 1e-9).all()  # the median may lie between a finished one and the limit
    np.testing.assert_allclose(one.at(GUESSES), other.at(GUESSES))


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


def test_calibrated_values_have_the_spread_of_the_true_ones() -> None:
    rng = np.random.default_rng(2)
    true = rng.standard_normal(5000)
    error = rng.uniform(0.2, 0.9, 5000)
    result = calibrated(true + error * rng.standard_normal(5000), error)
    assert np.polyfit(result, true, 1)[0] == pytest.approx(1.0, abs=0.03)  # unbiased given the estimate
    exact = calibrated(true, np.zeros(5000))
    assert (exact == true).all()
    unknown = calibrated(np.array([1.0, np.nan, 3.0]), np.array([np.nan, 1.0, 0.1]))
    assert np.isnan(unknown).tolist() == [False, True, False]


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


def test_a_curve_covers_only_the_range_of_its_puzzles() -> None:
    rng = np.random.default_rng(1)
    run = simulated({"a": rising(1e-3, 0)}, 3 + spread_out(100, rng, 40), rng)
    result = on_guesses(run)
    assert result["x"].min() == pytest.approx(run.puzzles["guesses"].min())
    assert result["x"].max() == pytest.approx(run.puzzles["guesses"].max())
    assert result["x"].is_monotonic_increasing
    assert set(result["n_puzzles"]) == {100}


def test_neither_order_nor_the_unit_of_time_matters() -> None:
    rng = np.random.default_rng(4)
    run = simulation.rated(simulated({"a": rising(1e-3, 5), "b": flat(2e-3)}, spread_out(80, rng), rng, late=0.2), rng)
    one = curves(run)
    assert tuple(one.columns) == CURVE_COLUMNS
    assert set(one["axis"]) == {"guesses", "te_rounds", "unsolved_locked"}
    pd.testing.assert_frame_equal(one, curves(simulation.shuffled(run, 5)))
    times = ["cpu_s", "limit_s"]
    slower = dataclasses.replace(run, measurements=run.measurements.assign(**run.measurements[times] * 100))
    seconds = ["median_s", "lo_s", "hi_s"]
    pd.testing.assert_frame_equal(one[seconds] * 100, curves(slower)[seconds], rtol=1e-6)


@pytest.mark.parametrize("case", simulation.degenerate())
def test_degenerate_runs_give_an_empty_table(case: str) -> None:
    table = curves(simulation.degenerate()[case])
    assert table.empty
    assert tuple(table.columns) == CURVE_COLUMNS


def test_rows_that_may_not_be_compared_are_ignored() -> None:
    rng = np.random.default_rng(6)
    run = simulated({"a": rising(1e-3, 5), "b": flat(2e-3), "c": flat(3e-3)}, spread_out(60, rng), rng)
    clean = curves(run)
    rows = run.measurements.copy()
    rows.loc[rows["strategy"] == "b", "status"] = ["wrong"] + ["solved"] * (int((rows["strategy"] == "b").sum()) - 1)
    rows.loc[rows["strategy"] == "c", ["status", "cpu_s"]] = "unsupported", np.nan
    odd = rows[rows["strategy"] == "a"].assign(cpu_s=9.0)
    more = [odd.assign(decoy="several"), odd.assign(placebo="instrument", strategy="(instrument) a")]
    result = curves(dataclasses.replace(run, measurements=pd.concat([rows, *more]).astype({"decoy": object})))
    pd.testing.assert_frame_equal(result, clean[clean["strategy"] == "a"].reset_index(drop=True))


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
    result = curves(simulation.both(small, large)).groupby("shape")["median_s"].agg(["min", "max"])
    assert list(result.index) == ["4x4", "25x25"][::-1]
    assert result.loc["4x4", "max"] < 0.01
    assert result.loc["25x25", "min"] > 0.1


def test_strategies_that_report_guesses_are_marked_on_that_axis_only() -> None:
    rng = np.random.default_rng(8)
    run = simulation.rated(simulated({"a": rising(1e-3, 5), "b": flat(2e-3)}, spread_out(60, rng), rng), rng)
    run.measurements.loc[run.measurements["strategy"] == "a", "guesses"] = 3
    marked = curves(run).groupby(["strategy", "axis"])["marked"].unique()
    assert marked["a", "guesses"].tolist() == ["yes"]
    assert all(kinds.tolist() == [""] for key, kinds in marked.items() if key != ("a", "guesses"))


def test_puzzles_of_a_lineage_and_copies_of_a_grid_are_one_cluster() -> None:
    names = [puzzle.name for puzzle in mined() if puzzle.lineage == "guesses-16"]
    assert len(names) > 1
    puzzles = pd.DataFrame(
        {
            "collection": ["hardest"] * len(names) + ["other", "third", "third"],
            "puzzle": [*names, names[0], "x", "y"],
            "grid": [str(number) for number in range(len(names))] + ["same", "same", None],
        }
    )
    assert clusters(puzzles, merge_copies=True).tolist() == [0] * len(names) + [1, 1, 2]
    assert clusters(puzzles).tolist() == [0] * len(names) + [1, 2, 3]


def test_mined_puzzles_of_a_lineage_make_a_band_wider() -> None:
    rng = np.random.default_rng(10)
    run = simulated({"a": rising(1e-3, 5)}, spread_out(150, rng), rng)
    names = dict(zip(run.puzzles["puzzle"], (puzzle.name for puzzle in mined()), strict=False))
    assert len({puzzle.lineage for puzzle in mined()[:150]}) < 120
    rows, puzzles = (
        frame.assign(puzzle=frame["puzzle"].map(names), collection="hardest")
        for frame in (run.measurements, run.puzzles)
    )
    related, single = on_guesses(dataclasses.replace(run, measurements=rows, puzzles=puzzles)), on_guesses(run)
    inner = single["lo_s"].notna() & single["hi_s"].notna() & related["lo_s"].notna() & related["hi_s"].notna()
    wider = np.log(related["hi_s"] / related["lo_s"]) / np.log(single["hi_s"] / single["lo_s"])
    assert wider[inner].mean() > 1.02


def test_trial_and_error_two_levels_deep_is_beyond_the_scale_of_rounds() -> None:
    rng = np.random.default_rng(9)
    run = simulation.rated(simulated({"a": rising(1e-3, 5)}, spread_out(60, rng), rng), rng)
    deep = run.puzzles["guesses"] > 50
    [field] = fields(simulation.with_puzzles(run, te_depth=np.where(deep, 2, 1), te_rounds=1.0))
    [rounds] = [axis for axis in AXES if axis.name == "te_rounds"]
    hard = field.puzzles["guesses"].to_numpy() > 50
    assert np.isnan(field.at(rounds)[hard]).all()
    assert np.isfinite(field.at(rounds)[~hard]).all()
    assert np.isfinite(field.at(GUESSES)).all()
