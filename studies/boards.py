"""Boards on which the answer changes: the best strategies of each family on pencilmarks, layouts and Latin squares.

Each block is a run of a ladder, an embedded collection or squares made for it, and goes on where it was stopped. From
its rows in ``results/boards/rows`` follow the regions of docs/boards.md. Crossovers are those of any report, along axes
that suit the board.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from studies.copies import measured
from studies.document import DOCS, TOP, fill, table
from studies.grid import interval, pack, unpacked
from studies.grid_numbers import VERDICTS, factor, multiple
from studies.ladders import EXPONENT
from studies.run_results import MISSING, disturbed, median_s, tier_cell
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.difficulty.crossovers import of_fields, sentences
from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES, Axis, Field, fields
from sudoku_bench.bench.verdicts.difficulty.places import FieldAxis, place
from sudoku_bench.bench.verdicts.pairs.decision import B_FASTER
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.collections.catalogue import DATA
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.making.grids import latin_square, with_holes
from sudoku_bench.datasets.making.written import text_of

STORE, PAGE = TOP / "results" / "boards", DOCS / "boards.md"
ROWS, RUNS = STORE / "rows", TOP / "results" / "board-runs"
PEAK = 1.7  # holes / n^1.55
FAR = 10.0  # times as long as the best: further strategies are only counted
NOTHING = "Not measured yet: `make boards` does it, and fills in this part."

CONFLICTS = Axis("conflicts", "conflicts", np.log1p, np.expm1, "conflicts_se")
OF_LATIN = replace(CONFLICTS, words="conflicts of Glucose 4", error=None)  # of the collection's table
LEFT = Axis("left", "candidates left of 729", np.positive, np.positive)
HOLES = Axis("holes", "percent holes, up to the peak", np.positive, np.positive)
FILLED = Axis("filled", "percent filled, from the peak on", np.positive, np.positive)

SAT = ("sat:complete+native@minicard", "sat:complete+pairwise@{cadical195,glucose4}")
SEARCH = ("bitboard:cells", "exact-cover:xcover", "propagation:bitmask", "portfolio:probe")
MODELS = ("cp:choco", "cp-sat:booleans", "asp:choice")


@dataclass(frozen=True)
class Block:
    """A run of an embedded collection, or of ``ORDERS``.

    Attributes:
        axes: measures of difficulty along which strategies may cross; the first that can decide does.
        sample: number of puzzles; None: all.
    """

    collection: str
    title: str
    strategies: tuple[str, ...]
    axes: tuple[Axis, ...] = (GUESSES, CONFLICTS)
    sample: int | None = None
    timeout_s: float = 2.0
    repetitions: int = 3

    @property
    def options(self) -> Iterator[object]:
        """The arguments of ``run``."""
        for name in self.strategies:
            yield from ("-s", name)
        for dataset in squares() if self.collection == ORDERS else [self.collection]:
            yield from ("-d", dataset)
        yield from ("--timeout", self.timeout_s, "--repetitions", self.repetitions)
        yield from () if self.sample is None else ("--sample", self.sample)

    def placed(self, field: Field) -> Field:
        """Return a field of the run with the columns of ``axes``."""
        puzzles = field.puzzles
        rungs = ladder(self.collection, puzzles).loc[puzzles["puzzle"]].reset_index()
        if "ratio" not in rungs:
            return replace(field, puzzles=puzzles.assign(left=729 - puzzles["clues"]))
        filled = 100 * puzzles["clues"] / (field.size or 1) ** 2
        columns = {
            "holes": (100 - filled).where(rungs["ratio"] <= PEAK),
            "filled": filled.where(rungs["ratio"] >= PEAK),
        }
        if "conflicts" in rungs:
            columns["conflicts"] = rungs["conflicts"].astype(str).str.lstrip(">").astype(float)
        return replace(field, puzzles=puzzles.assign(**columns))


ALL = (*SAT, *SEARCH, *MODELS)
ORDINARY = (*ALL, "sat:augmented@glucose4")  # needs boxes
LATIN = (*ALL, "sat:complete+product@glucose4", "cp-sat:alldifferent")
ORDERS = "orders"  # a block of squares with balanced holes, made for it: so many of each order and ratio
RATIOS = {30: (1.4, 1.5, 1.55, 1.6, 1.625, 1.65)} | dict.fromkeys((35, 40), (1.5, 1.55, 1.575, 1.6, 1.61, 1.625))
EACH = 12
SEARCH_OR_NOT = ("bitboard:cells", "sat:complete+native@minicard")  # the fastest of each at order 30
BLOCKS = {
    block.collection: block
    for block in (
        Block("pencilmark", "Pencilmarks", (*ORDINARY, "bitboard:bands"), (GUESSES, CONFLICTS, LEFT)),
        Block("x", "Diagonals", ORDINARY),
        Block("windoku", "Windows", ORDINARY),
        Block("jigsaw", "Regions", ALL),
        Block("latin30", "Latin squares, order 30", LATIN, (OF_LATIN, HOLES, FILLED), timeout_s=4.0),
        Block(ORDERS, "Latin squares", SEARCH_OR_NOT, (HOLES,), timeout_s=4.0),
    )
}


def ladder(collection: str, puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return the table of a collection by puzzle, with the name of the rung of each (``rung``, easy ones first).

    Args:
        puzzles: of a run, from which that of ``ORDERS`` follows.
    """
    if collection == ORDERS:
        size = puzzles["grid"].str.len().pow(0.5).astype(int)
        ratio = (size**2 - puzzles["clues"].astype(int)) / size**EXPONENT
        # Holes are whole, so a ratio is near its rung only.
        near = [min(RATIOS[n], key=lambda rung: abs(rung - of)) for n, of in zip(size, ratio, strict=True)]
        rows = pd.DataFrame({"puzzle": puzzles["puzzle"], "ratio": near, "kind": size.map("order {}".format)})
        rows = rows.set_index("puzzle").sort_values("ratio", kind="stable")
    else:
        rows = pd.read_csv(DATA / f"{collection}.csv").set_index("puzzle")
        if "holes" in rows:
            rows = rows.assign(kind=rows["holes"] + " holes")
    parts = [rows.columns[0], *(["kind"] if "kind" in rows else [])]
    return rows.assign(rung=rows[parts].astype(str).agg(" ".join, axis=1))


