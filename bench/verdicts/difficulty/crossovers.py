"""Crossovers: the difficulty above which another strategy is faster.

``leads`` tests whether two strategies cross, ``places`` estimates where. A crossover is told if the test is significant
at 5% after correction for all pairs and board sizes that were tested. It is decided along one axis: guesses, where
they are known and vary. Along the other axes only the pairs that were told are tested.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from sudoku_bench.bench.verdicts.difficulty.fields import AXES, GUESSES, Axis, Field, fields
from sudoku_bench.bench.verdicts.difficulty.leads import Leads, can_decide, leads
from sudoku_bench.bench.verdicts.difficulty.places import FieldAxis, place
from sudoku_bench.bench.verdicts.pairs.decision import ALPHA, bonferroni
from sudoku_bench.bench.verdicts.pairs.evidence import amount, interval_text, together
from sudoku_bench.bench.verdicts.run_data import RunData

CROSSOVER_COLUMNS = (
    *("a", "b", "shape", "axis", "crossover", "lo", "hi", "faster_below", "faster_above", "ratio_easiest"),
    *("ratio_hardest", "bounds", "n_puzzles", "p_holm", "marked", "told", "note", "within"),
)
TREND_Z = float(stats.norm.ppf(0.95))
MAX_LISTED = 5
EASIEST, HARDEST = "easiest", "hardest"


@dataclass(frozen=True)
class Candidate:
    """Two strategies whose estimated leads are opposite.

    Attributes:
        field_axis: where they were compared.
        leads: of all pairs of this field; number: of this pair in it.
        p_holm: corrected for all candidates.
    """

    field_axis: FieldAxis
    leads: Leads
    number: int
    p_holm: float

    @property
    def told(self) -> bool:
        return self.p_holm < ALPHA

    @property
    def ab(self) -> tuple[int, int]:
        """Numbers of the two strategies."""
        return int(self.leads.a[self.number]), int(self.leads.b[self.number])

    @property
    def below_above(self) -> tuple[int, int]:
        """Numbers of the strategies that are faster on easy and on hard puzzles."""
        a, b = self.ab
        return (a, b) if self.leads.a_first[self.number] else (b, a)

    @property
    def claim(self) -> tuple[int | None, int, int]:
        """What the crossover says, whatever the axis: board size, and the strategies in the order of their leads."""
        return (self.field_axis.field.size, *self.below_above)

    @property
    def rank(self) -> int:
        """Rank of the faster one on easy puzzles plus that of the faster one on hard puzzles, among all strategies."""
        places = zip(self.below_above, self.field_axis.ranks, strict=True)
        return int(sum(ranks[strategy] for strategy, ranks in places))


def crossovers(run: RunData) -> pd.DataFrame:
    """Return rows of ``CROSSOVER_COLUMNS``: pairs of strategies with opposite leads, the most useful crossovers first.

    Crossovers that are told come first, then those between strategies that are among the fastest. All that are told
    along the deciding axes are true together with 95%, and the same holds for those along each further axis.
    """
    return of_fields(fields(run))


def of_fields(run_fields: list[Field], axes: Sequence[Axis] = AXES) -> pd.DataFrame:
    """Return the crossovers of some fields along these axes, of which the first that can decide does."""
    deciding = [FieldAxis(field, axis) for field in run_fields if (axis := deciding_axis(field, axes)) is not None]
    tested = candidates(deciding)
    claims = {candidate.claim for candidate in tested if candidate.told}
    unmined = _without_mined(deciding)
    without_mined = {candidate.claim for candidate in candidates(unmined, claims) if candidate.told}
    others = [FieldAxis(decider.field, axis) for axis in axes for decider in deciding if decider.axis is not axis]
    for axis in axes:
        family = candidates([other for other in others if other.axis is axis], claims)
        tested += [candidate for candidate in family if candidate.told]
    tested.sort(key=lambda candidate: (not candidate.told, axes.index(candidate.field_axis.axis), candidate.rank))
    rows = []
    for candidate in tested:
        row = _row(candidate)
        if candidate.told:
            row |= _place(candidate) | {"note": _note(candidate, others, candidate.claim in without_mined)}
        rows.append(row)
    numbers = ("crossover", "lo", "hi", "ratio_easiest", "ratio_hardest", "p_holm")
    frame = pd.DataFrame(rows, columns=list(CROSSOVER_COLUMNS)).astype(dict.fromkeys(numbers, float))
    texts = ["told", "note", "within"]
    return frame.astype(dict.fromkeys(texts, object)).fillna(dict.fromkeys(texts, ""))


def deciding_axis(field: Field, axes: Sequence[Axis] = AXES) -> Axis | None:
    """Return the first axis along which both thirds have enough puzzles; None if there is none."""
    return next((axis for axis in axes if can_decide(field, axis)), None)


def candidates(field_axes: list[FieldAxis], claims: Collection[Any] | None = None) -> list[Candidate]:
    """Return the pairs with opposite leads, tested as one family.

    Args:
        claims: test only pairs with these claims (None: all).
    """
    if claims is not None and not claims:
        return []
    tested = [
        Candidate(field_axis, pairs, int(number), float(pairs.p[number]))
        for field_axis in field_axes
        for pairs in [leads(field_axis.field, field_axis.axis)]
        for number in np.flatnonzero(~np.isnan(pairs.p))
    ]
    tested = [candidate for candidate in tested if claims is None or candidate.claim in claims]
    corrected = bonferroni(np.array([candidate.p_holm for candidate in tested]))
    return [replace(candidate, p_holm=float(p)) for candidate, p in zip(tested, corrected, strict=True)]


def _without_mined(deciding: list[FieldAxis]) -> list[FieldAxis]:
    """Return the fields without their mined puzzles; none if no field has any."""
    if not any(each.field.mined.any() for each in deciding):
        return []
    return [
        FieldAxis(each.field.subset(~each.field.mined), each.axis) if each.field.mined.any() else each
        for each in deciding
    ]


def _row(candidate: Candidate) -> dict[str, Any]:
    field, axis = candidate.field_axis.field, candidate.field_axis.axis
    names = [field.strategies[number] for number in candidate.ab]
    below, above = (field.strategies[number] for number in candidate.below_above)
    measured = candidate.field_axis.measured[list(candidate.ab)].all(axis=0)
    thirds = ((EASIEST, candidate.leads.easy), (HARDEST, candidate.leads.hard))
    return {
        "a": names[0],
        "b": names[1],
        "shape": field.shape,
        "axis": axis.name,
        "faster_below": below,
        "faster_above": above,
        **{f"ratio_{name}": np.exp(third.ratio[candidate.number]) for name, third in thirds},
        "bounds": " ".join(name for name, third in thirds if third.is_bound[candidate.number]),
        "n_puzzles": int(measured.sum()),
        "p_holm": candidate.p_holm,
        "marked": " ".join(name for name in names if axis is GUESSES and name in field.searchers),
        "told": "yes" if candidate.told else "",
    }


def _place(candidate: Candidate) -> dict[str, Any]:
    """Return the columns on where the lead changes; empty if the pair has too few puzzles for windows."""
    pair = candidate.field_axis.pair(*candidate.below_above)
    if pair is None:
        return {}
    change = place(pair)
    values = np.maximum(0.0, candidate.field_axis.axis.back(np.array([change.at, change.lo, change.hi])))
    puzzles, axis = candidate.field_axis.field.puzzles, candidate.field_axis.axis
    return dict(zip(("crossover", "lo", "hi"), values, strict=True)) | {"within": within(puzzles, axis, values[0])}


def within(puzzles: pd.DataFrame, axis: Axis, value: float) -> str:
    """Return a difficulty in the words of the collections: that whose puzzles are around it; empty if there is none.

    Args:
        puzzles: of boards of one size, with their collection and difficulty.
    """
    if "collection" not in puzzles:
        return ""
    ranges = puzzles.groupby("collection", sort=False, observed=True)[axis.name].agg(["min", "median", "max"])
    around = ranges[(ranges["min"] <= value) & (value <= ranges["max"])]
    if around.empty:
        return ""
    if len(ranges) == 1:
        share = float((puzzles[axis.name] < value).mean())
        return f"harder than {share:.0%} of {around.index[0]}"
    distance = (axis.forward(around["median"].to_numpy(float)) - axis.forward(np.array([value]))) ** 2
    return f"within {around.index[int(np.argmin(distance))]}"


def _note(candidate: Candidate, others: list[FieldAxis], without_mined: bool) -> str:
    """Return the reservations about a crossover: other axes that disagree, and mined puzzles that it depends on."""
    field = candidate.field_axis.field
    mined = sorted(set(field.puzzles["collection"][field.mined])) if field.mined.any() else []
    against = [
        other.axis.name
        for other in others
        if other.field is field and other.axis is not candidate.field_axis.axis and _trend(other, candidate) < -TREND_Z
    ]
    notes = []
    if mined and not without_mined:
        notes.append(f"not significant without the puzzles of {' and '.join(mined)}")
    if against:
        notes.append(f"the other way along {' and '.join(against)}")
    return "; ".join(notes)


def _trend(field_axis: FieldAxis, candidate: Candidate) -> float:
    """Return z that the strategy that is faster below gets relatively slower along an axis; 0 if unknown."""
    pair = field_axis.pair(*candidate.below_above)
    return 0.0 if pair is None else pair.trend()


def sentences(table: pd.DataFrame, axes: Sequence[Axis] = AXES) -> list[str]:
    """Return a sentence on each pair that is told to cross, along its deciding axis, the most useful first.

    Marked strategies are starred.
    """
    told = table[table["told"] == "yes"].drop_duplicates(["shape", "faster_below", "faster_above"])
    with_shape = told["shape"].nunique() > 1
    measures = {axis.name: axis.words for axis in axes}
    rows = told.to_dict("records")
    return [_sentence(row, measures[row["axis"]], row["shape"] if with_shape else "") for row in rows]


def words(table: pd.DataFrame, most: int = MAX_LISTED, rest: str = "see crossovers.csv") -> list[str]:
    """Return the first sentences, and the number of further ones with where to find them."""
    told = sentences(table)
    more = [f"and {len(told) - most} more crossovers: {rest}"] if len(told) > most else []
    return told[:most] + more


def _sentence(row: dict[Any, Any], measure: str, shape: str) -> str:
    marked, notes = row["marked"].split(), [row["note"]]
    starred = row | {end: f"{row[end]}*" for end in ("faster_above", "faster_below") if row[end] in marked}
    if math.isnan(row["crossover"]):
        change = f"{starred['faster_above']} overtakes {starred['faster_below']} as {measure} increase"
        notes.insert(0, "too few puzzles have times of both to say where")
    else:
        change = f"{'above' if shape else 'Above'} {claim(starred, measure)}"
    times = f"{_times_as_fast(row, HARDEST)} in the hardest third, {_times_as_fast(row, EASIEST)} in the easiest"
    return "; ".join(filter(None, (f"{f'{shape}: ' if shape else ''}{change} ({times})", *notes)))


def claim(row: dict[Any, Any], measure: str) -> str:
    """Return where the lead changes, with its interval, and to whom, after the word above."""
    at, ends = place_texts(row)
    words = f" ({row['within']})" if row["within"] else ""
    return f"{at} {measure} {ends}{words}, {row['faster_above']} is faster than {row['faster_below']}"


def place_texts(row: Mapping[Any, Any]) -> tuple[str, str]:
    """Return the place of a crossover and its interval as text, the same in figures, page and terminal."""
    at, low, high = together([row["crossover"], row["lo"], row["hi"]], amount)
    return at, interval_text(low, high)


def _times_as_fast(row: dict[Any, Any], third: str) -> str:
    """Return how fast the strategy is that is faster above: ``2.31 times as fast``, ``at least 2.31 times as slow``."""
    ratio = float(row[f"ratio_{third}"])
    factor = ratio if row["faster_above"] == row["b"] else 1 / ratio
    bound = "at least " if third in row["bounds"].split() else ""
    return f"{bound}{amount(max(factor, 1 / factor))} times as {'fast' if factor >= 1 else 'slow'}"
