"""Pairs of strategies: a point per puzzle, the time of one against that of the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from bench.figures import tiers
from bench.figures.style import GREY, POINTS, NothingToDrawError, Sheet, begin, cloud, end, log_scale, wrap
from bench.verdicts.comparable import CPU
from bench.verdicts.pairs import decision
from bench.verdicts.run_tables import Run

TITLE = "Pairs of strategies, puzzle by puzzle"
PANELS = 6
CHANGING = 3  # of them at most are of pairs that are chosen because the winner changes
EDGE = 2.2  # times the limit: where solves stand that were not finished
LEAST_IN = 2.0  # width of a panel
KEY = ["collection", "puzzle"]
SAYS = {
    decision.A_FASTER: "A faster",
    decision.B_FASTER: "B faster",
    decision.EQUIVALENT: "equivalent",
    decision.INDISTINGUISHABLE: "not told apart",
    decision.TOO_FEW: "too few puzzles",
}
FACTORS = ((2.0, (0, (4, 2))), (10.0, (0, (1, 2))))  # lines beside the diagonal, and their dashes


@dataclass(frozen=True)
class Pair:
    """A panel: ``a`` upwards, ``b`` to the right.

    Attributes:
        points: a row per puzzle that both were measured on: collection, a_s, b_s (infinite where not finished).
        verdict: what ``pairs.csv`` says of the pair, in words that call the two A and B.
    """

    a: str
    b: str
    points: pd.DataFrame
    verdict: str


@dataclass(frozen=True)
class Pairs:
    """What is drawn: some pairs, in words why these, and of how many."""

    panels: tuple[Pair, ...]
    chosen: str


def data(run: Run) -> Pairs:
    """Points of all pairs, if they are few, else of those that matter most."""
    times = run.per_puzzle
    names = list(dict.fromkeys(times["strategy"]))
    if len(names) < 2:
        raise NothingToDrawError("a pair needs two strategies with times that may be compared")
    wanted, why = choose(run, names)
    verdicts = run.pairs[run.pairs["clock"] == CPU]
    panels = []
    for a, b in wanted:
        points = joined(times, a, b)
        if len(points):
            panels.append(Pair(a, b, points, verdict(between(verdicts, a, b))))
    if not panels:
        raise NothingToDrawError("no two strategies were measured on the same puzzle")
    return Pairs(tuple(panels), why)


def joined(times: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """The times of two strategies on each puzzle that both were measured on: collection, a_s, b_s."""
    mine, others = (
        times.loc[times["strategy"] == name, [*KEY, "cpu_s"]].rename(columns={"cpu_s": column})
        for name, column in ((a, "a_s"), (b, "b_s"))
    )
    return mine.merge(others, on=KEY)[["collection", "a_s", "b_s"]]


def choose(run: Run, names: Sequence[str]) -> tuple[list[tuple[str, str]], str]:
    """At most ``PANELS`` pairs, and in words why these.

    All pairs, if they are no more. Else first those of two strategies that have the best mean rank on some collection,
    then those of which ``pairs.csv`` has one faster here and the other there, those that are nearest to the front
    first, then the best on each collection with the next ones.
    """
    everything = list(itertools.combinations(names, 2))
    if len(everything) <= PANELS:
        return everything, ""
    order = {name: list(run.ranks.loc[run.ranks["collection"] == name, "strategy"]) for name in run.collections}
    best = list(dict.fromkeys(ranked[0] for ranked in order.values() if ranked))
    places = range(1, PANELS + 1)
    following = [(own[0], own[place]) for place in places for own in order.values() if len(own) > place]
    groups = (
        (list(itertools.combinations(best, 2)), "pairs of strategies that are the fastest on some collection"),
        (changing(run)[:CHANGING], "pairs whose winner changes between collections"),
        (following, "the fastest on a collection with those next to it"),
    )
    chosen: dict[frozenset[str], tuple[str, str]] = {}
    said = []
    for pairs, why in groups:
        before = len(chosen)
        for pair in pairs:
            if len(chosen) < PANELS:
                chosen.setdefault(frozenset(pair), pair)
        said += [f"{why} ({len(chosen) - before})"] if len(chosen) > before else []
    return list(chosen.values()), f"Chosen of {len(everything)} pairs: {', '.join(said)}, by mean rank and verdicts."


def changing(run: Run) -> list[tuple[str, str]]:
    """Pairs of which one is faster on one collection and the other on another, by the verdicts on CPU time; those with
    the best mean ranks first."""
    table = run.pairs[run.pairs["clock"] == CPU]
    decided = table[table["verdict"].isin([decision.A_FASTER, decision.B_FASTER])]
    winners = decided.groupby(["a", "b"], sort=False)["verdict"].nunique()
    rank = run.ranks.groupby("strategy")["mean_rank"].min()
    found = [(str(a), str(b)) for a, b in winners.index[winners > 1]]
    return sorted(found, key=lambda pair: float(rank.get(pair[0], math.inf) + rank.get(pair[1], math.inf)))


def between(table: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """The rows of a pair, seen from ``a``: ratio, ratio_lo, ratio_hi (time of a / time of b) and the verdict."""
    own = table[(table["a"] == a) & (table["b"] == b)]
    turned = table[(table["a"] == b) & (table["b"] == a)]
    swap = {decision.A_FASTER: decision.B_FASTER, decision.B_FASTER: decision.A_FASTER}
    turned = turned.assign(
        ratio=1 / turned["ratio"], ratio_lo=1 / turned["ratio_hi"], ratio_hi=1 / turned["ratio_lo"],
        verdict=turned["verdict"].replace(swap),
    )  # fmt: skip
    columns = ["collection", "ratio", "ratio_lo", "ratio_hi", "verdict"]
    return pd.concat([own[columns], turned[columns]], ignore_index=True)


def verdict(rows: pd.DataFrame) -> str:
    """What the rows of a pair say, in words: of one collection with the ratio, of several on how many."""
    if len(rows) == 1:
        return _of_one(rows.iloc[0])
    said = []
    for kind, text in SAYS.items():
        own = rows[rows["verdict"] == kind]
        if len(own):
            number = f"all {len(rows)}" if len(own) == len(rows) else f"{len(own)} of {len(rows)}"
            said.append(f"{text} on {number}{_span(own['ratio'], kind)}")
    return ", ".join(said) or "no verdict"


def _span(ratios: pd.Series[float], kind: str) -> str:
    """From how many times to how many times as fast, where one of the two is."""
    times = (1 / ratios if kind == decision.A_FASTER else ratios).dropna()
    if kind not in (decision.A_FASTER, decision.B_FASTER) or times.empty:
        return ""
    low, high = two_digits(times.min()), two_digits(times.max())
    return f" ({low}×)" if low == high else f" ({low}-{high}×)"


def _of_one(row: pd.Series[Any]) -> str:
    kind = row["verdict"]
    if kind not in (decision.A_FASTER, decision.B_FASTER):
        return SAYS[kind]
    ratio, low, high = row[["ratio", "ratio_lo", "ratio_hi"]].astype(float)
    if kind == decision.A_FASTER:
        ratio, low, high = 1 / ratio, 1 / high, 1 / low
    much = "" if math.isnan(ratio) else f" {two_digits(ratio)}×"
    return f"{SAYS[kind]}{much}" + ("" if math.isnan(low + high) else f" [{two_digits(low)}, {two_digits(high)}]")


def two_digits(ratio: float) -> str:
    """A ratio as people write it: 1.6, 12, 190."""
    return f"{float(f'{ratio:.2g}'):g}"


def words(pairs: Pairs, _sheet: Sheet) -> str:
    """How to read it, and which pairs were chosen."""
    late = any(np.isinf(pair.points[["a_s", "b_s"]]).any(axis=None) for pair in pairs.panels)
    edges = " Hollow, beyond the limit: not finished." if late else ""
    chosen = f" {pairs.chosen}" if pairs.chosen else ""
    return (
        "Points: puzzles, the median over their forms; CPU time of A upwards, of B to the right, the same scales in all"
        f" panels. Above the diagonal A is slower; lines: by a factor of 2 (dashed) and 10 (dotted).{edges}"
        f" Above each panel: on how many collections pairs.csv has which verdict, and ratios.{chosen}"
    )


def draw(pairs: Pairs, sheet: Sheet) -> Figure:
    """The figure of ``Pairs``: a panel for each."""
    number = len(pairs.panels)
    columns = min(number, max(2, int(sheet.width_in / LEAST_IN)))
    rows = math.ceil(number / columns)
    room_in = sheet.width_in / columns - 0.85  # as wide as an axis, and the names of axes are
    titles = [wrap(pair.verdict, room_in * 0.85, sheet.small_pt) for pair in pairs.panels]
    names = [wrap(f"{pair.b} (B)", room_in, sheet.font_pt) for pair in pairs.panels]
    lines = max(title.count("\n") + name.count("\n") for title, name in zip(titles, names, strict=True)) + 3
    height_in = rows * (min(room_in + 0.1, 3.6) + lines * 1.4 * sheet.font_pt / 72)
    figure, axes = begin(sheet, height_in / sheet.scale, rows, columns)
    low, high, late = limits(pairs, sheet)
    far = min(0.9, max(0.3, 0.5 / room_in))
    for one, pair, title in zip(axes, pairs.panels, titles, strict=False):
        _draw_frame(one, (low, high), late, far, sheet)
        _draw_points(one, pair.points, sheet)
        cloud(one, len(pair.points) * number)
        one.set_title(title, fontsize=sheet.small_pt, loc="left")
        one.set_xlabel(f"{pair.b} (B)")
        one.set_ylabel(f"{pair.a} (A)")
    for one in axes[number:]:
        one.set_axis_off()
        one.set(xticks=[], yticks=[])
    handles = _handles(pairs, sheet)
    end(figure, sheet, TITLE, words(pairs, sheet), dict.fromkeys(handles, ""), handles=list(handles.values()))
    figure.draw_without_rendering()  # square panels find their place in the second layout only
    return figure


def limits(pairs: Pairs, sheet: Sheet) -> tuple[float, float, bool]:
    """From where to where both axes of all panels go, and whether anything was not finished."""
    values = np.concatenate([pair.points[["a_s", "b_s"]].to_numpy().ravel() for pair in pairs.panels])
    done = values[np.isfinite(values)]
    low = float(done.min()) if len(done) else sheet.limit_s / 10
    late = len(done) < len(values)
    return low / 1.5, sheet.limit_s * EDGE**1.7 if late else float(done.max()) * 1.5, late


def _draw_frame(axes: Axes, ends: tuple[float, float], late: bool, far: float, sheet: Sheet) -> None:
    """Equal scales, the diagonal, lines of factors and of the limit; ticks at least ``far`` (of the axis) apart."""
    for which, apart in (("x", far), ("y", 0.3)):
        log_scale(axes, "x" if which == "x" else "y", *ends)
        _thin(axes.xaxis if which == "x" else axes.yaxis, apart)
    axes.set_box_aspect(1)
    axes.tick_params(labelsize=sheet.small_pt)
    low, high = axes.get_xlim()
    axes.plot([low, high], [low, high], "-", color=GREY, lw=0.9, zorder=1)
    for factor, dashes in FACTORS:
        for first, second in ((factor, 1.0), (1.0, factor)):
            axes.plot(
                [low * first, high * first], [low * second, high * second], color=GREY, lw=0.7, linestyle=dashes,
                zorder=1, scalex=False, scaley=False,
            )  # fmt: skip
    if late:
        axes.axhline(sheet.limit_s, color=GREY, lw=0.9, zorder=1)
        axes.axvline(sheet.limit_s, color=GREY, lw=0.9, zorder=1)


def _thin(axis: Axis, apart: float) -> None:
    """Leave out ticks that are too close to each other in a small panel."""
    low, high = axis.get_view_interval()
    kept: list[float] = []
    for tick in axis.get_majorticklocs():
        if not kept or math.log(tick / kept[-1]) >= apart * math.log(high / low):
            kept.append(float(tick))
    axis.set_major_locator(FixedLocator(kept))
    axis.set_minor_locator(NullLocator())


def _draw_points(axes: Axes, points: pd.DataFrame, sheet: Sheet) -> None:
    """A point per puzzle, by collection; hollow beyond the limit where one of the two was not finished."""
    looks, edge = tiers.looks(sheet.collections), sheet.limit_s * EDGE
    for collection, own in points.groupby("collection", sort=False):
        look = looks[str(collection)]
        done = np.isfinite(own[["a_s", "b_s"]]).all(axis=1)
        for part, face, size in ((own[done], look.colour, 3.6), (own[~done], "none", 4.4)):
            if len(part):
                axes.plot(
                    part["b_s"].clip(upper=edge), part["a_s"].clip(upper=edge), look.marker, color=look.colour,
                    mfc=face, mew=0.0 if face != "none" else 0.8, ms=size * sheet.scale, alpha=0.75, linestyle="",
                    zorder=POINTS,
                )  # fmt: skip


def _handles(pairs: Pairs, sheet: Sheet) -> Mapping[str, Line2D]:
    """What the legend explains: collections."""
    own = {str(name) for pair in pairs.panels for name in pair.points["collection"].unique()}
    return tiers.legend([name for name in sheet.collections if name in own], sheet)
