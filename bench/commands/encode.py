"""``sudoku-bench encode``: a puzzle under an encoding as a file for any SAT or pseudo-Boolean solver."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from bench.commands.solve import read
from datasets.errors import InputError
from datasets.puzzle import Puzzle

DEFAULT = "complete"
SHORT = {"native": "complete+native"}


def add(commands: Any) -> None:
    parser = commands.add_parser("encode", help="write a puzzle as DIMACS (or OPB, for native at-most-one)")
    parser.add_argument("puzzle", metavar="PUZZLE|FILE", help="as for solve; a file must hold one puzzle")
    parser.add_argument(
        "-e",
        "--encoding",
        default=DEFAULT,
        metavar="NAME",
        help=f"such as complete+product, or log+substituted to put the clues in (default {DEFAULT})",
    )
    parser.add_argument("-o", "--output", metavar="FILE.cnf", help="default: standard output")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    puzzles = read(options.puzzle)
    if len(puzzles) != 1:
        raise InputError(f"{options.puzzle}: holds {len(puzzles)} puzzles; encode takes one, such as a line of it")
    text = "\n".join(lines(puzzles[0], SHORT.get(options.encoding, options.encoding))) + "\n"
    if options.output is None:
        sys.stdout.write(text)
        return 0
    try:
        Path(options.output).write_text(text, encoding="ascii")
    except OSError as error:
        raise InputError(f"{options.output}: cannot be written: {error.strerror}") from None
    return 0


def lines(puzzle: Puzzle, name: str) -> list[str]:
    """A file's lines: what it is, what the variables mean, the constraints.

    Raises:
        InputError: there is no such encoding, or it cannot be written to a file.
    """
    from solvers.sat import dimacs
    from solvers.sat.encodings import build
    from solvers.sat.encodings.clues import Rules
    from solvers.sat.names import parse_model

    encoding, clues = parse_model(name)
    if clues == "assumptions":
        raise InputError(f"{name}: assumptions are no part of a file; leave them out, or write {encoding}+substituted")
    made = build(encoding, puzzle.shape)
    rules = Rules(made)
    if clues == "substituted":
        formula, says = rules.substituted(puzzle.cells), ["what is no cell's is auxiliary; clues are put in"]
    else:
        formula, says = rules.with_units(puzzle.cells), [*made.remarks, "clues are unit clauses"]
    remarks = [
        f"{puzzle.shape.name} Sudoku {puzzle.text}",
        f"encoding {name}",
        *says,
        "a cell's value, where a true variable counts 1 and a false one 0:",
    ]
    write = dimacs.dimacs if made.at_mosts is None else dimacs.opb
    return list(write(formula, remarks, puzzle.shape))