def squares() -> list[Path]:
    """Return files of Latin squares with balanced holes and their completions, one for each order of ``RATIOS``."""
    files = []
    for size, ratios in RATIOS.items():
        rng = random.Random(f"sudoku-bench/boards/{size}")
        texts = []
        for ratio in ratios:
            for square in [latin_square(size, rng) for _ in range(EACH)]:
                holed = with_holes(square, round(ratio * size**EXPONENT), rng)
                texts += [text_of(square), text_of(holed)]  # in this order: then the reader knows its completion
        files.append(RUNS / "puzzles" / f"order{size}.txt")
        files[-1].parent.mkdir(parents=True, exist_ok=True)
        files[-1].write_text("\n".join(texts))
    return files


def measure_blocks(*blocks: str) -> None:
    """Measure blocks on other boards (default: all), or what is missing, and fill in docs/boards.md."""
    if unknown := [name for name in blocks if name not in BLOCKS]:
        raise InputError(f"no block is called {unknown[0]}; choose from {', '.join(BLOCKS)}")
    for name in blocks or BLOCKS:
        measured(RUNS / name, *BLOCKS[name].options)
        pack(RUNS / name, ROWS / name)
        write()


def write() -> None:
    """Fill in docs/boards.md from the rows in results/boards."""
    runs = {name: unpacked(ROWS / name) for name in BLOCKS if (ROWS / name).exists()}
    texts = [block_text(BLOCKS[name], run) for name, run in runs.items()]
    fill(PAGE, "answers", answers(runs) if runs else NOTHING)
    fill(PAGE, "blocks", "\n\n".join(texts) or NOTHING)


def medians(block: Block, run: Run) -> pd.DataFrame:
    """Return the median time of each strategy (columns) on each rung (rows), infinite if unfinished."""
    rungs = ladder(block.collection, run.puzzles)["rung"]
    times = run.per_puzzle.join(rungs, on="puzzle").groupby(["rung", "strategy"])["cpu_s"].median().unstack()
    return times.loc[[rung for rung in rungs.unique() if rung in times.index]]


