"""The placebo figure: rows of noise.csv, the noise of the instrument, and disturbed placebos."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from bench.figures import placebos
from bench.figures.sheet import looks
from bench.figures.style import Sheet
from bench.verdicts.pairs.noise import ALL, NOISE_COLUMNS
from tests.bench.figures.cases import case, picture

SHEET = Sheet(looks(["a:1", "b:2"]), ("easy", "hard"), 10.0, "n, limit, clock, machine")


def row(collection: str, strategy: str, placebo: str, ratio: float, spread: float, **more: object) -> dict:
    line = {"collection": collection, "strategy": strategy, "placebo": placebo, "n_puzzles": 20, "p": 0.5}
    ends = {"ratio": ratio, "ratio_lo": ratio / spread, "ratio_hi": ratio * spread, "resolvable": ratio * spread}
    return line | ends | {"disturbed": "", "aging": 0.0} | more


def table(*rows: dict) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(NOISE_COLUMNS))


def drawn(result: pd.DataFrame) -> Figure:
    with mpl.rc_context(SHEET.rc):
        return placebos.draw(result, SHEET)


TWO = table(row(ALL, "a:1", "instrument", 1.02, 1.03), row(ALL, "a:1", "presentation", 1.1, 9.0))


def points(figure: Figure) -> list[float]:
    """Return the marked ratios, without the arrows of intervals beyond the axis."""
    return [float(line.get_xdata()[0]) for line in figure.axes[0].lines if line.get_marker() in ("D", "o", "X")]


def test_each_placebo_has_its_ratio_and_interval() -> None:
    figure = drawn(TWO)
    assert points(figure) == pytest.approx([1.02, 1.1])
    spans = [line.get_xdata() for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
    assert any(np.allclose(span, [1.02 / 1.03, 1.02 * 1.03]) for span in spans)
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names[:2] == ["instrument: same forms again", "presentation: other forms"]


def test_the_noise_of_the_instrument_is_shaded() -> None:
    [axes] = drawn(TWO).axes
    [noise] = axes.collections
    box = noise.get_datalim(axes.transData)
    assert (box.x0, box.x1) == pytest.approx((1 / (1.02 * 1.03), 1.02 * 1.03))
    assert "a:1 5.1%" in placebos.caption(TWO, SHEET)


def test_the_message_counts_the_intervals_that_include_one() -> None:
    assert placebos.message(TWO) == "2 of 2 intervals include 1; the noise of the instrument is at most 5.1%."
    off = pd.concat([TWO, table(row(ALL, "b:2", "presentation", 0.9, 1.02))])
    assert placebos.message(off).startswith("2 of 3 intervals include 1")


def test_axes_are_logarithmic_around_one_and_intervals_beyond_them_are_marked() -> None:
    [axes] = drawn(TWO).axes
    low, high = axes.get_xlim()
    assert axes.get_xscale() == "log"
    assert low * high == pytest.approx(1)
    arrows = {line.get_marker(): float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() in "<>"}
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
    single = table(row(ALL, "a:1", "presentation", 1.1, 1.2, ratio_lo=None, ratio_hi=None, resolvable=None))
    assert points(drawn(single)) == [1.1]


def test_only_all_collections_together_are_drawn() -> None:
    result = placebos.data(case("placebos"))
    assert set(result["collection"]) == {ALL}
    assert list(result["placebo"]) == ["instrument", "presentation"]
    labels = [label.get_text() for label in picture(placebos, case("placebos")).axes[0].get_yticklabels()]
    assert labels == ["family0:model0@engine"]
