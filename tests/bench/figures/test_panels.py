"""Ticks that do not touch, wrapped names, panels for the axes of a script."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.figures.style import (
    Column,
    NothingToDrawError,
    Sheet,
    begin,
    begin_panels,
    end,
    log_scale,
    wrap,
)

PAPER = sheet.column("single")


def a_sheet(within: Column | None = None) -> Sheet:
    return Sheet({}, (), 1.0, "facts", within)


@pytest.mark.parametrize(("within", "most"), [(None, 5), (PAPER, 3)])
def test_labels_of_ticks_do_not_touch(within: Column | None, most: int) -> None:
    look = a_sheet(within)
    with mpl.rc_context(look.rc):
        figure, axes = begin_panels(look, 4, 2.0)
        for panel in axes:
            log_scale(panel, "x", 1e-6, 1e2, most=most)
            log_scale(panel, "y", 1e-6, 1e2, most=most)
        end(figure, look, "title", "words")
        renderer = FigureCanvasAgg(figure).get_renderer()
        figure.draw_without_rendering()
        labels = axes[-1].get_xticklabels(), axes[-1].get_yticklabels()
        across, upwards = ([label.get_window_extent(renderer) for label in each] for each in labels)
    assert min(len(across), len(upwards)) >= 2
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(across))
    assert all(a.y1 < b.y0 + 1 for a, b in itertools.pairwise(upwards))


def test_names_are_broken_where_their_parts_join() -> None:
    name = "sat:complete+pairwise@cadical195"
    assert wrap(name, 9.0, 8.0) == name
    assert wrap(name, 1.6, 8.0) == "sat:complete+pairwise\n@cadical195"
    assert wrap(name, 0.9, 8.0) == "sat:complete\n+pairwise\n@cadical195"


def test_axes_of_a_script_are_used_one_for_each_panel() -> None:
    axes = Figure().subplots(1, 2)
    look = a_sheet().within(list(axes))
    assert begin_panels(look, 2, 2.0)[1] == list(axes)
    with pytest.raises(NothingToDrawError, match="it has 1 panel; give axes= with as many"):
        begin(look, 2.0)
