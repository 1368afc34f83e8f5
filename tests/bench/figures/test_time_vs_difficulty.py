"""Solve time versus difficulty: series, axis limits, crossovers."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from bench.figures import time_vs_difficulty
from bench.figures.panels import BACKGROUND
from bench.figures.sheet import looks
from bench.figures.style import Sheet
from bench.figures.time_vs_difficulty import NAMED, Lines, data, on_guesses
from tests.bench.figures.cases import caption, case

NO_CURVES = pd.DataFrame(columns=["strategy", "axis", "shape", "x", "median_s", "lo_s", "hi_s"], dtype=float)
NO_CROSSINGS = pd.DataFrame(columns=["faster_above", "faster_below", "crossover", "lo", "hi"], dtype=float)


def points(strategies: int = 3, puzzles: int = 30, late: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        (f"test:{s}", p**1.5, math.inf if rng.random() < late else 1e-3 * (1 + s) * (1 + p))
        for s in range(strategies)
        for p in range(puzzles)
    ]
    return pd.DataFrame(rows, columns=["strategy", "guesses", "cpu_s"])


def drawn(result: pd.DataFrame, curves: pd.DataFrame = NO_CURVES, crossings: pd.DataFrame = NO_CROSSINGS) -> Figure:
    sheet = Sheet(looks(sorted(set(result["strategy"]))), ("own",), 10.0, "n, limit, clock, machine")
    return time_vs_difficulty.draw(Lines(result, curves, crossings), sheet)


def test_each_strategy_has_its_points_its_line_and_its_name_at_the_end() -> None:
    result = points(strategies=5)
    figure = drawn(result)
    [axes] = figure.axes
    for _, group in result.groupby("strategy"):
        shown = [line.get_xydata() for line in axes.lines if len(line.get_xdata()) == len(group)]
        wanted = group[["guesses", "cpu_s"]].to_numpy()
        assert any(np.allclose(xy, wanted) for xy in shown)
    assert sorted(text.get_text() for text in axes.texts) == sorted(set(result["strategy"]))
    assert figure.legends == []


def test_unfinished_solves_stand_hollow_at_the_limit() -> None:
    result = points(strategies=1, late=0.3)
    figure = drawn(result)
    [axes] = figure.axes
    late = result[np.isinf(result["cpu_s"])]
    hollow = [line for line in axes.lines if line.get_markerfacecolor() == "none" and len(line.get_xdata())]
    assert [list(line.get_xdata()) for line in hollow] == [list(late["guesses"])]
    assert set(hollow[0].get_ydata()) == {10.0}
    assert any(f"{len(late)} of 30 not finished" in text.get_text() for text in axes.texts)
    assert any("time limit 10 s" in text.get_text() for text in axes.texts)


def test_axes_are_logarithmic_and_end_below_a_limit_that_no_solve_reached() -> None:
    [axes] = drawn(points()).axes
    assert axes.get_yscale() == "log"
    assert axes.get_xaxis().get_transform().transform([0.0, math.e - 1]) == pytest.approx([0.0, 1.0])
    assert not any("limit" in text.get_text() for text in axes.texts)
    assert axes.get_ylim()[1] < 1


def flat(strategy: str, low_s: float, high_s: float) -> pd.DataFrame:
    """Return the curve and points of a strategy whose time grows evenly."""
    guesses = np.linspace(0, 100, 11)
    return pd.DataFrame({"strategy": strategy, "guesses": guesses, "cpu_s": np.geomspace(low_s, high_s, 11)})


def test_strategies_far_from_all_others_have_a_panel_of_their_own() -> None:
    near = [flat("a", 1e-3, 9e-3), flat("b", 3e-3, 3e-3), flat("c", 8e-3, 12e-3)]
    result = pd.concat([*near, flat("slow", 0.05, 2.0), flat("fast", 1e-5, 2e-5)])
    lines = Lines(result, NO_CURVES, NO_CROSSINGS)
    assert time_vs_difficulty.levels(lines) == [["slow"], ["a", "b", "c"], ["fast"]]
    slow, main, fast = drawn(result).axes
    assert slow.get_ylim()[0] > main.get_ylim()[0] > fast.get_ylim()[1]
    assert slow.get_xlim() == main.get_xlim() == fast.get_xlim()
    assert main.get_position().height > slow.get_position().height


def test_strategies_that_cross_share_a_panel_however_far_apart_they_begin() -> None:
    lines = Lines(pd.concat([flat("search", 1e-5, 5.0), flat("sat", 0.01, 0.01)]), NO_CURVES, NO_CROSSINGS)
    assert time_vs_difficulty.levels(lines) == [["sat", "search"]]


def test_a_strategy_that_never_finished_is_beside_the_slowest() -> None:
    never = flat("never", 1.0, 1.0).assign(cpu_s=math.inf)
    lines = Lines(pd.concat([flat("fast", 1e-5, 2e-5), flat("slow", 0.5, 1.0), never]), NO_CURVES, NO_CROSSINGS)
    assert time_vs_difficulty.levels(lines) == [["never", "slow"], ["fast"]]


def curve(strategy: str = "test:0") -> pd.DataFrame:
    """Return a curve over guesses whose median is unknown at its end."""
    x = np.linspace(0, 100, 11)
    known = np.where(x <= 80, 1.0, np.nan)
    table = {"strategy": strategy, "shape": "9x9", "axis": "guesses", "x": x}
    return pd.DataFrame(table | {"median_s": 0.01 * known * (1 + x), "lo_s": 5e-3, "hi_s": 0.02 * known * (1 + x)})


def test_curves_have_bands_and_stop_where_most_are_unfinished() -> None:
    [axes] = drawn(points(strategies=1), curves=curve()).axes
    lines = [line.get_xydata() for line in axes.lines if len(line.get_xdata()) == 11]
    wanted = curve()[["x", "median_s"]].to_numpy()
    assert any(np.allclose(line, wanted, equal_nan=True) for line in lines)
    [band] = axes.collections
    (_, low), (right, high) = band.get_datalim(axes.transData).get_points()
    assert (low, right) == (pytest.approx(5e-3), pytest.approx(80))
    assert high == pytest.approx(0.02 * 81)


def test_only_curves_over_guesses_of_one_shape_are_drawn() -> None:
    others = [curve(), curve().assign(axis="te_rounds"), curve().assign(shape="4x4", strategy="small")]
    result = on_guesses(pd.concat(others), "9x9")
    assert set(result["axis"]) == {"guesses"}
    assert set(result["strategy"]) == {"test:0"}


def test_a_crossover_and_its_interval_are_on_the_curve_that_is_faster_above() -> None:
    crossing = pd.DataFrame(
        [{"faster_above": "test:0", "faster_below": "b", "crossover": 50.0, "lo": 40.0, "hi": 70.0}]
    )
    [axes] = drawn(points(), curve(), crossing).axes
    [bar] = [line for line in axes.lines if list(line.get_xdata()) == [40.0, 70.0]]
    [ring] = [line for line in axes.lines if list(line.get_xdata()) == [50.0] and line.get_marker() == "o"]
    assert bar.get_ydata()[0] == bar.get_ydata()[1] == ring.get_ydata()[0] == pytest.approx(0.01 * 51)


def test_of_many_strategies_those_that_cross_and_the_fastest_have_names() -> None:
    result = points(strategies=NAMED + 4)
    crossing = pd.DataFrame(
        [{"faster_above": "test:9", "faster_below": "test:11", "crossover": 5.0, "lo": 4.0, "hi": 7.0}]
    )
    curves = pd.concat([curve(f"test:{number}") for number in range(NAMED + 4)])
    figure = drawn(result, curves, crossing)
    names = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert names == {"test:9", "test:11", *(f"test:{number}" for number in range(NAMED - 2))}
    grey = [line for axes in figure.axes for line in axes.lines if line.get_color() == BACKGROUND]
    assert len(grey) == 4
    assert "Grey: 4 other strategies." in caption(figure)
    assert "above 5.0 [4.0, 7.0] guesses test:9 is faster than test:11" in caption(figure)


def test_the_first_five_reported_crossovers_are_drawn() -> None:
    run = case("usual")
    row = {"axis": "guesses", "shape": "9x9", "faster_above": "a", "lo": 1.0, "hi": 3.0}
    rows = [row | {"crossover": float(i), "told": "yes" if i else ""} for i in range(9)]
    run.__dict__["crossovers"] = pd.DataFrame(rows)  # as if computed
    try:
        assert data(run).crossings["crossover"].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    finally:
        del run.__dict__["crossovers"]
