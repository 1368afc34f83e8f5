"""The numbers of the grid in docs/encodings.md and docs/boards.md, filled in from its tables.

A number of the page stands between a mark that says what it is and an empty mark::

    <!-- cost 16x16 size16 minimal+pairwise@glucose4 complete+pairwise@glucose4 -->2.1 times<!-- -->

The words after the first are a block, a collection, and what ``QUANTITIES`` expects; strategies are without ``sat:``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from studies.document import DOCS
from studies.grid import FACTORS, FASTEST, STORE, TABLES, UNITS, behind
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.pairs.decision import A_FASTER, B_FASTER
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.sat.names import DIRECT

PAGE, BOARDS_PAGE = DOCS / "encodings.md", DOCS / "boards.md"
MARK = re.compile(r"<!-- (\w+) ([^>]+?) -->((?:(?!<!--).)*)<!-- -->", re.DOTALL)  # `end of` a region is none
VERDICTS = {"indistinguishable": "undecided", "equivalent": "equivalent", "too_few": "too few puzzles"}
BOARDS = ("9x9", "9x9-unique", "9x9-count", "12x12", "16x16", "25x25", "36x36")

Row = Mapping[Any, Any]


@dataclass(frozen=True)
class Grid:
    """The tables of the grid, in a folder."""

    folder: Path = STORE

    @cached_property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        text = dict.fromkeys(("block", "collection", *FACTORS, "collections", "a", "b"), str)
        return {name: pd.read_csv(self.folder / f"grid-{name}.csv", dtype=text) for name in TABLES}

    @cached_property
    def ways(self) -> pd.DataFrame:
        """The orders of encodings by way of loading (``ways``)."""
        return pd.read_csv(self.folder / "ways.csv")

    def rows(self, table: str, **wanted: str) -> pd.DataFrame:
        """Return the rows of a table with these values; empty fields are empty texts."""
        rows = self.tables[table]
        for column, value in wanted.items():
            rows = rows[rows[column].fillna("") == value]
        return rows

    def row(self, table: str, **wanted: str) -> Row:
        """Return the only row with these values.

        Raises:
            LookupError: there is none.
        """
        rows = self.rows(table, **wanted).to_dict("records")
        if len(rows) != 1:
            raise LookupError(f"{len(rows)} rows of grid-{table}.csv have {wanted}")
        return rows[0]


def cost(grid: Grid, block: str, collection: str, slow: str, fast: str) -> str:
    """The ratio of two strategies' times, with interval and verdict; a bound if unfinished solves leave it unknown."""
    b = f"sat:{fast}"
    row = pair(grid, block, collection, slow, fast)
    ratio, low, high, least = behind(row).values()
    faster = {A_FASTER: row["a"], B_FASTER: row["b"]}.get(row["verdict"])
    verdict = VERDICTS.get(row["verdict"]) or ("slower" if faster == b else "faster")
    if row["a"] == b:
        ratio, low, high, least = 1 / ratio, 1 / high, 1 / low, 1 / row["at_most"]
    if pd.notna([ratio, low, high]).all():
        return f"{factor(ratio)} times ({factor(low)} to {factor(high)}; {verdict})"
    bounds = [bound for bound in (low, least) if pd.notna(bound)]
    known = f"at least {factor(max(bounds))} times" if bounds else "unknown"
    return f"{known} (unfinished solves; {verdict})"


def pair(grid: Grid, block: str, collection: str, *strategies: str) -> Row:
    names = {f"sat:{name}" for name in strategies}
    found = grid.rows("pairs", block=block, collection=collection).to_dict("records")
    row = next((row for row in found if {row["a"], row["b"]} == names), None)
    if row is None:
        raise LookupError(f"grid-pairs.csv has no pair of {' and '.join(strategies)} on {collection} in {block}")
    return row


