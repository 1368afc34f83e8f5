"""The numbers of the grid in ``docs/encodings.md``: ``python -m bench.studies.grid_numbers`` fills them in again.

A number of the page stands between a mark that says what it is and an empty mark::

    <!-- cost 16x16 size16 minimal+pairwise@glucose4 complete+pairwise@glucose4 -->2.1 times<!-- -->

The words after the first are a block, a collection, and what ``QUANTITIES`` expects; strategies are without ``sat:``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from bench.say.phrases import counted, listed, seconds
from bench.studies import document
from bench.studies.encoding_grid import FACTORS, FASTEST, STORE, TABLES, TIED, is_won
from datasets.errors import InputError

PAGE = document.TOP / "docs" / "encodings.md"
COVERAGE = document.TOP / "results" / "validation" / "factors.csv"
MARK = re.compile(r"<!-- (\w+) ([^>]+?) -->(.*?)<!-- -->", re.DOTALL)
VERDICTS = {"indistinguishable": "undecided", "equivalent": "equivalent", "too_few": "too few puzzles"}
BOARDS = ("9x9", "9x9-unique", "9x9-count", "12x12", "16x16", "25x25", "36x36")
NAMED = 3  # of a group of tied strategies


@dataclass(frozen=True)
class Grid:
    """The tables of the grid.

    Attributes:
        folder: where they are.
    """

    folder: Path

    @cached_property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        text = dict.fromkeys(("block", "collection", *FACTORS, "factors", "collections", "a", "b"), str)
        return {
            name: pd.read_csv(self.folder / f"grid-{name}.csv", dtype=text, keep_default_na=True) for name in TABLES
        }

    def rows(self, table: str, **wanted: str) -> pd.DataFrame:
        """The rows of a table with these values; empty fields are empty texts."""
        rows = self.tables[table]
        for column, value in wanted.items():
            rows = rows[rows[column].fillna("") == value]
        return rows

    def row(self, table: str, **wanted: str) -> Mapping[Any, Any]:
        """The only row with these values.

        Raises:
            LookupError: there is none.
        """
        rows = self.rows(table, **wanted).to_dict("records")
        if len(rows) != 1:
            raise LookupError(f"{len(rows)} rows of grid-{table}.csv have {wanted}")
        return rows[0]


def cost(grid: Grid, block: str, collection: str, slow: str, fast: str) -> str:
    """The ratio of two strategies' times, with interval and verdict."""
    a, b = f"sat:{slow}", f"sat:{fast}"
    found = grid.rows("pairs", block=block, collection=collection)
    for row in found.to_dict("records"):
        if {row["a"], row["b"]} == {a, b}:
            verdict = VERDICTS.get(row["verdict"]) or ("slower" if is_won(row, b) else "faster")
            return f"{ratio_text(row, row['b'] == a)}; {verdict})"
    raise LookupError(f"grid-pairs.csv has no pair of {a} and {b} on {collection} in {block}")


def ratio_text(row: Mapping[Any, Any], inverted: bool) -> str:
    """A ratio with its interval, or its bound if unfinished solves leave it unknown; the bracket is open."""
    keys = ("ratio", "ratio_lo", "ratio_hi", "at_least")
    if inverted:
        row = {
            "ratio": 1 / row["ratio"],
            "ratio_lo": 1 / row["ratio_hi"],
            "ratio_hi": 1 / row["ratio_lo"],
            "at_least": 1 / row["at_most"],
        }
    ratio, low, high, least = (row[key] for key in keys)
    if pd.notna(ratio) and pd.notna(low) and pd.notna(high):
        return f"{factor(ratio)} times ({factor(low)} to {factor(high)}"
    bounds = [bound for bound in (low, least) if pd.notna(bound)]
    return f"at least {factor(max(bounds))} times (unfinished solves" if bounds else "unknown (unfinished solves"


