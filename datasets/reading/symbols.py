"""Convert the symbols in the cells of a grid to a puzzle: empty cells, digits, letters, numbers.

docs/formats.md has the rules ("Digits from 0, and letters on large boards"); numbers and small boards follow the rule
for ``0-9 A-F`` with the number N in place of the letter G.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from sudoku_bench.datasets.puzzle import Packed, Puzzle
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid
from sudoku_bench.datasets.shape import EMPTY, LARGEST_IN_BYTES, SYMBOLS, Shape

SIZES = (4, 6, 9, 12, 16, 25)
IN_ONE_LINE = 36  # rows of a larger board; a row of it alone would be mistaken for a 6×6 puzzle
SHAPES = {size * size: Shape.of_size(size) for size in (*SIZES, IN_ONE_LINE)}
LETTERS = SYMBOLS[9:]
FROM_0 = "0" + SYMBOLS
CERTAINLY_EMPTY = ("", "-1")  # an empty field or null, and -1: beside these, 0 is a digit
UNUSUALLY_EMPTY = "-?·xX"  # one of these alone, at least once a row; beside a usual sign, it may be a slip
FOREIGN = LARGEST_IN_BYTES + 1
TWO_READINGS = "0 may be a digit (0-{}) or an empty cell beside the other sign; write empty cells as -1, or all as 0"
IS_CLUE = b"\0" + b"\xff" * 255  # by the value of a cell


def parse_grid(
    grid: Grid, solution: Sequence[str] = (), name: str = "", facts: tuple[tuple[str, str], ...] = ()
) -> Entry | BadLine:
    """Convert the cells of a grid to a puzzle, or describe their fault."""
    cells = grid.cells
    shape = grid.shape or SHAPES.get(len(cells))
    if shape is None:
        return wrong_length(len(cells), grid.line)
    digits = _digits(cells, solution, shape)
    if digits is None:
        return BadLine(grid.line, TWO_READINGS.format(shape.size - 1), "two readings")
    symbols = _symbols_of(digits, _unusual_sign(cells, shape))
    values = symbols.values_of(cells)
    if FOREIGN in values:
        return _foreign_symbol(grid, shape, symbols.values)
    puzzle, notation = Puzzle(shape, values), _notation(symbols, cells, values)
    if not solution:
        return Entry(puzzle, grid.line, name, facts, notation=notation)
    solved = symbols.values_of(solution)
    if fault := _solution_fault(puzzle, solved):
        return BadLine(grid.line, f"{fault}; correct the solution or leave it out", "solution that does not fit")
    return Entry(puzzle, grid.line, name, facts, tuple(solved), notation)


def _table(values: Mapping[str, int]) -> bytes:
    """Return the value of each ASCII character, ``FOREIGN`` if it has none, as ``bytes.translate`` takes it."""
    return bytes(values.get(chr(code), FOREIGN) for code in range(128)).ljust(256, bytes([FOREIGN]))


NINE = SHAPES[81]
PLAIN_LINE = struct.Struct("81sx")  # a puzzle and a line feed
PLAIN_TABLE = _table(dict.fromkeys(EMPTY + "\n", 0) | {digit: int(digit) for digit in NINE.symbols})


def plain_puzzles(line: int, text: str) -> Packed | None:
    """Read lines that are incomplete 9×9 boards, from a first one on, all at once; None if anything else is there."""
    number, rest = divmod(len(text), PLAIN_LINE.size)
    if number == 0 or rest or text.count("\n") != number or text[NINE.n_cells :: PLAIN_LINE.size].strip("\n"):
        return None
    values = text.encode("ascii", "replace").translate(PLAIN_TABLE)
    boards = [cells for (cells,) in PLAIN_LINE.iter_unpack(values) if 0 in cells]
    if FOREIGN in values or len(boards) < number:
        return None
    return Packed(NINE, b"".join(boards), range(line, line + number))


def wrong_length(length: int, line: int) -> BadLine:
    """Describe the fault of a grid with a number of cells that no board has."""
    nearest = min(SHAPES, key=lambda cells: abs(cells - length))
    message = f"{length} characters where a puzzle has {', '.join(map(str, SHAPES))}; "
    return BadLine(line, f"{message}a {SHAPES[nearest].name} board needs {nearest}", "wrong length")


class Symbols(NamedTuple):
    """The value of each text that may be in a cell, and of each character; ``kind``: of the digits, empty if usual."""

    values: dict[str, int]
    table: bytes
    kind: str

    def values_of(self, cells: Sequence[str]) -> bytes:
        """Return the values of cells, ``FOREIGN`` for a text that has none."""
        if isinstance(cells, str) and cells.isascii():
            return cells.encode("ascii").translate(self.table)
        return bytes([self.values.get(cell, FOREIGN) for cell in cells])


def _digits(cells: Sequence[str], solution: Sequence[str], shape: Shape) -> Sequence[str] | None:
    """Return the texts of the digits, in their order; None if ``0`` may be one of them or an empty cell."""
    size = shape.size
    usual: Sequence[str] = SYMBOLS[:size]
    from_0: Sequence[str] = FROM_0[:size]
    if not isinstance(cells, str) and any(len(cell) > 1 and cell not in CERTAINLY_EMPTY for cell in cells):
        usual, from_0 = (tuple(str(value + first) for value in range(size)) for first in (1, 0))
    elif size > 9:
        cells, solution = [c.upper() for c in cells], [c.upper() for c in solution]
        used, beyond = {*cells, *solution}.difference(UNUSUALLY_EMPTY), SYMBOLS[size:]
        if used.isdisjoint("123456789") and not used.isdisjoint(beyond):
            return LETTERS[:size]
    is_digit = _is_zero_a_digit(cells, solution, shape, usual[-1])
    return None if is_digit is None else from_0 if is_digit else usual


def _is_zero_a_digit(cells: Sequence[str], solution: Sequence[str], shape: Shape, last: str) -> bool | None:
    """Return whether ``0`` is a digit and not an empty cell; None if it could be either. ``last``: the last digit."""
    if last in cells or last in solution:
        return False
    if "0" in solution:
        return True
    zeros = cells.count("0")
    if not zeros or any(sum(cells[place] == "0" for place in unit) > 1 for unit in shape.units):
        return False
    others = {cell for cell in cells if cell in (*CERTAINLY_EMPTY, ".", "*", "_", *UNUSUALLY_EMPTY)}
    if others and shape.size <= 9 and others.isdisjoint(CERTAINLY_EMPTY):
        return None
    return bool(others) or zeros == shape.size


def _unusual_sign(cells: Sequence[str], shape: Shape) -> str:
    """Return the sign that stands for empty cells though it is none of the usual ones; empty if there is none."""
    signs = set(UNUSUALLY_EMPTY).intersection(cells)
    if len(signs) != 1 or any(usual in cells for usual in ".*_") or shape.size > 25:
        return ""
    (sign,) = signs
    return sign if shape.size <= sum(cell == sign for cell in cells) < shape.n_cells else ""


@cache
def _symbols_of(digits: Sequence[str], empty: str) -> Symbols:
    values = dict.fromkeys((*EMPTY, *CERTAINLY_EMPTY, "00", *empty), 0)
    for value, text in enumerate(digits, start=1):
        # upper() of the cells would turn some characters into two
        values[text] = values[text.lower()] = values[text.zfill(2)] = value
    is_usual = digits[0] == "1" and not empty
    kind = "" if is_usual else f"{'digits' if isinstance(digits, str) else 'numbers'} {digits[0]}-{digits[-1]}"
    return Symbols(values, _table(values), kind)


def _notation(symbols: Symbols, cells: Sequence[str], values: bytes) -> str:
    """Describe how a grid was read; empty if in the usual way."""
    if not symbols.kind:
        return ""
    signs = sorted({f'"{cell}"' if cell else "blank" for cell, value in zip(cells, values, strict=True) if not value})
    return f"{symbols.kind}, {' '.join(signs)} empty" if signs else symbols.kind


def reading_of(entry: Entry) -> str:
    """Describe the board of an entry, its digits and its empty cells, as they were read."""
    shape = entry.puzzle.shape
    usual = f"digits 1-{shape.size}" if shape.size <= 9 else f"numbers 1-{shape.size} or digits 1-{shape.symbols[-1]}"
    return f"{shape.name}, {entry.notation or f'{usual}, . 0 * _ empty'}"


def _foreign_symbol(grid: Grid, shape: Shape, values: dict[str, int]) -> BadLine:
    """Describe the first cell whose text has no value."""
    place = next(place for place, cell in enumerate(grid.cells) if cell not in values)
    line, before, unit = grid.line, 0, "character"
    if grid.lines:
        line, before, unit = grid.lines[place // shape.size], place // shape.size * shape.size, "cell"
    last = shape.size if shape.size <= 9 or "10" in values else shape.symbols[-1]
    allowed = f"a {shape.name} board has 1 to {last}, and . 0 * _ - ? · x for empty cells"
    message = f"{unit} {place - before + 1} is {grid.cells[place][:20]!a}; {allowed}"
    return BadLine(line, message, "foreign character")


def _solution_fault(puzzle: Puzzle, digits: bytes) -> str:
    """Describe the first cell where a source's solution does not fit the clues; empty if it fits."""
    clues = puzzle.cell_bytes
    if len(digits) != len(clues):
        return f"the solution given with the puzzle has {len(digits)} cells, not {len(clues)}"
    given = int.from_bytes(clues.translate(IS_CLUE), "big")  # all cells at once, as bytes of one integer
    agree = given & int.from_bytes(digits, "big") == int.from_bytes(clues, "big")
    if agree and not digits.translate(None, puzzle.shape.cell_values[1:]):
        return ""
    fits = (digit not in (0, FOREIGN) and clue in (0, digit) for clue, digit in zip(clues, digits, strict=True))
    place = list(fits).index(False)
    if digits[place] in (0, FOREIGN):
        return f"cell {place + 1} of the solution given with the puzzle is not a digit of a {puzzle.shape.name} board"
    return f"the solution given with the puzzle differs from its clue in cell {place + 1}"
