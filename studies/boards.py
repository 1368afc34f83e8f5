"""Boards on which the answer changes: the best strategies of each family on pencilmarks, layouts and random holes.

Each block is a run of a ladder (an embedded collection), or of ``Holes`` made for it: fifty puzzles a point, each point
a collection of its own. It goes on where it was stopped. From its rows in ``results/boards/rows`` follow the regions of
docs/boards.md and its pictures. Crossovers are those of any report, along axes that suit the board.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import binom

from studies.copies import measured
from studies.document import DOCS, TOP, fill, table
from studies.grid import interval, known, pack, unpacked
from studies.grid_numbers import VERDICTS, multiple
from studies.ladders import EXPONENT, with_random_holes
from studies.run_results import MISSING, disturbed, tier_cell
from sudoku_bench.bench.figures.rendering import render
from sudoku_bench.bench.figures.sheet import looks
from sudoku_bench.bench.figures.style import DPI
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.verdicts.answer import answer
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.difficulty.crossovers import of_fields, sentences
from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES, Axis, Field, fields
from sudoku_bench.bench.verdicts.pairs.decision import B_FASTER
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.making.generator import full_grid
from sudoku_bench.datasets.making.grids import latin_square, with_holes
from sudoku_bench.datasets.making.written import text_of
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

STORE, PAGE = TOP / "results" / "boards", DOCS / "boards.md"
ROWS, RUNS = STORE / "rows", TOP / "results" / "board-runs"
PEAK = 1.7  # holes / n^1.55
FAR = 10.0  # times as long as the best: further strategies are only counted

CONFLICTS = Axis("conflicts", "conflicts", np.log1p, np.expm1, "conflicts_se")
LEFT = Axis("left", "candidates left of 729", np.positive, np.positive)
RATIO = Axis("ratio", "holes / n^1.55 (up to the peak)", np.positive, np.positive)
FILLED = Axis("filled", "clues / n^1.55 (from the peak on)", np.positive, np.positive)
OPEN = Axis("open", "percent open cells", np.positive, np.positive)


@dataclass(frozen=True)
class Holes:
    """Random full grids with random holes: so many at each of several points, easy ones first.

    Attributes:
        make: returns a full grid and the same one with holes, at a point.
        name: of the points, as the axis of the picture.
    """

    make: Callable[[float, random.Random], tuple[Puzzle, Puzzle]]
    points: tuple[float, ...]
    name: str

    def files(self, folder: Path) -> list[Path]:
        """Write a file of puzzles and their completions for each point; return them."""
        paths = []
        for point in self.points:
            rng = random.Random(f"sudoku-bench/boards/{folder.name}/{point}")
            texts = list[str]()
            for _ in range(EACH):
                texts += map(text_of, self.make(point, rng))  # in this order: then the reader knows its completion
            paths.append(folder / f"{point:g}.txt")
            paths[-1].parent.mkdir(parents=True, exist_ok=True)
            paths[-1].write_text("\n".join(texts))
        return paths


@dataclass(frozen=True)
class Block:
    """A run of an embedded collection, or of ``holes``.

    Attributes:
        axes: measures of difficulty along which strategies may cross; the first that can decide does.
    """

    collection: str
    title: str
    strategies: tuple[str, ...]
    axes: tuple[Axis, ...] = (GUESSES, CONFLICTS)
    holes: Holes | None = None
    timeout_s: float = 2.0

    @property
    def options(self) -> Iterator[object]:
        """The arguments of ``run``."""
        for name in self.strategies:
            yield from ("-s", name)
        for dataset in self.holes.files(RUNS / "puzzles" / self.collection) if self.holes else [self.collection]:
            yield from ("-d", dataset)
        yield from ("--timeout", self.timeout_s, "--repetitions", 3, "--figures", "off")

    def placed(self, field: Field) -> Field:
        """Return a field of the run with the columns of ``axes``."""
        puzzles, n = field.puzzles, field.size or 1
        ratio = (n**2 - puzzles["clues"]) / n**EXPONENT
        columns = {
            "left": n**3 - puzzles["clues"],
            "open": 100 - 100 * puzzles["clues"] / n**2,
            "ratio": ratio.where(ratio < PEAK + HALF_A_HOLE),
            "filled": (puzzles["clues"] / n**EXPONENT).where(ratio > PEAK - HALF_A_HOLE),
        }
        return replace(field, puzzles=puzzles.assign(**columns))


def latin(ratio: float, rng: random.Random) -> tuple[Puzzle, Puzzle]:
    """Make a Latin square, and the same one with so many balanced holes / n^1.55."""
    square = latin_square(ORDER, rng)
    return square, with_holes(square, round(ratio * ORDER**EXPONENT), rng)


def open_grid(percent: float, rng: random.Random) -> tuple[Puzzle, Puzzle]:
    """Make a 25×25 grid, and the same one with so many percent of its cells open, at random (Lewis 2007)."""
    grid = full_grid(Shape(5, 5), rng)
    return grid, with_random_holes(grid, round(percent / 100 * grid.shape.n_cells), rng)


ALL = (
    *("sat:complete+native@minicard", "sat:complete+pairwise@{cadical195,glucose4}", "bitboard:cells"),
    *("exact-cover:xcover", "propagation:bitmask", "portfolio:probe", "cp:choco", "cp-sat:booleans", "asp:choice"),
)
ORDINARY = (*ALL, "sat:augmented@glucose4")  # needs boxes
FEW = ("sat:complete+native@minicard", "bitboard:cells", "portfolio:probe")
SQUARES = (*FEW, "sat:complete+pairwise@cadical195", "cp-sat:alldifferent")
ORDER, EACH, HALF_A_HOLE = 30, 50, 0.003
LATIN = Holes(latin, (1.4, 1.55, 1.65, 1.7, 1.75, 1.85), "holes / n^1.55")
RANDOM = Holes(open_grid, (45, 50, 55, 60, 65, 70), "percent open cells")
BLOCKS = {
    block.collection: block
    for block in (
        Block("pencilmark", "Pencilmarks", (*ORDINARY, "bitboard:bands"), (GUESSES, CONFLICTS, LEFT)),
        Block("x", "Diagonals", ORDINARY),
        Block("windoku", "Windows", ORDINARY),
        Block("jigsaw", "Regions", ALL),
        Block("random25", "Random cells, 25x25", (*FEW, "sat:augmented@glucose4"), (OPEN,), RANDOM, timeout_s=10.0),
        Block("latin30", "Latin squares", SQUARES, (RATIO, FILLED), LATIN, timeout_s=10.0),
    )
}


def measure_blocks(*blocks: str) -> None:
    """Measure blocks on other boards (default: all), or what is missing, and fill in docs/boards.md."""
    for name in known(blocks, BLOCKS) or BLOCKS:
        measured(RUNS / name, *BLOCKS[name].options)
        pack(RUNS / name, ROWS / name)
        write()


def write() -> None:
    """Fill in docs/boards.md from the rows in results/boards, and draw the pictures beside them."""
    runs = {name: unpacked(ROWS / name) for name in BLOCKS if (ROWS / name).exists()}
    texts = [(points_text if BLOCKS[name].holes else block_text)(BLOCKS[name], run) for name, run in runs.items()]
    fill(PAGE, "blocks", "\n\n".join(texts) or "Not measured yet: `make boards` does it.")


class Rank(NamedTuple):
    """How a strategy does at a point: first by unsolved puzzles, then PAR-2. A puzzle is solved if most forms are.

    The median and the ends of its interval (95%, ranks of a binomial distribution) are infinite where too few are.
    """

    unsolved: int
    par2_s: float
    name: str
    median_s: float
    ends_s: tuple[float, float]
    puzzles: int

    def __str__(self) -> str:
        """The median and, where not all were solved, how many."""
        return f"{time_of(self.median_s)}{f', {self.puzzles - self.unsolved} of {self.puzzles}' * bool(self.unsolved)}"


def time_of(time_s: float) -> str:
    return seconds(time_s) if np.isfinite(time_s) else "unsolved"


def ranked(block: Block, run: Run) -> dict[str, list[Rank]]:
    """Return the strategies at each point, the best first."""
    tables: dict[str, list[Rank]] = {str(point): [] for point in run.puzzles["collection"].unique()}
    for (point, name), times_s in run.per_puzzle.groupby(["collection", "strategy"])["cpu_s"]:
        ordered_s = np.sort(times_s.fillna(np.inf))
        low = max(int(binom.ppf(0.025, len(ordered_s), 0.5)) - 1, 0)
        ends_s, par2_s = (ordered_s[low], ordered_s[-1 - low]), np.minimum(ordered_s, 2 * block.timeout_s).mean()
        unsolved, median_s = int(np.isinf(ordered_s).sum()), float(np.median(ordered_s))
        tables[str(point)].append(Rank(unsolved, par2_s, str(name), median_s, ends_s, len(ordered_s)))
    return {point: sorted(ranks) for point, ranks in tables.items() if ranks}


def block_text(block: Block, run: Run) -> str:
    """Return what a block shows: strategies near the best, and the crossover with most at stake."""
    summary, pairs = run.summary, run.pairs[run.pairs["clock"] == CPU]
    against = {row["a"]: row for row in pairs.to_dict("records")}
    shown = sorted(summary.to_dict("records"), key=lambda row: (-row["solved"], row["par2_s"]))
    rows = []
    for row in shown:
        pair = against.get(row["strategy"])
        if pair is None or not (pair["ratio"] > FAR or pair["at_least"] > FAR):
            rows.append([f"`{row['strategy']}`", tier_cell(row), *standing(pair)])
    far = counted(len(shown) - len(rows), "more strategy takes", "more strategies take")
    lines = [
        *heading(block, run),
        table(["strategy", "median, solved", "times the best", "verdict"], rows),
        "",
        *([f"- {far} over {FAR:g} times as long as the best."] if len(rows) < len(shown) else []),
        f"- {crossing(block, run)}.",
    ]
    return "\n".join(lines)


def heading(block: Block, run: Run) -> list[str]:
    text = f"{run.measurements['puzzle'].nunique()} puzzles"
    text += f", {EACH} a point" if block.holes else f" of `{block.collection}`"
    return [f"### {block.title}\n", f"{text}.{disturbed(run.manifest)}\n"]


def crossing(block: Block, run: Run) -> str:
    """Return the crossover with most at stake along the axes of a block."""
    told = sentences(of_fields([block.placed(field) for field in fields(run)], block.axes), block.axes)
    return told[0] if told else "No two strategies are shown to cross"


def points_text(block: Block, run: Run) -> str:
    """Return what a block of ``holes`` shows: who leads at each point, and its picture, which it draws."""
    assert block.holes
    points, rows, title = ranked(block, run), [], crossing(block, run)
    for one in (each for each in answer(run).workloads if each.clock == CPU):
        best = next(rank for rank in points[one.collection] if rank.name == one.best)
        ends, tied = " to ".join(map(time_of, best.ends_s)), ", ".join(f"`{name}`" for name in one.tied)
        behind = "; ".join(f"`{r.name}` {r}" for r in points[one.collection] if r.name not in one.fastest)
        rows.append([one.collection, f"`{one.best}` {best} ({ends})", one.too_few or tied or MISSING, behind])
    (STORE / f"{block.collection}.png").write_bytes(render(drawn(block, points, title), "png"))
    picture = f"![{title}](../results/boards/{block.collection}.png)\n"
    text = table([block.holes.name, "first: median (95%)", "not shown to be behind", "others"], rows)
    return "\n".join([*heading(block, run), picture, text, f"\n- {title}."])


def drawn(block: Block, points: Mapping[str, list[Rank]], title: str) -> Figure:
    """Draw the median of each strategy at each point, with its interval; what is not solved lies on the limit."""
    figure = Figure(figsize=(7.0, 4.2), dpi=DPI, layout="constrained")
    axes, at = figure.subplots(), np.array([float(point) for point in points])
    names = looks(sorted(rank.name for rank in next(iter(points.values()))))
    for place, (name, look) in enumerate(names.items()):
        own = [rank for ranks in points.values() for rank in ranks if rank.name == name]
        low, middle, high = np.minimum([(r.ends_s[0], r.median_s, r.ends_s[1]) for r in own], block.timeout_s).T
        x = at + (place - len(names) / 2) * 0.006 * np.ptp(at)  # beside one another
        errors, marker = [middle - low, high - middle], look.marker
        axes.errorbar(x, middle, errors, label=name, color=look.colour, marker=marker, markersize=4, elinewidth=0.8)
    axes.axhline(block.timeout_s, color="0.5", linestyle=":", linewidth=0.8)
    axes.set(yscale="log", ylabel="median CPU time (dotted: limit)", xlabel=block.holes.name if block.holes else "")
    axes.set_title(textwrap.fill(title, 90), fontsize=9)
    axes.set_xticks(at, list(points))
    axes.yaxis.set_major_formatter(lambda time_s, _: seconds(time_s))
    figure.legend(loc="outside lower center", ncols=2, fontsize=7, frameon=False)
    return figure


def standing(pair: Mapping[Any, Any] | None) -> tuple[str, str]:
    """Return how far a strategy is behind the best, and the verdict; of the best itself nothing."""
    if pair is None:
        return MISSING, MISSING
    verdict = "slower" if pair["verdict"] == B_FASTER else VERDICTS.get(str(pair["verdict"]), "faster")
    return multiple(interval(pair, "behind")), verdict
