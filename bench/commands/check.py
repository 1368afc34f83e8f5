"""``sudoku-bench check``: is each puzzle of a file valid, and has it exactly one solution?"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reader import BadLine, read_file

UNDECIDED = "not decided"
MAX_GUESSES = 2_000_000  # about a minute for a 9×9 puzzle, where a few hundred are usual


def add(commands: Any) -> None:
    parser = commands.add_parser("check", help="check that each puzzle of a file is valid and has one solution")
    parser.add_argument("file", metavar="FILE", help="puzzles, one per line or as grids; - for standard input")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Each fault is a line; 1 if a puzzle is bad, 2 if a line is not a puzzle."""
    good = bad = undecided = unreadable = 0
    for item in read_file(options.file):
        if isinstance(item, BadLine):
            unreadable += 1
            print(f"{options.file}:{item.line}: {item.what}", file=sys.stderr)
            continue
        fault = fault_of(item.puzzle)
        if fault:
            undecided += fault.startswith(UNDECIDED)
            bad += not fault.startswith(UNDECIDED)
            print(f"{options.file}:{item.line}: {fault}")
        else:
            good += 1
    if not good + bad + undecided + unreadable:
        raise InputError(f"{options.file}: holds no puzzle; write one per line")
    total = good + bad + undecided
    rest = "".join(f", {n} {word}" for n, word in ((undecided, "undecided"), (unreadable, "unreadable")) if n)
    print(f"{options.file}: {total} puzzle{'s' * (total != 1)}, {good} with exactly one solution, {bad} bad{rest}")
    if unreadable:
        return 2
    return 1 if bad or undecided else 0


def fault_of(puzzle: Puzzle) -> str | None:
    """What is wrong with a puzzle, in words; None if it has exactly one solution."""
    clashes = list(puzzle.clashes())
    if clashes:
        return "; ".join(clashes)
    from datasets.search import solve

    found = solve(puzzle, limit=2, max_guesses=MAX_GUESSES)
    if len(found.solutions) > 1:
        return "has more than one solution"
    if not found.complete:
        return f"{UNDECIDED} after {MAX_GUESSES} guesses; try `sudoku-bench solve --task unique`"
    return None if found.solutions else "has no solution"
