"""Performance profiles, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from bench.figures import profile, sheet
from bench.figures.style import NothingToDrawError
from tests.bench.figures.cases import case, legend_names, picture, small
from tests.bench.figures.lines import NAMES_OF_LEGEND, drawn_line

# A tie on the first puzzle, a timeout of b on the last but one, and of all on the last; the limit is 10.
SECONDS = np.array([[1.0, 2.0, 3.0, 20.0], [1.0, 1.0, 30.0, 20.0], [4.0, 8.0, 9.0, 20.0]])
NAMES = ["a", "b", "c"]


def test_profiles_by_hand() -> None:
    run = small(SECONDS, NAMES)
    [result] = profile.data(run).panels.values()
    assert {name: ratios.tolist() for name, ratios in result.ratios.items()} == {
        "a": pytest.approx([1, 1, 2]),
        "b": pytest.approx([1, 1]),
        "c": pytest.approx([3, 4, 8]),
    }
    assert (result.puzzles, result.unsolved) == (4, 1)
    [axes] = picture(profile, run).axes
    right = axes.get_xlim()[1]
    assert drawn_line(axes, run, "a").tolist() == [[1, 0], [1, 0.5], [2, 0.75], [pytest.approx(right), 0.75]]
    assert drawn_line(axes, run, "b").tolist() == [[1, 0], [1, 0.5], [pytest.approx(right), 0.5]]


def test_the_strategy_that_is_fastest_most_often_is_first() -> None:
    figure = picture(profile, small(SECONDS, NAMES))
    assert legend_names(figure) == ["a", "b", "c"]  # a and b both on two, a solves more
    notes = [text.get_text().partition("\n")[2].strip() for text in figure.legends[0].get_texts()]
    assert notes == ["fastest on 2 of 4", "fastest on 2 of 4", ""]


def test_a_line_ends_at_100_percent() -> None:
    run = small(SECONDS[:2, [0, 1, 1]], ["a", "b"])
    [axes] = picture(profile, run).axes
    assert drawn_line(axes, run, "b").tolist() == [[1, 0], [1, 1], [1, 1]]
    assert drawn_line(axes, run, "a")[-1].tolist() == [2, 1]


def test_a_strategy_that_solves_nothing_has_no_line() -> None:
    run = small(np.array([[1.0, 2.0, 2.0], [20.0, 20.0, 20.0]]), ["a", "b"])
    [axes] = picture(profile, run).axes
    assert len(drawn_line(axes, run, "b")) == 0
    assert legend_names(picture(profile, run)) == ["a", "b"]


def test_axes_begin_at_one_and_hold_all_shares() -> None:
    [axes] = picture(profile, small(SECONDS, NAMES)).axes
    assert axes.get_xscale() == "log"
    assert axes.get_xlim()[0] == 1
    assert axes.get_xlim()[1] > 8
    low, high = axes.get_ylim()
    assert low < 0
    assert high > 1


def test_the_caveat_appears_with_more_than_two_strategies() -> None:
    runs = (small(SECONDS, NAMES), small(SECONDS[:2], NAMES[:2]))
    captions = [profile.caption(profile.data(run), sheet.of_run(run)) for run in runs]
    assert ["Gould & Scott 2016" in text for text in captions] == [True, False]
    assert all("Puzzles that no strategy solved are included (1)" in text for text in captions)


def test_one_strategy_is_nothing_to_draw() -> None:
    with pytest.raises(NothingToDrawError, match="needs two strategies"):
        profile.data(case("one strategy"))


def test_of_many_strategies_only_the_first_have_names() -> None:
    figure = picture(profile, case("sixty strategies"))
    assert len(legend_names(figure)) == NAMES_OF_LEGEND
    assert len(figure.axes[0].lines) == 60


def test_boards_of_different_sizes_are_never_combined() -> None:
    run = case("several sizes")
    figure = picture(profile, run)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [f"{n}×{n}: 30 puzzles" for n in (4, 9, 16)]
    assert " of 30 4×4" in figure.legends[0].get_texts()[0].get_text().replace("\n", " ")
