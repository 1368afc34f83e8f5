"""The strips of winners: colours, joins and names."""

from __future__ import annotations

import dataclasses
import itertools

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from bench.figures import winners
from bench.figures.sheet import looks
from bench.figures.style import NothingToDrawError, Sheet
from bench.figures.winners import UNDECIDED, Strip, Strips, data
from bench.verdicts.difficulty.winners import Stretch
from tests.bench.figures.cases import case, legend_names

SHEET = Sheet(looks(["a:1", "b:2"]), ("own",), 10.0, "n, limit, clock, machine")
NOBODY = np.zeros((2, 2), dtype=bool)
PARTS = tuple(Stretch(lo, hi, 30, NOBODY) for lo, hi in ((0, 1), (2, 5), (8, 30), (40, 200)))


def drawn(*strips: Strip) -> Figure:
    with mpl.rc_context(SHEET.rc):
        return winners.draw(Strips(PARTS, strips, 2, 0), SHEET)


def rectangles(figure: Figure) -> list[tuple[float, float, str]]:
    return [
        (float(one.get_x()), float(one.get_x() + one.get_width()), to_hex(one.get_facecolor()).upper())
        for one in figure.axes[0].patches
    ]


def test_neighbours_with_the_same_winner_are_one_rectangle_and_undecided_ones_grey() -> None:
    figure = drawn(Strip("all strategies", ("a:1", "a:1", "", "b:2")))
    shown = rectangles(figure)
    assert [colour for *_, colour in shown] == [
        SHEET.looks["a:1"].colour.upper(), UNDECIDED.upper(), SHEET.looks["b:2"].colour.upper(),
    ]  # fmt: skip
    for (_, right, _), (left, *_) in itertools.pairwise(shown):
        assert left == pytest.approx(right)
    assert 5 < shown[0][1] < 8
    assert 30 < shown[1][1] < 40
    assert legend_names(figure) == ["a:1", "b:2", winners.TEXT]


def test_each_strip_says_who_takes_part() -> None:
    figure = drawn(Strip("all strategies", ("a:1",) * 4), Strip("without a:1", ("",) * 4))
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["all strategies", "without a:1"]


def test_winners_are_left_out_below() -> None:
    result = data(case("usual"))
    first, *others = result.strips
    assert first.name == "all strategies"
    won = {name for name in first.winners if name}
    assert won
    for strip in others:
        assert not won & set(strip.winners)
        won |= {name for name in strip.winners if name}


def test_a_single_repetition_has_no_winners() -> None:
    run = case("usual")
    once = dataclasses.replace(run, measurements=run.measurements[run.measurements["repetition"] == 0])
    with pytest.raises(NothingToDrawError, match="three repetitions"):
        data(once)


def test_one_stretch_or_none_that_is_decided_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for parts, won in ((PARTS[:1], "a:1"), (PARTS, "")):
        strips = Strips(parts, (Strip("all strategies", (won,) * len(parts)),), 2)
        monkeypatch.setattr(winners, "by_size", lambda _, strips=strips: {9: strips})
        with pytest.raises(NothingToDrawError, match="48 puzzles of different, known difficulty and a decided stretch"):
            data(case("usual"))
