"""Convert the symbols in the cells of a grid to a puzzle: empty cells, digits, letters, numbers.

Boards up to 9×9 use the digits 1-9. Larger boards use one of three alphabets, or numbers:

=========  ==============================  ===============================================================
alphabet   16×16                           used if
=========  ==============================  ===============================================================
usual      ``1-9``, then ``A-G``           no other alphabet applies
letters    ``A-P``                         there is no digit 1-9, and there is a letter beyond G
from 0     ``0-9``, then ``A-F``           there is no G, and ``0`` occurs together with another symbol for
                                           empty cells, at most once in each row and column; or ``0`` occurs
                                           in the solution
=========  ==============================  ===============================================================

Other boards have other last letters. The alphabet is chosen for each puzzle separately, together with its solution if
there is one. If a puzzle has too few symbols to decide, the usual alphabet is used; a wrong choice only relabels
digits, which gives an isomorph of the intended puzzle.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from datasets.puzzle import Puzzle, puzzles_of
from datasets.reading.items import BadLine, Entry, Grid
from datasets.shape import EMPTY, LARGEST_IN_BYTES, SYMBOLS, Shape

SIZES = (4, 6, 9, 12, 16, 25)
IN_ONE_LINE = 36  # rows of a larger board; a row of it alone would be mistaken for a 6×6 puzzle
SHAPES = {size * size: Shape.of_size(size) for size in (*SIZES, IN_ONE_LINE)}
LETTERS = SYMBOLS[9:]
FROM_0 = "0" + SYMBOLS
OTHER_EMPTY = frozenset(EMPTY) - {"0"}
FOREIGN = LARGEST_IN_BYTES + 1
IS_CLUE = b"\0" + b"\xff" * 255  # by the value of a cell


def parse_grid(
    grid: Grid, solution: Sequence[str] = (), name: str = "", facts: tuple[tuple[str, str], ...] = ()
) -> Entry | BadLine:
    """Convert the cells of a grid to a puzzle, or describe their fault."""
    cells = grid.cells
    shape = grid.shape or SHAPES.get(len(cells))
    if shape is None:
        return wrong_length(len(cells), grid.line)
    symbols = _symbols(cells, solution, shape)
    try:
        puzzle = Puzzle(shape, symbols.values_of(cells))
    except ValueError:
        return _foreign_symbol(grid, shape, symbols.values)
    if not solution:
        return Entry(puzzle, grid.line, name, facts)
    digits = symbols.values_of(solution)
    fault = _solution_fault(puzzle, digits)
    if fault:
        return BadLine(grid.line, f"{fault}; correct the solution or leave it out", "solution that does not fit")
    return Entry(puzzle, grid.line, name, facts, tuple(digits))


def _table(values: Mapping[str, int]) -> bytes:
    """Return the value of each ASCII character, ``FOREIGN`` if it has none, as ``bytes.translate`` takes it."""
    return bytes(values.get(chr(code), FOREIGN) for code in range(128)).ljust(256, bytes([FOREIGN]))


NINE = SHAPES[81]
PLAIN_LINE = struct.Struct("81sx")  # a puzzle and a line feed
PLAIN_TABLE = _table(dict.fromkeys(EMPTY + "\n", 0) | {digit: int(digit) for digit in NINE.symbols})


def plain_puzzles(text: str) -> Iterator[Puzzle] | None:
    """Read lines that are 9×9 puzzles and nothing else, all at once; None if anything else is among them."""
    number, rest = divmod(len(text), PLAIN_LINE.size)
    if number == 0 or rest or text.count("\n") != number or text[NINE.n_cells :: PLAIN_LINE.size].strip("\n"):
        return None
    values = text.encode("ascii", "replace").translate(PLAIN_TABLE)
    if FOREIGN in values:
        return None
    return puzzles_of(NINE, [cells for (cells,) in PLAIN_LINE.iter_unpack(values)])


def wrong_length(length: int, line: int) -> BadLine:
    """Describe the fault of a grid with a number of cells that no board has."""
    nearest = min(SHAPES, key=lambda cells: abs(cells - length))
    sizes = ", ".join(map(str, SHAPES))
    return BadLine(
        line,
        f"{length} characters where a puzzle has {sizes}; a {SHAPES[nearest].name} board needs {nearest}",
        "wrong length",
    )


class Symbols(NamedTuple):
    """The texts that may be in a cell.

    Attributes:
        values: the value of each text.
        table: the value of each character (see ``_table``).
    """

    values: dict[str, int]
    table: bytes

    @classmethod
    def of(cls, values: dict[str, int]) -> Symbols:
        return cls(values, _table(values))

    def values_of(self, cells: Sequence[str]) -> bytes:
        """Return the values of cells, ``FOREIGN`` for a text that has none."""
        if isinstance(cells, str):
            return cells.encode("ascii", "replace").translate(self.table)
        return bytes([self.values.get(cell, FOREIGN) for cell in cells])


def _symbols(cells: Sequence[str], solution: Sequence[str], shape: Shape) -> Symbols:
    """Return the texts that may be in a cell."""
    if not isinstance(cells, str) and any(len(cell) > 1 for cell in cells):
        return _numbers(shape.size)
    if shape.size <= 9:
        return _alphabet_symbols(SYMBOLS[: shape.size])
    return _alphabet_symbols(_alphabet([c.upper() for c in cells], {c.upper() for c in solution}, shape.size))


def _alphabet(cells: Sequence[str], solved: set[str], size: int) -> str:
    """Choose the alphabet of a board larger than 9×9 by the table in the module's docstring."""
    given = set(cells)
    used = given | solved
    usual, beyond = SYMBOLS[:size], SYMBOLS[size:]
    if used.isdisjoint("123456789") and not used.isdisjoint(beyond):
        return LETTERS[:size]
    from_0 = "0" in solved or ("0" in given and not given.isdisjoint(OTHER_EMPTY) and _is_digit_like("0", cells, size))
    return FROM_0[:size] if from_0 and usual[-1] not in used else usual


