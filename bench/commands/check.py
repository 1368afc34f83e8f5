"""``sudoku-bench check``: validate the puzzles of a file: clues, number of solutions, isomorphs, redundant clues."""

from __future__ import annotations

import argparse
import hashlib
import sys
from dataclasses import dataclass, field

from bench.say.phrases import counted
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reading.reader import BadLine, Entry, read_file

UNDECIDED = "not decided"
MAX_GUESSES = 2_000_000  # about a minute for a 9×9 puzzle, where a few hundred are usual
REDUNDANT_NAMED = 12  # redundant clues that a message names
EXPECTATIONS = {"one": "with exactly one solution", "several": "with several solutions", "none": "without a solution"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check each puzzle of a file. Faults are a digit twice in a unit, a wrong number of solutions, and"
        " a number of clues that differs from the stated one. Isomorphs of earlier puzzles and redundant clues are"
        " noted. Exit code 1 if there is a fault, 2 if a line is not a puzzle."
    )
    parser.add_argument("file", metavar="FILE", help="puzzles in any supported format; - for standard input")
    parser.add_argument(
        "--solutions", choices=EXPECTATIONS, default="one", help="expected number of solutions (default one)"
    )
    parser.add_argument("--minimal", action="store_true", help="report redundant clues as faults")
    parser.add_argument("--distinct", action="store_true", help="report isomorphs of earlier puzzles as faults")
    parser.set_defaults(main=main)


@dataclass
class Tally:
    """Counts of puzzles so far.

    Attributes:
        keys: line and grid of the first puzzle of each class of isomorphs.
    """

    good: int = 0
    bad: int = 0
    undecided: int = 0
    unreadable: int = 0
    duplicates: int = 0
    redundant: int = 0
    keys: dict[bytes, tuple[int, str]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.good + self.bad + self.undecided

    def text(self, expectation: str) -> str:
        others = (
            (self.undecided, "undecided"),
            (self.unreadable, "unreadable"),
            (self.duplicates, "isomorphic to an earlier one"),
            (self.redundant, "with redundant clues"),
        )
        more = "".join(f", {number} {label}" for number, label in others if number)
        return f"{counted(self.total, 'puzzle')}, {self.good} {expectation}, {self.bad} bad{more}"


def main(options: argparse.Namespace) -> int:
    """Print a line per fault; return 1 if a puzzle is bad, 2 if a line is not a puzzle."""
    tally = Tally()
    for item in read_file(options.file):
        if isinstance(item, BadLine):
            tally.unreadable += 1
            print(f"{options.file}:{item.line}: {item.message}", file=sys.stderr)
        else:
            for remark in _remarks(item, tally, options):
                print(f"{options.file}:{item.line}: {remark}")
    if not tally.total + tally.unreadable:
        raise InputError(f"{options.file}: holds no puzzle; write one per line")
    print(f"{options.file}: {tally.text(EXPECTATIONS[options.solutions])}")
    if tally.unreadable:
        return 2
    return 1 if tally.bad or tally.undecided else 0


def _remarks(entry: Entry, tally: Tally, options: argparse.Namespace) -> list[str]:
    """Count a puzzle and return its faults and notes."""
    fault = fault_of(entry.puzzle, options.solutions) or _misstated(entry)
    faults: list[str] = [fault] if fault else []
    notes: list[str] = []
    redundant = "" if fault or options.solutions != "one" else redundant_clues(entry.puzzle)
    if redundant:
        tally.redundant += 1
        (faults if options.minimal else notes).append(f"has redundant clues (each can be removed alone): {redundant}")
    duplicate = _duplicate(entry, tally)
    if duplicate:
        tally.duplicates += 1
        (faults if options.distinct else notes).append(duplicate)
    undecided = any(message.startswith(UNDECIDED) for message in faults)
    tally.undecided += undecided
    tally.bad += bool(faults) and not undecided
    tally.good += not faults
    return [*faults, *(f"note: {note}" for note in notes)]


def _duplicate(entry: Entry, tally: Tally) -> str:
    """Return which earlier puzzle this one is an isomorph of, as text; empty if there is none."""
    if any(entry.puzzle.clashes()):
        return ""
    from datasets.making.canonical import canonical, fingerprint, has_canonical

    puzzle = entry.puzzle
    is_exact = has_canonical(puzzle.shape)
    key = f"{puzzle.shape.name} {canonical(puzzle).text if is_exact else fingerprint(puzzle)}"
    digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
    grid = hashlib.blake2b(puzzle.text.encode(), digest_size=16).hexdigest()
    line, first = tally.keys.setdefault(digest, (entry.line, grid))
    if line == entry.line:
        return ""
    if first == grid:
        return f"is identical to the puzzle of line {line}"
    return f"is {'' if is_exact else 'very likely '}an isomorph of the puzzle of line {line}"


def _misstated(entry: Entry) -> str | None:
    stated = dict(entry.facts).get("clues", "")
    if stated.isdecimal() and int(stated) != entry.puzzle.clues:
        return f"has {entry.puzzle.clues} clues, not {stated} as stated"
    return None


def redundant_clues(puzzle: Puzzle) -> str:
    """Return the clues of a puzzle with one solution that can each be removed and leave it with one, as text."""
    from datasets.making.generator import redundant

    cells = redundant(puzzle)
    names = [f"r{r + 1}c{c + 1}" for r, c in (divmod(cell, puzzle.shape.size) for cell in cells[:REDUNDANT_NAMED])]
    more = len(cells) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def fault_of(puzzle: Puzzle, solutions: str = "one") -> str | None:
    """Return what is wrong with a puzzle, as text; None if it has as many solutions as expected."""
    clashes = list(puzzle.clashes())
    if clashes:
        return "; ".join(clashes)
    from datasets.search import solve

    result = solve(puzzle, limit=2, max_guesses=MAX_GUESSES)
    if len(result.solutions) > 1:
        return None if solutions == "several" else "has more than one solution"
    if not result.complete:
        return f"{UNDECIDED} after {MAX_GUESSES} guesses; try `sudoku-bench solve --task unique`"
    if solutions == ("one" if result.solutions else "none"):
        return None
    return "has only one solution" if result.solutions else "has no solution"
