"""``sudoku-bench generate``: generate puzzles with given properties, or mine hard ones by local search."""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bench.commands.in_order import in_order
from bench.commands.options import add_shared, jobs_of
from bench.plan import strategies
from bench.say.phrases import listed
from datasets.errors import InputError
from datasets.reading.symbols import SIZES
from datasets.shape import Shape
from solvers.external.command import Command

if TYPE_CHECKING:
    from datasets.making.mining import Objective, Walk
    from datasets.puzzle import Puzzle

OBJECTIVES = ("guesses", "te_rounds", "conflicts")
BY_GUESSES = ("guesses", "te_rounds")  # objectives that are searched among puzzles of many guesses
LINEAGE = ("puzzle", "objective", "seed", "steps", "grid", "score")  # columns of the table of lineages
CHUNK_OF_FUNCTION = 50  # steps between two progress reports where a function decides each step
TIERS = ("easy", "medium", "hard", "expert")
SYMMETRIES = ("none", "rotational", "quarter-turn", "horizontal", "vertical", "diagonal", "antidiagonal")
STEPS = 10_000
BOARDS = listed((f"{size}x{size}" for size in SIZES), "or")


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Generate random puzzles, or mine hard ones by local search. Puzzles go to standard output, one per"
        " line, or with borders if their boxes are unusual. The same options and seed give the same puzzles on every"
        " machine, because effort is counted in steps, not in time."
    )
    parser.add_argument(
        "--shape",
        default="9x9",
        metavar="NxN",
        help=f"board: {BOARDS}; 12x12/2x6 has boxes of 2 rows and 6 columns",
    )
    parser.add_argument("--number", type=_natural, default=1, metavar="K", help="number of puzzles (default 1)")
    add_shared(parser, "--seed", default=1)
    parser.add_argument("--full", action="store_true", help="generate full grids")
    parser.add_argument("--clues", type=_natural, metavar="K", help="exact number of clues")
    parser.add_argument("--minimal", action="store_true", help="no redundant clues; implied without --clues")
    parser.add_argument(
        "--tier", choices=TIERS, help="difficulty by mean guesses, as in the collections of these names"
    )
    parser.add_argument("--symmetry", choices=SYMMETRIES, default="none", help="symmetry of the clue pattern")
    parser.add_argument(
        "--solutions", choices=("one", "several", "none"), default="one", help="number of solutions (default one)"
    )
    parser.add_argument(
        "--mine",
        metavar="WHAT",
        help=f"mine 9x9 puzzles that maximize {listed(OBJECTIVES, 'or')}, or the work of the strategy of that name",
    )
    parser.add_argument(
        "--near",
        metavar="FILE",
        help="search near the hard 9x9 puzzles of FILE for the K puzzles with the most conflicts of a SAT solver",
    )
    parser.add_argument("--steps", type=_natural, metavar="S", help=f"search steps per mined puzzle (default {STEPS})")
    parser.add_argument(
        "--lineage", type=Path, metavar="FILE.csv", help="table of mined puzzles with objective, seed, grid and score"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="puzzles made or mined at a time (default 1)")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="output file (default: standard output)")
    add_shared(parser, "--plugin", "--command")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    shape = _shape(options.shape)
    texts = _mined(options, shape) if options.mine or options.near else _generated(options, shape)
    with options.out.open("w", encoding="utf-8") if options.out else nullcontext(sys.stdout) as stream:
        for text in texts:
            print(text, file=stream, flush=True)
    return 0


