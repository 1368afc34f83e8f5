"""The leading group: compiled search, or strategies that lead by ten times; and how figures show it apart."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sudoku_bench.bench.figures import catalogue, forest, time_vs_difficulty, verdict_map
from sudoku_bench.bench.verdicts.answer import crossings
from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.groups import apart, rest
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import MACHINE, caption, faults, picture, small
from tests.bench.verdicts.simulated_runs import a_run

NAMES = ["a", "b", "c", "d", "e"]


def run_of(*seconds: float, compiled: str = "") -> Run:
    """Return a run of strategies with these median times; the compiled ones require numba."""
    return run_of_medians([np.full(30, median) for median in seconds], np.arange(30.0), compiled)


def run_of_medians(medians: list[Floats], guesses: Floats, compiled: str) -> Run:
    names = NAMES[: len(medians)]
    noise = np.exp(np.random.default_rng(2).normal(0, 0.02, (len(medians), len(guesses), 3)))
    run = a_run(np.array(medians)[:, :, None] * noise, names, guesses, 1e4)
    known = [{"name": name, "requires": ["numba"] if name in compiled else []} for name in names]
    about = small(np.ones((1, 3)), ["x"]).manifest | {"strategies": known, "machine": MACHINE}
    about |= {"suite": run.manifest["suite"] | {"isomorphs": True, "name": "simulated"}, "planned_rows": noise.size}
    return dataclasses.replace(run, manifest=run.manifest | about, puzzles=run.puzzles.assign(grid="." * 81))


@pytest.mark.parametrize(
    ("seconds", "compiled", "group"),
    [
        ((1.0, 2.0, 3.0, 4.0, 5.0), "", ()),
        ((1.0, 2.0, 3.0, 4.0, 5.0), "ab", ("a", "b")),
        ((1.0, 2.0, 3.0, 4.0, 5.0), "abcd", ()),  # too few others
        ((1.0, 2.0, 3.0, 4.0, 5.0), "bc", ()),  # not the fastest
        ((2.0, 1.0, 100.0, 200.0, 300.0), "", ("b", "a")),
        ((1.0, 2.0, 3.0, 4.0, 500.0), "", ()),  # one is far behind
        ((1.0, 100.0), "", ()),
        ((np.inf, np.inf, np.inf), "", ()),
    ],
)
def test_the_leading_group_is_compiled_or_leads_by_ten_times(seconds, compiled: str, group: tuple[str, ...]) -> None:
    run = run_of(*seconds, compiled=compiled)
    assert apart(run) == group
    assert set(rest(run).measurements["strategy"]) == set(NAMES[: len(seconds)]) - set(group)
    assert (rest(run) is run) == (not group)


def test_a_group_a_hundred_times_faster_leaves_the_others_their_differences() -> None:
    run = run_of(0.01, 0.02, 1.0, 2.0, 4.0)
    cells = verdict_map.data(run)
    assert cells.strategies == ("a", "b", "c", "d", "e")
    assert cells.table["ratio"].tolist() == pytest.approx([1, 2, 1, 2, 4], rel=0.1)
    assert "The leading group" in caption(picture(verdict_map, run))
    [group] = forest.data(run)
    assert group.head == "own, without the leading group, against c"
    assert [row["a"] for row in group.rows] == ["d", "e"]
    assert "Without the leading group: a, b." in caption(picture(forest, run))
    assert [len(axes.texts) for axes in picture(time_vs_difficulty, run).axes] == [3, 2]
    for figure in (forest, time_vs_difficulty):
        assert "times as fast as c, the best of the others." in caption(picture(figure, run))
    for figure in (verdict_map, forest, time_vs_difficulty):
        assert faults(picture(catalogue.named(catalogue.name(figure)), run)) == []


@pytest.mark.parametrize("compiled", ["", "c"])
def test_a_crossover_that_a_third_strategy_beats_is_no_finding(compiled: str) -> None:
    """``c`` is the fastest on easy and hard puzzles, but its panel shows so if it is apart."""
    guesses = np.linspace(0.0, 60.0, 120)
    medians = [np.full(120, 1e-2), 5e-4 * (1 + guesses), 4e-4 * (1 + guesses) ** 0.5]
    run = run_of_medians(medians, guesses, compiled)
    assert crossings(run, apart(run))["beaten"].tolist() == [not compiled]
    title = time_vs_difficulty.data(run).title
    assert title.startswith("Without compiled search: above" if compiled else "No crossover found")
    assert len(forest.crossing(run)) == len(compiled)
