"""Small multiples of time versus difficulty: the strategies of each panel and their names there."""

from __future__ import annotations

import dataclasses

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from bench.figures import difficulty_lines, family_panels, panels, sheet
from bench.figures.family_panels import SHOWN, Families, grouped
from bench.verdicts.run_tables import Run
from tests.bench.figures.cases import case, legend_names, simulated


def families_of(run: Run, most: int = panels.MAX_PANELS) -> Families:
    """Return the families of a run, however few strategies it has."""
    lines = difficulty_lines.all_lines(run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family_panels, "CLEAR", 0)
        result = family_panels.families(lines, most)
    assert result
    return result


def drawn(run: Run) -> Figure:
    with mpl.rc_context(sheet.of_run(run).rc):
        return family_panels.draw(families_of(run), sheet.of_run(run), "Title")


def test_a_panel_is_a_family_and_names_go_without_it() -> None:
    names = ["seed:norvig", "sat:complete+product@cadical195", "seed:pyeda", "bare"]
    assert grouped(names) == {
        "bare": {"bare": "bare"},
        "sat": {"sat:complete+product@cadical195": "complete+product@cadical195"},
        "seed": {"seed:norvig": "norvig", "seed:pyeda": "pyeda"},
    }


def test_one_family_is_split_by_its_models() -> None:
    names = [
        "sat:complete+product@cadical195",
        "sat:complete+pairwise@cadical195",
        "sat:augmented@cadical195",
        "sat:log",
    ]
    assert grouped(names) == {
        "sat:augmented": {"sat:augmented@cadical195": "cadical195"},
        "sat:complete": {names[0]: "product@cadical195", names[1]: "pairwise@cadical195"},
        "sat:log": {"sat:log": "log"},
    }


def test_a_large_family_is_split_among_others() -> None:
    result = grouped([*(f"sat:model{number // 2}@engine{number}" for number in range(10)), "seed:norvig"])
    assert list(result) == [*(f"sat:model{number}" for number in range(5)), "seed"]


def test_each_panel_has_its_own_in_colour_and_all_others_in_grey() -> None:
    run = case("usual")
    figure = drawn(run)
    assert [axes.get_legend().get_title().get_text() for axes in figure.axes] == ["family0", "family1"]
    assert legend_names(figure) == [f"model{number}@engine" for number in range(4)]
    looks, everything = sheet.of_run(run).looks, difficulty_lines.all_lines(run)
    for axes, members in zip(figure.axes, (range(3), range(3, 4)), strict=True):
        grey = [line for line in axes.lines if line.get_color() == panels.BACKGROUND]
        assert len(grey) == 4 - len(members)
        for name in (f"family{number // 3}:model{number}@engine" for number in members):
            theirs = [line for line in axes.lines if line.get_color() == looks[name].colour]
            curve = everything.curves.loc[everything.curves["strategy"] == name, ["x", "median_s"]].to_numpy()
            assert any(np.array_equal(line.get_xydata(), curve, equal_nan=True) for line in theirs)
            points = everything.points.loc[everything.points["strategy"] == name, ["guesses", "cpu_s"]].to_numpy()
            assert any(np.array_equal(line.get_xydata(), points) for line in theirs)


def test_panels_share_scales_that_hold_all_points() -> None:
    figure = drawn(case("some timeouts"))
    assert len({(axes.get_xlim(), axes.get_ylim()) for axes in figure.axes}) == 1
    points = difficulty_lines.all_lines(case("some timeouts")).points
    low, high = figure.axes[0].get_ylim()
    assert low < points["cpu_s"].min()
    assert high > 0.02  # the limit, at which unfinished ones stand
    assert figure.axes[0].get_xlim()[1] > points["guesses"].max()


def test_panels_that_are_too_many_are_named() -> None:
    result = families_of(case("sixty strategies"))
    assert len(result.panels) == panels.MAX_PANELS
    assert "family0" in result.panels  # the fastest
    assert len(result.omitted) == 20 - panels.MAX_PANELS
    text = family_panels.caption(result, sheet.of_run(case("sixty strategies")))
    assert all(name in text for name in result.omitted)


def test_strategies_that_are_too_many_for_a_panel_are_counted() -> None:
    name = "sat:model+amo{1:02d}"
    run = simulated(strategies=SHOWN + 3, puzzles=4, replicates=1, collections=1, name=name)
    assert family_panels.families(difficulty_lines.all_lines(run), 12) is None
    rows = run.measurements
    other = rows["strategy"].mask(rows["strategy"] == f"sat:model+amo{SHOWN + 2}", "seed:other")
    result = families_of(dataclasses.replace(run, measurements=rows.assign(strategy=other)))
    assert result.hidden == {"sat:model": 2, "seed": 0}
    assert len(result.panels["sat:model"]) == SHOWN
    assert f"sat:model+amo{SHOWN + 1}" not in result.panels["sat:model"]  # the slowest


def test_many_points_are_thinned_and_the_caption_says_so() -> None:
    run = simulated(strategies=4, puzzles=2 * family_panels.POINTS, replicates=1, collections=1)
    result = families_of(run)
    few = family_panels.thinned(result.lines.points)
    assert few["strategy"].value_counts().tolist() == [family_panels.POINTS] * 4
    assert few["guesses"].min() == result.lines.points["guesses"].min()
    assert "one in 2 is drawn, in order of difficulty" in family_panels.caption(result, sheet.of_run(run))


def test_crossovers_are_rings_in_the_panel_of_the_faster_one_and_sentences_in_the_caption() -> None:
    families = families_of(case("usual"))
    name = families.lines.strategies[0]
    other = families.lines.strategies[-1]
    row = {"faster_above": name, "faster_below": other, "crossover": 31.2, "lo": 19.4, "hi": 55.6}
    lines = dataclasses.replace(families.lines, crossings=pd.DataFrame([row]))
    run = case("usual")
    with mpl.rc_context(sheet.of_run(run).rc):
        figure = family_panels.draw(dataclasses.replace(families, lines=lines), sheet.of_run(run), "Title")
    rings = [
        [list(line.get_xdata()) for line in axes.lines if line.get_markerfacecolor() == "#ffffff"]
        for axes in figure.axes
    ]
    assert [31.2] in rings[0]
    assert all([31.2] not in of_panel for of_panel in rings[1:])
    text = family_panels.caption(dataclasses.replace(families, lines=lines), sheet.of_run(run))
    assert f"above 31 [19, 56] guesses {name} is faster than {other}" in text
