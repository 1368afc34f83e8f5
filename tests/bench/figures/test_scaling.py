"""Scaling with board size: medians and quartiles of each size, limits, legend."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from sudoku_bench.bench.figures import scaling, sheet
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import case, picture
from tests.bench.verdicts.simulated_runs import a_run, together

LIMIT_S = 10.0


def sized(times: dict[int, list[list[float]]]) -> Run:
    """Return a run of the strategies a, b, ... with these times (strategies × puzzles) on boards of each size."""
    runs = []
    for size, seconds in times.items():
        values = np.array(seconds)[:, :, None]
        names = list("abc"[: len(values)])
        run = a_run(values, names, np.ones(values.shape[1]), limit_s=LIMIT_S, collection=f"size{size}")
        runs.append(dataclasses.replace(run, puzzles=run.puzzles.assign(grid="." * size**2)))
    run = together(*runs)
    usual = case("usual").manifest
    return dataclasses.replace(run, manifest=usual | {"suite": usual["suite"] | {"timeout_s": LIMIT_S}})


SMALL = sized({9: [[1, 2, 3, 4, 5], [2, 2, 2, 20, 20]], 4: [[1, 1, 2, 2, 2], [3, 3, 3, 3, 3]], 16: [[9] * 5, [20] * 5]})


def test_points_are_quartiles_over_the_puzzles_of_a_size() -> None:
    result = scaling.data(SMALL).points.set_index(["strategy", "size"])
    assert list(result.index) == [(name, size) for name in "ab" for size in (4, 9, 16)]
    assert list(result.loc[("a", 9), ["p25_s", "median_s", "p75_s"]]) == [2, 3, 4]
    assert list(result.loc[("b", 9), ["p25_s", "median_s", "p75_s"]]) == [2, 2, math.inf]
    assert list(result.loc[("b", 16), ["p25_s", "median_s", "p75_s"]]) == [math.inf] * 3
    assert list(result["late"]) == [0, 0, 0, 0, 2, 5]
    assert list(result.loc["a", "cells"]) == [16, 81, 256]


def test_medians_are_at_their_size_and_unfinished_ones_hollow_at_the_limit() -> None:
    [axes] = picture(scaling, SMALL).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["4×4\n16", "9×9\n81", "16×16\n256"]
    look = sheet.of_run(SMALL).looks["b"]
    filled, hollow = [
        line
        for line in axes.lines
        if (line.get_color(), line.get_marker()) == (look.colour, look.marker) and not line.get_gid()
    ]
    lines = [line for line in axes.lines if not line.get_gid()]
    joined = [line for line in lines if line.get_linestyle() != "None" and len(line.get_xdata()) > 2]
    assert len(joined) == 1  # of a: two finished sizes are too few
    assert list(filled.get_ydata()) == [3, 2]
    assert filled.get_xdata() == pytest.approx([16, 81], rel=0.3)
    assert list(hollow.get_ydata()) == [LIMIT_S]
    assert hollow.get_markerfacecolor() == "#ffffff"
    bars = [path.vertices[:, 1].tolist() for lines in axes.collections for path in lines.get_paths()]
    assert [2, LIMIT_S] in bars  # its upper quartile is not known
    assert [2, 4] in bars
    assert any("time limit 10 s" in text.get_text() for text in axes.texts)
