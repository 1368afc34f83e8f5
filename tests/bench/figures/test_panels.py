"""Small multiples with one label, ticks that do not touch, wrapped names, and background lines."""

from __future__ import annotations

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as some

from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.figures.panels import COLOURED, COLOURED_NARROW, grey_note, highlighted, name_axes, panels
from sudoku_bench.bench.figures.style import Column, Sheet, end, log_scale
from sudoku_bench.bench.figures.wrapping import width_of, wrap

PAPER = sheet.column("single")


def a_sheet(within: Column | None = None) -> Sheet:
    return Sheet({}, (), 1.0, "facts", within)


@pytest.mark.parametrize(("within", "per_row"), [(None, 3), (PAPER, 2)])
@pytest.mark.parametrize("number", [1, 2, 5, 6])
def test_panels_share_a_scale_and_axes_are_named_once(within: Column | None, per_row: int, number: int) -> None:
    look = a_sheet(within)
    with mpl.rc_context(look.rc):
        figure, axes = panels(look, [f"panel {i}" for i in range(number)], 2.1)
        log_scale(axes[0], "y", 1e-5, 10)
        end(figure, look, "title", "words")
        name_axes(figure, axes, look, "time", "share")
        figure.draw_without_rendering()
    assert [panel.get_title(loc="left") for panel in axes] == [f"panel {i}" for i in range(number)]
    assert {panel.get_ylim() for panel in axes} == {(1e-5, 10)}
    for name, label in (("xaxis", "time"), ("yaxis", "share")):
        assert [text for panel in axes if (text := getattr(panel, name).label.get_text())] == [label]
    left = {round(panel.get_position().x0, 3) for panel in axes}
    assert len(left) == min(per_row, number)
    widths = {round(panel.get_position().width, 3) for panel in axes}
    assert max(widths) - min(widths) <= 0.002


@given(some.text(some.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=80), some.floats(0.5, 4))
def test_broken_names_lose_nothing_and_fit(name: str, room_in: float) -> None:
    lines = wrap(name, room_in, 8.0).splitlines()
    assert "".join(lines) == name
    assert all(width_of(line, 8.0) <= room_in for line in lines)


def test_of_many_only_those_before_the_others_are_named() -> None:
    for page, (most, shown) in ((a_sheet(), COLOURED), (a_sheet(PAPER), COLOURED_NARROW)):
        few, many = ([f"s{i}" for i in range(number)] for number in (most, most + 1))
        assert highlighted(few, page) == tuple(few)
        assert highlighted(many, page) == tuple(many[:shown])
        assert grey_note(few, page) == ""
        assert f"{most + 1 - shown} other strategies" in grey_note(many, page)
