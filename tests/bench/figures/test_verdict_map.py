"""The verdict map: the numbers of the summary in the right places and colours, and frames by the verdicts."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import sheet, verdict_map
from sudoku_bench.bench.figures.style import Column, NothingToDrawError
from sudoku_bench.bench.figures.verdict_map import EMPTY, texts_of
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
        result.setdefault((round(x), round(y)), []).append(text.get_text())
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


def test_slower_is_darker_and_unsolved_is_grey_whatever_its_ratio() -> None:
    figure = picture(verdict_map, two_tiers())
    rows, faces = row_names(figure), colours(figure.axes[0])
    assert faces[1, rows.index("c")][:3] == to_rgb(verdict_map.UNSOLVED)
    brightness = {place: sum(to_rgb(face)) for place, face in faces.items()}
    easy = [brightness[0, rows.index(name)] for name in NAMES]
    assert easy == sorted(easy, reverse=True)
    assert len(set(easy)) == 3


@pytest.mark.parametrize("status", ["wrong", "unsupported", "error", "not run"])
def test_a_cell_without_a_time_says_why(status: str) -> None:
    run = with_status(two_tiers(), "a", "hard", status)
    kept = run.measurements[run.measurements["status"] != "not run"].reset_index(drop=True)
    figure = picture(verdict_map, dataclasses.replace(run, measurements=kept))
    row = row_names(figure).index("a")
    assert texts_by_cell(figure)[1, row] == [status]
    assert colours(figure.axes[0])[1, row][:3] == to_rgb(EMPTY)
    assert status != "wrong" or row == 2  # it has no time on any collection
    assert status in caption(figure).partition("Hatched cells have no time: ")[2].partition(".")[0]


def test_what_does_not_fit_is_omitted_and_the_caption_says_so() -> None:
    run, narrow = case("many collections"), Column(4.8, 7.6, 8.0)
    cells = verdict_map.data(run)
    captions = [verdict_map.caption(cells, sheet.of_run(run, within)) for within in (None, narrow)]
    assert "its ratio to the lowest median" in captions[0]
    assert not any("omitted" in text for text in captions)
    wide = dataclasses.replace(cells, collections=tuple(f"tier{number}" for number in range(30)))
    assert "omitted for lack of space" in verdict_map.caption(wide, sheet.of_run(run, narrow))


def test_every_cell_has_letters_that_can_be_read() -> None:
    """The contrast is at least 4.5, as WCAG 2.2 requires for small text."""

    def luminance(colour: Any) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return float(np.dot([0.2126, 0.7152, 0.0722], linear))

    axes = picture(verdict_map, case("usual")).axes[0]
    faces = colours(axes)
    for text in axes.texts:
        x, y = text.get_position()
        light, dark = sorted((luminance(faces[round(x), round(y)]), luminance(text.get_color())), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_medians_have_three_digits_and_ratios_two() -> None:
    line = {"state": "", "median_s": 0.9e-3, "ratio": 12.4}
    assert texts_of(line) == ("900 µs", "12×")
    assert texts_of(line | {"ratio": 1.04}) == ("900 µs", "1.0×")
    assert texts_of(line, has_ratio=False) == ("900", "µs")


def test_a_column_of_a_paper_holds_the_fastest_strategies_that_fit() -> None:
    run, narrow = case("sixty strategies"), sheet.column("single")
    figure = picture(verdict_map, run, narrow)
    rows = len(row_names(figure))
    assert 5 < rows < 60
    text = verdict_map.caption(verdict_map.data(run), sheet.of_run(run, narrow))
    assert f"{60 - rows} slower strategies not shown" in text


def test_a_damaged_run_whose_puzzles_are_of_another_collection_has_no_map() -> None:
    run = two_tiers()
    with pytest.raises(NothingToDrawError, match=r"puzzle in puzzles\.csv"):
        verdict_map.data(dataclasses.replace(run, puzzles=run.puzzles.assign(collection="other")))
