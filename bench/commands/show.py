"""``sudoku-bench show``: a puzzle with its candidates and steps as a page, on a screen or on paper."""

from __future__ import annotations

import argparse
from pathlib import Path

from sudoku_bench.bench.commands.solve import NAME, read_one
from sudoku_bench.datasets.errors import InputError


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write a page that shows a puzzle with its candidates and the steps of its solution."
    puzzles = "81 characters, a grid, a file with one puzzle, or a name such as hardest-010"
    parser.add_argument("puzzle", metavar="PUZZLE", help=puzzles)
    parser.add_argument("--print", action="store_true", dest="paper", help="for paper: with solution, without controls")
    parser.add_argument("--out", type=Path, metavar="FILE.html", help="file to write (default: named after the puzzle)")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Write the page and print its path.

    Raises:
        InputError: there is not exactly one puzzle, it has nothing to print, or the file has another ending.
    """
    from sudoku_bench.bench.reports.page import single

    puzzle, is_named = read_one(options.puzzle), NAME.fullmatch(options.puzzle)
    out = options.out or Path(f"{options.puzzle if is_named else 'puzzle'}.html")
    if out.suffix != ".html":
        raise InputError(f"--out {out}: must end in .html")
    page = single.page(puzzle, options.puzzle if is_named else "A puzzle", options.paper)
    if out.is_symlink() and not options.out:
        raise InputError(f"{out}: is a link; remove it, or name a file with --out")
    out.write_bytes(page)
    print(out)
    return 0
