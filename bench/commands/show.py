"""``sudoku-bench show``: a puzzle with its candidates and steps as a page, or as a sheet to print."""

from __future__ import annotations

import argparse
from pathlib import Path

from sudoku_bench.bench.commands.solve import NAME, read_one
from sudoku_bench.datasets.errors import InputError

SUFFIXES = {False: (".html",), True: (".pdf", ".svg", ".png")}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a page that shows a puzzle with its candidates and the steps of its solution, or with --print a sheet."
    )
    puzzles = "81 characters, a grid, a file with one puzzle, or a name such as hardest-010"
    parser.add_argument("puzzle", metavar="PUZZLE", help=puzzles)
    parser.add_argument("--print", action="store_true", dest="sheet", help="a sheet with solution and steps, to print")
    kinds = "file to write: .html, or with --print .pdf, .svg or .png"
    parser.add_argument("--out", type=Path, metavar="FILE", help=kinds)
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Write the page or the sheet and print its path.

    Raises:
        InputError: there is not exactly one puzzle, or the file has another ending.
    """
    puzzle, is_named = read_one(options.puzzle), NAME.fullmatch(options.puzzle)
    title = options.puzzle if is_named else "A puzzle"
    suffixes = SUFFIXES[options.sheet]
    out = options.out or Path(f"{title if is_named else 'puzzle'}{suffixes[0]}")
    if out.suffix not in suffixes:
        raise InputError(f"--out {out}: must end in {' or '.join(suffixes)}")
    if options.sheet:
        from sudoku_bench.bench.figures import worksheet

        data = worksheet.render(puzzle, title, out.suffix[1:])
    else:
        from sudoku_bench.bench.reports.page import single

        data = single.page(puzzle, title)
    if out.is_symlink() and not options.out:
        raise InputError(f"{out}: is a link; remove it, or name a file with --out")
    out.write_bytes(data)
    print(out)
    return 0
