"""The rows of the fastest strategies: who has one, its colours and joins, and when there is nothing to draw."""

from __future__ import annotations

import dataclasses
import itertools

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sudoku_bench.bench.figures import winners
from sudoku_bench.bench.figures.sheet import looks
from sudoku_bench.bench.figures.style import NothingToDrawError, Sheet
from sudoku_bench.bench.figures.verdict_map import FASTEST, SHARED
from sudoku_bench.bench.figures.winners import PALE, ROWS, Winners, data, state
from sudoku_bench.bench.verdicts.difficulty.winners import Stretch
from tests.bench.figures.cases import case, legend_names, row_names

SHEET = Sheet(looks(["a:1", "b:2"]), ("own",), 10.0, "n, limit, clock, machine")
NOBODY = np.zeros((2, 2), dtype=bool)
PARTS = tuple(Stretch(lo, hi, 30, NOBODY) for lo, hi in ((0, 1), (2, 5), (8, 30), (40, 200)))
TWO = {"a:1": (FASTEST, FASTEST, SHARED, ""), "b:2": ("", "", SHARED, FASTEST)}


def drawn(rows: dict[str, tuple[str, ...]]) -> Figure:
    with mpl.rc_context(SHEET.rc):
        return winners.draw(Winners(PARTS, rows, 2), SHEET)


def test_neighbours_alike_are_one_rectangle_and_a_tie_is_pale() -> None:
    figure = drawn(TWO)
    filled = [one for one in figure.axes[0].patches if isinstance(one, Rectangle) and one.get_fill()]
    shown = [(one.get_x(), one.get_x() + one.get_width(), one.get_facecolor()) for one in filled if one.get_lw() == 0]
    colours = [SHEET.looks[name].colour.upper() for name in ("a:1", "a:1", "b:2", "b:2")]
    assert [to_hex(colour).upper() for *_, colour in shown] == colours
    assert [colour[3] for *_, colour in shown] == [1.0, PALE, PALE, 1.0]
    for (_, right, _), (left, *_) in itertools.pairwise((shown[0], shown[1], shown[3])):
        assert left == pytest.approx(right)
    assert 5 < shown[0][1] < 8
    assert 30 < shown[1][1] < 40
    assert legend_names(figure) == [FASTEST, SHARED]
    assert row_names(figure) == ["a:1", "b:2"]


def test_the_fastest_beats_all_others_that_take_part_and_none_beats_one_that_shares_the_lead() -> None:
    stretch = Stretch(0, 1, 30, np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool))
    assert [state(stretch, place, [0, 1, 2]) for place in range(3)] == [SHARED, "", ""]
    assert [state(stretch, place, [1, 2]) for place in (1, 2)] == [FASTEST, ""]


def test_rows_are_of_those_that_lead_somewhere_and_those_of_easy_puzzles_come_first() -> None:
    run = case("crossing")
    found = data(run)
    assert 1 < len(found.rows) <= ROWS
    firsts = [np.flatnonzero(row).mean() for row in found.rows.values()]
    assert firsts == sorted(firsts)
    assert all(any(states) for states in zip(*found.rows.values(), strict=True))
    once = dataclasses.replace(run, measurements=run.measurements[run.measurements["repetition"] == 0])
    with pytest.raises(NothingToDrawError, match="three repetitions"):
        data(once)
