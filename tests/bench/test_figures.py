"""The picture of solve time versus difficulty: right series, right limits, nothing covered, never a traceback."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bench.figures import style, time_vs_difficulty
from bench.figures.time_vs_difficulty import on_guesses, points, seconds


def data(strategies: int = 3, puzzles: int = 30, late: float = 0.0, limit_s: float = 10.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        {
            "strategy": f"test:{s}",
            "guesses": p**1.5,
            "cpu_s": math.inf if rng.random() < late else 1e-3 * (1 + s) * (1 + p),
            "limit_s": limit_s,
        }
        for s in range(strategies)
        for p in range(puzzles)
    ]
    kinds = {"strategy": str, "guesses": float, "cpu_s": float, "limit_s": float}
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def drawn(frame: pd.DataFrame, caption: str = "n, limit, clock\nmachine", **more: pd.DataFrame) -> Figure:
    order = sorted(set(frame["strategy"]))
    figure = time_vs_difficulty.draw(frame, order, "Solve time versus difficulty", caption, **more)
    FigureCanvasAgg(figure).draw()
    return figure


def test_each_strategy_has_its_points_its_line_and_its_place_in_the_legend() -> None:
    frame = data(strategies=5)
    figure = drawn(frame)
    [axes] = figure.axes
    for _, group in frame.groupby("strategy"):
        shown = [line.get_xydata() for line in axes.lines if len(line.get_xdata()) == len(group)]
        wanted = group[["guesses", "cpu_s"]].to_numpy()
        assert any(np.allclose(xy, wanted) for xy in shown)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == sorted(set(frame["strategy"]))
    looks = style.looks(texts)
    assert len(set(looks.values())) == 5


def test_axes_are_logarithmic_and_hold_all_points() -> None:
    frame = data()
    [axes] = drawn(frame).axes
    assert axes.get_yscale() == "log"
    transform = axes.get_xaxis().get_transform()
    assert transform.transform([0.0, math.e - 1]) == pytest.approx([0.0, 1.0])
    low, high = axes.get_xlim()
    assert low < frame["guesses"].min()
    assert high > frame["guesses"].max()
    low, high = axes.get_ylim()
    assert low < frame["cpu_s"].min()
    assert high > frame["limit_s"].max()


def test_unfinished_solves_stand_hollow_at_the_limit() -> None:
    frame = data(strategies=1, late=0.3)
    figure = drawn(frame)
    [axes] = figure.axes
    late = frame[np.isinf(frame["cpu_s"])]
    hollow = [line for line in axes.lines if line.get_markerfacecolor() == "none" and len(line.get_xdata())]
    assert [list(line.get_xdata()) for line in hollow] == [list(late["guesses"])]
    assert set(hollow[0].get_ydata()) == {10.0}
    assert f"{len(late)} of 30 not finished" in figure.legends[0].get_texts()[0].get_text()
    assert any("time limit 10 s" in text.get_text() for text in axes.texts)


def test_without_unfinished_solves_there_is_no_limit_line() -> None:
    [axes] = drawn(data()).axes
    assert not axes.texts


@pytest.mark.parametrize("strategies", [1, 5, 14, 60])
@pytest.mark.parametrize(
    "name", ["{}", "a-strategy-with-a-very-long-name-of-eighty-characters-as-nobody-should-write-it-{}"]
)
def test_the_legend_covers_no_data_and_all_text_is_inside(strategies: int, name: str) -> None:
    frame = data(strategies=strategies, late=0.1)
    frame["strategy"] = frame["strategy"].map(name.format)
    figure = drawn(frame)
    [axes] = figure.axes
    renderer = figure.canvas.get_renderer()
    legend = figure.legends[0].get_window_extent(renderer)
    plot = axes.get_window_extent(renderer)
    assert plot.width > 0.8 * 0.9 * 6.6 * figure.dpi
    assert plot.height > 0.75 * figure.bbox.height
    assert not legend.overlaps(plot)
    everything = [axes.title, axes.xaxis.label, axes.yaxis.label, *figure.texts, *figure.legends[0].get_texts()]
    for text in everything:
        box = text.get_window_extent(renderer)
        assert box.x0 >= 0, text.get_text()
        assert box.y0 >= 0, text.get_text()
        assert box.x1 <= figure.bbox.x1 + 1, text.get_text()
        assert box.y1 <= figure.bbox.y1 + 1, text.get_text()


def test_labels_do_not_overlap() -> None:
    figure = drawn(data(puzzles=60, late=0.2))
    [axes] = figure.axes
    renderer = figure.canvas.get_renderer()
    for axis in (axes.xaxis, axes.yaxis):
        boxes = [t.get_window_extent(renderer) for t in axis.get_ticklabels() if t.get_text() and t.get_visible()]
        low, high = axes.get_window_extent(renderer).extents[[0, 2] if axis is axes.xaxis else [1, 3]]
        centre = (lambda b: (b.x0 + b.x1) / 2) if axis is axes.xaxis else (lambda b: (b.y0 + b.y1) / 2)
        shown = [b for b in boxes if low - 1 <= centre(b) <= high + 1]
        assert len(shown) >= 3
        assert not any(a.overlaps(b) for a, b in itertools.pairwise(shown))
    [note] = axes.texts
    for a, b in ((figure.texts[0], axes.xaxis.label), (axes.title, note)):
        assert not a.get_window_extent(renderer).overlaps(b.get_window_extent(renderer))


@pytest.mark.parametrize(
    "frame",
    [data(1, 1), data(1, 2), data(0), data(3, 5, late=1.0), data(2, 40, limit_s=1e-3), data(60, 2)],
    ids=["one", "two", "nothing", "all late", "short limit", "many"],
)
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_degenerate_data_make_a_picture(frame: pd.DataFrame, kind: str) -> None:
    picture = style.render(drawn(frame), kind)
    assert picture.startswith({"svg": b"<?xml", "png": b"\x89PNG"}[kind])


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_same_data_make_the_same_bytes(kind: str) -> None:
    assert style.render(drawn(data(late=0.1)), kind) == style.render(drawn(data(late=0.1)), kind)


def curve(strategy: str = "test:0") -> pd.DataFrame:
    """A curve over guesses that stops being known before it stops."""
    x = np.linspace(0, 100, 11)
    known = np.where(x <= 80, 1.0, np.nan)
    table = {"strategy": strategy, "shape": "9x9", "axis": "guesses", "x": x}
    return pd.DataFrame(table | {"median_s": 0.01 * known * (1 + x), "lo_s": 5e-3, "hi_s": 0.02 * known * (1 + x)})


def test_curves_have_bands_and_stop_where_most_are_unfinished() -> None:
    frame = data(strategies=1)
    figure = drawn(frame, curves=on_guesses(curve(), "strategy", ["test:0"]))
    [axes] = figure.axes
    lines = [line.get_xydata() for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata()) == 11]
    wanted = curve()[["x", "median_s"]].to_numpy()
    assert any(np.allclose(line, wanted, equal_nan=True) for line in lines)
    [band] = axes.collections
    (_, low), (right, high) = band.get_datalim(axes.transData).get_points()
    assert (low, right) == (pytest.approx(5e-3), pytest.approx(80))
    assert high == pytest.approx(0.02 * 81)


def test_only_curves_over_guesses_are_drawn_and_boards_of_different_size_apart() -> None:
    other = curve().assign(axis="te_rounds")
    found = on_guesses(pd.concat([curve(), other]), "strategy", ["test:0"])
    assert set(found["axis"]) == {"guesses"}
    assert set(found["strategy"]) == {"test:0"}
    sized = on_guesses(pd.concat([curve(), curve().assign(shape="4x4")]), "strategy", ["test:0 9x9", "test:0 4x4"])
    assert set(sized["strategy"]) == {"test:0 9x9", "test:0 4x4"}
    ring = on_guesses(curve().assign(faster_above="test:0"), "faster_above", ["test:0 9x9", "test:0 4x4"])
    assert set(ring["faster_above"]) == {"test:0 9x9"}


def test_a_crossover_stands_with_its_interval_on_the_curve_of_the_one_that_is_faster_above() -> None:
    crossing = pd.DataFrame([{"faster_above": "test:0", "crossover": 50.0, "lo": 40.0, "hi": 70.0}])
    [axes] = drawn(data(), curves=on_guesses(curve(), "strategy", ["test:0"]), crossings=crossing).axes
    [bar] = [line for line in axes.lines if list(line.get_xdata()) == [40.0, 70.0]]
    [ring] = [line for line in axes.lines if list(line.get_xdata()) == [50.0]]
    assert bar.get_ydata()[0] == bar.get_ydata()[1] == ring.get_ydata()[0] == pytest.approx(0.01 * 51)


def test_points_leave_out_what_must_not_be_shown() -> None:
    rows = [
        ("good", "a", "solved", 1.0, None),
        ("good", "a", "solved", 3.0, None),
        ("good", "late", "timeout", None, None),
        ("good", "many", "solved", 9.0, None),
        ("good", "unrated", "solved", 9.0, None),
        ("good", "decoy", "solved", 9.0, "none"),
        ("liar", "a", "solved", 1.0, None),
        ("liar", "late", "wrong", 1.0, None),
        ("other", "a", "unsupported", None, None),
    ]
    measurements = pd.DataFrame(rows, columns=["strategy", "puzzle", "status", "cpu_s", "decoy"]).assign(
        collection="own", task="first", limit_s=10.0
    )
    puzzles = pd.DataFrame(
        {
            "collection": "own",
            "puzzle": ["a", "late", "many", "unrated", "decoy"],
            "grid": "." * 81,
            "guesses": [2.0, 5.0, 1.0, None, 1.0],
            "solutions": [1, 1, 2, 1, 1],
        }
    )
    shown = points(measurements, puzzles)
    assert shown.to_dict("records") == [
        {"strategy": "good", "guesses": 2.0, "cpu_s": 2.0, "limit_s": 10.0},
        {"strategy": "good", "guesses": 5.0, "cpu_s": math.inf, "limit_s": 10.0},
    ]


def test_times_are_written_in_the_unit_that_reads_best() -> None:
    assert [seconds(v) for v in (12, 1.0, 0.25, 0.001, 3.2e-6, 5e-8)] == [
        "12 s",
        "1 s",
        "250 ms",
        "1 ms",
        "3.2 µs",
        "50 ns",
    ]


def test_boards_of_different_size_are_never_joined() -> None:
    measurements = pd.DataFrame(
        {"strategy": "s", "puzzle": ["a", "b"], "status": "solved", "cpu_s": [1.0, 9.0], "decoy": None}
    ).assign(collection="own", task="first", limit_s=10.0)
    puzzles = pd.DataFrame(
        {"collection": "own", "puzzle": ["a", "b"], "grid": ["." * 16, "." * 81], "guesses": 1.0, "solutions": 1}
    )
    assert list(points(measurements, puzzles)["strategy"]) == ["s 4x4", "s 9x9"]
