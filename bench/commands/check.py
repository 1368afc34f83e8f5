"""``sudoku-bench check``: is each puzzle of a file valid, has it as many solutions as it should, is it there once?"""

from __future__ import annotations

import argparse
import hashlib
import sys
from dataclasses import dataclass, field
from typing import Any

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reading.reader import BadLine, Entry, read_file

UNDECIDED = "not decided"
MAX_GUESSES = 2_000_000  # about a minute for a 9×9 puzzle, where a few hundred are usual
SPARE_TOLD = 12  # clues to spare that are named
HOLDS = {"one": "with exactly one solution", "several": "with several solutions", "none": "without a solution"}


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "check",
        help="check that each puzzle of a file is valid and has one solution; find isomorphs and clues to spare",
        description="Faults are lines on standard output: a digit twice in a unit, no or several solutions, a number "
        "of clues that is not as stated. Isomorphs of earlier puzzles and clues that could be spared are noted. Exit "
        "code 1 if there is a fault, 2 if a line is not a puzzle.",
    )
    parser.add_argument("file", metavar="FILE", help="puzzles in any format that is read; - for standard input")
    parser.add_argument("--solutions", choices=HOLDS, default="one", help="how many there should be (default: one)")
    parser.add_argument("--minimal", action="store_true", help="a clue that could be spared is a fault, not a note")
    parser.add_argument("--distinct", action="store_true", help="an isomorph of an earlier puzzle is a fault, too")
    parser.set_defaults(main=main)


@dataclass
class Tally:
    """What was found so far. ``keys``: the line of the first puzzle of each class of isomorphs."""

    good: int = 0
    bad: int = 0
    undecided: int = 0
    unreadable: int = 0
    duplicates: int = 0
    spare: int = 0
    keys: dict[bytes, tuple[int, str]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.good + self.bad + self.undecided

    def words(self, holds: str) -> str:
        rest = (
            (self.undecided, "undecided"),
            (self.unreadable, "unreadable"),
            (self.duplicates, "there before"),
            (self.spare, "with clues to spare"),
        )
        more = "".join(f", {number} {word}" for number, word in rest if number)
        return f"{self.total} puzzle{'s' * (self.total != 1)}, {self.good} {holds}, {self.bad} bad{more}"


def main(options: argparse.Namespace) -> int:
    """Each fault is a line; 1 if a puzzle is bad, 2 if a line is not a puzzle."""
    tally = Tally()
    for item in read_file(options.file):
        if isinstance(item, BadLine):
            tally.unreadable += 1
            print(f"{options.file}:{item.line}: {item.what}", file=sys.stderr)
        else:
            for remark in _remarks(item, tally, options):
                print(f"{options.file}:{item.line}: {remark}")
    if not tally.total + tally.unreadable:
        raise InputError(f"{options.file}: holds no puzzle; write one per line")
    print(f"{options.file}: {tally.words(HOLDS[options.solutions])}")
    if tally.unreadable:
        return 2
    return 1 if tally.bad or tally.undecided else 0


def _remarks(entry: Entry, tally: Tally, options: argparse.Namespace) -> list[str]:
    """What there is to say about a puzzle, which is counted."""
    fault = fault_of(entry.puzzle, options.solutions) or _misstated(entry)
    faults: list[str] = [fault] if fault else []
    notes: list[str] = []
    spare = "" if fault or options.solutions != "one" else spare_clues(entry.puzzle)
    if spare:
        tally.spare += 1
        (faults if options.minimal else notes).append(f"has clues that could be spared, each by itself: {spare}")
    twin = _twin(entry, tally)
    if twin:
        tally.duplicates += 1
        (faults if options.distinct else notes).append(twin)
    undecided = any(one.startswith(UNDECIDED) for one in faults)
    tally.undecided += undecided
    tally.bad += bool(faults) and not undecided
    tally.good += not faults
    return [*faults, *(f"note: {note}" for note in notes)]


def _twin(entry: Entry, tally: Tally) -> str:
    """Which earlier puzzle this one is an isomorph of, in words; empty if of none."""
    if any(entry.puzzle.clashes()):
        return ""
    from datasets.making.canonical import canonical, fingerprint, has_canonical

    puzzle = entry.puzzle
    sure = has_canonical(puzzle.shape)
    key = f"{puzzle.shape.name} {canonical(puzzle).text if sure else fingerprint(puzzle)}"
    digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
    grid = hashlib.blake2b(puzzle.text.encode(), digest_size=16).hexdigest()
    line, first = tally.keys.setdefault(digest, (entry.line, grid))
    if line == entry.line:
        return ""
    if first == grid:
        return f"is the puzzle of line {line} again"
    return f"is {'' if sure else 'very likely '}an isomorph of the puzzle of line {line}"


def _misstated(entry: Entry) -> str | None:
    stated = dict(entry.facts).get("clues", "")
    if stated.isdecimal() and int(stated) != entry.puzzle.clues:
        return f"has {entry.puzzle.clues} clues, not {stated} as stated"
    return None


def spare_clues(puzzle: Puzzle) -> str:
    """The clues of a puzzle with one solution without each of which it still has one, in words."""
    from datasets.making.generator import redundant

    cells = redundant(puzzle)
    names = [f"r{r + 1}c{c + 1}" for r, c in (divmod(cell, puzzle.shape.size) for cell in cells[:SPARE_TOLD])]
    more = len(cells) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def fault_of(puzzle: Puzzle, solutions: str = "one") -> str | None:
    """What is wrong with a puzzle, in words; None if it has as many solutions as it should."""
    clashes = list(puzzle.clashes())
    if clashes:
        return "; ".join(clashes)
    from datasets.search import solve

    found = solve(puzzle, limit=2, max_guesses=MAX_GUESSES)
    if len(found.solutions) > 1:
        return None if solutions == "several" else "has more than one solution"
    if not found.complete:
        return f"{UNDECIDED} after {MAX_GUESSES} guesses; try `sudoku-bench solve --task unique`"
    if solutions == ("one" if found.solutions else "none"):
        return None
    return "has one solution only" if found.solutions else "has no solution"
