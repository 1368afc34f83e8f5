"""``sudoku-bench check``: is each puzzle of a file valid, has it as many solutions as it should, is it there once?"""

from __future__ import annotations

import argparse
import hashlib
import sys
from dataclasses import dataclass, field
from typing import Any

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reader import BadLine, Entry, read_file

UNDECIDED = "not decided"
MAX_GUESSES = 2_000_000  # about a minute for a 9×9 puzzle, where a few hundred are usual
HOLDS = {"one": "with exactly one solution", "several": "with several solutions", "none": "without a solution"}


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "check",
        help="check that each puzzle of a file is valid, has one solution, and is no isomorph of another",
        description="Faults are lines on standard output: a digit twice in a unit, no or several solutions, an "
        "isomorph of an earlier puzzle, a number of clues that is not as stated. Clues that could be spared are "
        "noted. Exit code 1 if there is a fault, 2 if a line is not a puzzle.",
    )
    parser.add_argument("file", metavar="FILE", help="puzzles in any format that is read; - for standard input")
    parser.add_argument("--solutions", choices=HOLDS, default="one", help="how many there should be (default: one)")
    parser.add_argument("--minimal", action="store_true", help="a clue that could be spared is a fault, not a note")
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
    """Each fault is a line; 1 if a puzzle is bad or there twice, 2 if a line is not a puzzle."""
    tally = Tally()
    for item in read_file(options.file):
        if isinstance(item, BadLine):
            tally.unreadable += 1
            print(f"{options.file}:{item.line}: {item.what}", file=sys.stderr)
        else:
            for remark in _remarks(item, tally, options.solutions, options.minimal):
                print(f"{options.file}:{item.line}: {remark}")
    if not tally.total + tally.unreadable:
        raise InputError(f"{options.file}: holds no puzzle; write one per line")
    print(f"{options.file}: {tally.words(HOLDS[options.solutions])}")
    if tally.unreadable:
        return 2
    return 1 if tally.bad or tally.undecided or tally.duplicates else 0


def _remarks(entry: Entry, tally: Tally, solutions: str, minimal: bool) -> list[str]:
    """What there is to say about a puzzle, which is counted."""
    fault = fault_of(entry.puzzle, solutions) or _misstated(entry)
    remarks = [fault] if fault else []
    if fault is None:
        spare = spare_clues(entry.puzzle) if solutions == "one" else ""
        tally.spare += bool(spare)
        if spare:
            remarks.append(f"{'has' if minimal else 'note: has'} clues that could be spared, each by itself: {spare}")
            fault = remarks[-1] if minimal else None
    undecided = fault is not None and fault.startswith(UNDECIDED)
    tally.undecided += undecided
    tally.bad += fault is not None and not undecided
    tally.good += fault is None
    twin = _twin(entry, tally)
    tally.duplicates += bool(twin)
    return [*remarks, twin] if twin else remarks


def _twin(entry: Entry, tally: Tally) -> str:
    """Which earlier puzzle this one is an isomorph of, in words; empty if of none."""
    if any(entry.puzzle.clashes()):
        return ""
    from datasets.canonical import canonical, fingerprint, has_canonical

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
    from datasets.generator import redundant

    return ", ".join(f"r{r + 1}c{c + 1}" for r, c in (divmod(cell, puzzle.shape.size) for cell in redundant(puzzle)))


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
