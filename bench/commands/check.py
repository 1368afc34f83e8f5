"""``sudoku-bench check``: validate the puzzles of a file: clues, number of solutions, isomorphs, redundant clues.

Puzzles are checked in batches, those of 9×9 by compiled code on all cores while the next batch is read. Isomorphs of
earlier puzzles are known only at the end. Of a long file, only 8 bytes of each puzzle stay in memory.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_bench.bench.commands.in_order import in_order, until_fault
from sudoku_bench.bench.commands.options import add_shared, jobs_of
from sudoku_bench.bench.say.output import print_json
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle, in_parts
from sudoku_bench.datasets.reading.reader import COMPLETE, BadLine, Entry, read_file
from sudoku_bench.datasets.reading.symbols import reading_of
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import solution_fault, solved

if TYPE_CHECKING:
    from sudoku_bench.datasets.making.duplicates import Duplicate, Duplicates

NINE = Shape(3, 3)
BATCH = 1024
UNDECIDED = "not decided"
MAX_GUESSES = 2_000_000  # some seconds for a 9×9 puzzle, where a few hundred are usual
REDUNDANT_NAMED = 12  # redundant clues that a message names

MOST_KNOWN = 1 << 16  # arrangements whose findings are kept

Items = list[Entry | BadLine]


class Finding(NamedTuple):
    """What is known of a puzzle.

    Attributes:
        solutions: number of solutions: 0, 1, 2 (two or more), -1 (not decided).
        redundant: cells of the clues that can each be removed, if the puzzle has one solution.
        solution_fault: what is wrong with the solution that the file gives.
    """

    solutions: int
    redundant: Sequence[int] = ()
    solution_fault: str = ""


Known = dict[bytes, Finding]  # by arrangement


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check each puzzle of a file for clashing clues, several solutions or none, and a wrong solution or number of"
        " clues. Isomorphs of earlier puzzles and redundant clues are noted. Exit code 1 if there is a fault, 2 if a"
        " line is not a puzzle."
    )
    parser.add_argument("file", metavar="FILE", help="puzzles in any supported format; - for standard input")
    add_shared(parser, "--jobs", help="threads (default: one per core)")
    add_shared(parser, "--json")
    add_shared(parser, "--quiet", help="print only faults; neither notes nor counts")
    parser.set_defaults(main=main)


@dataclass
class Tally:
    """Counts of puzzles so far."""

    good: int = 0
    bad: int = 0
    undecided: int = 0
    unreadable: int = 0
    complete: int = 0
    duplicates: int = 0
    redundant: int = 0
    readings: Counter[str] = field(default_factory=Counter)
    found: list[dict[str, Any]] | None = None  # file, line and fault or note, if they are not printed one by one
    quiet: bool = False  # notes are not told

    def tell(self, file: str, line: int, text: str, is_error: bool = False) -> None:
        """Print or keep a fault, or a note."""
        if self.quiet and text.startswith("note: "):
            return
        if self.found is None:
            print(f"{file}:{line}: {text}", file=sys.stderr if is_error else sys.stdout)
        else:
            key, text = ("note", text[6:]) if text.startswith("note: ") else ("fault", text)
            self.found.append({"file": file, "line": line, key: text})

    @property
    def total(self) -> int:
        return self.good + self.bad + self.undecided

    @property
    def code(self) -> int:
        return 2 if self.unreadable else int(self.bad + self.undecided > 0)

    def readings_text(self) -> str:
        counts = len(self.readings) > 1
        texts = [f"{reading} ({number})" if counts else reading for reading, number in self.readings.items()]
        return f"read as: {', '.join(texts)}; " if texts else ""

    def text(self) -> str:
        others = (
            (self.undecided, "undecided"),
            (self.unreadable, "unreadable"),
            (self.duplicates, "isomorphic to an earlier one"),
            (self.redundant, "with redundant clues"),
        )
        more = "".join(f", {number} {label}" for number, label in others if number)
        return f"{counted(self.total, 'puzzle')}, {self.good} with exactly one solution, {self.bad} bad{more}"


def main(options: argparse.Namespace) -> int:
    """Print a line per fault; return 1 if a puzzle is bad, 2 if a line is not a puzzle."""
    if options.json and options.quiet:
        raise InputError("--quiet: has no effect on --json; give one of them")
    jobs, tally = jobs_of(options), Tally(found=[] if options.json else None, quiet=options.quiet)
    with ExitStack() as stack:
        seen: dict[Shape, Duplicates] = {}
        for items, findings in in_order(partial(_findings, {}), _batches(read_file(options.file)), jobs):
            _remember(_report(items, findings, tally, options.file), seen, stack)
        for duplicate in sorted(duplicate for of_shape in seen.values() for duplicate in of_shape.find()):
            _report_duplicate(duplicate, options.file, tally)
            tally.duplicates += 1
    if tally.complete and not (options.json or options.quiet):
        print(
            f"{options.file}: note: {tally.complete} of {tally.total + tally.complete} are complete grids, not puzzles"
        )
    if not tally.total + tally.unreadable:
        raise InputError(f"{options.file}: holds no puzzle; write one per line")
    if options.json:
        counts = {name: getattr(tally, name) for name in ("good", "bad", "undecided", "unreadable", "complete")}
        print_json({"file": options.file, **counts, "read_as": dict(tally.readings), "findings": tally.found})
    elif not options.quiet:
        print(f"{options.file}: {tally.readings_text()}{tally.text()}")
    return tally.code


# --- in batches


def _batches(items: Iterable[Entry | BadLine]) -> Iterator[Items]:
    """Yield items in batches, and those before an ``InputError`` ahead of it."""
    faults: list[InputError] = []
    remaining = until_fault(items, faults)
    while batch := list(islice(remaining, BATCH)):
        yield batch
    if faults:
        raise faults[0]


def _findings(kept: Known, items: Items) -> list[Finding]:
    """Check the puzzles of a batch; bad lines are left out. ``kept``: what is known from other batches."""
    entries = [item for item in items if isinstance(item, Entry)]
    puzzles = [entry.puzzle for entry in entries]
    rest = _nines([puzzle for puzzle in puzzles if puzzle.shape == NINE], kept)
    findings = [next(rest) if puzzle.shape == NINE else _finding(puzzle) for puzzle in puzzles]
    for shape in {entry.puzzle.shape for entry in entries if entry.solution}:
        places = [k for k, entry in enumerate(entries) if entry.solution and entry.puzzle.shape == shape]
        grids = b"".join(bytes(entries[k].solution or ()) for k in places)
        fits = solved(shape, b"".join(puzzles[k].cell_bytes for k in places), grids)
        for k in (k for k, fit in zip(places, fits, strict=True) if not fit):
            fault = solution_fault(puzzles[k], entries[k].solution or ())
            findings[k] = findings[k]._replace(solution_fault=f"the solution given with it is wrong: {fault}")
    return findings


def _nines(puzzles: Sequence[Puzzle], kept: Known) -> Iterator[Finding]:
    """Check 9×9 puzzles; what holds for an arrangement holds for all isomorphs that share it."""
    import numpy as np

    from sudoku_bench.datasets.making.duplicates import arrangements
    from sudoku_bench.datasets.making.validity import validate

    cells = np.frombuffer(b"".join(puzzle.cell_bytes for puzzle in puzzles), dtype=np.uint8)
    _, boards, places = arrangements(NINE, cells.reshape(-1, NINE.n_cells))
    keys = in_parts(boards.tobytes(), len(puzzles))
    known = {key: finding for key in keys if (finding := kept.get(key))}
    if new := [key for key in dict.fromkeys(keys) if key not in known]:
        found = validate(np.frombuffer(b"".join(new), dtype=np.uint8).reshape(len(new), -1), MAX_GUESSES)
        cells_of = [np.flatnonzero(flags).tolist() for flags in found.redundant]
        known.update(zip(new, map(Finding, found.solutions.tolist(), cells_of), strict=True))
    if len(kept) > MOST_KNOWN:
        kept.clear()
    kept.update(known)
    for puzzle, key, place in zip(puzzles, keys, places, strict=True):
        number, redundant, _ = known[key]
        yield Finding(number if number >= 0 else _number_by_sat(puzzle), sorted(place[redundant].tolist()))


def _finding(puzzle: Puzzle) -> Finding:
    """Check a puzzle of any shape."""
    from sudoku_bench.datasets.making.generator import redundant
    from sudoku_bench.datasets.search import solve

    if any(puzzle.clashes()):
        return Finding(0)
    result = solve(puzzle, limit=2, max_guesses=MAX_GUESSES)
    number = len(result.solutions)
    if number < 2 and not result.complete:
        return Finding(_number_by_sat(puzzle))
    return Finding(number, redundant(puzzle) if number == 1 and not puzzle.shape.pencilmarks else ())


def _number_by_sat(puzzle: Puzzle) -> int:
    """Return the number of solutions, up to 2, by the second source of references; -1 if it gives up, too."""
    from sudoku_bench.bench.plan import reference, strategies

    with closing(reference.SecondStrategy(strategies.exact(reference.SECOND))) as second:
        found = second.solve(puzzle, 2)
    return -1 if found is None else len(found)


# --- what is printed


def _report(items: Items, findings: Iterable[Finding], tally: Tally, file: str) -> Boards:
    """Print the faults and notes of a batch, count its puzzles, and return those that isomorphs are looked for."""
    remaining, boards = iter(findings), []
    readings = {(i.puzzle.shape, i.notation): reading_of(i) for i in items if isinstance(i, Entry)}
    for item in items:
        if isinstance(item, BadLine):
            if item.kind == COMPLETE:
                tally.complete += 1
                continue
            tally.unreadable += 1
            tally.tell(file, item.line, item.message, is_error=True)
            continue
        finding = next(remaining)
        tally.readings[readings[item.puzzle.shape, item.notation]] += 1
        if item.facts or finding.solutions != 1 or finding.redundant or finding.solution_fault:
            if remark := _remark(item, finding, tally):
                tally.tell(file, item.line, remark)
        else:
            tally.good += 1
        if item.puzzle.shape.is_ordinary and (finding.solutions > 0 or not any(item.puzzle.clashes())):
            boards.append((item.puzzle, item.line))
    return boards


def _remark(entry: Entry, finding: Finding, tally: Tally) -> str:
    """Count a puzzle and return its fault, else a note on redundant clues; empty if there is neither."""
    fault = _fault(entry.puzzle, finding) or finding.solution_fault or _misstated(entry)
    if fault:
        tally.undecided += finding.solutions < 0
        tally.bad += finding.solutions >= 0
        return fault
    tally.good += 1
    if not finding.redundant:
        return ""
    tally.redundant += 1
    return f"note: has redundant clues (each can be removed alone): {_names(entry.puzzle, finding.redundant)}"


def _fault(puzzle: Puzzle, finding: Finding) -> str | None:
    """Return what is wrong with a puzzle, as text; None if it has exactly one solution."""
    if finding.solutions == 0 and (clashes := list(puzzle.clashes())):
        return "; ".join(clashes)
    if finding.solutions < 0:
        return f"{UNDECIDED} by {MAX_GUESSES} guesses and a SAT solver; try `sudoku-bench solve --task unique`"
    return ("has no solution", None, "has more than one solution")[finding.solutions]


def _misstated(entry: Entry) -> str | None:
    stated = dict(entry.facts).get("clues", "")
    if stated.isdecimal() and (len(stated) > 9 or int(stated) != entry.puzzle.clues):
        return f"has {entry.puzzle.clues} clues, not {stated} as stated"
    return None


def _names(puzzle: Puzzle, cells: Sequence[int]) -> str:
    names = [f"r{r + 1}c{c + 1}" for r, c in (divmod(cell, puzzle.shape.size) for cell in cells[:REDUNDANT_NAMED])]
    more = len(cells) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _report_duplicate(duplicate: Duplicate, file: str, tally: Tally) -> None:
    """Say that a puzzle is an isomorph of an earlier one."""
    kind = f"is {'' if duplicate.is_certain else 'very likely '}an isomorph of"
    remark = f"{'is identical to' if duplicate.is_identical else kind} the puzzle of line {duplicate.first}"
    tally.tell(file, duplicate.line, f"note: {remark}")


Boards = list[tuple[Puzzle, int]]  # with the line of each


def _remember(boards: Boards, seen: dict[Shape, Duplicates], stack: ExitStack) -> None:
    """Store the puzzles of a batch by shape, to find isomorphs at the end."""
    import numpy as np

    from sudoku_bench.datasets.making.duplicates import Duplicates

    for shape, rows in groupby(boards, key=lambda row: row[0].shape):
        if shape not in seen:
            seen[shape] = stack.enter_context(Duplicates(shape))
        puzzles, lines = zip(*rows, strict=True)
        cells = b"".join(puzzle.cell_bytes for puzzle in puzzles)
        seen[shape].add(np.frombuffer(cells, dtype=np.uint8).reshape(-1, shape.n_cells), lines)
