"""Pairs of strategies: points, equal scales, verdicts of pairs.csv, and the selection of pairs."""

from __future__ import annotations

import math
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import groups, scatter
from sudoku_bench.bench.figures.scatter import PANELS, PairPanel, Pairs, data, verdict
from sudoku_bench.bench.figures.sheet import looks
from sudoku_bench.bench.figures.style import Sheet
from sudoku_bench.bench.verdicts.pairs.pairs import PAIRS_COLUMNS
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run, together

SHEET = Sheet(looks(["s:1", "s:2"]), ("easy", "hard"), 10.0, "n, limit, clock, machine")
LATE = math.inf


def drawn(rows: list[tuple[str, float, float]], sheet: Sheet = SHEET) -> Figure:
    points = pd.DataFrame(rows, columns=["collection", "a_s", "b_s"])
    with mpl.rc_context(sheet.rc):
        return scatter.draw(Pairs((PairPanel("s:1", "s:2", points, "A faster 2× [1.5, 3]"),), ""), sheet)


def marks(axes: Axes, hollow: bool) -> list[tuple[float, float]]:
    clouds = [line for line in axes.lines if line.get_linestyle() == "None"]
    return [
        (float(x), float(y))
        for line in clouds
        if (line.get_markerfacecolor() == "none") == hollow
        for x, y in line.get_xydata()
    ]


POINTS = [("easy", 1e-3, 5e-3), ("easy", 2e-3, 4e-3), ("hard", 0.5, 0.1)]


def test_a_is_above_b_on_equal_scales_with_the_diagonal_and_lines_of_two_and_ten_times() -> None:
    [axes] = drawn(POINTS).axes
    assert marks(axes, hollow=False) == [(5e-3, 1e-3), (4e-3, 2e-3), (0.1, 0.5)]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("s:2 (B)", "s:1 (A)")
    assert axes.get_title(loc="left") == "A faster 2× [1.5, 3]"
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_xlim() == axes.get_ylim()
    slanted = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linestyle() != "None"]
    factors = sorted(round(float(line.get_ydata()[1] / line.get_xdata()[1]), 9) for line in slanted)
    assert factors == [0.1, 0.5, 1, 2, 10]


def test_unfinished_solves_stand_hollow_beyond_the_limit() -> None:
    [axes] = drawn([*POINTS, ("easy", LATE, 1.0), ("hard", 2.0, LATE), ("hard", LATE, LATE)]).axes
    edge = 10.0 * scatter.EDGE
    assert marks(axes, hollow=True) == [(1.0, edge), (edge, 2.0), (edge, edge)]
    assert len(marks(axes, hollow=False)) == 3
    assert 10.0 < edge < axes.get_xlim()[1]
    assert {10.0} == {line.get_xdata()[0] for line in axes.lines if list(line.get_ydata()) == [0, 1]}


def rows(*verdicts: tuple[str, float]) -> list[dict[str, Any]]:
    """Rows of the table of pairs; the interval reaches 10% to both sides."""
    return [
        dict.fromkeys(PAIRS_COLUMNS, math.nan)
        | {"collection": f"c{i}", "a": "s:1", "b": "s:2", "verdict": kind, "ratio": ratio, "margin": 0.05}
        | {"ratio_lo": ratio / 1.1, "ratio_hi": ratio * 1.1, "beyond_margin": "yes"}
        | {"n_independent": 9, "n_repetitions": 3}
        for i, (kind, ratio) in enumerate(verdicts)
    ]


def test_the_verdict_of_one_collection_has_its_ratio_and_interval() -> None:
    assert verdict(rows(("b_faster", 1.6))) == "A slower on c0: A / B 1.60 [1.45, 1.76]"
    assert verdict(rows(("a_faster", 0.5))) == "A faster on c0: A / B 0.500 [0.455, 0.550]"
    assert verdict(rows(("indistinguishable", 1.04))) == "not decided on c0: A / B 1.04 [0.95, 1.14]"
    assert verdict(rows(("too_few", 0.5))) == "too few data on c0"
    [near] = rows(("b_faster", 1.12))
    assert verdict([near | {"beyond_margin": ""}]) == "A slower, maybe by < 5% on c0: A / B 1.12 [1.02, 1.23]"


def crossing(strategies: int = 6) -> Run:
    """s0 is the fastest on easy, s1 on hard; s2 is faster than s3 on easy and slower on hard; the others are slow."""
    rng = np.random.default_rng(5)
    speeds = {"easy": [1, 3, 5, 12, 40, 90], "hard": [4, 1, 9, 6, 40, 90]}
    names = [f"s{i}" for i in range(strategies)]
    runs = []
    for collection, factors in speeds.items():
        noise = np.exp(0.02 * rng.standard_normal((strategies, 20, 2)))
        seconds = 1e-3 * np.array(factors[:strategies])[:, None, None] * noise
        runs.append(a_run(seconds, names, np.ones(20), collection=collection))
    both = together(*runs)
    return Run(both.manifest, both.measurements, both.puzzles.assign(grid="." * 81))


def test_of_many_pairs_those_that_cross_and_those_near_the_best_come_first(monkeypatch) -> None:
    monkeypatch.setattr(groups, "is_beaten", lambda *_: False)
    run = crossing()
    line = {"a": "s3", "b": "s2", "told": "yes", "crossover": 5.0, "ratio_easiest": 0.5}
    lines = [line | {"ratio_hardest": 2.0}, line | {"b": "s4", "ratio_hardest": 3.0, "ratio_easiest": 0.3}]
    run.__dict__["crossovers"] = pd.DataFrame(lines)  # as if computed
    result = data(run)
    pairs = [{panel.a, panel.b} for panel in result.panels]
    assert pairs == [{"s3", "s4"}, {"s2", "s3"}, {"s0", "s1"}, {"s0", "s2"}, {"s1", "s3"}, {"s1", "s2"}]
    assert len(pairs) == PANELS
    text = scatter.caption(result, SHEET)
    assert "Selected from 15 pairs" in text
    by = {frozenset((panel.a, panel.b)): panel.verdict for panel in result.panels}
    assert by[frozenset(("s0", "s1"))].splitlines() == ["too few data on hard, easy"]  # two repetitions
