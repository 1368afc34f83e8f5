"""Conflicts versus search time: a panel for each counter, the right points, lines and limits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from bench.figures import conflicts, looks
from bench.figures.conflicts import Costs
from bench.figures.style import NothingToDrawError, Sheet
from bench.verdicts.difficulty.effort import Rate
from tests.bench.figures.cases import case, legend_names
from tests.bench.verdicts.difficulty.test_effort import counted

POINTS = pd.DataFrame(
    {
        "strategy": ["a", "a", "b", "c"],
        "counter": ["conflicts", "conflicts", "nodes", "conflicts"],
        "count": [0.0, 50.0, 100.0, 3.0],
        "search_s": [1e-3, 2e-3, 0.5, 1e-4],
    }
)
RATES = {"a": Rate(1e-3, 2e-5, 1.5e-5, 2.5e-5)}


def drawn(costs: Costs) -> Figure:
    return conflicts.draw(costs, Sheet(looks.looks("abc"), ("own",), 10.0, "n, limit, clock, machine"))


def test_each_counter_has_a_panel_with_its_strategies() -> None:
    figure = drawn(Costs(POINTS, RATES))
    first, second = figure.axes
    assert first.get_xlabel().startswith("conflicts per solve")
    assert second.get_xlabel().startswith("nodes per solve")
    clouds = [line.get_xydata().tolist() for line in first.lines if line.get_linestyle() == "None"]
    assert sorted(clouds) == [[[0, 1e-3], [50, 2e-3]], [[3, 1e-4]]]
    assert [line.get_xydata().tolist() for line in second.lines] == [[[100, 0.5]]]
    assert sorted(legend_names(figure)) == ["a", "b", "c"]


def test_a_line_is_the_rate_over_the_range_of_its_points() -> None:
    figure = drawn(Costs(POINTS, RATES))
    [line] = [line for line in figure.axes[0].lines if line.get_linestyle() != "None"]
    x, y = line.get_xdata(), line.get_ydata()
    assert (x[0], x[-1]) == (pytest.approx(0), pytest.approx(50))
    assert y == pytest.approx(1e-3 + 2e-5 * np.asarray(x))
    assert any("20 µs per conflict [15 µs, 25 µs]" in text.get_text() for text in figure.legends[0].get_texts())


def test_axes_hold_all_points() -> None:
    first, second = drawn(Costs(POINTS, RATES)).axes
    assert first.get_xlim()[0] < 0
    assert first.get_xlim()[1] > 50
    assert second.get_xlim()[0] < 100 < second.get_xlim()[1]
    for axes in (first, second):
        assert axes.get_yscale() == "log"
        assert axes.get_ylim()[0] < 1e-4
        assert axes.get_ylim()[1] > 0.5


def test_counts_come_from_the_run() -> None:
    result = conflicts.data(counted())
    assert result.counters == ["conflicts", "nodes"]
    assert list(result.points["count"]) == [15, 4, 7, 7]
    assert not result.rates  # too few puzzles


def test_where_nothing_was_finished_there_is_nothing_to_draw() -> None:
    with pytest.raises(NothingToDrawError, match="finished"):
        conflicts.data(case("all timeouts"))


def test_the_caption_counts_puzzles_of_other_sizes() -> None:
    result = conflicts.data(case("several sizes"))
    assert result.omitted
    assert f"{result.omitted} puzzles of other board sizes" in conflicts.caption(result, Sheet({}, (), 1.0, ""))
