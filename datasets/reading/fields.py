"""What the fields of a record mean, in tables and in JSON: which is the puzzle, its solution, its name.

``info.puzzle`` is the field ``puzzle`` of the object ``info``. A grid is a text, a list of N·N values, or N rows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sudoku_bench.datasets.files import ADVICE
from sudoku_bench.datasets.reading import items
from sudoku_bench.datasets.reading.cells import has_empty_cell
from sudoku_bench.datasets.reading.grid_rows import SYMBOLS_4X4
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid, facts_of, joined, printable_line
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES, parse_grid
from sudoku_bench.datasets.reading.text_lines import ROUNDED, is_rounded, single_grid

MAX_DEPTH = 32  # of objects in objects
LONG_NUMBER = 16  # digits from which a number is a puzzle that should have been a text

_RULES = re.compile(r"variants?|rules(?:et)?|constraints?")
_KINDS = re.compile(r"\w*(?:type|kind|mode|category|genre|theme)|tags?|description|title")  # may say other things
_PLAIN = re.compile(r"(?:classic|standard|normal|regular|sudoku|rules|row|column|box|\dx\d|[^a-z])*", re.IGNORECASE)
_VARIANT = re.compile(  # in a text, or in the name of a field
    r"killer|cages?\b|thermo|arrow|kropki|sandwich|skyscraper|anti.?(?:knight|king)|consecutive|whisper|renban|palindrome"
    r"|diagonal|jigsaw|irregular|windoku|hyper(?:\b|.?sudoku)|inequalit|greater.?than|samurai|parity|even.?odd|x.?sums"
    r"|x[- _]?sudoku|\b(?:(?:is|has)_?x|xv)\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"(?:even|odd|sums?|lines?|boxes|regions?|dots|clones?|quad\w*)(?:_?cells)?")  # unless a number
# Of a cell of a saved game: false, or true, if the player entered the value.
_GIVEN = re.compile(r"given|fixed|lock|clue|original|prefill|read_?only|initial|preset")
_ENTERED = re.compile(r"edit|user|player|entered")

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Columns:
    """The paths of the fields that mean something; all others are facts."""

    puzzle: str
    solution: str | None
    name: str | None

    def entry(self, fields: Fields, line: int) -> Entry | BadLine:
        """Convert a record to a puzzle, or describe its fault."""
        if fault := variant(fields, line):
            return fault
        value = fields[self.puzzle]
        grid = grid_of(value, line)
        if grid is None and value and _is_lost(value):
            return BadLine(line, ROUNDED, "number")
        if grid is None:
            reason = "holds no grid: text, N·N values, or N rows of N values" if value else "is empty; fill or drop it"
            return BadLine(line, f"the field {printable_line(self.puzzle)} {reason}", "field without a puzzle")
        solved = fields.get(self.solution) if self.solution else None
        solution = grid_of(solved, line)
        if isinstance(solution, BadLine) and _text(solved).isdecimal():
            return BadLine(line, f"the solution has {solution.message}", "solution that does not fit")
        name = _text(fields.get(self.name)) if self.name else ""
        roles = (self.puzzle, self.solution, self.name)
        facts = facts_of((path, _text(value)) for path, value in fields.items() if path not in roles)
        if isinstance(grid, BadLine):
            return grid
        cells = solution.cells if isinstance(solution, Grid) else ()
        return parse_grid(grid, cells, printable_line(name), facts)


def columns_of(fields: Fields, path: str | None = None) -> Columns:
    """Find out what the fields of a record mean; ``path`` is that of the puzzle, if it is known.

    Without it, the puzzle is the first field with one of the usual names that has an empty cell, or else the only field
    that has.

    Raises:
        ValueError: no field is the puzzle, or several may be; the message says so.
    """
    names, boards = printable_line(", ".join(fields)), _boards(fields)
    open_ones = [each for each, grid in boards.items() if has_empty_cell(grid.cells)]
    known = _known(fields, path)
    if path and not known:
        raise ValueError(f"no field {printable_line(path)}; the fields are {names}")
    puzzles = [each for each in known if each in open_ones] or ([] if path else open_ones[:])
    if len(puzzles) > 1 and puzzles[0] not in known:
        raise ValueError(printable_line(f"{' and '.join(puzzles)} could each be the puzzle; name one: FILE::FIELD"))
    puzzles += [each for each in known if each in boards]
    puzzles += [each for each in known if path or isinstance(fields[each], str) or _is_number(fields[each])]
    puzzles += [each for each in known if key_of(each) in items.PUZZLE_KEYS[:6] and _is_lost(fields[each])]
    if not puzzles:
        raise ValueError(f"no field is known to hold a puzzle ({names}); name it (FILE::FIELD), or {ADVICE}")
    puzzle = puzzles[0]
    parent = puzzle.rpartition(".")[0]
    others = sorted((each for each in fields if each != puzzle), key=lambda each: each.rpartition(".")[0] != parent)
    solutions = _with_keys(others, items.SOLUTION_KEYS)
    if puzzle in open_ones:
        size = len(boards[puzzle].cells)
        complete = [each for each in others if each in boards and each not in open_ones]
        complete = [each for each in complete if key_of(each) != items.LINEAGE_KEY]
        solutions += [each for each in complete if len(boards[each].cells) == size]
    names_of = [each for each in _with_keys(others, items.NAME_KEYS) if each not in solutions[:1]]
    return Columns(puzzle, next(iter(solutions), None), next(iter(names_of), None))


def puzzle_paths(fields: Fields, path: str | None) -> list[str]:
    """Return the paths of the fields that hold a grid and have the name of a puzzle; only those with an empty cell."""
    boards = _boards({each: fields[each] for each in _known(fields, path)})
    return [each for each, grid in boards.items() if has_empty_cell(grid.cells)] or list(boards)


def holds_puzzle(fields: Fields) -> bool:
    """Return whether a record has a field with the name of a puzzle, or with a grid that has empty cells."""
    return bool(_with_keys(fields, items.PUZZLE_KEYS)) or any(has_empty_cell(g.cells) for g in _boards(fields).values())


def _known(fields: Fields, path: str | None) -> list[str]:
    return [each for each in fields if each.lower() == path.lower()] if path else _with_keys(fields, items.PUZZLE_KEYS)


def _boards(fields: Fields) -> dict[str, Grid]:
    grids = ((each, grid_of(value)) for each, value in fields.items())
    return {each: grid for each, grid in grids if isinstance(grid, Grid)}


def flat(value: Mapping[str, Any], above: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an object, and of the objects in it, by their paths."""
    if depth > MAX_DEPTH:
        raise RecursionError
    for key, each in value.items():
        path = f"{above}.{key}" if above else str(key)
        if isinstance(each, dict):
            yield from flat(each, path, depth + 1)
        else:
            yield path, each


