"""The fastest strategies of each collection, from the verdicts on pairs, as data and as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from bench.verdicts.comparable import WALL
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.evidence import SWAPPED, Row, evidence, percent, size, slower_first, too_few

OUTCOMES = {  # verdict -> its place in the sentence of counts
    decision.EQUIVALENT: "equivalent within {margin} in {number}",
    decision.INDISTINGUISHABLE: "not decided in {number}",
    decision.TOO_FEW: "too few data in {number}",
}
CIRCLE = "each strategy is slower than some other one"


@dataclass(frozen=True)
class Standing:
    """Who is fastest on a collection by one clock.

    Attributes:
        strategies: number of strategies compared.
        too_few: the reason if there are too few data for any verdict; nobody is fastest then.
        fastest: the strategies that no other one is faster than, those that are faster than most others first.
        tie: what these are if there are several: equivalent, statistically tied or unknown.
        undecided: the strategies that are not shown to be slower than the only fastest one.
        nearest: the pair of the only fastest one with its nearest follower, which is ``a``.
    """

    collection: str
    clock: str
    strategies: int
    too_few: str
    fastest: tuple[str, ...]
    tie: str
    undecided: tuple[str, ...]
    nearest: Row | None


def standings(table: pd.DataFrame) -> list[Standing]:
    """Return who is fastest on each collection by each clock by which all its strategies are compared."""
    return [_standing(group) for _, group in _groups(table) if _is_complete(group)]


def words(table: pd.DataFrame) -> list[str]:
    """Return the verdicts as sentences: their counts, then the fastest strategies of each collection."""
    if table.empty:
        return []
    counts = Counter(table["verdict"])
    margin, decided = percent(table["margin"].iloc[0]), sum(counts[verdict] for verdict in SWAPPED)
    outcomes = [
        f"one is faster in {decided}",
        *(text.format(margin=margin, number=counts[verdict]) for verdict, text in OUTCOMES.items() if counts[verdict]),
    ]
    lines = [f"Pairs: {len(table)} ({', '.join(outcomes)}); family-wise error rate {percent(decision.ALPHA)}"]
    for (collection, clock), group in _groups(table):
        where = place(collection, clock)
        texts = [_in_words(_standing(group))] if _is_complete(group) else _records(group)
        lines += [f"{where}: {text}" for text in texts]
    return lines


def records(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Return place and record in words of each strategy where not all strategies are compared with one another."""
    return [(place(*key), text) for key, group in _groups(table) if not _is_complete(group) for text in _records(group)]


def place(collection: str, clock: str) -> str:
    """Return the name of a collection, with the clock unless it is that of CPU time."""
    return collection + (" by wall time" if clock == WALL else "")


def _in_words(standing: Standing) -> str:
    """Return a standing in words, without its collection."""
    number, fastest = len(standing.fastest), standing.fastest
    if standing.too_few:
        return standing.too_few
    if not fastest:
        return CIRCLE
    if number > 1:
        return f"fastest, {standing.tie}: {', '.join(fastest)} (of {standing.strategies})"
    against = f"; not decided against {', '.join(standing.undecided)}" if standing.undecided else ""
    nearest = f"; next: {evidence(standing.nearest).sentence}" if standing.nearest else ""
    return f"{fastest[0]} is fastest (of {standing.strategies}){against}{nearest}"


def _records(group: pd.DataFrame) -> list[str]:
    """Return in words how each strategy that is compared with all others fares against them."""
    names = set(group["a"]) | set(group["b"])
    met = Counter([*group["a"], *group["b"]])
    lines = []
    for name in (name for name in dict.fromkeys([*group["a"], *group["b"]]) if met[name] == len(names) - 1):
        own = [slower_first(row) for row in group.to_dict("records") if name in (row["a"], row["b"])]
        if all(row["verdict"] == decision.TOO_FEW for row in own):
            lines.append(too_few(own[0]))
            continue
        decided = [row for row in own if row["verdict"] in SWAPPED]
        faster = sum(row["b"] == name for row in decided)
        lines.append(
            f"{name} is faster than {faster} and slower than {len(decided) - faster} of {len(own)} others"
            + (f"; {len(own) - len(decided)} not decided" if len(decided) < len(own) else "")
        )
    return lines


def _groups(table: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    for (collection, clock), group in table.groupby(["collection", "clock"], sort=False):
        yield (str(collection), str(clock)), group


def _is_complete(group: pd.DataFrame) -> bool:
    """Return whether every strategy is compared with every other: by wall time only the parallel ones are."""
    names = len({*group["a"], *group["b"]})
    return 2 * len(group) == names * (names - 1)


def _standing(group: pd.DataFrame) -> Standing:
    names = list(dict.fromkeys([*group["a"], *group["b"]]))
    rows = [slower_first(row) for row in group.to_dict("records")]
    decided = [row for row in rows if row["verdict"] in SWAPPED]
    beaten, wins = {row["a"] for row in decided}, Counter(row["b"] for row in decided)
    undecidable = all(row["verdict"] == decision.TOO_FEW for row in rows)
    best = [] if undecidable else sorted((name for name in names if name not in beaten), key=lambda name: -wins[name])
    among = [row for row in rows if row["a"] in best and row["b"] in best]
    behind = [row for row in decided if row["b"] == best[0]] if len(best) == 1 else []
    followers = {row["a"] for row in behind}
    return Standing(
        collection=str(group["collection"].iloc[0]),
        clock=str(group["clock"].iloc[0]),
        strategies=len(names),
        too_few=too_few(rows[0]) if undecidable else "",
        fastest=tuple(map(str, best)),
        tie=_tie(among),
        undecided=tuple(str(name) for name in names if len(best) == 1 and name not in {*best, *followers}),
        nearest=min(behind, key=size, default=None),
    )


def _tie(rows: Sequence[Row]) -> str:
    """Return what the strategies of these pairs are, none of which is shown to be faster than another."""
    if all(row["verdict"] == decision.EQUIVALENT for row in rows):
        return f"equivalent within {percent(rows[0]['margin'])}" if rows else ""
    if all(pd.isna(row["decided_lo"]) and pd.isna(row["decided_hi"]) for row in rows):
        return "not decided because of unfinished solves"
    return "statistically tied"
