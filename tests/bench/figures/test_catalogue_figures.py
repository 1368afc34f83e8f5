"""Checks for every figure: no text overlaps, or a reason why it is not drawn; same bytes for the same run."""

from __future__ import annotations

import pytest

from bench.figures import catalogue, pgf, style
from bench.figures.style import NothingToDrawError
from tests.bench.figures.cases import CASES, COLUMNS, case, faults, picture

pytestmark = pytest.mark.slow

OWN_CASES = {"scaling": "several sizes", "placebos": "placebos"}  # of those with nothing to show in the usual one

every_figure = pytest.mark.parametrize("figure", catalogue.FIGURES, ids=catalogue.name)


def own_case(figure: catalogue.FigureModule) -> str:
    """Return the name of a case that has data for the figure."""
    return OWN_CASES.get(catalogue.name(figure), "usual")


@every_figure
@pytest.mark.parametrize("name", CASES)
def test_a_figure_covers_nothing_and_cuts_nothing_off(figure, name: str) -> None:
    try:
        columns = COLUMNS if name == own_case(figure) else COLUMNS[:2]  # the wide column seldom differs
        drawn = {within: picture(figure, case(name), within) for within in columns}
    except NothingToDrawError as error:
        drawn, reason = {}, str(error)
        assert name != own_case(figure), reason
    for within, one in drawn.items():
        assert faults(one) == []
        if within:
            assert one.get_size_inches()[0] == pytest.approx(within.width_in)
    if not drawn:
        assert 10 < len(reason) < 120
        assert "\n" not in reason


@every_figure
def test_a_figure_says_its_facts_and_names_its_axes(figure) -> None:
    drawn = picture(figure, case(OWN_CASES.get(catalogue.name(figure), "several sizes")))
    shown_text = " ".join(text.get_text() for text in drawn.texts).replace("\n", " ")
    for fact in ("90 puzzles", "limit 0.02 s", "CPU time", "timed out", "Simulated CPU"):
        assert fact in shown_text
    for axes in drawn.axes:
        alike = (*axes.get_shared_x_axes().get_siblings(axes), *axes.get_shared_y_axes().get_siblings(axes))
        named = any(other.get_xlabel() or other.get_ylabel() for other in (axes, *alike))
        assert named or drawn.get_supxlabel() or not axes.axison


@every_figure
def test_the_same_run_makes_the_same_bytes(figure) -> None:
    run = case(own_case(figure))
    one, other = picture(figure, run), picture(figure, run)
    for kind in style.KINDS:
        if kind != "pgf" or pgf.program():
            assert style.render(one, kind) == style.render(other, kind)
