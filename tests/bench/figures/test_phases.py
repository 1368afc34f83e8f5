"""The phases figure: shares of the phases, the fastest strategy first."""

from __future__ import annotations

import dataclasses

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import phases
from sudoku_bench.bench.figures.sheet import looks
from sudoku_bench.bench.figures.style import Sheet
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.test_phases import run_of

SHEET = Sheet(looks(list("abc")), ("own",), 10.0, "n, limit, clock, machine")


def drawn(run: Run, sheet: Sheet = SHEET) -> Figure:
    with mpl.rc_context(sheet.rc):
        return phases.draw(phases.data(run), sheet)


def shares(figure: Figure) -> list[list[tuple[float, float]]]:
    """Return start and end of the bar of each strategy, from the top down, for each phase."""
    result = []
    for bars in figure.axes[0].collections:
        corners = [path.vertices for path in bars.get_paths()]
        result.append([(float(vertices[:, 0].min()), float(vertices[:, 0].max())) for vertices in corners])
    return result


def behind(figure: Figure) -> list[str]:
    """Return what stands behind each bar, from the top down."""
    [axes] = figure.axes[0].child_axes
    return [label.get_text() for label in axes.get_yticklabels()]


def test_the_bars_of_a_strategy_are_its_phases_as_shares_of_their_sum() -> None:
    assert shares(drawn(run_of([[[1.0, 1.0]]]))) == [
        [pytest.approx(ends)] for ends in ((0, 25), (25, 37.5), (37.5, 87.5), (87.5, 93.75), (93.75, 100))
    ]


def test_strategies_are_ordered_by_the_median_solve_which_stands_behind_the_bar() -> None:
    figure = drawn(run_of([[[0.5]], [[0.002]], [[0.03]]]))
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["b", "c", "a"]
    assert [text.partition(",")[0] for text in behind(figure)] == ["2 ms", "30 ms", "500 ms"]
    low, high = sorted(figure.axes[0].get_ylim())
    assert all(low < place < high for place in figure.axes[0].get_yticks())


def test_the_search_of_pyeda_is_explained() -> None:
    run = run_of([[[1.0]]])
    assert "PyEDA" not in phases.caption(phases.data(run), SHEET)
    rows = run.measurements.assign(strategy="seed:pyeda")
    assert "PyEDA includes translating" in phases.caption(
        phases.data(dataclasses.replace(run, measurements=rows)), SHEET
    )


def test_preparation_stands_behind_the_time_of_the_solve() -> None:
    run = run_of([[[1.0]], [[2.0]]])
    rows = run.measurements.assign(prepare_cpu_s=[0.01, 0.3])
    assert behind(drawn(dataclasses.replace(run, measurements=rows))) == ["1 s, once 10 ms", "2 s, once 300 ms"]


def test_phases_differ_in_greyscale_or_by_their_hatch() -> None:
    greys: dict[str, list[float]] = {}
    for colour, hatch in phases.LOOKS.values():
        greys.setdefault(hatch, []).append(float(np.dot(to_rgb(colour), [0.3, 0.59, 0.11])))
    assert list(phases.LOOKS) == list(phases.PHASES)
    assert all(np.diff(sorted(alike)).min(initial=1.0) > 0.15 for alike in greys.values())


def test_unfinished_puzzles_are_counted() -> None:
    run = run_of([[[1.0], [99.0]]])
    assert behind(drawn(run))[0].startswith("1 s (1/2)")
    assert "In brackets" in phases.caption(phases.data(run), SHEET)
