"""Encoding size versus time: medians of sizes and times, positions of marks."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from sudoku_bench.bench.figures.encoding_size import TIMES, caption, data, draw
from sudoku_bench.bench.figures.panels import COLOURED
from sudoku_bench.bench.figures.sheet import looks
from sudoku_bench.bench.figures.style import NothingToDrawError, Sheet
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.summary import median_interval
from tests.bench.figures.cases import case, faults, legend_names
from tests.bench.verdicts.simulated_runs import a_run

NAMES = ["sat:large@e", "sat:small@e", "search:bare"]
SECONDS = np.array(
    [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [[1.0] * 3, [20.0] * 3, [20.0] * 3], [[1.0] * 3] * 3]
)


def encoded() -> Run:
    """Three puzzles in three forms with two encodings; one encoding leaves two puzzles unfinished."""
    run = a_run(SECONDS, NAMES, np.ones(3), limit_s=10.0)
    rows = run.measurements
    known = (rows["status"] == "solved") & (rows["strategy"] != "search:bare")
    clauses = rows["strategy"].map({"sat:large@e": 900, "sat:small@e": 100, "search:bare": 0}) + rows["repetition"]
    rows = rows.assign(clauses=clauses.where(known), search_cpu_s=rows["cpu_s"] / 4)
    return dataclasses.replace(run, measurements=rows, puzzles=run.puzzles.assign(grid="." * 81))


def of(points: pd.DataFrame) -> Sheet:
    return Sheet(looks(list(points["strategy"])), ("own",), 10.0, "n, limit, clock, machine")


def test_points_are_medians_of_the_strategies_that_report_their_size() -> None:
    result = data(encoded())
    assert result.shape == "9x9"
    assert result.points[["strategy", "clauses", "cpu_s", "search_cpu_s"]].to_numpy().tolist() == [
        ["sat:large@e", 902, 5, 1.25],
        ["sat:small@e", 102, math.inf, math.inf],
    ]


def test_one_size_is_not_drawn_nor_a_strategy_without_input_for_half_of_the_puzzles() -> None:
    """Clues that rules alone decide leave no clause; both axes are logarithmic."""
    run = encoded()
    rows = run.measurements
    empty = rows["strategy"].eq("sat:small@e") & rows["clauses"].notna()
    partly = dataclasses.replace(run, measurements=rows.assign(clauses=rows["clauses"].mask(empty, 0.0)))
    with pytest.raises(NothingToDrawError, match="fewer than two sizes"):
        data(partly)
    alike = dataclasses.replace(
        run, measurements=rows.assign(clauses=rows["clauses"].where(rows["clauses"].isna(), 9.0))
    )
    with pytest.raises(NothingToDrawError, match="fewer than two sizes"):
        data(alike)


def test_each_panel_has_each_strategy_at_its_size_and_time() -> None:
    result = data(encoded())
    sheet = of(result.points)
    places = draw(result, sheet).axes
    for axes, clock in zip(places, TIMES, strict=True):
        for line in result.points.to_dict("records"):
            look = sheet.looks[line["strategy"]]
            [mark] = [mark for mark in axes.lines if mark.get_marker() == look.marker]
            assert list(mark.get_xdata()) == [line["clauses"]]
            assert list(mark.get_ydata()) == [min(line[clock], 10.0)]
            assert (mark.get_markerfacecolor() == "#ffffff") == math.isinf(line[clock])
        assert axes.get_xscale() == axes.get_yscale() == "log"


def test_the_legend_names_the_highlighted_strategies() -> None:
    few, many = data(case("usual")), data(case("sixty strategies"))
    figure = draw(few, of(few.points))
    assert legend_names(figure) == few.strategies
    FigureCanvasAgg(figure).draw()
    assert faults(figure) == []
    assert legend_names(draw(many, of(many.points))) == many.strategies[: COLOURED[1]]
    assert "the 46 other strategies" in caption(many, of(many.points))


def test_marks_have_the_intervals_of_their_medians() -> None:
    run = case("usual")
    result = data(run).points
    for line in result.to_dict("records"):
        times = run.per_puzzle.loc[run.per_puzzle["strategy"] == line["strategy"], "cpu_s"].to_numpy()
        assert (line["cpu_s_lo"], line["cpu_s_hi"]) == median_interval(times)
        assert line["cpu_s_lo"] < line["cpu_s"] < line["cpu_s_hi"]


def test_without_sizes_there_is_nothing_to_draw() -> None:
    run = encoded()
    for change in ({"clauses": np.nan}, {"status": "timeout", "clauses": np.nan}, {"status": "timeout"}):
        with pytest.raises(NothingToDrawError, match="clauses"):
            data(dataclasses.replace(run, measurements=run.measurements.assign(**change)))
