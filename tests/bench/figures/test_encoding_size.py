"""Encoding size versus time: medians of sizes and times, positions of marks, names beside points."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from bench.figures import encoding_size
from bench.figures.encoding_size import TIMES, Sizes, data, draw, engines, pareto_front, short
from bench.figures.panels import COLOURED
from bench.figures.sheet import looks
from bench.figures.style import GREY, NothingToDrawError, Sheet
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.distributions import median_interval
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


def test_names_stand_beside_their_points_or_in_a_legend() -> None:
    result = encoding_size.data(case("usual"))
    figure = draw(result, of(result.points))
    assert not figure.legends
    for axes in figure.axes:
        assert sorted(note.get_text() for note in axes.texts) == sorted(short(list(result.points["strategy"])).values())
    FigureCanvasAgg(figure).draw()
    assert faults(figure) == []
    many = encoding_size.data(case("sixty strategies"))
    figure = draw(many, of(many.points))
    assert legend_names(figure) == many.strategies[: COLOURED[1]]
    assert "the 46 other strategies" in encoding_size.caption(many, of(many.points))
    assert not any(axes.texts for axes in figure.axes)


def test_names_are_short_where_they_stay_different() -> None:
    assert short(["sat:a@e", "sat:b@e"]) == {"sat:a@e": "a", "sat:b@e": "b"}
    assert short(["sat:a@e", "sat:b@f"]) == {"sat:a@e": "a@e", "sat:b@f": "b@f"}
    assert short(["sat:a@e", "smt:a@e"]) == {"sat:a@e": "sat:a", "smt:a@e": "smt:a"}
    assert short(["sat:a@e", "seed:a"]) == {"sat:a@e": "sat:a@e", "seed:a": "seed:a"}
    assert short(["plain", "other"]) == {"plain": "plain", "other": "other"}
    assert short(["sat:@e"]) == {"sat:@e": "sat:@e"}


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


def plot(points: list[tuple[float, float]]) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(4, 3))
    axes = figure.subplots()
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 10)
    for x, y in points:
        axes.plot([x], [y], "o")
    return figure, axes


def test_labels_avoid_each_other_and_the_rim() -> None:
    points = [(5.0, 5.0), (5.3, 5.2), (9.9, 9.0), (0.1, 1.0)]
    figure, axes = plot(points)
    names = ["one", "two", "at the right", "at the left"]
    assert encoding_size.label_points(figure, [encoding_size.Panel(axes, points, names)], 7)
    notes = [text for text in axes.texts if isinstance(text, Annotation)]
    assert {note.xy: note.get_text() for note in notes} == dict(zip(points, names, strict=True))
    assert faults(figure) == []
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    for note in notes:
        box = note.get_window_extent()
        assert axes.bbox.x0 <= box.x0
        assert box.x1 <= axes.bbox.x1


def test_without_room_for_all_there_are_no_labels() -> None:
    points = [(5.0, 5.0 + 0.01 * number) for number in range(30)]
    figure, axes = plot(points)
    other = figure.add_axes((0.9, 0.9, 0.1, 0.1))
    panels = [
        encoding_size.Panel(axes, points[:1], ["a name"]),
        encoding_size.Panel(other, points[:1], ["one without room"]),
    ]
    assert not encoding_size.label_points(figure, panels, 7)
    assert not axes.texts
    assert not encoding_size.label_points(figure, [encoding_size.Panel(axes, points, ["a name that is long"] * 30)], 7)
    assert not axes.texts
