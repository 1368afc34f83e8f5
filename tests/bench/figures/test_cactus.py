"""The cactus plot: sorted times, the virtual best solver, and the number of puzzles solved."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sudoku_bench.bench.figures import cactus, sheet
from sudoku_bench.bench.figures.style import NothingToDrawError
from tests.bench.figures.cases import case, end_names, picture, small
from tests.bench.verdicts.simulated_runs import together

SECONDS = np.array([[0.3, 0.1, 0.2, 0.4], [0.05, 0.5, 20.0, 0.6]])  # strategies × puzzles, the limit being 10


def test_the_n_th_fastest_puzzle_stands_at_n() -> None:
    run = small(SECONDS, ["a", "b"])
    [result] = cactus.data(run).panels.values()
    assert result.times["a"].tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert result.times["b"].tolist() == pytest.approx([0.05, 0.5, 0.6])
    assert result.best.tolist() == pytest.approx([0.05, 0.1, 0.2, 0.4])
    drawn = [line.get_xydata().tolist() for line in picture(cactus, run).axes[0].lines]
    assert [[1, 0.05], [2, 0.5], [3, 0.6]] in drawn


def test_names_stand_in_the_order_of_the_ends_and_say_how_many_are_solved() -> None:
    figure = picture(cactus, small(SECONDS[::-1], ["b", "a"]))
    assert end_names(figure) == ["b", "a", "(vbs)"]
    assert "b\n3 of 4 solved" in [text.get_text() for text in figure.axes[0].texts]


def test_fewer_than_three_points_are_not_joined_and_not_drawn_alone() -> None:
    """Strategy b solves two of four puzzles."""
    seconds = np.array([SECONDS[0], [0.05, 20.0, 20.0, 0.6]])
    run = small(seconds, ["a", "b"])
    [axes] = picture(cactus, run).axes
    look = sheet.of_run(run).looks["b"]
    own = [line for line in axes.lines if (line.get_color(), line.get_marker()) == (look.colour, look.marker)]
    [few] = [line for line in own if not line.get_gid()]  # the mark beside its name has an id
    assert (few.get_linestyle(), len(few.get_xdata())) == ("None", 2)
    with pytest.raises(NothingToDrawError, match="3 puzzles"):
        cactus.data(small(seconds[1:], ["b"]))


def test_boards_of_different_sizes_have_panels_of_their_own() -> None:
    run = case("several sizes")
    result = cactus.data(run)
    assert list(result.panels) == [4, 9, 16]
    figure = picture(cactus, run)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        f"{n}×{n}: {number} puzzles" for n, number in ((4, 30), (9, 60), (16, 30))
    ]
    times = run.per_puzzle[run.per_puzzle["size"] == 9]
    for name, group in times.groupby("strategy"):
        finished = np.sort(group["cpu_s"][np.isfinite(group["cpu_s"])])
        assert result.panels[9].times[name].tolist() == finished.tolist()


def test_an_unsupported_collection_counts_as_not_finished_and_an_unmeasured_puzzle_for_nobody() -> None:
    one, two = small(SECONDS, ["a", "b"], collection="one"), small(SECONDS, ["a", "b"], collection="two")
    run = dataclasses.replace(together(one, two), manifest=one.manifest)
    rows = run.measurements
    theirs = (rows["strategy"] == "b") & (rows["collection"] == "one")
    rows = rows.assign(status=rows["status"].mask(theirs, "unsupported"))
    missing = rows.index[(rows["strategy"] == "a") & (rows["collection"] == "two")][0]
    [result] = cactus.data(dataclasses.replace(run, measurements=rows.drop(index=missing))).panels.values()
    assert (result.puzzles, result.omitted) == (7, 1)
    assert [len(result.times[name]) for name in "ab"] == [7, 2]
