"""The share of puzzles solved within a time, with its interval."""

from __future__ import annotations

import numpy as np
import pytest

from bench.figures import sheet, survival
from bench.figures.panels import MAX_PANELS
from bench.figures.style import GREY, NothingToDrawError
from bench.verdicts.spread.distributions import wilson
from tests.bench.figures.cases import case, legend_names, picture, simulated, small
from tests.bench.figures.lines import caption, drawn_line

SECONDS = np.array([[0.3, 0.1, 0.2, 0.4], [0.5, 20.0, 0.5, 0.6]])  # strategies × puzzles, the limit being 10


def test_stairs_end_where_all_are_solved_or_at_the_limit() -> None:
    run = small(SECONDS, ["a", "b"])
    [axes] = picture(survival, run).axes
    stairs = [[0.1, 0], [0.1, 0.25], [0.2, 0.5], [0.3, 0.75], [0.4, 1], [0.4, 1]]
    assert drawn_line(axes, run, "a") == pytest.approx(np.array(stairs))
    stairs = [[0.5, 0], [0.5, 0.5], [0.6, 0.75], [10, 0.75]]
    assert drawn_line(axes, run, "b") == pytest.approx(np.array(stairs))


def test_the_first_strategies_have_bands_with_the_intervals_of_shares() -> None:
    run = small(SECONDS[:1], ["a"])
    [axes] = picture(survival, run).axes
    [band] = axes.collections
    low, high = wilson(np.array([0.25, 1.0]), 4)
    assert band.get_datalim(axes.transData).get_points()[:, 1] == pytest.approx([low[0], high[1]])
    many = picture(survival, case("sixty strategies"))
    assert len(many.axes[0].collections) == survival.COLOURED
    assert "the 54 other strategies" in caption(many)


def test_each_collection_has_its_panel_with_its_number_of_puzzles() -> None:
    figure = picture(survival, case("usual"))
    assert [axes.get_title(loc="left") for axes in figure.axes] == [f"tier{number} (30)" for number in range(3)]
    assert len({axes.get_xlim() for axes in figure.axes}) == 1


def test_axes_hold_all_shares_and_the_limit_where_one_met_it() -> None:
    [axes] = picture(survival, small(SECONDS, ["a", "b"])).axes
    assert axes.get_xscale() == "log"
    assert axes.get_xlim()[0] < 0.1
    assert axes.get_xlim()[1] > 10
    assert axes.get_ylim()[0] < 0
    assert axes.get_ylim()[1] > 1
    dotted = [line for line in axes.lines if line.get_color() == GREY]
    assert [list(line.get_xdata()) for line in dotted] == [[10, 10]]
    [axes] = picture(survival, small(SECONDS[:1], ["a"])).axes
    assert axes.get_xlim()[1] < 1


def test_the_strategies_with_the_best_mean_ranks_come_first() -> None:
    assert legend_names(picture(survival, small(SECONDS[::-1], ["b", "a"]))) == ["a", "b"]
    assert len(legend_names(picture(survival, case("sixty strategies")))) == survival.COLOURED


def test_collections_that_are_too_many_are_named() -> None:
    run = simulated(strategies=1, puzzles=3, replicates=1, collections=MAX_PANELS + 2)
    shown = sheet.of_run(run)
    assert len(survival.data(run).within(shown).spreads) == MAX_PANELS
    assert f"Not shown: tier{MAX_PANELS}, tier{MAX_PANELS + 1}." in survival.caption(survival.data(run), shown)


def test_collections_of_fewer_than_three_puzzles_are_left_out() -> None:
    with pytest.raises(NothingToDrawError, match="3 measured puzzles"):
        survival.data(small(SECONDS[:, :2], ["a", "b"]))
