"""Solve time versus difficulty: a point per strategy and puzzle, a curve with its band, and where curves cross."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Container, Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from bench.figures.style import RC, looks
from bench.verdicts.frames import ONE_SOLUTION
from bench.verdicts.summary import puzzle_times

PLOT_WIDTH_IN, HEIGHT_IN = 6.6, 5.2
NAME_WIDTH = 36  # characters before a name goes on in the next line
CAPTION_SHARE = 0.075  # of the figure's height
NO_CURVES = pd.DataFrame(columns=["strategy", "guesses", "cpu_s", "lo_s", "hi_s"], dtype=float)
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000)


def points(measurements: pd.DataFrame, puzzles: pd.DataFrame) -> pd.DataFrame:
    """What is drawn, a row per strategy and puzzle: strategy, guesses (x), cpu_s (y; infinite where a solve was not
    finished), limit_s.

    Boards of different size are never joined: where there are several, the size is part of the strategy's name.

    Left out: decoys, puzzles without a difficulty, strategies with a wrong answer, what was unsupported, and for the
    task ``first`` puzzles that have not exactly one solution.
    """
    wrong = set(measurements.loc[measurements["status"] == "wrong", "strategy"])
    rows = measurements[measurements["decoy"].isna() & ~measurements["strategy"].isin(wrong)]
    rows = rows.merge(
        puzzles[["collection", "puzzle", "grid", "guesses", "solutions"]].rename(
            columns={"guesses": "x", "solutions": "reference"}
        ),
        on=["collection", "puzzle"],
    )
    rows = rows[rows["x"].notna() & (rows["status"] != "unsupported")]
    rows = rows[~rows["task"].isin(ONE_SOLUTION) | (rows["reference"] == 1)]
    sizes = rows["grid"].str.len().map(math.isqrt)
    if sizes.nunique() > 1:
        rows = rows.assign(strategy=[f"{s} {n}x{n}" for s, n in zip(rows["strategy"], sizes, strict=True)])
    found = [
        {
            "strategy": strategy,
            "guesses": group["x"].iloc[0],
            "cpu_s": puzzle_times(group).iloc[0],
            "limit_s": group["limit_s"].iloc[0],
        }
        for (strategy, _, _), group in rows.groupby(["strategy", "collection", "puzzle"], sort=False)
    ]
    kinds = {"strategy": str, "guesses": float, "cpu_s": float, "limit_s": float}
    return pd.DataFrame(found, columns=list(kinds)).astype(kinds)


def on_guesses(table: pd.DataFrame, column: str, names: Container[str]) -> pd.DataFrame:
    """The rows over guesses of a table of curves or crossovers, with strategies named as ``points`` names them.

    Args:
        table: rows as in ``bench.verdicts.curves`` or ``bench.verdicts.crossovers``.
        column: which of its columns holds the strategy.
        names: of the strategies, as ``points`` writes them.
    """
    found = table[table["axis"] == "guesses"].rename(columns={"x": "guesses", "median_s": "cpu_s"})
    plain, sized = found[column].astype(str), found[column].astype(str) + " " + found["shape"].astype(str)
    return found.assign(**{column: sized.where(sized.map(lambda name: name in names).astype(bool), plain)})


def draw(
    data: pd.DataFrame,
    order: Sequence[str],
    title: str,
    caption: str,
    curves: pd.DataFrame = NO_CURVES,
    crossings: pd.DataFrame = NO_CURVES,
) -> Figure:
    """The figure of ``points``.

    Args:
        order: the strategies as the legend lists them.
        curves: as ``on_guesses`` makes them.
        crossings: as ``on_guesses`` makes them, with the curve of each ``faster_above``.
    """
    with mpl.rc_context(RC):
        figure = Figure(
            figsize=(PLOT_WIDTH_IN, HEIGHT_IN),
            layout=ConstrainedLayoutEngine(rect=(0, CAPTION_SHARE, 1, 1 - CAPTION_SHARE)),
        )
        axes = figure.subplots()
        names = [name for name in order if (data["strategy"] == name).any()]
        look = looks(names)
        limit_s = float(data["limit_s"].max()) if len(data) else 1.0
        for name in names:
            own = curves[curves["strategy"] == name]
            _draw_strategy(axes, data[data["strategy"] == name], own, name, look[name], limit_s)
        for line in crossings.to_dict("records"):
            _draw_crossing(axes, line, curves)
        _axes(axes, data, limit_s)
        if names:
            _legend(figure)
        else:
            axes.text(0.5, 0.5, "no solve to show", transform=axes.transAxes, ha="center", va="center")
        axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
        figure.text(0.012, 0.012, caption, ha="left", va="bottom", fontsize=7, color="#444444")
    return figure


def _draw_strategy(
    axes: Axes, data: pd.DataFrame, curve: pd.DataFrame, name: str, look: tuple[str, str, str], limit_s: float
) -> None:
    colour, marker, dashes = look
    done = data[np.isfinite(data["cpu_s"])]
    late = data[~np.isfinite(data["cpu_s"])]
    label = textwrap.wrap(name, NAME_WIDTH, break_on_hyphens=False)
    if len(late):
        label.append(f"  {len(late)} of {len(data)} not finished")
        # They stand at the limit, hollow.
        axes.plot(late["guesses"], [limit_s] * len(late), marker, color=colour, ms=5.5, mfc="none", zorder=4)
    axes.plot(done["guesses"], done["cpu_s"], marker, color=colour, ms=4.5, mew=0, alpha=0.35)
    if (curve["lo_s"].notna() & curve["hi_s"].notna()).any():
        axes.fill_between(curve["guesses"], curve["lo_s"], curve["hi_s"], color=colour, alpha=0.18, lw=0, zorder=2)
    axes.plot(curve["guesses"], curve["cpu_s"], dashes, color=colour, lw=1.7, zorder=3)
    axes.plot([], [], marker=marker, color=colour, ms=5.5, linestyle=dashes, lw=1.7, label="\n".join(label))


def _draw_crossing(axes: Axes, line: Mapping[Any, Any], curves: pd.DataFrame) -> None:
    """A crossover and its interval, on the curve of the one that is faster above."""
    curve = curves[(curves["strategy"] == line["faster_above"]) & curves["cpu_s"].notna()]
    height = math.exp(float(np.interp(line["crossover"], curve["guesses"], np.log(curve["cpu_s"]))))
    axes.plot([line["lo"], line["hi"]], [height, height], "|-", color="#000000", lw=1.2, ms=7, zorder=5)
    axes.plot([line["crossover"]], [height], "o", color="#000000", ms=5, mfc="#ffffff", zorder=5)


def _legend(figure: Figure) -> None:
    """A legend beside the plot; the figure grows with it, so that the plot keeps its size."""
    entries = len(figure.axes[0].get_legend_handles_labels()[1])
    legend = figure.legend(
        loc="outside right upper", ncols=1 + entries // 40, labelspacing=0.9, handlelength=3.2, fontsize=8
    )
    canvas: Any = FigureCanvasAgg(figure)
    box = legend.get_window_extent(canvas.get_renderer())
    height = max(HEIGHT_IN, (box.height / figure.dpi + 0.2) / (1 - CAPTION_SHARE))
    figure.set_size_inches(PLOT_WIDTH_IN + box.width / figure.dpi, height)


def _axes(axes: Axes, data: pd.DataFrame, limit_s: float) -> None:
    hardest = float(data["guesses"].max()) if len(data) else 1.0
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(-0.12, (1 + hardest) * 1.25)
    axes.set_xticks([tick for tick in TICKS if tick <= max(1.0, hardest * 1.25)])
    axes.minorticks_off()
    axes.set_xlabel("difficulty: mean guesses of a singles-only search (log scale of 1 + guesses)")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: seconds(value))
    axes.set_ylabel("CPU time per solve (log scale)")
    done = data.loc[np.isfinite(data["cpu_s"]), "cpu_s"]
    lowest = float(done.min()) if len(done) else limit_s / 10
    axes.set_ylim(lowest / 1.6, limit_s * 2.5)
    if len(done) < len(data):
        axes.axhline(limit_s, color="#555555", linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        axes.annotate(
            f"time limit {seconds(limit_s)}: hollow marks were not finished",
            (0.01, limit_s), xycoords=("axes fraction", "data"), xytext=(0, 4), textcoords="offset points",
            fontsize=7.5, color="#444444", va="bottom",
        )  # fmt: skip


def seconds(value: Any) -> str:
    """A time in the unit that reads best: 250 µs, 3.2 ms, 1.5 s."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale * 0.9999:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