def factor(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 9.95 else f"{ratio:.1f}" if ratio >= 1.95 else f"{ratio:.2f}"


def fastest(grid: Grid, block: str, collection: str) -> str:
    """The fastest strategy, by its parts, with its median time."""
    row = grid.row("map", block=block, collection=collection, standing=FASTEST)
    return f"`{name_of(row)}` ({seconds(row['median_s'])})"


def multiple(row: Row) -> str:
    """How far a strategy is behind the fastest; its bound if unfinished solves leave that unknown."""
    if pd.notna(row["behind"]):
        return factor(row["behind"])
    return f"at least {factor(row['behind_at_least'])}" if pd.notna(row["behind_at_least"]) else "unknown"


def name_of(row: Row) -> str:
    """The name of the strategy of a row of the map, without ``sat:``, such as ``complete+product@glucose4``."""
    model = "+".join(row[name] for name in FACTORS[:-1] if pd.notna(row[name]) and row[name] != UNITS)
    return f"{model}{'+' if row['engine'].startswith(DIRECT[1:]) else '@'}{row['engine']}"


def time(grid: Grid, block: str, collection: str, strategy: str) -> str:
    """The median time of a strategy, and how many solves were not finished."""
    rows = grid.rows("map", block=block, collection=collection).to_dict("records")
    row = next((row for row in rows if name_of(row) == strategy), None)
    if row is None:
        raise LookupError(f"grid-map.csv has no {strategy} on {collection} in {block}")
    missing = f", {row['unfinished']} of {row['solves']} unfinished" if row["unfinished"] else ""
    return f"{seconds(row['median_s'])}{missing}"


def worst(grid: Grid, *encodings: str) -> str:
    """How far the best of some encodings is behind the best of all under the same engine, where that is most.

    The blocks are those of single boards; ratios of mean times, without a verdict.
    """
    table = grid.tables["map"]
    table = table[table["block"].isin(BOARDS)]
    keys = ["block", "collection", "engine"]
    lowest = table.groupby(keys)["gmean_s"].min()
    ratios = (table[table["encoding"].isin(encodings)].groupby(keys)["gmean_s"].min() / lowest).dropna()
    block, collection, engine = ratios.index[int(ratios.to_numpy().argmax())]
    task = grid.row("blocks", block=block)["task"]
    return f"{factor(ratios.max())} times (`{engine}` on `{collection}`, task {task})"


def widest(grid: Grid, of: str) -> str:
    """The largest ratio of the mean times of two levels of a factor, all else equal, under python-sat.

    Unfinished solves enter as the limit, so it is a lower bound then; no verdict.
    """
    table = grid.tables["map"]
    table = table[~table["block"].str.startswith(("ways", "latin"))]
    keys = [key for key in ("block", "collection", *FACTORS) if key != of]
    times = table.groupby(keys, dropna=False)["gmean_s"]
    place = int((times.max() / times.min()).to_numpy().argmax())
    slow, fast = (table.loc[ends.iloc[place]] for ends in (times.idxmax(), times.idxmin()))
    ratio = f"{'at least ' if slow['unfinished'] else ''}{factor(slow['gmean_s'] / fast['gmean_s'])}"
    return f"{ratio} times (`{name_of(slow)}` for `{name_of(fast)}` on `{slow['collection']}`)"


def machine(grid: Grid, block: str) -> str:
    """Where and when a block was measured."""
    row = grid.row("blocks", block=block)
    return f"{row['cpu']}, Python {row['python']}, python-sat {row['python_sat']}, {str(row['started'])[:10]}"


QUANTITIES: Mapping[str, Callable[..., str]] = {
    quantity.__name__: quantity for quantity in (cost, fastest, time, worst, widest, machine)
}


def filled(text: str, grid: Grid) -> str:
    """Return the text of a page with its numbers as the tables have them.

    Raises:
        InputError: a mark names nothing that the tables have.
    """

    def fill(match: re.Match[str]) -> str:
        mark = f"<!-- {match[1]} {match[2]} -->"
        if match[1] not in QUANTITIES:
            raise InputError(f"{mark}: choose from {', '.join(QUANTITIES)}")
        try:
            return f"{mark}{QUANTITIES[match[1]](grid, *match[2].split())}<!-- -->"
        except (LookupError, TypeError, ValueError) as error:
            raise InputError(f"{mark}: {error}") from None

    return MARK.sub(fill, text)


def fill_in() -> None:
    """Fill in the numbers of the grid in docs/encodings.md and docs/boards.md."""
    for page in (PAGE, BOARDS_PAGE):
        page.write_text(filled(page.read_text(encoding="utf-8"), Grid()), encoding="utf-8")
