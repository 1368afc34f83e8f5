"""``sudoku-bench generate``: generate puzzles with given properties."""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_bench.bench.commands.in_order import in_order
from sudoku_bench.bench.commands.options import add_shared, jobs_of
from sudoku_bench.bench.say.phrases import listed
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.layouts import LATIN
from sudoku_bench.datasets.making.written import heading, line_of
from sudoku_bench.datasets.reading.boards import LARGEST_ORDER
from sudoku_bench.datasets.reading.symbols import SIZES
from sudoku_bench.datasets.shape import Shape

if TYPE_CHECKING:
    from sudoku_bench.datasets.puzzle import Puzzle

TIERS = ("easy", "medium", "hard", "expert")
SYMMETRIES = ("none", "rotational", "quarter-turn", "horizontal", "vertical", "diagonal", "antidiagonal")
BOARDS = listed((f"{size}x{size}" for size in SIZES), "or")


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "Generate random puzzles, the same on every machine for the same options and seed."
    parser.add_argument(
        "--shape", metavar="NxN", help=f"board (default 9x9): {BOARDS}; 12x12/2x6 has boxes of 2 rows and 6 columns"
    )
    layouts = "other rules: x, windoku, disjoint, latin, latin30 of order 30, jigsaw=aaabb..., or several joined by +"
    parser.add_argument("--layout", default="", metavar="NAME", help=layouts)
    parser.add_argument("--pencilmarks", action="store_true", help="minimal puzzles whose clues forbid candidates")
    parser.add_argument(
        "--holes",
        type=_natural,
        metavar="K",
        help="Latin squares with K empty cells, balanced; maybe several solutions",
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
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="puzzles made at a time (default 1)")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="output file (default: standard output)")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    shape = _with_layout(options.layout, options.shape)
    if (options.pencilmarks or not shape.has_boxes) and "/" in (options.shape or ""):
        raise InputError(f"--shape {options.shape}: no text of such puzzles says its boxes; remove what follows the /")
    texts = _generated(options, shape)  # checks the options before the file is opened
    with options.out.open("w", encoding="utf-8") if options.out else nullcontext(sys.stdout) as stream:
        head = heading(replace(shape, pencilmarks=options.pencilmarks))
        for text in texts:
            print(f"{head}{text}", end="", file=stream, flush=True)
            head = ""
    return 0


def _natural(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def _shape(text: str) -> Shape:
    """Parse ``12x12``, or ``12x12/2x6`` with the rows and columns of the boxes."""
    match = re.fullmatch(r"(\d{1,3})x\1(?:/(\d{1,2})x(\d{1,2}))?", text)
    if match and int(match[1]) in SIZES:  # what is generated can be read
        usual = Shape.of_size(int(match[1]))
        sides = (int(match[2]), int(match[3])) if match[2] else (usual.box_rows, usual.box_cols)
        if sides[0] * sides[1] == usual.size and min(sides) > 1:
            return Shape(*sides)
    raise InputError(f"--shape {text}: must be {BOARDS}; 12x12/2x6 has boxes of 2 rows and 6 columns, at least 2 each")


def _with_layout(layout: str, size: str | None) -> Shape:
    """Parse a layout; ``latin30`` says its size, others have that of ``--shape``."""
    if match := re.fullmatch(rf"{LATIN}(\d{{1,3}})", layout):
        if size:
            raise InputError(f"--layout {layout}: says the size; remove --shape, or write --layout {LATIN}")
        if not 2 <= int(match[1]) <= LARGEST_ORDER:
            raise InputError(f"--layout {layout}: orders are 2 to {LARGEST_ORDER}")
        return Shape.of_size(int(match[1]), LATIN)
    shape = _shape(size or "9x9")
    try:
        return replace(shape, layout=layout)
    except ValueError as error:
        raise InputError(f"--layout {layout}: {error}") from None


def _generated(options: argparse.Namespace, shape: Shape) -> Iterator[str]:
    from sudoku_bench.datasets.making.generator import PuzzleSpec, full_grids, make_numbered
    from sudoku_bench.datasets.making.tiers import TIERS

    if options.pencilmarks or options.holes:
        others = options.full or options.clues or options.minimal or options.tier or options.symmetry != "none"
        if others or options.solutions != "one" or (options.pencilmarks and options.holes):
            raise InputError(
                "--pencilmarks and --holes: combine them with --shape, --layout, --number, --seed, --jobs and -o only"
            )
        if options.holes and (shape.layout != LATIN or options.holes >= shape.n_cells):
            raise InputError(f"--holes {options.holes}: needs --layout latin30, or another order, of more cells")
        make_other = partial(_other, options, shape)
        numbered = in_order(make_other, range(1, options.number + 1), jobs_of(options), processes=True)
        return (line_of(puzzle) for _, puzzle in numbered)
    if options.full:
        others = options.clues or options.minimal or options.tier or options.symmetry != "none" or options.jobs != 1
        if others or options.solutions != "one":
            raise InputError("--full: a full grid has no clues to choose; give --shape, --layout, --number, --seed")
        return map(line_of, islice(full_grids(shape, str(options.seed)), options.number))
    if options.clues and options.clues > shape.n_cells:
        raise InputError(f"--clues {options.clues}: a {shape.name} board has {shape.n_cells} cells")
    if options.solutions != "one" and (options.tier or options.minimal):
        raise InputError(f"--tier and --minimal: need --solutions one, not {options.solutions}")
    if options.solutions == "several" and options.symmetry != "none":
        raise InputError("--symmetry: the clue that is removed for several solutions breaks it; remove it")
    tier = TIERS[options.tier] if options.tier else None
    spec = PuzzleSpec(shape, options.clues, options.minimal, tier, options.symmetry, options.solutions)
    make = partial(make_numbered, spec, str(options.seed))
    numbered = in_order(make, range(1, options.number + 1), jobs_of(options), processes=True)
    return (line_of(puzzle) for _, puzzle in numbered)


def _other(options: argparse.Namespace, shape: Shape, number: int) -> Puzzle:
    """Make a puzzle of pencilmarks, or a Latin square with holes."""
    rng = random.Random(f"sudoku-bench/generate/{options.seed}/{shape.code}/{number}")
    if options.pencilmarks:
        from sudoku_bench.datasets.making.generator import minimal_pencilmarks

        return minimal_pencilmarks(shape, rng)
    from sudoku_bench.datasets.making.grids import latin_square, with_holes

    return with_holes(latin_square(shape.size, rng), options.holes, rng)
