"""The answer of a run, as data: who is fastest on which puzzles, and where that changes.

Terminal, page, titles of figures, write-up and documents are views of it (``bench/say/speech``) and decide nothing.
The answer is about all strategies that took part. An answer about some of them, such as those without compiled search,
names the others (``left_out``).

A ranking with unfinished solves is by solved ones, then PAR-2 (``PairBlock.best``). What is not shown to be slower than
the best, or to solve fewer puzzles, is tied with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.verdicts.choice.total_cost import Totals, totals
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.difficulty.fields import AXES, fields
from sudoku_bench.bench.verdicts.difficulty.leads import leads
from sudoku_bench.bench.verdicts.encodings import ways
from sudoku_bench.bench.verdicts.groups import apart, rest
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import SIDES, Row, size, too_few
from sudoku_bench.bench.verdicts.pairs.pairs import pairs
from sudoku_bench.bench.verdicts.run_tables import Run

EQUIVALENT, TIED, UNKNOWN = "equivalent", "tied", "unknown"


@dataclass(frozen=True)
class Workload:
    """Who is fastest on a collection by one clock.

    Attributes:
        rows: each other strategy against the best (``b``), a row of the table of pairs; the nearest first.
        solved, solves: finished solves of the best strategy, and all of it.
        too_few: the reason if there are too few data for any verdict; nobody is best then.
        tied: not shown to be slower than the best, or to solve fewer puzzles; the nearest first.
        tie: how these are tied: ``EQUIVALENT``, ``TIED`` or, because of unfinished solves, ``UNKNOWN``; empty: none is.
        faster: shown to be faster than the best on a typical puzzle, although they do not rank before it.
    """

    collection: str
    clock: str
    best: str
    rows: tuple[Row, ...]
    solved: int
    solves: int
    too_few: str
    tied: tuple[str, ...]
    tie: str
    faster: tuple[str, ...]

    @property
    def fastest(self) -> tuple[str, ...]:
        """The best strategy and those tied with it; empty without enough data."""
        return () if self.too_few else (self.best, *self.tied)

    @property
    def strategies(self) -> int:
        """Number of strategies that took part."""
        return len(self.rows) + 1

    @property
    def finished(self) -> bool:
        """Whether the best strategy finished every solve."""
        return self.solved == self.solves


@dataclass(frozen=True)
class Answer:
    """What a run answers.

    Attributes:
        left_out: strategies that the answer is not about; empty: it is about all that took part.
        workloads: by collection and clock.
        encodings: the same of SAT encodings under each solver and loader, if all strategies are such encodings.
        changes: crossovers between strategies that no third one beats where they lead; the most at stake first.
        totals: the cheapest strategy for N puzzles of the most common board; None if that is not known, or the data are
            too few for a verdict on a collection.
        counts: how the solves ended.
    """

    left_out: tuple[str, ...]
    workloads: tuple[Workload, ...]
    encodings: Mapping[str, tuple[Workload, ...]]
    changes: tuple[Row, ...]
    totals: Totals | None
    counts: Counter[str]


@once
def answer(run: Run, without: tuple[str, ...] = ()) -> Answer:
    """Return the answer of a run about all strategies, or about those without some."""
    part = rest(run) if without else run
    unbeaten = crossings(run, without).query("not beaten").to_dict("records")
    rows = part.measurements
    real = rows[rows["placebo"].isna() & rows["decoy"].isna()]
    of_collections = workloads(part)
    total = None if any(one.too_few for one in of_collections) else totals(part)
    return Answer(without, of_collections, encodings(part), tuple(unbeaten), total, outcomes.of_rows(real))


def answers(run: Run) -> Iterator[Answer]:
    """Yield the answer about all strategies and, if a leading group stands apart, about the others."""
    yield answer(run)
    if apart(run):
        yield answer(run, apart(run))


@once
def workloads(run: Run) -> tuple[Workload, ...]:
    """Return who is fastest on each collection, by each clock."""
    return of_pairs(run.pairs, counts_of(run))


@once
def encodings(run: Run) -> dict[str, tuple[Workload, ...]]:
    """Return who is fastest among the encodings under each solver and loader; empty if others took part, too."""
    own = {way.name: tuple(way.strategies.values()) for way in ways(run)}
    if set(run.summary["strategy"]) != {name for names in own.values() for name in names}:
        return {}
    return {way: of_pairs(pairs(run, names), counts_of(run)) for way, names in own.items()}


def counts_of(run: Run) -> dict[tuple[str, str], Counter[str]]:
    """Return how the solves of each collection and strategy ended."""
    lines = run.summary.to_dict("records")
    return {(line["collection"], line["strategy"]): outcomes.of_line(line) for line in lines}


def of_pairs(table: pd.DataFrame, counts: Mapping[tuple[str, str], Counter[str]]) -> tuple[Workload, ...]:
    """Return the workloads of a table of pairs.

    Args:
        table: each strategy against the best of its collection.
        counts: of the solves of each collection and strategy.
    """
    groups = table.groupby(["collection", "clock"], sort=False)
    return tuple(_workload(group.to_dict("records"), counts) for _, group in groups)


def _workload(rows: Sequence[Row], counts: Mapping[tuple[str, str], Counter[str]]) -> Workload:
    rows = sorted(rows, key=size)
    collection, best = str(rows[0]["collection"]), str(rows[0]["b"])
    undecidable = all(row["verdict"] == decision.TOO_FEW for row in rows)
    among = [row for row in rows if row["verdict"] not in (decision.A_FASTER, decision.B_FASTER)]
    among = [] if undecidable else [row for row in among if not solves_fewer(row)]
    own = counts.get((collection, best), Counter[str]())
    return Workload(
        collection=collection,
        clock=str(rows[0]["clock"]),
        best=best,
        rows=tuple(rows),
        solved=own["solved"] + own["unverified"],
        solves=sum(own.values()),
        too_few=too_few(rows[0]) if undecidable else "",
        tied=tuple(str(row["a"]) for row in among),
        tie=_tie(among),
        faster=tuple(str(row["a"]) for row in rows if row["verdict"] == decision.A_FASTER),
    )


def solves_fewer(row: Row) -> bool:
    """Return whether times decide nothing on a pair, but its first strategy is shown to solve fewer puzzles."""
    return row["verdict"] == decision.INDISTINGUISHABLE and row.get("more_solved") == SIDES["a"]


def _tie(rows: Sequence[Row]) -> str:
    """Return how the strategies of these pairs are tied, none of which is shown to be faster than another."""
    if all(row["verdict"] == decision.EQUIVALENT for row in rows):
        return EQUIVALENT if rows else ""
    unknown = all(pd.isna(row["ratio_lo"]) and pd.isna(row["ratio_hi"]) for row in rows)
    return UNKNOWN if unknown else TIED


def leaders(run: Run) -> dict[tuple[str, str], bool]:
    """Return which strategies are the fastest on which collections by CPU time, and whether alone."""
    known = [workload for workload in answer(run).workloads if workload.clock == CPU]
    return {(name, one.collection): not one.tied for one in known for name in one.fastest}


@once
def crossings(run: Run, without: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the crossovers that are told and placed: first those that no third strategy beats, by what is at stake.

    A crossover is *beaten* (a column) if a third strategy is shown to be faster than one of the two where it leads. At
    stake is the smaller ratio of times on easy and on hard puzzles: what the wrong choice costs at least. Those along
    guesses come before those along other axes.

    Args:
        without: strategies that take no part.
    """
    table = run.crossovers[(run.crossovers["told"] == "yes") & run.crossovers["crossover"].notna()]
    table = table[~table["a"].isin(without) & ~table["b"].isin(without)]
    ratios = table[["ratio_easiest", "ratio_hardest"]].astype(float)
    stakes = ratios.where(ratios > 1, 1 / ratios).min(axis=1)
    beaten = np.array([is_beaten(run, line, without) for line in table.to_dict("records")], dtype=np.bool_)
    order = table["axis"].map({axis.name: number for number, axis in enumerate(AXES)})
    table = table.assign(beaten=beaten, order=order, stakes=-stakes)
    return table.sort_values(["beaten", "order", "stakes"], kind="stable").drop(columns=["order", "stakes"])


def is_beaten(run: Run, crossing: Mapping[Any, Any], without: tuple[str, ...]) -> bool:
    """Return whether a third strategy is shown to be faster than one of two that cross, where that one leads.

    It is tested on the easiest or the hardest third, as in ``leads`` (95% over all pairs).
    """
    axis = next(axis for axis in AXES if axis.name == crossing["axis"])
    field = next(field for field in fields(run) if field.shape == crossing["shape"])
    pairs = leads(field, axis)
    tests = 4 * len(pairs.a)  # each pair in both directions on both thirds
    for third, leader in ((pairs.easy, crossing["faster_below"]), (pairs.hard, crossing["faster_above"])):
        number = field.strategies.index(leader)
        for other, against, p in ((pairs.a, pairs.b, third.p_a), (pairs.b, pairs.a, third.p_b)):
            is_shown = tests * np.maximum(p, decision.attainable(third.puzzles) / 2) < decision.ALPHA
            faster = other[(against == number) & is_shown]
            if {field.strategies[place] for place in faster} - set(without):
                return True
    return False
