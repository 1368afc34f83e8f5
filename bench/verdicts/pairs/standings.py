"""The fastest strategies of each collection, from the comparisons with the best, as data and as sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from sudoku_bench.bench.verdicts.comparable import WALL
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import SIDES, SWAPPED, Row, beside_one, evidence, percent, size, too_few

OUTCOMES = {  # verdict -> its place in the sentence of counts
    decision.EQUIVALENT: "equivalent within {margin} in {number}",
    decision.INDISTINGUISHABLE: "not decided in {number}",
    decision.TOO_FEW: "too few data in {number}",
}


@dataclass(frozen=True)
class Standing:
    """Who is fastest on a collection by one clock.

    Attributes:
        strategies: number of strategies compared.
        too_few: the reason if there are too few data for any verdict; nobody is fastest then.
        fastest: the best strategy, and those that are not shown to be slower, or to solve fewer; the nearest first. If
            any is shown to be faster than the best, which solves most, these alone.
        tie: what these are if there are several: equivalent, statistically tied or unknown.
        solves_most: the best strategy if it is not among the fastest; else empty.
        nearest: the pair of the only fastest one with its nearest follower, which is ``a``.
        findable: the smallest ratio to the best that would have been found (80%) for half of the strategies; NaN if
            unknown.
    """

    collection: str
    clock: str
    strategies: int
    too_few: str
    fastest: tuple[str, ...]
    tie: str
    solves_most: str
    nearest: Row | None
    findable: float


def standings(table: pd.DataFrame) -> list[Standing]:
    """Return who is fastest on each collection by each clock.

    Args:
        table: each strategy against the best of its collection.
    """
    return [_standing(group) for _, group in _groups(table)]


def words(table: pd.DataFrame) -> list[str]:
    """Return the fastest strategies of each collection as sentences, after the counts and what could be found."""
    if table.empty:
        return []
    of_each = standings(table)
    known = sorted((s.findable, place(s.collection, s.clock)) for s in of_each if not math.isnan(s.findable))
    found = [beside_one(ratio) for ratio, _ in known]
    if len(known) > 1:
        found = [f"from {found[0]} ({known[0][1]}) to {found[-1]} ({known[-1][1]})"]
    return [
        counts(table, "Comparisons with the best of a collection"),
        *(f"Smallest ratio to the best that this run finds in 4 of 5 cases: {text}" for text in found),
        *(f"{place(standing.collection, standing.clock)}: {_in_words(standing)}" for standing in of_each),
    ]


def counts(table: pd.DataFrame, title: str) -> str:
    """Return the numbers of verdicts in a sentence."""
    number = Counter(table["verdict"])
    solved = int(((table["verdict"] == decision.INDISTINGUISHABLE) & table["more_solved"].isin(list(SIDES))).sum())
    number[decision.INDISTINGUISHABLE] -= solved
    margin, decided = percent(table["margin"].iloc[0]), sum(number[verdict] for verdict in SWAPPED)
    outcomes = [
        f"one is faster in {decided}",
        *([f"one solves more in {solved}"] if solved else []),
        *(text.format(margin=margin, number=number[verdict]) for verdict, text in OUTCOMES.items() if number[verdict]),
    ]
    return f"{title}: {len(table)} ({', '.join(outcomes)}); family-wise error rate {percent(decision.ALPHA)}"


def place(collection: str, clock: str) -> str:
    """Return the name of a collection, with the clock unless it is that of CPU time."""
    return collection + (" by wall time" if clock == WALL else "")


def _in_words(standing: Standing) -> str:
    """Return a standing in words, without its collection."""
    fastest = standing.fastest
    if standing.too_few:
        return standing.too_few
    if standing.solves_most:
        return f"{standing.solves_most} solves most (of {standing.strategies}); faster: {', '.join(fastest)}"
    if len(fastest) > 1:
        return f"fastest, {standing.tie}: {', '.join(fastest)} (of {standing.strategies})"
    nearest = f"; next: {evidence(standing.nearest).sentence}" if standing.nearest else ""
    return f"{fastest[0]} is fastest (of {standing.strategies}){nearest}"


def _groups(table: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    for (collection, clock), group in table.groupby(["collection", "clock"], sort=False):
        yield (str(collection), str(clock)), group


def _standing(group: pd.DataFrame) -> Standing:
    rows = sorted(group.to_dict("records"), key=size)
    undecidable = all(row["verdict"] == decision.TOO_FEW for row in rows)
    faster = [row for row in rows if row["verdict"] == decision.A_FASTER]
    among = faster or [row for row in rows if row["verdict"] != decision.B_FASTER and not solves_fewer(row)]
    best = str(rows[0]["b"])
    return Standing(
        collection=str(rows[0]["collection"]),
        clock=str(rows[0]["clock"]),
        strategies=len(rows) + 1,
        too_few=too_few(rows[0]) if undecidable else "",
        fastest=() if undecidable else (*(() if faster else (best,)), *(str(row["a"]) for row in among)),
        tie="" if faster else _tie(among),
        solves_most=best if faster else "",
        nearest=None if among else rows[0],
        findable=float(group["findable"].median()),
    )


def solves_fewer(row: Row) -> bool:
    """Return whether times decide nothing on a pair, but its first strategy is shown to solve fewer puzzles."""
    return row["verdict"] == decision.INDISTINGUISHABLE and row.get("more_solved") == "b"


def _tie(rows: Sequence[Row]) -> str:
    """Return what the strategies of these pairs are, none of which is shown to be faster than another."""
    if all(row["verdict"] == decision.EQUIVALENT for row in rows):
        return f"equivalent within {percent(rows[0]['margin'])}" if rows else ""
    if all(pd.isna(row["ratio_lo"]) and pd.isna(row["ratio_hi"]) for row in rows):
        return "not decided because of unfinished solves"
    return "statistically tied"
