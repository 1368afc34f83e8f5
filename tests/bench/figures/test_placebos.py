"""The placebo figure: rows of noise.csv, the noise of the instrument, and disturbed placebos."""

from __future__ import annotations

import dataclasses

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from bench.figures import looks, placebos
from bench.figures.style import NothingToDrawError, Sheet
from bench.verdicts.pairs.noise import ALL, NOISE_COLUMNS
from tests.bench.figures.cases import case, picture

SHEET = Sheet(looks.looks(["a:1", "b:2"]), ("easy", "hard"), 10.0, "n, limit, clock, machine")


def row(collection: str, strategy: str, placebo: str, ratio: float, spread: float, **more: object) -> dict:
    line = {"collection": collection, "strategy": strategy, "placebo": placebo, "n_puzzles": 20, "p": 0.5}
    ends = {"ratio": ratio, "ratio_lo": ratio / spread, "ratio_hi": ratio * spread, "resolvable": ratio * spread}
    return line | ends | {"disturbed": "", "aging": 0.0} | more


def table(*rows: dict) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(NOISE_COLUMNS))


def drawn(result: pd.DataFrame) -> Figure:
    with mpl.rc_context(SHEET.rc):
        return placebos.draw(result, SHEET)


TWO = table(
    row(ALL, "a:1", "instrument", 1.02, 1.03),
    row("easy", "a:1", "instrument", 0.97, 1.2),
    row(ALL, "a:1", "presentation", 1.1, 1.25),
    row("easy", "a:1", "presentation", 1.3, 9.0),
)


def points(axes) -> list[float]:
    """Return the marked ratios, without the arrows of intervals beyond the axis."""
    return [float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() in ("D", "o", "X")]


def test_each_kind_of_placebo_has_a_panel_with_its_ratios_and_intervals() -> None:
    [instrument, presentation] = drawn(TWO).axes
    assert points(instrument) == pytest.approx([1.02, 0.97])
    assert points(presentation) == pytest.approx([1.1, 1.3])
    spans = [
        line.get_xdata() for line in instrument.lines if line.get_linestyle() == "-" and len(line.get_xdata()) == 2
    ]
    assert any(np.allclose(span, [1.02 / 1.03, 1.02 * 1.03]) for span in spans)
    assert instrument.get_title(loc="left").startswith("instrument")


def test_rows_of_one_collection_stand_at_the_same_height_in_both_panels() -> None:
    heights = [
        [float(line.get_ydata()[0]) for line in axes.lines if line.get_marker() in ("D", "o")]
        for axes in drawn(TWO).axes
    ]
    assert heights[0] == heights[1]
    assert heights[0] == sorted(heights[0])


def test_the_noise_of_the_instrument_is_that_of_all_collections_together() -> None:
    for axes in drawn(TWO).axes:
        [noise] = axes.collections
        box = noise.get_datalim(axes.transData)
        assert (box.x0, box.x1) == pytest.approx((1 / (1.02 * 1.03), 1.02 * 1.03))
    assert "a:1 5.1%" in placebos.caption(TWO, SHEET)


def test_axes_are_logarithmic_around_one_and_intervals_beyond_them_are_marked() -> None:
    [_, presentation] = drawn(TWO).axes
    low, high = presentation.get_xlim()
    assert presentation.get_xscale() == "log"
    assert low * high == pytest.approx(1)
    arrows = {line.get_marker(): float(line.get_xdata()[0]) for line in presentation.lines if line.get_marker() in "<>"}
    assert arrows == pytest.approx({"<": low, ">": high})


def test_the_caption_names_strategies_that_age() -> None:
    aged = pd.concat([TWO, table(row(ALL, "b:2", "instrument", 0.93, 1.02, aging=0.06))])
    assert "b:2: slower with the age of a process" in placebos.caption(aged, SHEET)
    assert "age of a process" not in placebos.caption(TWO, SHEET)


def test_disturbed_placebos_are_marked_and_named() -> None:
    result = pd.concat([TWO, table(row(ALL, "b:2", "instrument", 1.2, 1.02, disturbed="yes"))])
    figure = drawn(result)
    [cross] = [line for line in figure.axes[0].lines if line.get_marker() == "X"]
    assert float(cross.get_xdata()[0]) == 1.2
    assert "DISTURBED: b:2" in placebos.caption(result, SHEET)
    assert "DISTURBED" not in placebos.caption(TWO, SHEET)
    assert "disturbed" in [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_ratio_without_an_interval_is_a_point() -> None:
    single = table(row("easy", "a:1", "presentation", 1.1, 1.2, ratio_lo=None, ratio_hi=None, resolvable=None))
    [axes] = drawn(single).axes
    assert points(axes) == [1.1]


def test_all_collections_come_first_then_single_ones_in_their_order() -> None:
    result = placebos.data(case("placebos"))
    assert list(dict.fromkeys(result["collection"])) == [ALL, "tier0", "tier1", "tier2"]
    labels = [label.get_text() for label in picture(placebos, case("placebos")).axes[0].get_yticklabels()]
    assert labels == [ALL, "tier0", "tier1", "tier2"]


def test_a_run_without_placebos_says_so() -> None:
    run = case("placebos")
    without = dataclasses.replace(run, measurements=run.measurements[run.measurements["placebo"].isna()])
    with pytest.raises(NothingToDrawError, match="placebo"):
        placebos.data(without)
