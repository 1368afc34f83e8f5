"""The numbers of the guide to encodings, of the finding and of boards, filled in from the tables of the guide.

A number of a page stands between a mark that says what it is and an empty mark::

    <!-- cost 16x16 +compiled@cadical153 augmented search -->0.72 times (0.67 to 0.76; faster)<!-- -->

The words after the first are what ``QUANTITIES`` expects: a block, a way, an encoding, and a clock if it is not that of
the whole solve. Without measurements the text is ``NOTHING``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

import studies.grid as stored
from studies.document import DOCS, fill, table
from studies.grid import BASE, BEST, BLOCKS, CLOCKS, COMPILED, FILE, LOAD, PYSAT, SEARCH, SOLVE, STORE, TABLES
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.pairs.decision import A_FASTER, B_FASTER, TOO_FEW
from sudoku_bench.datasets.errors import InputError

PAGE, BOARDS_PAGE, FINDING = DOCS / "encodings.md", DOCS / "boards.md", DOCS / "finding.md"
MARK = re.compile(r"<!-- (\w+) ([^>]+?) -->((?:(?!<!--).)*)<!-- -->", re.DOTALL)  # `end of` a region is none
VERDICTS = {"indistinguishable": "undecided", "equivalent": "equivalent", TOO_FEW: "too few puzzles"}
NOTHING = "unmeasured"
COLUMNS = {  # of the table of the guide: way and clock
    "python-sat": (PYSAT, SOLVE),
    "DIMACS file": (FILE, SOLVE),
    "compiled": (COMPILED, SOLVE),
    "search alone": (COMPILED, SEARCH),
}
LISTS = (PYSAT, stored.PYSAT_MINISAT, stored.MINICARD)
LOADERS = {"python-sat": LISTS, "compiled": stored.BOTH, "memory": (*LISTS, *stored.BOTH)}
NAMED = 1  # undecided encodings that a cell names
HARDEST = "9x9-hardest"
UNSHOWN = (HARDEST, "9x9-easy-unique")  # by the page
CPP_BLOCKS, CPP_ENCODINGS = (HARDEST, "16x16", "25x25"), ("complete+heule", "complete+product", "augmented")

Row = Mapping[Any, Any]


@dataclass(frozen=True)
class Grid:
    """The tables of the blocks, in a folder, of a seed."""

    folder: Path = STORE
    seed: int = 1

    @cached_property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        found = {name: self.folder / f"{name}.csv" for name in TABLES}
        none = pd.DataFrame({"seed": [], "block": [], "way": [], "clock": []})
        tables = {name: pd.read_csv(path) if path.exists() else none for name, path in found.items()}
        return {name: rows[rows["seed"] == self.seed] for name, rows in tables.items()}

    def order(self, block: str, way: str, clock: str = SOLVE) -> list[Row]:
        """Return the rows of a way of a block by a clock, the best first; none if it was not measured.

        Raises:
            LookupError: there is no such block or clock, or the block has no such way.
        """
        if way not in BLOCKS[block].ways or clock not in CLOCKS:
            raise LookupError(f"{block} has no way {way}, or there is no clock {clock}")
        rows = self.tables["ratios"]
        rows = rows[(rows["block"] == block) & (rows["way"] == way) & (rows["clock"] == clock)]
        return sorted(
            rows.to_dict("records"), key=lambda row: (row["behind_verdict"] != BEST, -row["solved"], row["behind"])
        )

    def row(self, block: str, way: str, encoding: str, clock: str = SOLVE) -> Row | None:
        """Return the row of an encoding; None if nothing was measured. Errors as for ``order``."""
        if encoding not in BLOCKS[block].ways.get(way, ()):
            raise LookupError(f"{block} has no {encoding}{way}")
        return next((row for row in self.order(block, way, clock) if row["encoding"] == encoding), None)


def cost(grid: Grid, *place: str) -> str:
    """The ratio of an encoding's time to that of ``BASE``, with interval and verdict; a bound if unfinished."""
    row = grid.row(*place)
    if row is None:
        return NOTHING
    verdict = {A_FASTER: "faster", B_FASTER: "slower", **VERDICTS}[row["ratio_verdict"]]
    if pd.notna([row["ratio"], row["ratio_lo"], row["ratio_hi"]]).all():
        return f"{factor(row['ratio'])} times ({factor(row['ratio_lo'])} to {factor(row['ratio_hi'])}; {verdict})"
    known: str = "unknown" if pd.isna(row["ratio_lo"]) else f"at least {factor(row['ratio_lo'])} times"
    return f"{known} (unfinished solves; {verdict})"