def factor(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 9.95 else f"{ratio:.1f}" if ratio >= 1.95 else f"{ratio:.2f}"


def fastest(grid: Grid, block: str, collection: str) -> str:
    """The fastest strategy, by its parts, with its median time."""
    row = grid.row("map", block=block, collection=collection, standing=FASTEST)
    return f"`{name_of(row)}` ({seconds(row['median_s'])})"


def tied(grid: Grid, block: str, collection: str) -> str:
    """The strategies that are not shown to be slower than the fastest, the nearest first, with their ratios."""
    rows = grid.rows("map", block=block, collection=collection, standing=TIED).sort_values("behind")
    names = [f"`{name_of(row)}` ({multiple(row)})" for row in rows.to_dict("records")]
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED + 1 else []
    return listed([*(names[:NAMED] if more else names), *more]) if names else "none"


def multiple(row: Mapping[Any, Any]) -> str:
    """How far a strategy is behind the fastest; its bound if unfinished solves leave that unknown."""
    if pd.notna(row["behind"]):
        return factor(row["behind"])
    return f"at least {factor(row['behind_at_least'])}" if pd.notna(row["behind_at_least"]) else "unknown"


def name_of(row: Mapping[Any, Any]) -> str:
    """The name of the strategy of a row of the map, without ``sat:``."""
    model = "+".join(
        row[key] for key in ("encoding", "scheme", "clues") if pd.notna(row.get(key)) and row[key] != "units"
    )
    return f"{model}@{row['engine']}"


def time(grid: Grid, block: str, collection: str, strategy: str) -> str:
    """The median time of a strategy, and how many solves were not finished."""
    rows = grid.rows("map", block=block, collection=collection).to_dict("records")
    row = next((row for row in rows if name_of(row) == strategy), None)
    if row is None:
        raise LookupError(f"grid-map.csv has no {strategy} on {collection} in {block}")
    missing = f", {row['unfinished']} of {row['solves']} unfinished" if row["unfinished"] else ""
    return f"{seconds(row['median_s'])}{missing}"


def share(grid: Grid, block: str, collection: str, *factors: str) -> str:
    """The share of a factor, or of a combination of factors, in the differences between strategies."""
    found = grid.row("shares", block=block, collection=collection, factors=" ".join(factors))["share"]
    return f"{found:.0%}" if found >= 0.005 else "less than 1%"


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
    return (
        f"{factor(ratios.max())} times (`{engine}` on `{collection}`, task {grid.row('blocks', block=block)['task']})"
    )


def effect(grid: Grid, block: str, collection: str, *levels: str) -> str:
    """The effect of one or two levels, each given as FACTOR=LEVEL, with its interval."""
    varied = [
        column for column in FACTORS if grid.rows("effects", block=block, collection=collection)[column].notna().any()
    ]
    wanted = dict.fromkeys(varied, "") | dict(level.split("=", 1) for level in levels)
    row = grid.row("effects", block=block, collection=collection, **wanted)
    return f"{factor(row['ratio'])} ({factor(row['ratio_lo'])} to {factor(row['ratio_hi'])})"


def solves(grid: Grid, block: str) -> str:
    """The size of a block."""
    row = grid.row("blocks", block=block)
    return f"{counted(int(row['strategies']), 'strategy', 'strategies')}, {counted(int(row['rows']), 'solve')}"


def machine(grid: Grid, block: str) -> str:
    """Where and when a block was measured."""
    row = grid.row("blocks", block=block)
    return f"{row['cpu']}, Python {row['python']}, python-sat {row['python_sat']}, {str(row['started'])[:10]}"


def coverage(_grid: Grid, kind: str) -> str:
    """How often intervals of ``levels`` or ``combinations`` cover effects that are known (``factor_coverage``)."""
    column = pd.read_csv(COVERAGE)[kind]
    return f"{column.mean():.1%} on average, {column.min():.1%} to {column.max():.1%} by cell"


QUANTITIES: Mapping[str, Callable[..., str]] = {
    quantity.__name__: quantity
    for quantity in (cost, fastest, tied, time, share, worst, effect, solves, machine, coverage)
}


def filled(text: str, grid: Grid) -> str:
    """Return the text of a page with its numbers as the tables have them.

    Raises:
        InputError: a mark names nothing that the tables have.
    """

    def fill(match: re.Match[str]) -> str:
        quantity, arguments = match[1], match[2].split()
        if quantity not in QUANTITIES:
            raise InputError(f"<!-- {match[1]} {match[2]} -->: choose from {', '.join(QUANTITIES)}")
        try:
            return f"<!-- {match[1]} {match[2]} -->{QUANTITIES[quantity](grid, *arguments)}<!-- -->"
        except (LookupError, TypeError, ValueError) as error:
            raise InputError(f"<!-- {match[1]} {match[2]} -->: {error}") from None

    return MARK.sub(fill, text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fill in the numbers of the grid in docs/encodings.md.")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to rewrite (default docs/encodings.md)")
    parser.add_argument("--kept", type=Path, default=STORE, help="folder of the tables (default results/encodings)")
    options = parser.parse_args()
    try:
        text = filled(options.page.read_text(encoding="utf-8"), Grid(options.kept))
        options.page.write_text(text, encoding="utf-8")
    except (InputError, OSError) as error:
        print(f"grid_numbers: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
