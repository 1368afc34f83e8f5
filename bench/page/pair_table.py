"""The table of pairs of the page, as Python computed and worded it: the page sorts its rows and hides some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sudoku_bench.bench.page.encoding import codes, plain
from sudoku_bench.bench.verdicts.comparable import CPU, WALL
from sudoku_bench.bench.verdicts.pairs.evidence import evidence
from sudoku_bench.bench.verdicts.run_tables import Run

NONE = "–"
HINTS = {
    "interval": "of all pairs of the run together; without 1 if the times differ",
    "p": "p-value of a ratio of 1, corrected for all pairs of the run",
}
KINDS = dict.fromkeys(("a", "b"), "strategy") | dict.fromkeys(("collection", "clock"), "text")
CLOCKS = (CPU, WALL)


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
        _column("interval", "95% interval", table["ratio_lo"], (one.interval or NONE for one in shown)),
        _column("p", "p", table["p_holm"], (one.p or NONE for one in shown)),
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