def _natural(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def _shape(text: str) -> Shape:
    """Parse ``12x12``, or ``12x12/2x6`` with the rows and columns of the boxes."""
    match = re.fullmatch(r"(\d{1,3})x\1(?:/(\d{1,2})x(\d{1,2}))?", text)
    if match and int(match[1]) in SIZES:  # what is generated can be read
        usual = Shape.of_size(int(match[1]))
        shape = Shape(int(match[2]), int(match[3])) if match[2] else usual
        if shape.size == usual.size and min(shape.box_rows, shape.box_cols) > 1:
            return shape
    raise InputError(f"--shape {text}: must be {BOARDS}; 12x12/2x6 has boxes of 2 rows and 6 columns, at least 2 each")


def _text(puzzle: Puzzle) -> str:
    """Return a puzzle in one line; with borders if its boxes are not those that a line of this length stands for."""
    usual = puzzle.shape == Shape.of_size(puzzle.shape.size)
    return puzzle.text if usual else f"{puzzle.bordered}\n"


def _generated(options: argparse.Namespace, shape: Shape) -> Iterator[str]:
    from datasets.making.generator import PuzzleSpec, full_grids, make_numbered
    from datasets.making.tiers import TIERS

    if options.steps or options.lineage:
        raise InputError("--steps and --lineage: need --mine or --near")
    if options.full:
        return map(_text, islice(full_grids(shape, str(options.seed)), options.number))
    if options.clues and options.clues > shape.n_cells:
        raise InputError(f"--clues {options.clues}: a {shape.name} board has {shape.n_cells} cells")
    if options.solutions != "one" and (options.tier or options.minimal):
        raise InputError(f"--tier and --minimal: need --solutions one, not {options.solutions}")
    tier = TIERS[options.tier] if options.tier else None
    spec = PuzzleSpec(shape, options.clues, options.minimal, tier, options.symmetry, options.solutions)
    make = partial(make_numbered, spec, str(options.seed))
    numbered = in_order(make, range(1, options.number + 1), jobs_of(options), processes=True)
    return (_text(puzzle) for _, puzzle in numbered)


# --- mining


def _mined(options: argparse.Namespace, shape: Shape) -> Iterator[str]:
    option = "--near" if options.near else "--mine"
    if shape != Shape(3, 3):
        raise InputError(f"{option}: supports 9x9 boards only, not {shape.name}")
    if options.mine and options.near:
        raise InputError("--near: cannot be combined with --mine")
    if options.clues or options.minimal or options.tier or options.full or options.symmetry != "none":
        raise InputError(f"{option}: can only be combined with --number, --seed, --steps, --lineage and -o")
    return _near(options) if options.near else _walks(options)


def _near(options: argparse.Namespace) -> Iterator[str]:
    """Search near the puzzles of a file; record the start puzzle of each found one if a table is asked for."""
    from datasets.making.mining import NINE
    from datasets.making.vicinity import hardest_near
    from datasets.reading.reader import load_file
    from datasets.search import solve

    starts = [entry.puzzle for entry in load_file(options.near)]
    if any(puzzle.shape != NINE or len(solve(puzzle).solutions) != 1 for puzzle in starts):
        raise InputError(f"{options.near}: must hold 9x9 puzzles with exactly one solution; see `sudoku-bench check`")
    steps = options.steps or STEPS
    hard_puzzles = hardest_near(starts, options.seed, steps, options.number)
    if not hard_puzzles:
        raise InputError(
            f"{options.near}: no hard puzzle nearby in {steps} steps; start from harder ones, or take more"
        )
    _record(
        [(h.puzzle.text, "near", options.seed, steps, h.start.text, f"{h.conflicts:.6g}") for h in hard_puzzles],
        options.lineage,
    )
    return (hard.puzzle.text for hard in hard_puzzles)


def _walks(options: argparse.Namespace) -> Iterator[str]:
    """Mine the puzzles one by one; record the lineage of each if a table is asked for."""
    from datasets.making.mining import NINE
    from datasets.puzzle import Puzzle

    rows, seeds = [], range(options.seed, options.seed + options.number)
    for seed, walk in in_order(partial(_mine, options), seeds, jobs_of(options), processes=True):
        text, grid = (Puzzle(NINE, cells).text for cells in (walk.best_cells or walk.cells, walk.grid))
        rows.append((text, options.mine, str(seed), str(walk.steps), grid, f"{max(walk.best, 0.0):.6g}"))
        _record(rows, options.lineage)
        yield text


def _record(rows: Iterable[Sequence[object]], path: Path | None) -> None:
    """Write the table of lineages, if it is asked for."""
    if path:
        with path.open("w", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerows([LINEAGE, *rows])


def _mine(options: argparse.Namespace, seed: int) -> Walk:
    from rich.console import Console
    from rich.progress import Progress

    from datasets.making import mining

    floor = mining.FLOOR if options.mine in BY_GUESSES else 0
    walk = mining.begin(options.mine, seed, options.steps or STEPS, floor=floor)
    chunk = mining.CHUNK if floor else CHUNK_OF_FUNCTION
    console = Console(stderr=True)
    is_shown = console.is_terminal and options.jobs == 1
    bar = Progress(console=console, transient=True, disable=not is_shown)
    with _objective(options) as function, bar as progress:
        task = progress.add_task(f"mining for {options.mine}, seed {seed}", total=walk.climb + walk.steps)
        while not walk.ended:
            walk = mining.advance(walk, function, chunk)
            steps_done = walk.done if walk.climbed < 0 else walk.climb + walk.done - walk.climbed
            progress.update(
                task, completed=steps_done, description=f"{options.mine}, seed {seed}: best {max(walk.best, 0):.0f}"
            )
    return walk


@contextmanager
def _objective(options: argparse.Namespace) -> Iterator[Objective | None]:
    """Yield the function to maximize; None for guesses, which mining counts itself.

    Raises:
        InputError: there is no such objective or strategy, or it cannot be used.
    """
    if options.mine == "guesses":
        yield None
    elif options.mine == "te_rounds":
        from datasets.making.hardest import te_rounds

        yield te_rounds
    elif options.mine == "conflicts":
        from datasets.difficulty.conflicts import objective

        yield objective
    else:
        from bench.run.strategy_work import StrategyWork

        chosen = strategies.select([options.mine], options.plugin, [Command.parse(c, "first") for c in options.command])
        if len(chosen) != 1:
            raise InputError(f"--mine {options.mine}: matches {len(chosen)} strategies; name one")
        with StrategyWork(chosen[0]) as work:
            yield work
