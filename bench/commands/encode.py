"""``sudoku-bench encode``: write an encoded puzzle as a file for any SAT or pseudo-Boolean solver."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.commands.solve import read_one
from sudoku_bench.bench.worker import describe
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers import registry

DEFAULT = "complete"
SHORT = {"native": "complete+native"}
SUBSTITUTED = {"substituted": "clues", "reduced": "clues, singles and locked candidates"}  # by clue handling


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a puzzle under an encoding as a DIMACS file, or as an OPB file for native at-most-one constraints."
    )
    puzzles = "81 characters (. for an empty cell), a grid, a name such as hardest-010, a file with one puzzle, or -"
    add_shared(parser, "puzzle", help=puzzles)
    names = f"encoding, such as complete+product; +substituted and +reduced simplify by the clues (default {DEFAULT})"
    parser.add_argument("-e", "--encoding", default=DEFAULT, metavar="NAME", help=names)
    parser.add_argument("-o", "--out", type=Path, metavar="FILE.cnf", help="output file (default: standard output)")
    add_shared(parser, "--plugin", help="file with encodings of your own; repeatable")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    puzzle = read_one(options.puzzle)
    import_extensions(options.plugin)
    require_used(options.plugin, [options.encoding])
    text = encoded(puzzle, options.encoding)
    if options.out is None:
        sys.stdout.write(text)
    else:
        options.out.write_text(text, encoding="ascii")
    return 0


def import_extensions(plugins: Sequence[str]) -> None:
    """Import plug-in files into this process.

    Raises:
        InputError: a file cannot be imported.
    """
    if plugins:
        registry.load_builtin()
    for path in plugins:
        describe.load(path)


def require_used(plugins: Sequence[str], encodings: Sequence[str]) -> None:
    """Require that encodings use what imported plug-in files register.

    Raises:
        InputError: none does.
    """
    from sudoku_bench.solvers.sat import extensions

    own = [*extensions.own()["encodings"], *extensions.own()["schemes"]]
    if plugins and not any(set(own).intersection(name.split("+")) for name in encodings):
        known = f"name one of its own: {', '.join(own)}" if own else "registers no encoding and no scheme"
        raise InputError(f"{plugins[-1]}: {known}")


def encoded(puzzle: Puzzle, name: str) -> str:
    """Return the text of the file: comments that explain the puzzle and its variables, and the constraints.

    Raises:
        InputError: the encoding is unknown or cannot be written to a file.
    """
    from sudoku_bench.solvers import Unsupported
    from sudoku_bench.solvers.sat import dimacs
    from sudoku_bench.solvers.sat.encodings import build
    from sudoku_bench.solvers.sat.encodings.clues import Rules
    from sudoku_bench.solvers.sat.names import parse_model

    name = SHORT.get(name, name)
    encoding, clues = parse_model(name)
    if clues == "assumptions":
        raise InputError(f"{name}: a file cannot contain assumptions; leave them out or use {encoding}+substituted")
    try:
        encoded = build(encoding, puzzle.shape)
    except Unsupported as error:
        raise InputError(f"{name}: {error}") from None
    formula = Rules(encoded).formula_of(clues)(puzzle.cells, puzzle.forbidden)
    if clues in SUBSTITUTED:  # the numbers of auxiliary variables differ from puzzle to puzzle
        notes = [f"variables of no cell are auxiliary; {SUBSTITUTED[clues]} are substituted"]
    else:
        notes = [*encoded.remarks, "clues are unit clauses"]
    remarks = [
        f"{puzzle.shape.name} Sudoku {puzzle.text}",
        f"encoding {name}",
        *notes,
        "the value of each cell, with 1 for a true variable and 0 for a false one:",
    ]
    write = dimacs.dimacs if encoded.at_mosts is None else dimacs.opb
    return "\n".join(write(formula, remarks, puzzle.shape)) + "\n"
