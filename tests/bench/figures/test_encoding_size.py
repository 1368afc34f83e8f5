"""Encoding size versus time: medians of sizes and times, positions of marks."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from bench.figures.encoding_size import TIMES, Sizes, caption, data, draw, engines, pareto_front
from bench.figures.panels import COLOURED
from bench.figures.sheet import looks
from bench.figures.style import GREY, NothingToDrawError, Sheet
from bench.verdicts.run_tables import Run
from bench.verdicts.summary import median_interval
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
    sizes = {"clauses": clauses.where(known), "variables": pd.Series(50.0, rows.index).where(known)}
    rows = rows.assign(**sizes, search_cpu_s=rows["cpu_s"] / 4)
    return dataclasses.replace(run, measurements=rows, puzzles=run.puzzles.assign(grid="." * 81))


def of(points: pd.DataFrame) -> Sheet:
    return Sheet(looks(list(points["strategy"])), ("own",), 10.0, "n, limit, clock, machine")


def test_points_are_medians_of_the_strategies_that_report_their_size() -> None:
    result = data(encoded())
    assert result.shape == "9x9"
    columns = ["strategy", "clauses", "variables", "cpu_s", "search_cpu_s", "n", "late"]
    assert result.points[columns].to_numpy().tolist() == [
        ["sat:large@e", 902, 50, 5, 1.25, 3, 0],
        ["sat:small@e", 102, 50, math.inf, math.inf, 3, 2],
    ]


def test_a_strategy_without_input_for_half_of_the_puzzles_has_no_place() -> None:
    """Clues that rules alone decide leave no clause; both axes are logarithmic."""
    run = encoded()
    rows = run.measurements
    empty = rows["strategy"].eq("sat:small@e") & rows["clauses"].notna()
    partly = dataclasses.replace(run, measurements=rows.assign(clauses=rows["clauses"].mask(empty, 0.0)))
    result = data(partly)
    assert list(result.points["strategy"]) == ["sat:large@e"]
    draw(result, of(result.points))
    nothing = dataclasses.replace(
        run, measurements=rows.assign(clauses=rows["clauses"].where(rows["clauses"].isna(), 0.0))
    )
    with pytest.raises(NothingToDrawError, match="gave its solver clauses"):
        data(nothing)


def test_each_panel_has_each_strategy_at_its_size_and_time() -> None:
    result = data(encoded())
    sheet = of(result.points)
    places = draw(result, sheet).axes
    assert len(places) == 4
    for axes, (size, clock) in zip(
        places,
        [("clauses", "cpu_s"), ("variables", "cpu_s"), ("clauses", "search_cpu_s"), ("variables", "search_cpu_s")],
        strict=True,
    ):
        for line in result.points.to_dict("records"):
            look = sheet.looks[line["strategy"]]
            [mark] = [mark for mark in axes.lines if mark.get_marker() == look.marker]
            assert list(mark.get_xdata()) == [line[size]]
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


def test_encodings_of_one_engine_are_joined_where_there_are_several_engines() -> None:
    names = [f"sat:{model}@{engine}" for engine in ("e", "f") for model in ("a", "b", "c")]
    assert engines([*names, "seed:x", "sat:a@single"]) == {"e": names[:3], "f": names[3:]}
    points = pd.DataFrame({"strategy": names, "clauses": [3.0, 1, 2] * 2, "variables": 5.0, "n": 1, "late": 0})
    points = points.assign(cpu_s=np.arange(6) + 1.0, search_cpu_s=np.arange(6) + 0.5)
    points = points.assign(**{f"{clock}_{end}": points[clock] for clock in TIMES for end in ("lo", "hi")})
    first = draw(Sizes(points, "9x9"), of(points)).axes[0]
    joined = [
        line.get_xydata().tolist() for line in first.lines if line.get_color() == GREY and len(line.get_xdata()) > 1
    ]
    assert joined == [[[1, 2], [2, 3], [3, 1]], [[1, 5], [2, 6], [3, 4]]]
    one = points[points["strategy"].isin(names[:3])]
    assert not [line for line in draw(Sizes(one, "9x9"), of(one)).axes[0].lines if line.get_color() == GREY]


def test_the_front_has_the_strategies_that_none_beats_in_both() -> None:
    marks_at = pd.DataFrame({"strategy": list("abcde"), "x": [1, 2, 2, 3, 4], "y": [9.0, 5, 7, 5, 1], "late": False})
    assert list(pareto_front(marks_at)["strategy"]) == ["a", "b", "e"]
    late = marks_at.assign(late=[True, False, False, False, False])
    assert list(pareto_front(late)["strategy"]) == ["b", "e"]


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
