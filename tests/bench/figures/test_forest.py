"""Critical-difference diagrams: positions at mean ranks, and bars over groups that do not differ."""

from __future__ import annotations

import dataclasses
import itertools
import math

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures import critical_difference as diagram
from bench.figures import sheet, style
from bench.figures.critical_difference import NAMES, PANELS, Ranks, bars, data, layout
from bench.figures.style import NothingToDrawError, Sheet
from bench.verdicts.pairs.ranks import groups
from tests.bench.figures.cases import case, picture

SHEET = Sheet(looks.looks([f"s:{i}" for i in range(40)]), ("own",), 10.0, "n, limit, clock, machine")


def table(ranks: list[float], apart: float, p: float = 1e-9, collection: str = "own") -> pd.DataFrame:
    result = {"collection": collection, "strategy": [f"s:{i}" for i in range(len(ranks))], "mean_rank": ranks}
    letters = groups(np.array(ranks), apart)
    return pd.DataFrame(result | {"groups": letters, "critical_difference": apart, "p_friedman": p, "n_puzzles": 25})


def drawn(result: pd.DataFrame, omitted: tuple[str, ...] = ()) -> Figure:
    with mpl.rc_context(SHEET.rc):
        return diagram.draw(Ranks(result, omitted), SHEET)


def text_of_axes(axes: Axes) -> str:
    return " ".join(text.get_text() for text in axes.texts).replace("\n", " ")


def test_bars_join_those_that_differ_by_less_than_the_critical_difference() -> None:
    # 1.0 and 1.9 are closer than 1; so are 1.9 and 2.8; none is close to 4.5.
    result = bars(table([1.0, 1.9, 2.8, 4.5], 1.0))
    assert [(first, last) for first, last, _ in result] == [(0, 1), (1, 2)]
    assert len({level for *_, level in result}) == 2  # both end at 1.9: one bar would say that all three are alike


def test_bars_of_one_level_never_meet() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        result = bars(table(sorted(rng.uniform(1, 30, 30)), float(rng.uniform(0.5, 10))))
        for level in {level for *_, level in result}:
            ends = [(first, last) for first, last, bar_level in result if bar_level == level]
            assert all(before[1] < after[0] for before, after in itertools.pairwise(ends))


def test_without_a_significant_friedman_test_there_is_one_group() -> None:
    result = table([1.0, 2.0, 3.0], 0.5, p=0.2)
    assert bars(result) == [(0, 2, 0)]
    [axes] = drawn(result).axes
    assert "Friedman p = 0.2: NOT significant" in axes.get_title(loc="left")
    assert "NOT" not in drawn(table([1.0, 2.0, 3.0], 0.5)).axes[0].get_title(loc="left")


def test_two_strategies_have_no_friedman_test() -> None:
    result = table([1.0, 2.0], 0.5, p=math.nan)
    assert bars(result) == []
    assert "no Friedman test" in drawn(result).axes[0].get_title(loc="left")


def test_marks_bars_and_the_critical_difference_stand_to_scale() -> None:
    [axes] = drawn(table([1.0, 1.5, 4.0, 5.0], 0.8)).axes
    marks = {line.get_marker(): float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() in style.MARKERS}
    at = [marks[SHEET.looks[f"s:{i}"].marker] for i in range(4)]
    scale = (at[3] - at[0]) / 4
    assert np.diff(at) == pytest.approx([0.5 * scale, 2.5 * scale, scale])
    [bracket] = [line for line in axes.lines if line.get_marker() == "|"]
    assert np.diff(bracket.get_xdata()) == pytest.approx([0.8 * scale])
    [bar] = [line for line in axes.lines if line.get_linewidth() > 2]
    low, high = bar.get_xdata()
    assert low < at[0] < at[1] < high < at[2]
    assert "CD 0.80" in text_of_axes(axes)


def test_every_name_has_its_rank_and_the_best_is_on_the_left() -> None:
    [axes] = drawn(table([1.25, 2.0, 3.0, 4.5], 0.8)).axes
    places = {text.get_text(): text.get_position() for text in axes.texts}
    left, right = places["s:0 1.25"], places["s:3 4.50"]
    assert left[0] < 0.5 < right[0]
    assert places["s:1 2.00"][1] > left[1]  # further down
    assert places["s:2 3.00"][1] > right[1]


def test_of_many_strategies_the_fastest_are_shown_and_the_others_counted() -> None:
    panel = layout(table([float(i) for i in range(1, 41)], 3.0), 2.0, 7.5)
    assert panel.rows["strategy"].tolist() == [f"s:{i}" for i in range(NAMES)]
    [axes] = drawn(table([float(i) for i in range(1, 41)], 3.0)).axes
    assert f"{40 - NAMES} slower strategies not shown" in axes.get_title(loc="left").replace("\n", " ")


def test_a_difference_longer_than_the_axis_is_marked() -> None:
    assert "beyond the axis" in text_of_axes(drawn(table([1.0, 2.0, 3.0], 9.0)).axes[0])


def test_collections_that_are_too_many_are_named() -> None:
    result = data(case("many collections"))
    assert result.table["collection"].nunique() == PANELS
    assert result.omitted == ("tier6", "tier7", "tier8")
    assert "Not shown: tier6, tier7, tier8." in diagram.caption(result, SHEET)


def test_one_strategy_has_no_rank() -> None:
    with pytest.raises(NothingToDrawError, match="two strategies"):
        data(case("one strategy"))


def test_there_is_a_diagram_for_each_collection_in_their_order() -> None:
    titles = [axes.get_title(loc="left") for axes in picture(diagram, case("usual")).axes if axes.texts]
    assert [title.partition(":")[0] for title in titles] == ["tier0", "tier1", "tier2"]


def test_places_are_rounded_as_the_last_digits_of_a_layout_are_chance() -> None:
    for axes in picture(diagram, case("usual")).axes:
        edges = axes.get_position(original=True).extents
        assert edges == pytest.approx(np.round(edges, 6), abs=1e-12)


def test_in_a_paper_the_panels_fit_on_a_page_and_the_others_are_named() -> None:
    parts = [table([float(i) for i in range(1, 21)], 3.0, collection=f"c{number}") for number in range(6)]
    paper = dataclasses.replace(SHEET, column=sheet.column("single", "ieee"))
    with mpl.rc_context(paper.rc):
        figure = diagram.draw(Ranks(pd.concat(parts), ()), paper)
    shown = [axes.get_title(loc="left").partition(":")[0] for axes in figure.axes if axes.texts]
    left_out = [f"c{number}" for number in range(len(shown), 6)]
    assert 0 < len(shown) < 6
    shown_text = " ".join(text.get_text() for text in figure.texts).replace("\n", " ")
    assert f"Not shown for lack of space: {', '.join(left_out)}." in shown_text
    assert figure.get_size_inches()[1] < 10
    assert len([axes for axes in drawn(pd.concat(parts)).axes if axes.texts]) == 6  # a screen can be scrolled
