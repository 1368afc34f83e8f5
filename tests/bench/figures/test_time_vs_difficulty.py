"""Solve time versus difficulty: the finding, series, axis limits, the crossover and who has a name."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import time_vs_difficulty
from sudoku_bench.bench.figures.panels import BACKGROUND
from sudoku_bench.bench.figures.sheet import looks
from sudoku_bench.bench.figures.style import Sheet, spread
from sudoku_bench.bench.figures.time_vs_difficulty import Lines, data
from sudoku_bench.bench.verdicts import answer
from tests.bench.figures.cases import caption, case, end_names

NO_CURVES = pd.DataFrame(columns=["strategy", "axis", "shape", "x", "median_s", "lo_s", "hi_s"], dtype=float)
CROSSING = {"faster_above": "test:9", "faster_below": "test:11", "crossover": 50.0, "lo": 40.0, "hi": 70.0}
CROSSING |= {"axis": "guesses", "shape": "9x9", "within": "within hard", "told": "yes"}


def points(strategies: int = 3, puzzles: int = 30, late: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        (f"test:{s}", p**1.5, math.inf if rng.random() < late else 1e-3 * (1 + s) * (1 + p))
        for s in range(strategies)
        for p in range(puzzles)
    ]
    return pd.DataFrame(rows, columns=["strategy", "guesses", "cpu_s"]).assign(collection="own")


def drawn(
    result: pd.DataFrame, curves: pd.DataFrame = NO_CURVES, column: Any = None, named: Any = None, **more: Any
) -> Figure:
    all_looks = looks(sorted(set(result["strategy"])))
    sheet = Sheet(all_looks, ("own",), 10.0, "n, limit, clock, machine", column, named=named)
    return time_vs_difficulty.draw(Lines(result, curves, **more), sheet)


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
    assert "No crossover found" in figure.get_suptitle()


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


def flat(strategy: str, low_s: float, high_s: float) -> pd.DataFrame:
    """Return the curve and points of a strategy whose time grows evenly."""
    guesses = np.linspace(0, 100, 11)
    times = np.geomspace(low_s, high_s, 11)
    return pd.DataFrame({"strategy": strategy, "guesses": guesses, "cpu_s": times, "collection": "own"})


def test_the_leading_group_has_a_narrow_panel_of_its_own_below() -> None:
    others = [flat("a", 1e-3, 9e-3), flat("b", 3e-3, 3e-3), flat("slow", 0.05, 2.0)]
    result = pd.concat([*others, flat("fast", 1e-5, 2e-5), flat("next", 1e-4, 2e-4)])
    main, below = drawn(result, apart=("fast", "next")).axes
    assert main.get_ylim()[0] > below.get_ylim()[1]
    assert main.get_xlim() == below.get_xlim()
    assert main.get_position().height > 2 * below.get_position().height
    assert [[text.get_text() for text in axes.texts] for axes in (main, below)] == [
        ["slow", "a", "b"],
        ["next", "fast"],
    ]


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


def test_a_crossover_and_its_interval_are_on_the_curve_that_is_faster_above_and_named_there() -> None:
    names = {"faster_above": "test:0", "faster_below": "test:1"}
    figure = drawn(points(), curve(), crossing=CROSSING | names, title="test:0 is faster")
    [axes] = figure.axes
    [bar] = [line for line in axes.lines if list(line.get_xdata()) == [40.0, 70.0]]
    [ring] = [line for line in axes.lines if list(line.get_xdata()) == [50.0] and line.get_marker() == "o"]
    assert bar.get_ydata()[0] == bar.get_ydata()[1] == ring.get_ydata()[0] == pytest.approx(0.01 * 51)
    assert "crossover: 50.0 guesses\n95%: [40.0, 70.0]" in [text.get_text() for text in axes.texts]
    assert figure.get_suptitle() == "test:0 is faster"


def test_those_that_are_not_named_are_grey() -> None:
    curves = pd.concat([curve(f"test:{number}") for number in range(12)])
    figure = drawn(points(strategies=12), curves, crossing=CROSSING, named=("test:9", "test:11", "test:0"))
    assert sorted(end_names(figure)) == ["test:0", "test:11", "test:9"]
    grey = [line for axes in figure.axes for line in axes.lines if line.get_color() == BACKGROUND]
    assert len(grey) == 9
    assert "Grey: 9 other strategies." in caption(figure)
    assert "Grey" not in caption(drawn(points(strategies=12), named=("test:9",)))  # without curves none is drawn


def test_the_finding_is_the_crossover_with_most_at_stake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "is_beaten", lambda *_: False)
    run = case("usual")
    row = CROSSING | {"a": "a", "b": "b", "faster_above": "a", "faster_below": "b", "lo": 1.0, "hi": 3.0}
    stakes = [("", 0.1, 9.0), ("yes", 0.5, 2.0), ("yes", 3.0, 0.4), ("yes", 0.9, 50.0)]
    rows = [
        row | {"crossover": float(i), "told": is_told, "ratio_easiest": easy, "ratio_hardest": hard}
        for i, (is_told, easy, hard) in enumerate(stakes)
    ]
    changed = dataclasses.replace(run)
    changed.__dict__["crossovers"] = pd.DataFrame(rows)  # as if computed
    assert data(changed).crossing["crossover"] == 2.0  # type: ignore[index]
    assert data(changed).title == "Above 2.00 guesses [1.00, 3.00] (within hard), a is faster than b"
    assert data(run).crossing is None


@pytest.mark.parametrize("seed", range(5))
def test_no_two_names_overlap_and_the_order_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wanted, heights = rng.uniform(0, 1, 12), rng.uniform(0.02, 0.08, 12)
    result = spread(wanted, heights)
    order = np.argsort(wanted)
    gaps = np.diff(result[order]) - (heights[order][1:] + heights[order][:-1]) / 2
    assert min(gaps.min(), (result - heights / 2).min(), 1 - (result + heights / 2).max()) > -1e-9