def time(grid: Grid, *place: str) -> str:
    """The median time of an encoding, and how many solves were not finished."""
    row = grid.row(*place)
    if row is None:
        return NOTHING
    missing = f", {row['solved']} of {row['n_measurements']} solved" if row["solved"] < row["n_measurements"] else ""
    return f"{seconds(row['median_s'])}{missing}"


def share(grid: Grid, block: str, way: str) -> str:
    """The median time of loading ``BASE`` as a share of that of the whole solve."""
    part, whole = (grid.row(block, way, BASE, clock) for clock in (LOAD, SOLVE))
    return NOTHING if part is None or whole is None else f"{part['median_s'] / whole['median_s']:.0%}"


def machine(grid: Grid, block: str) -> str:
    """Where and when a block was measured."""
    rows = grid.tables["blocks"]
    for row in rows[rows["block"] == block].to_dict("records"):
        return f"{row['cpu']}, Python {row['python']}, python-sat {row['python_sat']}, {str(row['started'])[:10]}"
    return NOTHING


def stood(grid: Grid, block: str = "") -> str:
    """How many verdicts on ratios to ``BASE`` a second measurement confirmed, of those that both made."""
    keys = ["block", "way", "encoding", "clock"]
    first, second = (Grid(grid.folder, seed).tables["ratios"] for seed in (1, 2))
    if second.empty:
        return NOTHING
    both = first.merge(second, on=keys, suffixes=("", "_2"))
    both = both[both["ratio_verdict"].isin([A_FASTER, B_FASTER]) & (both["block"].eq(block) | (block == "all"))]
    same = (both["ratio_verdict"] == both["ratio_verdict_2"]).sum()
    reversed_ = both["ratio_verdict_2"].isin([A_FASTER, B_FASTER]).sum() - same
    return f"{same} of {len(both)} verdicts stood, {reversed_ or 'none'} was reversed"


def tally(grid: Grid, clock: str, loader: str) -> str:
    """How often an at-most-one scheme was shown to be faster or slower than ``BASE``, over all blocks."""
    rows = grid.tables["ratios"]
    schemes = rows["encoding"].str.fullmatch(r"complete\+(?!pairwise|native).*")
    verdicts = list(rows[schemes & rows["clock"].eq(clock) & rows["way"].isin(LOADERS[loader])]["ratio_verdict"])
    return f"{verdicts.count(A_FASTER)} faster, {verdicts.count(B_FASTER)} slower of {len(verdicts)}"


def turned(grid: Grid, first: str, second: str) -> str:
    """How many encodings are shown to be faster than ``BASE`` under the first way and slower under the second."""
    rows = grid.tables["ratios"].query("clock == @SOLVE and encoding != @BASE")
    every = rows.pivot(index=["block", "encoding"], columns="way", values="ratio_verdict")
    both = every[[first, second]].dropna()
    return f"{(both[first].eq(A_FASTER) & both[second].eq(B_FASTER)).sum()} of {len(both)}"


def conflicts(grid: Grid, block: str, way: str) -> str:
    """The median number of conflicts of ``BASE``."""
    rows = stored.unpacked(stored.STORED_ROWS / str(grid.seed) / block).measurements
    return f"{rows[rows['strategy'] == stored.strategy(BASE, way)]['conflicts'].median():.0f}"


