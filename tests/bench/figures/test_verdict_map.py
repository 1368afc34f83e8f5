"""The verdict map: the numbers of the summary in the right places and colours, and frames by the verdicts."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import verdict_map
from sudoku_bench.bench.figures.style import NothingToDrawError
from sudoku_bench.bench.figures.verdict_map import EMPTY
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import caption, case, picture, row_names, small
from tests.bench.verdicts.simulated_runs import a_run, together

# Two collections of seven puzzles; the limit is 10. On the second, c does not finish most.
EASY = np.outer([1.0, 2.0, 4.0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
HARD = np.array([[5.0] * 7, [2.0] * 7, [1.0] * 3 + [20.0] * 4])
NAMES = ["a", "b", "c"]


def two_tiers() -> Run:
    easy, hard = small(EASY, NAMES, collection="easy"), small(HARD, NAMES, collection="hard")
    return dataclasses.replace(together(easy, hard), manifest=easy.manifest)


def with_status(run: Run, strategy: str, collection: str, status: str) -> Run:
    rows = run.measurements
    theirs = (rows["strategy"] == strategy) & (rows["collection"] == collection)
    return dataclasses.replace(run, measurements=rows.assign(status=rows["status"].mask(theirs, status)))


def texts_by_cell(figure: Figure) -> dict[tuple[int, int], list[str]]:
    """Return the texts of each cell, by column and row."""
    result: dict[tuple[int, int], list[str]] = {}
    for text in figure.axes[0].texts:
        x, y = text.get_position()
        result.setdefault((round(x), round(y)), []).extend(text.get_text().splitlines())
    return result


def colours(axes: Axes) -> dict[tuple[int, int], Any]:
    patches: Any = [one for one in axes.patches if one.get_fill()]
    return {(round(one.get_x() + 0.5), round(one.get_y() + 0.5)): one.get_facecolor() for one in patches}


def test_cells_say_the_median_and_its_ratio() -> None:
    figure = picture(verdict_map, two_tiers())
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["easy", "hard"]
    rows, result = row_names(figure), texts_by_cell(figure)
    assert rows == list(verdict_map.data(two_tiers()).strategies) == ["b", "a", "c"]  # from fast to slow
    assert frames(figure) == {}  # too few puzzles
    assert result[0, rows.index("a")] == ["400 ms", "1×"]
    assert result[1, rows.index("a")] == ["5.00 s", "2.5×"]
    assert result[1, rows.index("c")] == ["> 10 s", "3/7"]


def frames(figure: Figure) -> dict[tuple[int, int], str]:
    """Return whether a cell has a solid or a dashed frame, by column and row."""
    return {
        (round(one.get_x() + 0.47), round(one.get_y() + 0.46)): one.get_linestyle()
        for one in figure.axes[0].patches
        if not one.get_fill()
    }


def test_frames_follow_the_verdicts_and_not_the_medians() -> None:
    """Of two strategies that nothing tells apart, none is the fastest, although one has the lower median."""
    rng = np.random.default_rng(3)
    seconds = np.exp(rng.normal(0, 0.02, (3, 30, 3)) + np.array([0.0, 0.001, 2.0])[:, None, None])
    run = a_run(seconds, NAMES, np.arange(30.0), 100.0)
    about = case("usual").manifest | {"suite": run.manifest["suite"] | {"isomorphs": True}}
    run = dataclasses.replace(run, manifest=run.manifest | about, puzzles=run.puzzles.assign(grid="." * 81))
    figure = picture(verdict_map, run)
    rows = row_names(figure)
    assert set(frames(figure)) == {(0, rows.index("a")), (0, rows.index("b"))}
    assert set(frames(figure).values()) != {"-"}
    first = dataclasses.replace(run, measurements=run.measurements[run.measurements["strategy"] != "b"])
    assert frames(picture(verdict_map, first)) == {(0, 0): "-"}


@pytest.mark.parametrize("status", ["wrong", "unsupported", "error", "not run"])
def test_a_cell_without_a_time_says_why(status: str) -> None:
    run = with_status(two_tiers(), "a", "hard", status)
    kept = run.measurements[run.measurements["status"] != "not run"].reset_index(drop=True)
    figure = picture(verdict_map, dataclasses.replace(run, measurements=kept))
    row = row_names(figure).index("a")
    assert texts_by_cell(figure)[1, row] == status.split()
    assert colours(figure.axes[0])[1, row][:3] == to_rgb(EMPTY)
    assert status != "wrong" or row == 2  # it has no time on any collection
    assert status in caption(figure).partition("Hatched cells have no time: ")[2].partition(".")[0]


def test_a_damaged_run_whose_puzzles_are_of_another_collection_has_no_map() -> None:
    run = two_tiers()
    with pytest.raises(NothingToDrawError, match=r"puzzle in puzzles\.csv"):
        verdict_map.data(dataclasses.replace(run, puzzles=run.puzzles.assign(collection="other")))