def answers(runs: dict[str, Run]) -> str:
    """Return for each block who leads on the easiest and hardest rung, and what the first leader costs on the other."""
    rows = []
    for name, run in runs.items():
        limit_s, times = BLOCKS[name].timeout_s, medians(BLOCKS[name], run)
        rungs = {str(rung): {str(who): float(time_s) for who, time_s in row.items()} for rung, row in times.iterrows()}
        best = {rung: min(row.values()) for rung, row in rungs.items()}
        easy, hard = (choose(best, key=lambda rung: best[rung]) for choose in (min, max))
        first, last = (min(rungs[rung], key=lambda who: rungs[rung][who]) for rung in (easy, hard))
        cost = min(rungs[hard][first], limit_s) / min(best[hard], limit_s)
        costs = f"{'' if np.isfinite(rungs[hard][first]) else 'at least '}{factor(cost)} times as long"
        leaders = [
            f"{rung}: `{who}` {seconds(best[rung])}" if np.isfinite(best[rung]) else f"{rung}: none finishes"
            for rung, who in ((easy, first), (hard, last))
        ]
        rows.append([f"`{name}`", *leaders, "leads, too" if first == last else costs])
    return table(["collection", "easiest rung", "hardest rung", "the easiest rung's leader there"], rows)


def block_text(block: Block, run: Run) -> str:
    """Return what a block shows: strategies near the best (of ``ORDERS`` all), and crossovers."""
    summary, pairs = run.summary, run.pairs[run.pairs["clock"] == CPU]
    against = {(row["collection"], row["a"]): row for row in pairs.to_dict("records")}
    shown = sorted(summary.to_dict("records"), key=lambda row: (row["collection"], median_s(row), row["strategy"]))
    rows, is_orders = [], block.collection == ORDERS
    for row in shown:
        where = f", {row['collection']}" if is_orders else ""
        pair = against.get((row["collection"], row["strategy"]))
        if is_orders or pair is None or not (pair["ratio"] > FAR or pair["at_least"] > FAR):
            rows.append([f"`{row['strategy']}`{where}", tier_cell(row), *standing(pair)])
    far = counted(len(shown) - len(rows), "more strategy takes", "more strategies take")
    placed = [block.placed(field) for field in fields(run)]
    told = sentences(of_fields(placed, block.axes), block.axes) or ["No two strategies are shown to cross"]
    told = [*(map(place_of_change, placed) if is_orders else ()), told[0]]  # the crossover with most at stake
    of = " with balanced holes" if is_orders else f" of `{block.collection}`"
    lines = [
        f"### {block.title}\n",
        f"{run.measurements['puzzle'].nunique()} puzzles{of}.{disturbed(run.manifest)}\n",
        table(["strategy", "median, solved", "times the best", "verdict"], rows),
        "",
        *([f"- {far} over {FAR:g} times as long as the best."] if len(rows) < len(shown) else []),
        *(f"- {sentence}." for sentence in told),
    ]
    return "\n".join(lines)


def place_of_change(field: Field) -> str:
    """Return the percentage of holes where the lead changes between ``SEARCH_OR_NOT``: an estimate, no verdict."""
    size = field.size or 1
    pair = FieldAxis(field, HOLES).pair(*map(field.strategies.index, SEARCH_OR_NOT))
    if pair is None:
        return f"Order {size}: too few squares for an estimate"
    change = place(pair)
    at, lo, hi = change.at, change.lo, change.hi
    ratio, from_ratio, to_ratio = (percent / 100 * size ** (2 - EXPONENT) for percent in (at, lo, hi))
    return (
        f"Order {size}: the lead changes at {at:.1f}% holes [{lo:.1f}, {hi:.1f}], holes / n^1.55 of {ratio:.2f}"
        f" [{from_ratio:.2f}, {to_ratio:.2f}] (estimates, no claim)"
    )


def standing(pair: Mapping[Any, Any] | None) -> tuple[str, str]:
    """Return how far a strategy is behind the best, and the verdict; of the best itself nothing."""
    if pair is None:
        return MISSING, MISSING
    verdict = "slower" if pair["verdict"] == B_FASTER else VERDICTS.get(str(pair["verdict"]), "faster")
    return multiple(interval(pair, "behind")), verdict
