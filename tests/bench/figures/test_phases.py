"""The phases figure: shares of the phases, the fastest strategy first."""

from __future__ import annotations

import matplotlib as mpl
import pytest
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
    for bars in figure.axes[1].collections:
        corners = [path.vertices for path in bars.get_paths()]
        result.append([(float(vertices[:, 0].min()), float(vertices[:, 0].max())) for vertices in corners])
    return result


def test_the_bars_of_a_strategy_are_its_phases_as_shares_of_their_sum() -> None:
    assert shares(drawn(run_of([[[1.0, 1.0]]]))) == [
        [pytest.approx(ends)] for ends in ((0, 25), (25, 37.5), (37.5, 87.5), (87.5, 93.75), (93.75, 100))
    ]


def test_strategies_are_ordered_by_the_median_solve_written_at_the_end() -> None:
    figure = drawn(run_of([[[0.5]], [[0.002]], [[0.03]]]))
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["b", "c", "a"]
    totals = [text for text in figure.axes[1].texts if text.get_position()[0] > 100]
    assert [text.get_text() for text in totals] == ["2 ms", "30 ms", "500 ms"]
    heights = [text.get_position()[1] for text in totals]
    assert heights == sorted(heights)
    low, high = sorted(figure.axes[1].get_ylim())
    assert low < heights[0] < heights[-1] < high


def test_unfinished_puzzles_are_counted() -> None:
    run = run_of([[[1.0], [99.0]]])
    assert "1 s (1/2)" in [text.get_text() for text in drawn(run).axes[1].texts]
    assert "In brackets" in phases.caption(phases.data(run), SHEET)
