"""Pairs of strategies: points, equal scales, and the selection of pairs."""

from __future__ import annotations

import itertools
import math

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import scatter
from sudoku_bench.bench.figures.scatter import PANELS, PairPanel, Pairs, data
from sudoku_bench.bench.figures.sheet import collection_looks, looks
from sudoku_bench.bench.figures.style import Sheet
from sudoku_bench.bench.verdicts import answer
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import case, legend_names, picture
from tests.bench.verdicts.simulated_runs import a_run, together

SHEET = Sheet(looks(["s:1", "s:2"]), ("easy", "hard"), 10.0, "n, limit, clock, machine")
LATE = math.inf


def drawn(rows: list[tuple[str, float, float]], sheet: Sheet = SHEET) -> Figure:
    points = pd.DataFrame(rows, columns=["collection", "a_s", "b_s"])
    with mpl.rc_context(sheet.rc):
        return scatter.draw(Pairs((PairPanel("s:1", "s:2", points),), ""), sheet)


def marks(axes: Axes, hollow: bool) -> list[tuple[float, float]]:
    clouds = [line for line in axes.lines if line.get_linestyle() == "None"]
    return [
        (float(x), float(y))
        for line in clouds
        if (line.get_markerfacecolor() == "none") == hollow
        for x, y in line.get_xydata()
    ]


POINTS = [("easy", 1e-3, 5e-3), ("easy", 2e-3, 4e-3), ("hard", 0.5, 0.1)]


def test_a_is_above_b_on_equal_scales_with_the_diagonal_and_lines_of_two_and_ten_times() -> None:
    [axes] = drawn(POINTS).axes
    assert marks(axes, hollow=False) == [(5e-3, 1e-3), (4e-3, 2e-3), (0.1, 0.5)]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("s:2 (B)", "s:1 (A)")
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_xlim() == axes.get_ylim()
    slanted = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linestyle() != "None"]
    factors = sorted(round(float(line.get_ydata()[1] / line.get_xdata()[1]), 9) for line in slanted)
    assert factors == [0.1, 0.5, 1, 2, 10]


def test_unfinished_solves_stand_hollow_beyond_the_limit() -> None:
    [axes] = drawn([*POINTS, ("easy", LATE, 1.0), ("hard", 2.0, LATE), ("hard", LATE, LATE)]).axes
    edge = 10.0 * scatter.EDGE
    assert marks(axes, hollow=True) == [(1.0, edge), (edge, 2.0), (edge, edge)]
    assert len(marks(axes, hollow=False)) == 3
    assert 10.0 < edge < axes.get_xlim()[1]
    assert {10.0} == {line.get_xdata()[0] for line in axes.lines if list(line.get_ydata()) == [0, 1]}


def test_collections_have_colours_and_markers_of_their_own_and_a_legend() -> None:
    figure = drawn(POINTS)
    looks = {(line.get_color(), line.get_marker()) for line in figure.axes[0].lines if line.get_linestyle() == "None"}
    assert looks == {(look.colour, look.marker) for look in collection_looks(("easy", "hard")).values()}
    assert legend_names(figure) == ["easy", "hard"]


@pytest.mark.parametrize("number", [1, 2, 5, 11])
def test_no_two_collections_look_alike_in_colour_or_in_grey(number: int) -> None:
    looks = collection_looks([f"c{i}" for i in range(number)]).values()
    assert len({look.marker for look in looks}) == len({look.colour for look in looks}) == number


def crossing(strategies: int = 6) -> Run:
    """s0 is the fastest on easy, s1 on hard; s2 is faster than s3 on easy and slower on hard; the others are slow."""
    rng = np.random.default_rng(5)
    speeds = {"easy": [1, 3, 5, 12, 40, 90], "hard": [4, 1, 9, 6, 40, 90]}
    names = [f"s{i}" for i in range(strategies)]
    runs = []
    for collection, factors in speeds.items():
        noise = np.exp(0.02 * rng.standard_normal((strategies, 20, 2)))
        seconds = 1e-3 * np.array(factors[:strategies])[:, None, None] * noise
        runs.append(a_run(seconds, names, np.ones(20), collection=collection))
    both = together(*runs)
    return Run(both.manifest, both.measurements, both.puzzles.assign(grid="." * 81))


def test_of_many_pairs_those_that_cross_and_those_near_the_best_come_first(monkeypatch) -> None:
    monkeypatch.setattr(answer, "is_beaten", lambda *_: False)
    run = crossing()
    line = {"a": "s3", "b": "s2", "told": "yes", "crossover": 5.0, "ratio_easiest": 0.5, "axis": "guesses"}
    lines = [line | {"ratio_hardest": 2.0}, line | {"b": "s4", "ratio_hardest": 3.0, "ratio_easiest": 0.3}]
    run.__dict__["crossovers"] = pd.DataFrame(lines)  # as if computed
    result = data(run)
    pairs = [{panel.a, panel.b} for panel in result.panels]
    assert pairs == [{"s3", "s4"}, {"s2", "s3"}, {"s0", "s1"}, {"s0", "s2"}, {"s1", "s3"}, {"s1", "s2"}]
    assert len(pairs) == PANELS
    text = scatter.caption(result, SHEET)
    assert "Selected from 15 pairs" in text


def test_of_few_pairs_all_are_shown() -> None:
    result = data(crossing(4))
    assert [(panel.a, panel.b) for panel in result.panels] == list(itertools.combinations(["s0", "s1", "s2", "s3"], 2))
    assert "Selected" not in scatter.caption(result, SHEET)


def test_every_decade_has_a_tick() -> None:
    [axes] = drawn([("easy", 1e-5, 5e-3), ("hard", 5.0, 1e-4)], SHEET).axes
    ticks = sorted({*axes.xaxis.get_majorticklocs(), *axes.xaxis.get_minorticklocs()})
    assert np.diff(np.log10(ticks)) == pytest.approx(np.ones(len(ticks) - 1))
    assert len(axes.xaxis.get_majorticklocs()) >= 3


def test_all_panels_have_the_same_scales() -> None:
    limits = {(axes.get_xlim(), axes.get_ylim()) for axes in picture(scatter, case("some timeouts")).axes}
    assert len(limits) == 1