def grid_of(value: Any, line: int = 1) -> Grid | BadLine | None:
    """Return the grid that a field holds; None if it holds none."""
    if _is_number(value):
        return BadLine(line, ROUNDED, "number")
    if isinstance(value, str):
        return single_grid(value, line)
    if not isinstance(value, list) or len(value) > max(SHAPES):
        return None
    rows = [list(row) if isinstance(row, str) and len(row) == len(value) else row for row in value]
    if len(rows) in SIZES and all(isinstance(row, list) and len(row) == len(rows) for row in rows):
        cells = [_cell(cell) for row in rows for cell in row]
        is_one = len(rows) != 16 or not all(cell in SYMBOLS_4X4 for cell in cells)  # or sixteen 4x4 boards
        return Grid(joined(cells), line) if is_one and None not in cells else None  # type: ignore[arg-type]
    cells = list(map(_cell, value)) if len(value) in SHAPES else [None]
    return None if None in cells else Grid(joined(cells), line)  # type: ignore[arg-type]


def _is_number(value: Any) -> bool:
    """Return whether a value is a puzzle that was taken for a number."""
    if isinstance(value, str):
        return len(value) < 30 and is_rounded(value)
    return isinstance(value, int | float) and abs(value) >= 10**LONG_NUMBER


def _is_lost(value: Any) -> bool:
    """Return whether a field with the name of a puzzle is empty, or a number too large for that of a puzzle."""
    return value is None or (isinstance(value, int | float) and abs(value) >= 10**8)


def _cell(value: Any) -> str | None:
    """Return the text of a cell, which may be an object of a saved game; None if the value is none."""
    if isinstance(value, dict):
        cell = {key.lower(): each for key, each in value.items()}
        if "value" not in cell or not cell.keys().isdisjoint(items.PUZZLE_KEYS[:9]):
            return None
        is_entered = any(_ENTERED.search(key) if on else _GIVEN.search(key) for key, on in cell.items())
        return "" if is_entered else _cell(cell["value"])
    if value is None or value is False or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    is_cell = isinstance(value, int | str) and value is not True and len(str(value)) <= 2
    return str(value).strip() if is_cell else None


def _text(value: Any) -> str:
    """Return a field as it stands in a CSV file; lists are left out."""
    return "" if value is None or isinstance(value, list | dict) or value != value else str(value)


def variant(fields: Fields, line: int) -> BadLine | None:
    """Describe rules that the fields of a record state beyond those of Sudoku; None if they state none."""
    stated = next(filter(None, (_variant(path, fields[path]) for path in fields if _is_rule(path))), "")
    message = f"rules that are not supported ({printable_line(stated)}); remove the record"
    return BadLine(line, message, "variant of Sudoku") if stated else None


@lru_cache(1000)
def _is_rule(path: str) -> bool:
    key = key_of(path)
    return bool(_VARIANT.search(path) or any(kind.fullmatch(key) for kind in (_RULES, _KINDS, _MARKS)))


def _variant(path: str, value: Any) -> str:
    """Return what says that a puzzle has rules beyond those of Sudoku; empty if the field does not."""
    text, key = str(value).strip(), key_of(path)
    if value in (None, False, [], {}) or text.lower() in ("", "0", "[]", "none", "no", "false", "null", "nan"):
        return ""
    if _VARIANT.search(path) or _MARKS.fullmatch(key):
        return "" if text.replace(".", "", 1).isdigit() and _MARKS.fullmatch(key) else path
    # A sentence may say the usual rules, and a title of one word anything.
    is_name = _RULES.fullmatch(key) and (len(text.split()) <= 3 or isinstance(value, list))
    is_other = text.lower() == "x" or (_VARIANT.search(text) and (key != "title" or "sudoku" in text.lower()))
    return f"{path}: {text}" if is_other or (is_name and not _PLAIN.fullmatch(text)) else ""


def key_of(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _with_keys(paths: Iterable[str], keys: Sequence[str]) -> list[str]:
    """Return the paths that end in one of these keys, in the order of the keys."""
    return sorted((path for path in paths if key_of(path) in keys), key=lambda path: keys.index(key_of(path)))