def _is_digit_like(symbol: str, cells: Sequence[str], size: int) -> bool:
    """Return whether a symbol occurs at most once in each row and column, as a digit must."""
    places = [divmod(place, size) for place, cell in enumerate(cells) if cell == symbol]
    return len({row for row, _ in places}) == len({column for _, column in places}) == len(places)


@cache
def _alphabet_symbols(alphabet: str) -> Symbols:
    values = dict.fromkeys(EMPTY, 0)
    for value, symbol in enumerate(alphabet, start=1):
        values[symbol] = values[symbol.lower()] = value  # upper() of the cells would turn some characters into two
    return Symbols.of(values)


@cache
def _numbers(size: int) -> Symbols:
    values = dict.fromkeys((*EMPTY, "00"), 0)
    for value in range(1, size + 1):
        values[str(value)] = values[f"{value:02d}"] = value
    return Symbols.of(values)


def _foreign_symbol(grid: Grid, shape: Shape, values: dict[str, int]) -> BadLine:
    """Describe the first cell whose text has no value."""
    place = next(place for place, cell in enumerate(grid.cells) if cell not in values)
    line, before, unit = grid.line, 0, "character"
    if grid.lines:
        line, before, unit = grid.lines[place // shape.size], place // shape.size * shape.size, "cell"
    last = shape.size if shape.size <= 9 or "10" in values else shape.symbols[-1]
    allowed = f"a {shape.name} board has 1 to {last}, and . 0 * _ for empty cells"
    message = f"{unit} {place - before + 1} is {grid.cells[place][:20]!a}; {allowed}"
    return BadLine(line, message, "foreign character")


def _solution_fault(puzzle: Puzzle, digits: bytes) -> str:
    """Describe the first cell where a source's solution does not fit the clues; empty if it fits."""
    clues = puzzle.cell_bytes
    if len(digits) != len(clues):
        return f"the solution given with the puzzle has {len(digits)} cells, not {len(clues)}"
    if not digits.translate(None, puzzle.shape.cell_values[1:]) and _agree(clues, digits):
        return ""
    fits = (digit not in (0, FOREIGN) and clue in (0, digit) for clue, digit in zip(clues, digits, strict=True))
    place = list(fits).index(False)
    if digits[place] in (0, FOREIGN):
        return f"cell {place + 1} of the solution given with the puzzle is not a digit of a {puzzle.shape.name} board"
    return f"the solution given with the puzzle differs from its clue in cell {place + 1}"


def _agree(clues: bytes, digits: bytes) -> bool:
    """Return whether each cell that is not empty has the same digit; all cells at once, as bytes of one integer."""
    given = int.from_bytes(clues.translate(IS_CLUE), "big")
    return given & int.from_bytes(digits, "big") == int.from_bytes(clues, "big")