def factor(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 9.95 else f"{ratio:.1f}" if ratio >= 1.95 else f"{ratio:.2f}"


def multiple(row: Row) -> str:
    """How far a strategy is behind the fastest; its bound if unfinished solves leave that unknown."""
    if pd.notna(row["behind"]):
        return factor(row["behind"])
    return f"at least {factor(row['behind_lo'])}" if pd.notna(row["behind_lo"]) else "unknown"


def guide(grid: Grid) -> str:
    """Return the table of the guide: for each block the best encoding by way, with its ratio to ``BASE``."""
    lines = []
    for name, block in BLOCKS.items():
        cells = [cell(grid.order(name, *place)) if place[0] in block.ways else "–" for place in COLUMNS.values()]
        if name not in UNSHOWN:
            lines.append([name, *cells])
    return table(["board", *COLUMNS], lines)


def cell(order: list[Row]) -> str:
    """Return the best encoding with its ratio to ``BASE``, and those that are not shown to be behind it."""
    if not order:
        return NOTHING
    best, *others = order
    ratio = "" if best["encoding"] == BASE else f" {interval_text(best)}"
    undecided = [f"`{short(row)}`" for row in others if row["behind_verdict"] in VERDICTS]
    more = f" +{len(undecided) - NAMED}" if len(undecided) > NAMED else ""
    tied = f"; undecided: {', '.join(undecided[:NAMED])}{more}" if undecided else ""
    return f"**`{short(best)}`**{ratio}{tied}"


def short(row: Row) -> str:
    return str(row["encoding"]).removeprefix("complete+")


def interval_text(row: Row) -> str:
    """Return a ratio to ``BASE`` with its interval: ``0.72 [0.67, 0.76]``."""
    if pd.isna(row["ratio"]):
        return "unknown"
    ends = [factor(row[end]) if pd.notna(row[end]) else "?" for end in ("ratio_lo", "ratio_hi")]
    return f"{factor(row['ratio'])} [{', '.join(ends)}]"


def cpp() -> None:
    """Print what encodings cost a program in C++, as ratios to complete+pairwise: in all, loading, searching."""
    print(cpp_table(Grid()))


def cpp_table(grid: Grid) -> str:
    lines = []
    for name in CPP_BLOCKS:
        for encoding in CPP_ENCODINGS:
            rows = [grid.row(name, COMPILED, encoding, clock) for clock in CLOCKS]
            lines.append([name, f"`{encoding}`", *(interval_text(row) if row else NOTHING for row in rows)])
    return table(["block", "encoding", *CLOCKS], lines)


QUANTITIES: Mapping[str, Callable[..., str]] = {
    quantity.__name__: quantity for quantity in (cost, time, share, machine, stood, tally, turned, conflicts)
}


def filled(text: str, grid: Grid) -> str:
    """Return the text of a page with its numbers as the tables have them.

    Raises:
        InputError: a mark names nothing that the tables have.
    """

    def fill_mark(match: re.Match[str]) -> str:
        mark = f"<!-- {match[1]} {match[2]} -->"
        if match[1] not in QUANTITIES:
            raise InputError(f"{mark}: choose from {', '.join(QUANTITIES)}")
        try:
            return f"{mark}{QUANTITIES[match[1]](grid, *match[2].split())}<!-- -->"
        except (LookupError, TypeError, ValueError) as error:
            raise InputError(f"{mark}: {error}") from None

    return MARK.sub(fill_mark, text)


def fill_in() -> None:
    """Fill in the table and the numbers of docs/encodings.md, and those of docs/finding.md and docs/boards.md."""
    grid = Grid()
    fill(PAGE, "guide", guide(grid))
    for page in (PAGE, BOARDS_PAGE, FINDING):
        page.write_text(filled(page.read_text(encoding="utf-8"), grid), encoding="utf-8")
