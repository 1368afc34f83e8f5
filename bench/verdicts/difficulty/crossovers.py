"""Crossovers: the difficulty above which another strategy is faster.

Two strategies cross where the median of their paired log ratios changes its sign. Comparing them on the same puzzles is
far more precise than comparing two curves with separate bands. A crossover is claimed only if the lead is significant
on both sides: the test statistic is the smaller of the two z of a sign test; its p-value accounts for the search along
the axis and is corrected for all pairs.

A censored time bounds a ratio on one side. A puzzle whose bound does not show which strategy was faster counts against
the claim.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from bench.verdicts.arrays import Flags, Floats, Indices
from bench.verdicts.difficulty.fields import AXES, GUESSES, Axis, Field, fields
from bench.verdicts.difficulty.local import AxisWindows, Windows, Z, critical, known_range, simultaneous
from bench.verdicts.pairs.decision import holm
from bench.verdicts.run_data import RunData
from datasets.collections.catalogue import MINED

CROSSOVER_COLUMNS = (
    "a",
    "b",
    "shape",  # 9x9; empty if unknown
    "axis",  # a measure of difficulty
    "crossover",  # value of that measure
    "lo",
    "hi",  # its 95% interval
    "faster_below",
    "faster_above",
    "n_puzzles",
    "p_holm",  # null hypothesis: there is no crossover; over all pairs of the axis
    "agrees",  # other axes along which the ratio has a trend in the same direction
    "marked",  # strategies whose own work the axis nearly counts
    "told",  # "yes" if the crossover is reported in words: there is no note
    "note",  # reasons against it
)
ALPHA = 0.05
TREND_Z = float(stats.norm.ppf(0.95))
WIDTH = 80  # columns of the terminal
MAX_LISTED = 12


@dataclass(frozen=True)
class StrategyPair:
    """Two strategies on the puzzles that both were measured on.

    Attributes:
        x: positions of the puzzles.
        lo, hi: bounds of log(time of a / time of b).
        slope: trend of the log ratio over x, removed before smoothing.
        clusters: cluster number of each puzzle.
        near: windows over x.
    """

    x: Floats
    lo: Floats
    hi: Floats
    slope: float
    clusters: Indices
    near: Windows

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """Least and largest local share of puzzles on which a is faster, at each place."""
        level = -self.slope * self.near.places[:, None]
        faster = (self.hi - self.slope * self.x)[None, :] < level
        unknown = ((self.lo - self.slope * self.x)[None, :] <= level) & ~faster
        certain = np.einsum("ij,ij->i", self.near.weights, faster)
        if not unknown.any():
            return certain, certain
        weights = self.near.weights * unknown
        return certain + np.minimum(weights, 0).sum(axis=1), certain + np.maximum(weights, 0).sum(axis=1)

    @cached_property
    def z(self) -> tuple[Floats, Floats]:
        """z of a sign test at each place that a is faster, and that b is faster."""
        least, largest = self.shares
        return (least - 0.5) / self.near.error, (0.5 - largest) / self.near.error

    @property
    def evidence(self) -> float:
        """The test statistic: the smaller of the z of a at one place and of b at another, maximised over places."""
        a, b = self.z
        return max(_smaller_z(a, b), _smaller_z(b, a))

    @property
    def p(self) -> float:
        """An upper bound of the p-value of the evidence."""
        return simultaneous(self.evidence, self.near.roughness)

    def trend(self) -> float:
        """Return z of the rank correlation between x and the ratio (Spearman 1904), with a clustered standard error.

        Ratios that a timeout bounds on one side rank largest or smallest; those of two timeouts are left out.
        """
        ranked = np.isfinite(self.lo) | np.isfinite(self.hi)
        ratio = np.where(np.isfinite(self.lo), self.hi, self.lo)[ranked]  # infinite if one was not finished
        x, ratio = (stats.rankdata(values) - (ranked.sum() + 1) / 2 for values in (self.x[ranked], ratio))
        parts = pd.Series(x * ratio).groupby(self.clusters[ranked]).sum().to_numpy()
        error = float(np.sqrt((parts**2).sum()))
        return float(parts.sum()) / error if error > 0 else 0.0


def _smaller_z(before: Floats, after: Floats) -> float:
    """Return the largest z that both reach, the second at a later place than the first."""
    first = np.maximum.accumulate(before)[:-1]
    second = np.maximum.accumulate(after[::-1])[::-1][1:]
    return float(np.minimum(first, second).max())


@dataclass(frozen=True)
class Crossing:
    """A change of sign and its 95% interval, on the scale of the axis; ``a_first``: a is faster below it."""

    at: float
    lo: float
    hi: float
    a_first: bool


def crossings(pair: StrategyPair) -> Iterator[Crossing]:
    """Yield the places where a significant lead of one strategy is followed by a significant lead of the other.

    A lead is significant at 5% over the whole axis. The interval contains all places between the two leads that the
    pointwise sign test does not decide at 95%: it covers the place where the median ratio is 1 with 95%.
    """
    a, b = pair.z
    enough = critical(pair.near.roughness, ALPHA)
    lead = (a > enough).astype(int) - (b > enough).astype(int)
    clear = np.flatnonzero(lead)
    middle = (pair.shares[0] + pair.shares[1]) / 2 - 0.5
    for left, right in pairwise(clear):
        if lead[left] == lead[right]:
            continue
        first, second = (a, b) if lead[left] > 0 else (b, a)
        places = pair.near.places[left : right + 1]
        # The cumulative sum of the lead is largest at its last change of sign.
        leads = lead[left] * middle[left : right + 1]
        turn = int(np.cumsum(leads)[:-1].argmax())
        yield Crossing(
            _zero(places, leads, turn),
            _end_of_positive(places, first[left : right + 1] - Z),
            -_end_of_positive(-places[::-1], (second[left : right + 1] - Z)[::-1]),
            bool(lead[left] > 0),
        )


def _zero(places: Floats, values: Floats, before: int) -> float:
    """Return the zero of the line through a place and the next one."""
    here, following = values[before], values[before + 1]
    step = places[before + 1] - places[before]
    return float(places[before] + step * here / (here - following)) if here > following else places[before]


def _end_of_positive(places: Floats, values: Floats) -> float:
    """Return the place up to which the values stay positive, from the first place on."""
    end = int((values <= 0).argmax())
    return _zero(places, values, end - 1)


def crossovers(run: RunData) -> pd.DataFrame:
    """Return rows of ``CROSSOVER_COLUMNS``: the significant crossovers, with a family-wise error of 5% per axis.

    ``words`` reports only those without a ``note``: a note says that a crossover rests on mined puzzles alone, or that
    no other measure of difficulty confirms it.
    """
    run_fields = fields(run)
    rows = [row for axis in AXES for row in of_axis(run_fields, axis)]
    types = dict.fromkeys(("crossover", "lo", "hi", "p_holm"), float)
    return pd.DataFrame(rows, columns=list(CROSSOVER_COLUMNS)).astype(types)


class FieldAxis:
    """A field along one axis: the source of its pairs of strategies."""

    def __init__(self, field: Field, axis: Axis) -> None:
        self.field = field
        self.axis = axis
        self.windows = AxisWindows(field.at(axis), field.clusters)
        self.measured = np.isfinite(self.windows.x) & ~np.isnan(field.lo)
        self._slopes: dict[int, float] = {}

    def pair(self, a: int, b: int, exclude: Flags | None = None) -> StrategyPair | None:
        """Return two strategies by their numbers, without some puzzles; None if too few puzzles remain."""
        selected = self.measured[a] & self.measured[b]
        if exclude is not None:
            selected = selected & ~exclude
        near = self.windows.over(selected)
        if near is None:
            return None
        lo_a, hi_a, lo_b, hi_b = (
            times[strategy, selected] for strategy in (a, b) for times in (self.field.lo, self.field.hi)
        )
        slope = self._slope(a) - self._slope(b)
        x, clusters = self.windows.x[selected], self.field.clusters[selected]
        return StrategyPair(x, lo_a - hi_b, hi_a - lo_b, slope, clusters, near)

    def others(self) -> list[tuple[str, FieldAxis]]:
        """Return the same field along the other axes, with their names."""
        return [(axis.name, FieldAxis(self.field, axis)) for axis in AXES if axis is not self.axis]

    def _slope(self, strategy: int) -> float:
        if strategy not in self._slopes:
            measured = self.measured[strategy]
            near = self.windows.over(measured)
            x, y, clusters = self.windows.x[measured], self.field.hi[strategy, measured], self.field.clusters[measured]
            self._slopes[strategy] = 0.0 if near is None else known_range(x, y, clusters, near).slope
        return self._slopes[strategy]


def of_axis(run_fields: list[Field], axis: Axis) -> Iterator[dict[str, Any]]:
    """Yield the crossovers of all pairs of strategies along an axis, as rows of ``CROSSOVER_COLUMNS``."""
    tested: list[tuple[FieldAxis, tuple[int, int], float]] = []
    for field in run_fields:
        field_axis = FieldAxis(field, axis)
        for ab in combinations(range(len(field.strategies)), 2):
            if (pair := field_axis.pair(*ab)) is not None:
                tested.append((field_axis, ab, pair.p))
    corrected = holm(np.array([p for *_, p in tested]))
    others = {field.size: FieldAxis(field, axis).others() for field in run_fields}
    for (field_axis, ab, _), p in zip(tested, corrected, strict=True):
        if p >= ALPHA or (pair := field_axis.pair(*ab)) is None:
            continue
        for crossing in crossings(pair):
            support = _support(field_axis, ab, crossing, others[field_axis.field.size])
            yield _row(field_axis, ab, crossing) | {"n_puzzles": len(pair.x), "p_holm": p} | support


def _row(field_axis: FieldAxis, ab: tuple[int, int], crossing: Crossing) -> dict[str, Any]:
    field, axis = field_axis.field, field_axis.axis
    names = [field.strategies[number] for number in ab]
    below, above = names if crossing.a_first else reversed(names)
    at, lo, hi = np.maximum(0.0, axis.back(np.array([crossing.at, crossing.lo, crossing.hi])))
    marked = [name for name in names if axis is GUESSES and name in field.searchers]
    return {
        "a": names[0],
        "b": names[1],
        "shape": field.shape,
        "axis": axis.name,
        "crossover": at,
        "lo": lo,
        "hi": hi,
        "faster_below": below,
        "faster_above": above,
        "marked": " ".join(marked),
    }


def _support(
    field_axis: FieldAxis, ab: tuple[int, int], crossing: Crossing, others: list[tuple[str, FieldAxis]]
) -> dict[str, str]:
    """Return the columns on whether other axes agree, and whether the crossover holds without mined puzzles."""
    trends = {name: _trend(other.pair(*ab), crossing.a_first) for name, other in others}
    agree = [name for name, z in trends.items() if z > TREND_Z]
    against = [name for name, z in trends.items() if z < -TREND_Z]
    notes = []
    if against:
        notes.append(f"moves the other way along {' and '.join(against)}")
    elif not agree:
        notes.append("no other axis confirms it")
    if not _holds_without_mined(field_axis, ab, crossing.a_first):
        notes.append(f"rests on {MINED} alone")
    return {"agrees": " ".join(agree), "told": "" if notes else "yes", "note": "; ".join(notes)}


def _trend(pair: StrategyPair | None, a_first: bool) -> float:
    """Return z that the strategy that is faster below gets relatively slower along an axis; 0 if unknown."""
    if pair is None:
        return 0.0
    return pair.trend() if a_first else -pair.trend()


def _holds_without_mined(field_axis: FieldAxis, ab: tuple[int, int], a_first: bool) -> bool:
    """Return whether the lead changes in the same way without mined puzzles, at a pointwise level of 95%.

    The significance of the change itself is tested before.
    """
    mined = field_axis.field.mined
    if not mined.any():
        return True
    pair = field_axis.pair(*ab, exclude=mined)
    if pair is None:
        return False
    a, b = pair.z
    return (_smaller_z(a, b) if a_first else _smaller_z(b, a)) > Z


def words(table: pd.DataFrame) -> list[str]:
    """Return the crossovers without a note as lines for the terminal, each pair once: along guesses if possible.

    Marked strategies are starred.
    """
    reported = table[table["told"] == "yes"].drop_duplicates(["shape", "faster_below", "faster_above"])
    several_shapes = reported["shape"].nunique() > 1
    names = {axis.name: axis.words for axis in AXES}
    lines: list[str] = []
    for row in reported.sort_values(["shape", "crossover"], kind="stable").head(MAX_LISTED).to_dict("records"):
        marked = row["marked"].split()
        above, below = (f"{name}*" if name in marked else name for name in (row["faster_above"], row["faster_below"]))
        place = f"{row['crossover']:.3g} {names[row['axis']]} [{row['lo']:.3g}, {row['hi']:.3g}]"
        text = f"{row['shape']}: above " if several_shapes and row["shape"] else "Above "
        lines += _wrapped(f"{text}{place}, {above} is faster than {below}")
    if len(reported) > MAX_LISTED:
        lines.append(f"... and {len(reported) - MAX_LISTED} more crossovers in crossovers.csv")
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
