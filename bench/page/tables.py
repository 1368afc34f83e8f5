"""The tables of the page, as Python computed and worded them: the page sorts their rows and hides some of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bench.page.encoding import codes, plain
from bench.say.phrases import seconds
from bench.verdicts.comparable import CPU, WALL
from bench.verdicts.pairs.evidence import evidence, percent
from bench.verdicts.run_data import DISQUALIFYING
from bench.verdicts.run_tables import Run

NONE = "–"
HINTS = {
    "gmean": "only if all puzzles were finished",
    "par2": "mean time; an unfinished solve counts as twice the limit",
    "fastest": "share of the collection's puzzles on which the strategy is the fastest",
    "solved": "solves finished with a correct answer",
    "interval": "without 1 if the times differ, with 1 if that is not decided",
    "p": "p-value of a ratio of 1, corrected for all pairs of the run",
}
KINDS = dict.fromkeys(("strategy", "a", "b"), "strategy") | dict.fromkeys(("collection", "clock"), "text")
CLOCKS = (CPU, WALL)


def summary(run: Run, names: Sequence[str]) -> dict[str, Any]:
    """Return the main columns of ``summary.csv``, and the shares of ``vbs.csv``: a row per strategy and collection."""
    table = run.summary.merge(run.vbs[["collection", "strategy", "fastest_share"]], "left", ["collection", "strategy"])
    table = table.iloc[np.argsort(codes(table["collection"], run.collections), kind="stable")]
    lines = table.to_dict("records")
    strategies, collections = codes(table["strategy"], names), codes(table["collection"], run.collections)
    columns = [
        _column("strategy", "Strategy", strategies),
        _column("collection", "Collection", collections, table["collection"]),
        _column("median", "Median", table["median_s"], map(median_text, lines)),
        _column("gmean", "Geometric mean", table["gmean_s"], map(_time, table["gmean_s"])),
        _column("par2", "PAR-2", table["par2_s"], map(_time, table["par2_s"])),
        _column("fastest", "Fastest on", table["fastest_share"], map(_share, table["fastest_share"])),
        _column("puzzles", "Puzzles", table["n_puzzles"]),
        _column(
            "solved", "Solved", table["solved"], (f"{line['solved']} of {line['n_measurements']}" for line in lines)
        ),
    ]
    return {"columns": columns, "collection": collections, "strategies": [[place] for place in strategies]}


def median_text(line: Mapping[Any, Any]) -> str:
    """Return a median of ``summary.csv`` as text, or the reason why there is none."""
    for status in DISQUALIFYING:
        if line[status]:
            return f"{status.upper()} ({line[status]})"
    late = 2 * line["timeouts"] > line["n_measurements"]
    return f"> {seconds(line['limit_s'])}" if late and math.isnan(line["median_s"]) else _time(line["median_s"])


def pairs(run: Run, names: Sequence[str]) -> dict[str, Any]:
    """Return the rows of ``pairs.csv`` as evidence in words, each with its sentence."""
    table = run.pairs
    shown = [evidence(row) for row in table.to_dict("records")]
    bounds = table["ratio"].fillna(table["at_least"]).fillna(table["at_most"])
    a, b = codes(table["a"], names), codes(table["b"], names)
    collections = codes(table["collection"], run.collections)
    columns = [
        _column("a", "A", a),
        _column("b", "B", b),
        _column("collection", "Collection", collections, table["collection"]),
        _column("clock", "Clock", codes(table["clock"], CLOCKS), table["clock"]),
        {"key": "finding", "title": "A is", "kind": "text", "values": [one.finding for one in shown]},
        _column("ratio", "Time of A / time of B", bounds, (one.ratio or NONE for one in shown)),
        _column("interval", "Interval that decided", table["decided_lo"], (one.interval or NONE for one in shown)),
        _column("p", "p (Holm)", table["p_holm"], (one.p or NONE for one in shown)),
        *(_column(key, key.removeprefix("n_"), table[key]) for key in ("wins", "ties", "losses", "n_puzzles")),
    ]
    sentences = [one.sentence for one in shown]
    return {"columns": columns, "collection": collections, "strategies": list(zip(a, b, strict=True))} | {
        "sentences": sentences
    }


def _column(key: str, title: str, values: Any, texts: Iterable[Any] | None = None) -> dict[str, Any]:
    """Return a column of numbers to sort by, or of places of names, and the texts to show instead."""
    kind = KINDS.get(key, "number")
    column = {"key": key, "title": title, "kind": kind, "values": plain(values), "hint": HINTS.get(key)}
    return column if texts is None else column | {"texts": list(map(str, texts))}


def _time(value: float) -> str:
    return NONE if math.isnan(value) else seconds(value)


def _share(value: float) -> str:
    return NONE if math.isnan(value) else percent(value)
