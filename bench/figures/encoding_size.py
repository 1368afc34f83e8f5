"""Encoding size versus time: what a solver was handed, against the time of the whole solve and of its search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bench.figures import labels
from bench.figures.boards import most_frequent, others
from bench.figures.style import GREY, NothingToDrawError, Sheet, begin, end, line_of, log_scale
from bench.verdicts.run_data import KEY
from bench.verdicts.run_tables import Run

TITLE = "Encoding size versus time"
HEIGHT_IN = 5.6
SIZES = ("clauses", "variables")  # a column of panels for each
TIMES = {"cpu_s": "whole solve", "search_cpu_s": "search alone"}  # a row of panels for each
NARROW_IN = 4.5
NUMBER_IN = 0.62  # of a number below an axis, with the space around it
BESIDE_IN = 0.5  # of a panel's share of the width: what its scale takes
LABELLED = 16  # strategies; more have a legend, and all in a narrow column


@dataclass(frozen=True)
class Sizes:
    """What is drawn, of boards of one size.

    Attributes:
        points: a row per strategy: strategy, variables, clauses (medians over finished solves), cpu_s, search_cpu_s
            (medians over puzzles of a puzzle's median; infinite where that was not finished), n (puzzles), late (of
            them, not finished).
        shape: of the boards, such as ``9x9``.
        omitted: puzzles of other sizes.
    """

    points: pd.DataFrame
    shape: str
    omitted: int = 0


def data(run: Run) -> Sizes:
    """Sizes and times of each strategy that says what it handed to its solver, on the most frequent size of boards."""
    rows = run.measurements.loc[run.comparable.index, [*KEY, "status", *TIMES, *SIZES]]
    rows = rows.merge(run.per_puzzle[[*KEY, "size"]], on=KEY)
    known = rows.loc[rows[list(SIZES)].notna().all(axis=1), "strategy"].unique()
    rows = rows[rows["strategy"].isin(known)]
    if rows.empty:
        raise NothingToDrawError("no strategy finished a solve and said how many clauses it handed to its solver")
    size, omitted = most_frequent(rows)
    rows = rows[rows["size"] == size]
    finished = rows["status"] == "solved"
    times = rows.assign(**{clock: rows[clock].where(finished, np.inf) for clock in TIMES})
    puzzles = times.groupby(KEY, sort=False)[list(TIMES)].median()
    found = puzzles.groupby("strategy").median().join(rows.groupby("strategy")[list(SIZES)].median()).dropna()
    late = np.isinf(puzzles["cpu_s"]).groupby("strategy").agg(["size", "sum"])
    found = found.join(late.rename(columns={"size": "n", "sum": "late"}))
    if not np.isfinite(found["cpu_s"]).any():
        raise NothingToDrawError(f"no strategy with known clauses finished half of the boards of {size}x{size}")
    return Sizes(found.reset_index(), f"{size}x{size}", omitted)


def words(sizes: Sizes, sheet: Sheet) -> str:
    """How to read it."""
    late = "; hollow at the limit: half of the puzzles or more not finished" if _late(sizes.points) else ""
    joined = "; lines join the encodings of one engine" if len(engines(sizes.points["strategy"])) > 1 else ""
    return (
        f"Marks: medians over all {sizes.shape} puzzles; sizes are of what the solver was handed{joined}{late}."
        f"{others(sizes.omitted)}"
    )


def _late(points: pd.DataFrame) -> bool:
    return bool(np.isinf(points[list(TIMES)].to_numpy()).any())


def engines(strategies: Sequence[str] | pd.Series[str]) -> dict[str, list[str]]:
    """The strategies of each engine (what stands behind the @) of which there are three encodings or more."""
    found: dict[str, list[str]] = {}
    for name in strategies:
        found.setdefault(name.rpartition("@")[2] if "@" in name else "", []).append(name)
    return {engine: names for engine, names in found.items() if engine and len(names) > 2}


def short(names: Sequence[str]) -> dict[str, str]:
    """Names without the family and the engine that all of them share."""
    starts = {name[: name.find(":") + 1] for name in names}
    ends = {name[name.rfind("@") :] if "@" in name else "" for name in names}
    start_of_all, end_of_all = ("".join(parts) if len(parts) == 1 else "" for parts in (starts, ends))
    kept = {name: name.removeprefix(start_of_all).removesuffix(end_of_all) for name in names}
    return kept if all(kept.values()) and len(set(kept.values())) == len(kept) else {name: name for name in names}


def draw(sizes: Sizes, sheet: Sheet) -> Figure:
    """The figure of ``Sizes``: names beside the points if they have room in every panel, else a legend."""
    names = list(sizes.points["strategy"])
    if len(names) <= LABELLED and sheet.width_in > NARROW_IN:
        figure, places = _panels(sizes, sheet)
        end(figure, sheet, TITLE, words(sizes, sheet))
        if _labelled(figure, places, sizes, sheet):
            return figure
    figure, _ = _panels(sizes, sheet)
    return end(figure, sheet, TITLE, words(sizes, sheet), dict.fromkeys(names, ""), handles=marks(names, sheet))


def marks(names: Sequence[str], sheet: Sheet) -> list[Line2D]:
    """For a legend: marks without lines, since a strategy is a point."""
    lines = [line_of(sheet.looks[name]) for name in names]
    for line in lines:
        line.set_linestyle("none")
    return lines


def _panels(sizes: Sizes, sheet: Sheet) -> tuple[Figure, list[Axes]]:
    figure, places = begin(sheet, HEIGHT_IN, len(TIMES), len(SIZES), sharex="col", sharey="row")
    for number, axes in enumerate(places):
        (clock, said), size = list(TIMES.items())[number // len(SIZES)], SIZES[number % len(SIZES)]
        _panel(axes, sizes.points, size, clock, sheet)
        if number >= len(places) - len(SIZES):
            axes.set_xlabel(f"{size} (log)")
        if number % len(SIZES) == 0:
            axes.set_ylabel(f"{said}: CPU time (log)")
    return figure, places


def _panel(axes: Axes, points: pd.DataFrame, size: str, clock: str, sheet: Sheet) -> None:
    """A mark for each strategy, hollow at the limit where its median was not finished."""
    at = _shown(points, size, clock, sheet)
    joined = engines(points["strategy"])
    for members in joined.values() if len(joined) > 1 else ():
        own = at[at["strategy"].isin(members)].sort_values(["x", "y"], kind="stable")
        axes.plot(own["x"].to_numpy(), own["y"].to_numpy(), "-", color=GREY, lw=0.6, alpha=0.35, zorder=1)
    for name, x, y, late in zip(at["strategy"], at["x"], at["y"], at["late"], strict=True):
        look = sheet.looks[str(name)]
        face = "#ffffff" if late else look.colour
        axes.plot([float(x)], [float(y)], look.marker, color=look.colour, mfc=face, ms=6 * sheet.scale, zorder=3)
    low, high = float(points[size].min()), float(points[size].max())
    log_scale(axes, "x", low / 1.15, high * 1.15, words=lambda value: f"{value:,.0f}")
    _thin(axes, sheet)
    done = at.loc[~at["late"], "y"]
    low = float(done.min()) if len(done) else sheet.limit_s / 10
    high = sheet.limit_s * 2 if at["late"].any() else float(done.max()) * 1.4
    log_scale(axes, "y", low / 1.4, high)
    axes.minorticks_off()
    if at["late"].any():
        axes.axhline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)


def _thin(axes: Axes, sheet: Sheet) -> None:
    """As many ticks of sizes as have room below a panel, which are wide numbers."""
    low, high = axes.get_xlim()
    room = NUMBER_IN * math.log(high / low) / (sheet.width_in / len(SIZES) - BESIDE_IN)
    kept: list[float] = []
    for tick in map(float, axes.get_xticks()):
        if not kept or math.log(tick / kept[-1]) >= room:
            kept.append(tick)
    axes.set_xticks(kept)


def _shown(points: pd.DataFrame, size: str, clock: str, sheet: Sheet) -> pd.DataFrame:
    """Where marks stand: strategy, x, y, late."""
    shown = points[(points[clock] > 0) & (points[size] > 0)]
    y = shown[clock].clip(upper=sheet.limit_s)
    return pd.DataFrame({"strategy": shown["strategy"], "x": shown[size], "y": y, "late": np.isinf(shown[clock])})


def _labelled(figure: Figure, places: Sequence[Axes], sizes: Sizes, sheet: Sheet) -> bool:
    """Write names beside all points, if there is room for every one of them."""
    names = short(list(sizes.points["strategy"]))
    panels = []
    for number, axes in enumerate(places):
        at = _shown(sizes.points, SIZES[number % len(SIZES)], list(TIMES)[number // len(SIZES)], sheet)
        points = list(zip(at["x"].astype(float), at["y"].astype(float), strict=True))
        panels.append(labels.Panel(axes, points, [names[name] for name in at["strategy"]]))
    return labels.beside(figure, panels, sheet.small_pt)
