"""Boards on which the answer changes: the best strategies of each family on pencilmarks, layouts and Latin squares.

Each block is a run of a ladder, an embedded collection or squares made for it, and goes on where it was stopped. From
its rows in ``results/boards/rows`` follow the regions of docs/boards.md and a picture of each block. Crossovers are
those of any report, along axes that suit the board. One block more, ``latin30`` of ``grid``, crosses encodings and
engines.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from studies import grid
from studies.copies import measured
from studies.document import DOCS, TOP, fill, table
from studies.grid_figures import Maps, map_figure, panels_of
from studies.grid_numbers import VERDICTS, Grid, factor, multiple
from studies.grid_rows import pack, unpacked
from studies.ladders import EXPONENT
from studies.run_results import MISSING, disturbed, median_s, tier_cell
from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.figures.rendering import render
from sudoku_bench.bench.figures.style import RC, SCREEN_PT, begin, end, legend_lines, time_scale
from sudoku_bench.bench.say.phrases import counted, listed, seconds
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.difficulty.crossovers import of_fields, sentences
from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES, Axis, Field, fields
from sudoku_bench.bench.verdicts.difficulty.places import FieldAxis, place
from sudoku_bench.bench.verdicts.pairs.decision import B_FASTER
from sudoku_bench.bench.verdicts.run_data import of_strategies
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.collections.catalogue import DATA
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.making.generator import PuzzleSpec, make
from sudoku_bench.datasets.making.latin import latin_square, with_holes
from sudoku_bench.datasets.making.pencilmarks import minimal_pencilmarks
from sudoku_bench.datasets.making.written import heading, text_of
from sudoku_bench.datasets.shape import Shape

STORE, PAGE = TOP / "results" / "boards", DOCS / "boards.md"
ROWS, PLOTS, RUNS = STORE / "rows", STORE / "plots", TOP / "results" / "board-runs"
PEAK = 1.7  # holes / n^1.55
MOST_CROSSOVERS = 1  # that the page tells of a block
FAR = 10.0  # times as long as the best: further strategies are only counted
WORDS = {  # of the first column of a ladder
    "surplus": "candidates forbidden beyond those of a minimal puzzle",
    "pool": "number of random minimal puzzles from which the hardest was taken",
    "ratio": "holes / n^1.55",
}
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
LATIN = (*ALL, "sat:complete+product@glucose4", "cp-sat:alldifferent", "cp:flow")
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
ENCODINGS = "encodings"  # the block of the grid
SUPPORT = {name: name for name in ("x", "windoku", "disjoint", "latin")} | {
    "jigsaw": "jigsaw=aaabacbbccbdcddd",
    "boxes": "",
}
KINDS, ALL_SOLVED = ("clues", "pencilmarks"), "all: solved"


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
        files.append(written(f"order{size}.txt", "\n".join(texts)))
    return files


def written(name: str, text: str) -> Path:
    file = RUNS / "puzzles" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def measure_blocks(*blocks: str) -> None:
    """Measure blocks on other boards (default: all), or what is missing, and fill in docs/boards.md."""
    if unknown := [name for name in blocks if name not in (*BLOCKS, ENCODINGS)]:
        raise InputError(f"no block is called {unknown[0]}; choose from {', '.join((*BLOCKS, ENCODINGS))}")
    for name in blocks or (*BLOCKS, ENCODINGS):
        if name == ENCODINGS:
            grid.measure_blocks("latin30")
        else:
            measured(RUNS / name, *BLOCKS[name].options)
            pack(RUNS / name, ROWS / name)
        write()


def write() -> None:
    """Fill in docs/boards.md and draw its pictures, from the rows in results/boards."""
    runs = {name: unpacked(ROWS / name) for name in BLOCKS if (ROWS / name).exists()}
    pictures = {name: picture(BLOCKS[name], run) for name, run in runs.items()}
    texts = [block_text(BLOCKS[name], run) for name, run in runs.items()]
    if len(shares := Grid().rows("shares", block="latin30")):
        maps = Maps("Latin squares of order 30: which encoding under which engine", 1, panels_of("latin30", "latin30"))
        pictures[ENCODINGS] = map_figure(Grid(), maps)
        share = shares.set_index("factors")["share"].map("{:.1%}".format)
        due = f"{share['encoding']} is due to the encoding, {share['engine']} to the engine"
        of = f"mean log times, {shares['puzzles'].max()} puzzles of `latin30`"
        chart = image(ENCODINGS, "Map of encodings and engines")
        texts.append(f"### Encodings and engines\n\nOf the variance between combinations ({of}), {due}.\n\n{chart}")
    PLOTS.mkdir(parents=True, exist_ok=True)
    for name, figure in pictures.items():
        (PLOTS / f"{name}.png").write_bytes(render(figure, "png"))
    fill(PAGE, "ladder", latin_ladder())
    fill(PAGE, "answers", answers(runs) if runs else NOTHING)
    fill(PAGE, "blocks", "\n\n".join(texts) or NOTHING)


def medians(block: Block, run: Run) -> pd.DataFrame:
    """Return the median time of each strategy (columns) on each rung (rows), infinite if unfinished."""
    rungs = ladder(block.collection, run.puzzles)["rung"]
    times = run.per_puzzle.join(rungs, on="puzzle").groupby(["rung", "strategy"])["cpu_s"].median().unstack()
    return times.loc[[rung for rung in rungs.unique() if rung in times.index]]


def latin_ladder() -> str:
    """Return the median conflicts on each rung of Latin squares, from the tables of the collections."""
    columns = {}
    for name in ("latin30", "latin35", "latin40"):
        rows = pd.read_csv(DATA / f"{name}.csv")
        gave_up = rows["conflicts"].astype(str).str.startswith(">")
        conflicts = rows["conflicts"].astype(str).str.lstrip(">").astype(float).mask(gave_up, np.inf)
        for holes, group in conflicts.groupby(rows["holes"]):
            columns[f"`{name}`, {holes}"] = group.groupby(rows["ratio"]).median()
    cells = pd.DataFrame(columns).map(lambda count: f"{count:,.0f}" if np.isfinite(count) else ">20,000")
    return table(
        ["holes / n^1.55", *cells],
        [[str(ratio), *row] for ratio, row in zip(cells.index, cells.to_numpy(), strict=True)],
        True,
    )


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
    """Return what a block shows: strategies near the best (of ``ORDERS`` all), crossovers, and the picture."""
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
    more = len(told) - MOST_CROSSOVERS
    told = told[:MOST_CROSSOVERS] + ([f"{more} more pair{'s cross' if more > 1 else ' crosses'}"] if more > 0 else [])
    if is_orders:
        told = [*map(place_of_change, placed), *told]
    of = " with balanced holes" if is_orders else f" of `{block.collection}`"
    lines = [
        f"### {block.title}\n",
        f"{run.measurements['puzzle'].nunique()} puzzles{of}.{disturbed(run.manifest)}\n",
        table(["strategy", "median, solved", "times the best", "verdict"], rows),
        "",
        *([f"- {far} over {FAR:g} times as long as the best."] if len(rows) < len(shown) else []),
        *(f"- {sentence}." for sentence in told),
        f"\n{image(block.collection, f'{block.title}: median time by rung')}",
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
    return multiple(grid.behind(pair)), verdict


def image(name: str, title: str) -> str:
    return f"![{title}](../results/boards/plots/{name}.png)"


def picture(block: Block, run: Run) -> Figure:
    """Draw the median time of each strategy by rung; Latin squares with balanced and with random holes side by side.

    Lines are listed in the order in which they end.
    """
    with mpl.rc_context(RC | {"font.size": SCREEN_PT}):
        times, of_run = medians(block, run), sheet.of_run(run)
        times = times[times.iloc[-1].sort_values(ascending=False).index]
        rungs = [str(rung).partition(" ") for rung in times.index]
        kinds = list(dict.fromkeys(kind for _, _, kind in rungs))
        figure, places = begin(of_run, 3.6, 1, len(kinds), sharey=True)
        for axes, kind in zip(places, kinds, strict=True):
            chosen = [rung[2] == kind for rung in rungs]
            for name in times.columns:
                look = of_run.looks[name]
                drawn = times.loc[chosen, name].clip(upper=of_run.limit_s).to_numpy()
                axes.plot(drawn, color=look.colour, marker=look.marker, ls=look.dashes, lw=1.3, ms=4)
            labels = [rung[0] for rung, is_chosen in zip(rungs, chosen, strict=True) if is_chosen]
            axes.set_xticks(range(len(labels)), labels, rotation=45 if len(kinds) > 2 else 0)
            words = WORDS[ladder(block.collection, run.puzzles).columns[0]]
            axes.set_xlabel(f"{words}, {kind}" if kind else words)
            time_scale(axes, times.to_numpy(), of_run)
        places[0].set_ylabel("median CPU time of a solve")
        caption = "Each point is the median over the puzzles of a rung; unfinished ones are at the limit."
        return end(figure, of_run, finding(block, times), caption, legend_lines(times.columns, of_run))


def finding(block: Block, times: pd.DataFrame) -> str:
    """Return which strategy has the lowest median where a block is easy, and which where it is hard (no verdict)."""
    best = times.min(axis=1).replace(np.inf, np.nan)  # no leader where none finishes
    easy, hard = (str(times.iloc[place].idxmin()) for place in (best.argmin(), best.argmax()))
    where = f"{easy} is the fastest, easy or hard" if easy == hard else f"{easy} if easy, {hard} if hard"
    return f"{block.title}: {where}"


def support() -> None:
    """Solve small boards of each layout, with clues and pencilmarks, by every strategy, and tell docs/boards.md."""
    files = []
    for layout, (is_marked, kind) in itertools.product(SUPPORT, enumerate(KINDS)):
        shape, name = Shape.of_size(4, SUPPORT[layout]), f"{layout}-{kind}"
        rng = random.Random(f"sudoku-bench/support/{name}")
        puzzles = [minimal_pencilmarks(shape, rng) if is_marked else make(PuzzleSpec(shape), rng) for _ in range(2)]
        lines = [f"{text_of(puzzle)}\n" for puzzle in puzzles]
        files.append(written(f"{name}.txt", heading(puzzles[0].shape) + "".join(lines)))
    collections = itertools.chain.from_iterable(("-d", file) for file in files)
    run = measured(RUNS / "support", "-s", "*", *collections, "--repetitions", 1)
    fill(PAGE, "support", support_table(run))


def support_table(run: Run) -> str:
    """Return how many strategies solved all boards, and what each other one did not solve; those alike share a row."""
    rows = of_strategies(run.measurements)
    rows = rows[rows["decoy"].isna()].fillna({"reason": ""})
    layouts = dict.fromkeys(name.rpartition("-")[0] for name in run.collections)
    found: dict[tuple[str, str], list[str]] = {}
    for strategy, group in rows.groupby("strategy"):
        of_collections = group.groupby("collection")["status"].unique().map(lambda each: listed(sorted(each)))
        results: dict[str, list[str]] = {}  # and the layouts that have them
        for layout in layouts:
            each = {kind: of_collections[f"{layout}-{kind}"] for kind in KINDS}
            alike = len(set(each.values())) == 1
            both = each[KINDS[0]] if alike else ", ".join(f"{result} with {kind}" for kind, result in each.items())
            results.setdefault(both, []).append(layout)
        is_one = len(results) == 1
        cell = "; ".join(f"{'all' if is_one else ', '.join(names)}: {result}" for result, names in results.items())
        reasons = group.loc[group["status"] != "solved", "reason"].str.split(", not ").str[0]  # the board has a column
        found.setdefault((cell, "; ".join(sorted(set(reasons)))), []).append(str(strategy))
    solving = found.pop((ALL_SOLVED, ""), [])
    lines = [[", ".join(f"`{name}`" for name in names), *cells] for cells, names in found.items()]
    others = table(["strategies", "boards", "why"], lines)
    return f"{counted(len(solving), 'strategy solves', 'strategies solve')} all of these; the others:\n\n{others}"
