"""The forest plot: the pair that crosses, pairs with the fastest strategy of each collection, and their verdicts."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import forest, sheet
from sudoku_bench.bench.figures.forest import Group, data, finding, fitting
from sudoku_bench.bench.figures.sheet import looks
from sudoku_bench.bench.figures.style import Sheet
from sudoku_bench.bench.verdicts import answer
from sudoku_bench.bench.verdicts.pairs import decision
from tests.bench.figures.cases import case

SHEET = Sheet(looks(list("abcd")), ("own",), 10.0, "n, limit, clock, machine")
NARROW = dataclasses.replace(SHEET, column=sheet.column("single"))


def row(name: str, ratio: float, verdict: str = decision.B_FASTER, **more: Any) -> dict[str, Any]:
    """Return a row of the table of pairs of a strategy with the fastest one, ``best``."""
    line = {"a": name, "b": "best", "ratio": ratio, "ratio_lo": ratio / 1.1, "ratio_hi": ratio * 1.1, "p_holm": 0.001}
    ends = {"ratio_lo": ratio / 1.2, "ratio_hi": ratio * 1.2, "at_least": math.nan, "at_most": math.nan}
    rest = {"margin": 0.05, "beyond_margin": "yes", "verdict": verdict, "n_repetitions": 5, "n_independent": 40}
    return line | ends | rest | more


def drawn(*groups: Group, within: Sheet = SHEET) -> Figure:
    with mpl.rc_context(within.rc):
        return forest.draw(groups, within)


def bars(figure: Figure) -> list[list[float]]:
    return [
        list(map(float, line.get_xdata()))
        for line in figure.axes[0].lines
        if line.get_linestyle() == "-" and len(line.get_xdata()) == 2 and line.get_linewidth() == 1.4
    ]


def test_the_fastest_is_compared_with_the_nearest_first() -> None:
    groups = data(case("usual"))
    assert [group.head.partition(",")[0] for group in groups] == ["tier0", "tier1", "tier2"]
    for group in groups:
        assert {f"{row['collection']}, against {row['b']}" for row in group.rows} == {group.head}
        ratios = [forest.place_of(row) for row in group.rows]
        assert ratios == sorted(ratios)  # none is faster than the fastest


def test_a_row_has_its_ratio_its_interval_and_its_numbers() -> None:
    figure = drawn(Group("own, against best", (row("a", 2.0), row("b", 3.0))))
    [axes] = figure.axes
    assert bars(figure) == [pytest.approx([2 / 1.2, 2.4]), pytest.approx([3 / 1.2, 3.6])]
    marks = [float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o"]
    assert marks == [2.0, 3.0]
    assert "own, against best" in [text.get_text() for text in axes.texts]
    [behind] = axes.child_axes
    assert [label.get_text() for label in behind.get_yticklabels()] == ["2.00 [1.67, 2.40]", "3.00 [2.50, 3.60]"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]


def test_colours_and_fillings_are_the_verdicts() -> None:
    assert finding(row("a", 2.0)) == forest.SLOWER
    assert finding(row("a", 1.02, beyond_margin="")) == forest.MAYBE_SLOWER
    assert finding(row("a", 1.1, decision.INDISTINGUISHABLE)) == forest.UNDECIDED
    assert finding(row("a", 1.1, decision.TOO_FEW)) == forest.UNDECIDED
    assert finding(row("a", 1.0, decision.EQUIVALENT)) == forest.EQUIVALENT
    assert finding(row("a", 0.5, decision.A_FASTER)) == forest.FASTER
    assert finding(row("a", 0.98, decision.A_FASTER, beyond_margin="")) == forest.MAYBE_FASTER
    figure = drawn(Group("own, against best", (row("a", 2.0), row("b", 1.1, decision.INDISTINGUISHABLE))))
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["slower", "not decided", "margin of 5%"]


def test_an_unbounded_interval_is_an_arrow_to_the_edge() -> None:
    unknown = row("a", math.nan, at_least=3.0, ratio_lo=2.5, ratio_hi=math.nan)
    figure = drawn(Group("own, against best", (unknown,)))
    [axes] = figure.axes
    high = axes.get_xlim()[1]
    assert bars(figure) == [pytest.approx([2.5, high])]
    assert [float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == ">"] == [pytest.approx(high)]
    assert not [line for line in axes.lines if line.get_marker() == "o"]


def test_the_pair_that_crosses_comes_first_on_all_collections_from_either_side(monkeypatch) -> None:
    monkeypatch.setattr(answer, "is_beaten", lambda *_: False)
    run = dataclasses.replace(case("usual"))
    below, above = sorted(set(run.measurements["strategy"]))[2:0:-1]
    line = {"faster_below": below, "faster_above": above, "told": "yes", "crossover": 5.0, "shape": "9x9"}
    line |= {"a": below, "b": above, "axis": "guesses", "within": ""}
    run.__dict__["crossovers"] = pd.DataFrame([line | {"ratio_easiest": 0.5, "ratio_hardest": 2.0}])  # as if computed
    first, *others = data(run)
    assert first.head == f"{below}, against {above}"
    assert [row["collection"] for row in first.rows] == ["tier0", "tier1", "tier2"]
    assert {(row["a"], row["b"]) for row in first.rows} == {(below, above)}
    assert [group.head for group in others] == [group.head for group in data(case("usual"))]
    assert fitting([first, *others], NARROW)[0] == first
    figure = drawn(first, *others)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()][:3] == ["tier0", "tier1", "tier2"]
