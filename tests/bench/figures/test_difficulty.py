"""Measures of difficulty against each other: positions of puzzles in every panel, and correlations."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from bench.figures import difficulty, looks
from bench.figures.difficulty import GAP, Scale, data, points
from bench.figures.style import NothingToDrawError, Sheet
from bench.verdicts.run_tables import Run
from tests.bench.figures.cases import case, legend_names, picture
from tests.bench.verdicts.simulated_runs import a_run

NUMBER = 12


def rated() -> Run:
    """Twelve puzzles: clues fall as guesses rise, the hardest are beyond the scale of ER."""
    run = a_run(np.ones((1, NUMBER, 1)), ["s"], np.arange(NUMBER) * 10.0)
    ratings = [str(2 + number / 10) for number in range(NUMBER - 4)] + [">4.4"] * 4
    rated = run.puzzles.assign(grid="." * 81, clues=40 - np.arange(NUMBER), er=ratings, backdoor="1")
    usual = case("usual").manifest
    return dataclasses.replace(run, puzzles=rated, manifest=usual)


def test_measures_that_vary_are_drawn_with_their_correlations() -> None:
    matrix = data(rated())
    assert matrix.names == ("guesses", "er", "clues")
    assert matrix.rho[0, 2] == pytest.approx(-1)
    assert 0.95 < matrix.rho[0, 1] < 0.99  # four are tied
    assert matrix.scales == {"er": ">4.4"}
    figure = picture(difficulty, rated())
    [axes] = figure.axes
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("\N{MINUS SIGN}1.00") == 1
    assert texts.count(f"{matrix.rho[0, 1]:.2f}") == 1
    assert texts.count(">4.4") == 2  # across and upwards
    assert {"mean guesses", "clues"} <= {text.replace("\n", " ") for text in texts}


def test_every_puzzle_is_in_every_panel() -> None:
    figure = picture(difficulty, rated())
    [axes] = figure.axes
    [cloud] = axes.lines
    x, y = np.asarray(cloud.get_xdata()), np.asarray(cloud.get_ydata())
    assert len(x) == 3 * NUMBER
    panels = sorted({(int(row), int(column)) for column, row in zip(x, y, strict=True)})
    assert panels == [(1, 0), (2, 0), (2, 1)]
    within = (x % 1 > GAP) & (x % 1 < 1 - GAP) & (y % 1 > GAP) & (y % 1 < 1 - GAP)
    assert within.all()
    first = slice(0, NUMBER)
    assert (np.diff(x[first]) > 0).all()
    assert (np.diff(y[first])[:-4] < 0).all()  # rows are counted downwards, so that higher is less
    assert len(set(y[first][-4:])) == 1  # beyond the scale
    assert figure.axes[0].get_ylim() == (3, 0)


def test_a_point_stands_where_the_ticks_say() -> None:
    matrix = data(rated())
    scales = [Scale.of(matrix, name, 1.0) for name in matrix.names]
    for scale in scales:
        for share, label in zip(scale.tick_shares, scale.ticks.values(), strict=True):
            value = math.inf if label.startswith(">") else float(label)
            assert scale.shares(np.array([value]))[0] == pytest.approx(share)
            assert 0 < share < 1
    x, y = points(matrix.numbers.iloc[:1], scales[:2])
    assert x == pytest.approx(GAP + scales[0].shares(np.array([0.0])) * (1 - 2 * GAP))
    assert y == pytest.approx(2 - GAP - scales[1].shares(np.array([2.0])) * (1 - 2 * GAP))


def test_unknown_values_are_left_out_of_their_panels_alone() -> None:
    run = rated()
    er = run.puzzles["er"].where(run.puzzles.index != 3)
    figure = picture(difficulty, dataclasses.replace(run, puzzles=run.puzzles.assign(er=er)))
    [cloud] = figure.axes[0].lines
    assert len(np.asarray(cloud.get_xdata())) == 3 * NUMBER - 2


def test_collections_have_a_colour_and_a_mark_each() -> None:
    run = case("usual")
    figure = picture(difficulty, run)
    assert legend_names(figure) == list(run.collections)
    lines = figure.axes[0].lines
    assert len({line.get_marker() for line in lines}) == len({to_rgb(line.get_color()) for line in lines}) == 3


def test_decoys_and_other_sizes_are_not_drawn() -> None:
    run = rated()
    decoys = pd.Series([None] * NUMBER, dtype=object)
    decoys[0] = "none"
    without = data(dataclasses.replace(run, puzzles=run.puzzles.assign(decoy=decoys)))
    assert len(without.numbers) == NUMBER - 1
    grids = ["." * 16] + ["." * 81] * (NUMBER - 1)
    result = data(dataclasses.replace(run, puzzles=run.puzzles.assign(grid=grids)))
    assert len(result.numbers) == NUMBER - 1
    assert result.omitted == 1
    assert "1 puzzle of another board size" in difficulty.caption(result, Sheet(looks.looks([]), (), 1.0, ""))


def test_too_few_puzzles_are_nothing_to_draw() -> None:
    with pytest.raises(NothingToDrawError, match="puzzles of one size"):
        data(case("one puzzle"))
