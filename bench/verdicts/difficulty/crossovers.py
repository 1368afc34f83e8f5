"""Crossovers: from which difficulty on is another strategy the faster one?

Two strategies cross where the median of their log ratios, puzzle by puzzle, changes its sign. The pair is compared on
the same puzzles, which is far sharper than two curves with bands of their own. A crossover is claimed only where one
side and the other are both clear: the smaller of the two z of a sign test, with its chance of being reached anywhere
along the axis, is corrected for all pairs.

A time that was not finished leaves a ratio known by a bound. Where that bound does not decide who was faster, the
puzzle counts against whatever is claimed.
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
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.difficulty.fields import AXES, GUESSES, MINED, Axis, Field, Floats, fields
from bench.verdicts.difficulty.local import Lookout, Windows, Z, critical, simultaneous, stretch
from bench.verdicts.pairs.decision import holm
from bench.verdicts.run_data import RunData

CROSSOVER_COLUMNS = (
    "a",
    "b",
    "shape",  # 9x9; empty where the run does not tell
    "axis",  # a measure of difficulty
    "crossover",  # of that measure
    "lo",
    "hi",  # its 95% interval
    "faster_below",
    "faster_above",
    "n_puzzles",
    "p_holm",  # that both sides are chance, over all pairs of the axis
    "agrees",  # other axes along which the ratio moves the same way
    "marked",  # strategies whose own work the axis nearly is
    "told",  # "yes" where nothing speaks against it
    "note",  # what does
)
ALPHA = 0.05
TREND_Z = float(stats.norm.ppf(0.95))
WIDTH = 80  # of the terminal
LINES = 12


@dataclass(frozen=True)
class Pair:
    """Two strategies on the puzzles that both were measured on.

    Attributes:
        x: where the puzzles are.
        lo, hi: bounds of the logarithm of time of a / time of b.
        tilt: slope along x about which the ratio is smoothed.
        clusters: the number of each puzzle's cluster.
        near: windows over x.
    """

    x: Floats
    lo: Floats
    hi: Floats
    tilt: float
    clusters: NDArray[np.intp]
    near: Windows

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """Least and largest local share of puzzles on which a is faster, for each place."""
        level = -self.tilt * self.near.at[:, None]
        faster = (self.hi - self.tilt * self.x)[None, :] < level
        unknown = ((self.lo - self.tilt * self.x)[None, :] <= level) & ~faster
        sure = np.einsum("ij,ij->i", self.near.weights, faster)
        if not unknown.any():
            return sure, sure
        open_weights = self.near.weights * unknown
        return sure + np.minimum(open_weights, 0).sum(axis=1), sure + np.maximum(open_weights, 0).sum(axis=1)

    @cached_property
    def z(self) -> tuple[Floats, Floats]:
        """How clearly a is the faster one at each place, and how clearly b is."""
        least, largest = self.shares
        return (least - 0.5) / self.near.error, (0.5 - largest) / self.near.error

    @property
    def evidence(self) -> float:
        """The smaller z of two places, the one clearly a's and the other b's, at best."""
        a, b = self.z
        return max(_both(a, b), _both(b, a))

    @property
    def p(self) -> float:
        """How often chance alone gives such evidence, at most."""
        return simultaneous(self.evidence, self.near.roughness)

    def trend(self) -> float:
        """z of the rank correlation between x and the ratio (Spearman 1904), with an error that clusters respect.

        Ratios that a timeout bounds on one side are the largest or the smallest; those of two timeouts have no rank.
        """
        ranked = np.isfinite(self.lo) | np.isfinite(self.hi)
        ratio = np.where(np.isfinite(self.lo), self.hi, self.lo)[ranked]  # infinite where one was not finished
        x, ratio = (stats.rankdata(values) - (ranked.sum() + 1) / 2 for values in (self.x[ranked], ratio))
        parts = pd.Series(x * ratio).groupby(self.clusters[ranked]).sum().to_numpy()
        error = float(np.sqrt((parts**2).sum()))
        return float(parts.sum()) / error if error > 0 else 0.0


def _both(before: Floats, after: Floats) -> float:
    """The largest z that both reach, the second at a later place than the first."""
    first = np.maximum.accumulate(before)[:-1]
    second = np.maximum.accumulate(after[::-1])[::-1][1:]
    return float(np.minimum(first, second).max())


@dataclass(frozen=True)
class Crossing:
    """A change of sign and its 95% interval, on the scale of the axis; ``a_first``: a is the faster one below."""

    at: float
    lo: float
    hi: float
    a_first: bool


def crossings(pair: Pair) -> Iterator[Crossing]:
    """The places where one strategy's clear lead is followed by the other's.

    Clear is what chance along the whole axis reaches with 5%. The interval holds all places between that the sign test
    of one place does not decide, at 95%: where the median ratio is one, it is decided wrongly so rarely.
    """
    a, b = pair.z
    enough = critical(pair.near.roughness, ALPHA)
    lead = (a > enough).astype(int) - (b > enough).astype(int)
    clear = np.flatnonzero(lead)
    middle = (pair.shares[0] + pair.shares[1]) / 2 - 0.5
    for left, right in pairwise(clear):
        if lead[left] == lead[right]:
            continue
        first, then = (a, b) if lead[left] > 0 else (b, a)
        at = pair.near.at[left : right + 1]
        # The sum of the lead is largest where it changes its sign for good.
        gained = lead[left] * middle[left : right + 1]
        turn = int(np.cumsum(gained)[:-1].argmax())
        yield Crossing(
            _zero(at, gained, turn),
            _until(at, first[left : right + 1] - Z),
            -_until(-at[::-1], (then[left : right + 1] - Z)[::-1]),
            bool(lead[left] > 0),
        )


def _zero(at: Floats, values: Floats, before: int) -> float:
    """Where a line through a place and the next one is zero."""
    here, there = values[before], values[before + 1]
    return float(at[before] + (at[before + 1] - at[before]) * here / (here - there)) if here > there else at[before]


def _until(at: Floats, margin: Floats) -> float:
    """How far from the first place on the margin stays positive."""
    end = int((margin <= 0).argmax())
    return _zero(at, margin, end - 1)


def crossovers(run: RunData) -> pd.DataFrame:
    """Rows of ``CROSSOVER_COLUMNS``: every crossover that chance over all pairs of an axis makes with 5% at most.

    Not all of them are told in words: ``note`` says which rest on mined puzzles alone, and which no other measure of
    difficulty confirms.
    """
    places = fields(run)
    found = [line for axis in AXES for line in of_axis(places, axis)]
    kinds = dict.fromkeys(("crossover", "lo", "hi", "p_holm"), float)
    return pd.DataFrame(found, columns=list(CROSSOVER_COLUMNS)).astype(kinds)


class Plane:
    """The pairs of a field along an axis."""

    def __init__(self, field: Field, axis: Axis) -> None:
        self.field = field
        self.axis = axis
        self.lookout = Lookout(field.at(axis), field.clusters)
        self.measured = np.isfinite(self.lookout.x) & ~np.isnan(field.lo)
        self._tilts: dict[int, float] = {}

    def pair(self, a: int, b: int, but: NDArray[np.bool_] | None = None) -> Pair | None:
        """Two strategies by their numbers, without some puzzles; None if what is left is too little to compare."""
        chosen = self.measured[a] & self.measured[b]
        if but is not None:
            chosen = chosen & ~but
        near = self.lookout.over(chosen)
        if near is None:
            return None
        lo_a, hi_a, lo_b, hi_b = (
            times[strategy, chosen] for strategy in (a, b) for times in (self.field.lo, self.field.hi)
        )
        tilt = self._tilt(a) - self._tilt(b)
        return Pair(self.lookout.x[chosen], lo_a - hi_b, hi_a - lo_b, tilt, self.field.clusters[chosen], near)

    def others(self) -> list[tuple[str, Plane]]:
        """The same field along the other axes, by their names."""
        return [(axis.name, Plane(self.field, axis)) for axis in AXES if axis is not self.axis]

    def _tilt(self, strategy: int) -> float:
        if strategy not in self._tilts:
            chosen = self.measured[strategy]
            near = self.lookout.over(chosen)
            x, y, clusters = self.lookout.x[chosen], self.field.hi[strategy, chosen], self.field.clusters[chosen]
            self._tilts[strategy] = 0.0 if near is None else stretch(x, y, clusters, near).tilt
        return self._tilts[strategy]


def of_axis(places: list[Field], axis: Axis) -> Iterator[dict[str, Any]]:
    """The crossovers of all pairs of fields along an axis, as rows of ``CROSSOVER_COLUMNS``."""
    tried: list[tuple[Plane, tuple[int, int], float]] = []
    for field in places:
        plane = Plane(field, axis)
        for ab in combinations(range(len(field.strategies)), 2):
            if (pair := plane.pair(*ab)) is not None:
                tried.append((plane, ab, pair.p))
    corrected = holm(np.array([p for *_, p in tried]))
    others = {field.size: Plane(field, axis).others() for field in places}
    for (plane, ab, _), p in zip(tried, corrected, strict=True):
        if p >= ALPHA or (pair := plane.pair(*ab)) is None:
            continue
        for crossing in crossings(pair):
            judged = _judged(plane, ab, crossing, others[plane.field.size])
            yield _line(plane, ab, crossing) | {"n_puzzles": len(pair.x), "p_holm": p} | judged


def _line(plane: Plane, ab: tuple[int, int], crossing: Crossing) -> dict[str, Any]:
    names = [plane.field.strategies[number] for number in ab]
    below, above = names if crossing.a_first else reversed(names)
    at, lo, hi = np.maximum(0.0, plane.axis.back(np.array([crossing.at, crossing.lo, crossing.hi])))
    marked = [name for name in names if plane.axis is GUESSES and name in plane.field.searchers]
    return {
        "a": names[0],
        "b": names[1],
        "shape": plane.field.shape,
        "axis": plane.axis.name,
        "crossover": at,
        "lo": lo,
        "hi": hi,
        "faster_below": below,
        "faster_above": above,
        "marked": " ".join(marked),
    }


def _judged(plane: Plane, ab: tuple[int, int], crossing: Crossing, others: list[tuple[str, Plane]]) -> dict[str, str]:
    """Whether other axes agree, and whether the crossover is there without mined puzzles."""
    trends = {name: _moves(other.pair(*ab), crossing.a_first) for name, other in others}
    agree = [name for name, moves in trends.items() if moves > TREND_Z]
    against = [name for name, moves in trends.items() if moves < -TREND_Z]
    notes = []
    if against:
        notes.append(f"moves the other way along {' and '.join(against)}")
    elif not agree:
        notes.append("no other axis confirms it")
    if not _without_mined(plane, ab, crossing.a_first):
        notes.append(f"rests on {MINED} alone")
    return {"agrees": " ".join(agree), "told": "" if notes else "yes", "note": "; ".join(notes)}


def _moves(pair: Pair | None, a_first: bool) -> float:
    """z of the one that is faster below losing ground along an axis; 0 where it cannot be told."""
    if pair is None:
        return 0.0
    return pair.trend() if a_first else -pair.trend()


def _without_mined(plane: Plane, ab: tuple[int, int], a_first: bool) -> bool:
    """Whether the same change of lead is there where mined puzzles are left out.

    That there is a change is settled by then: what is asked of the others is to show it too, at 95% for a place.
    """
    if not plane.field.mined.any():
        return True
    pair = plane.pair(*ab, but=plane.field.mined)
    if pair is None:
        return False
    a, b = pair.z
    return (_both(a, b) if a_first else _both(b, a)) > Z


def words(table: pd.DataFrame) -> list[str]:
    """The crossovers that are told, in lines for the terminal; a pair's along guesses, or else along another axis.

    Strategies that are marked have a star.
    """
    told = table[table["told"] == "yes"].drop_duplicates(["shape", "faster_below", "faster_above"])
    several = told["shape"].nunique() > 1
    names = {axis.name: axis.words for axis in AXES}
    lines: list[str] = []
    for line in told.sort_values(["shape", "crossover"], kind="stable").head(LINES).to_dict("records"):
        marks = line["marked"].split()
        above, below = (f"{name}*" if name in marks else name for name in (line["faster_above"], line["faster_below"]))
        place = f"{line['crossover']:.3g} {names[line['axis']]} [{line['lo']:.3g}, {line['hi']:.3g}]"
        text = f"{line['shape']}: above " if several and line["shape"] else "Above "
        lines += _wrapped(f"{text}{place}, {above} overtakes {below}")
    if len(told) > LINES:
        lines.append(f"... and {len(told) - LINES} more crossovers in the table of them")
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
