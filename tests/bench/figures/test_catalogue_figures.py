"""Checks for every figure: no text overlaps or is too small, no figure too high, or a reason why it is not drawn."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from sudoku_bench.bench.figures import catalogue, sheet, style
from sudoku_bench.bench.figures.style import NothingToDrawError
from tests.bench.figures.cases import CASES, COLUMNS, OWN_CASES, case, faults, picture, smallest_letters

CROWDED = ("sixty strategies", "long names")  # checked on a screen, too; a narrow column is harder to fit

every_figure = pytest.mark.parametrize("figure", catalogue.FIGURES, ids=catalogue.name)


def own_case(figure: catalogue.FigureModule) -> str:
    """Return the name of a case that has data for the figure."""
    return OWN_CASES.get(catalogue.name(figure), "usual")


def figures_and_cases() -> Iterator[Any]:
    """Every figure with every case; those beside its own are for ``make thorough``."""
    for figure, name in itertools.product(catalogue.FIGURES, CASES):
        marks = () if name == own_case(figure) else pytest.mark.thorough
        yield pytest.param(figure, name, marks=marks, id=f"{name}-{catalogue.name(figure)}")


@pytest.mark.parametrize(("figure", "name"), list(figures_and_cases()))
def test_a_figure_covers_nothing_and_cuts_nothing_off(figure, name: str) -> None:
    try:
        columns = COLUMNS if name == own_case(figure) else COLUMNS[:2] if name in CROWDED else COLUMNS[1:2]
        drawn = {within: picture(figure, case(name), within) for within in columns}
    except NothingToDrawError as error:
        drawn, reason = {}, str(error)
        assert name != own_case(figure), reason
    for within, one in drawn.items():
        assert faults(one) == []
        assert smallest_letters(one) >= style.SMALLEST_PT
        if within:
            width_in, height_in = one.get_size_inches()
            assert width_in == pytest.approx(within.width_in)
            assert height_in <= style.HEIGHT_SHARE * within.height_in + 1e-9
    if not drawn:
        assert 10 < len(reason) < 120
        assert "\n" not in reason


@pytest.mark.parametrize(
    ("name", "run", "reason"),
    [
        ("time_vs_difficulty", "one puzzle", "fewer than 3 puzzles"),
        ("forest", "one strategy", "no collection has"),
        ("phases", "all timeouts", "no strategy finished a solve with timed phases"),
        ("cactus", "one of both", "3 puzzles"),
        ("encodings", "usual", "no two SAT encodings"),
    ],
)
def test_a_run_without_data_for_a_figure_has_a_note_instead(name: str, run: str, reason: str) -> None:
    with pytest.raises(NothingToDrawError, match=reason):
        catalogue.named(name).data(case(run))


@every_figure
def test_a_figure_says_its_facts_and_names_its_axes(figure) -> None:
    drawn = picture(figure, case(OWN_CASES.get(catalogue.name(figure), "several sizes")))
    shown_text = " ".join(text.get_text() for text in drawn.texts).replace("\n", " ")
    number = "60" if "of other board sizes are not shown" in shown_text else "120"
    for fact in (f"{number} puzzles", "limit 0.02 s", "CPU time", "Simulated CPU"):
        assert fact in shown_text
    for axes in drawn.axes:
        alike = (*axes.get_shared_x_axes().get_siblings(axes), *axes.get_shared_y_axes().get_siblings(axes))
        named = any(other.get_xlabel() or other.get_ylabel() for other in (axes, *alike))
        assert named or drawn.get_supxlabel() or not axes.axison


@every_figure
def test_axes_hold_all_points(figure) -> None:
    drawn = picture(figure, case(OWN_CASES.get(catalogue.name(figure), "some timeouts")))
    for axes in drawn.axes:
        in_data = [line for line in axes.lines if line.get_transform().contains_branch(axes.transData)]
        for line in (line for line in in_data if line.get_linestyle() == "None" and len(line.get_xdata())):
            places = axes.transLimits.transform(axes.transScale.transform(line.get_xydata()))
            assert (places > -1e-9).all()
            assert (places < 1 + 1e-9).all()


@pytest.mark.parametrize("name", ["time_vs_difficulty", "phases"])
def test_boards_of_different_sizes_are_never_combined(name: str) -> None:
    run, figure = case(OWN_CASES.get(name, "several sizes")), catalogue.named(name)
    assert "60 puzzles of other board sizes" in figure.caption(figure.data(run), sheet.of_run(run))
