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

from collections.abc import Sequence
from functools import cache

from datasets.puzzle import Puzzle
from datasets.reading.items import BadLine, Entry, Grid
from datasets.shape import EMPTY, SYMBOLS, Shape

SIZES = (4, 6, 9, 12, 16, 25)
SHAPES = {size * size: Shape.of_size(size) for size in SIZES}
LETTERS = SYMBOLS[9:]
FROM_0 = "0" + SYMBOLS
OTHER_EMPTY = frozenset(EMPTY) - {"0"}


def parse_grid(
    grid: Grid, solution: Sequence[str] = (), name: str = "", facts: tuple[tuple[str, str], ...] = ()
) -> Entry | BadLine:
    """Convert the cells of a grid to a puzzle, or describe their fault."""
    cells = grid.cells
    shape = grid.shape or SHAPES.get(len(cells))
    if shape is None:
        return wrong_length(len(cells), grid.line)
    values = _symbol_values(cells, solution, shape)
    try:
        puzzle = Puzzle(shape, tuple(map(values.__getitem__, cells)))
    except KeyError:
        return _foreign_symbol(grid, shape, values)
    if not solution:
        return Entry(puzzle, grid.line, name, facts)
    digits = tuple(values.get(cell, 0) for cell in solution)
    fault = _solution_fault(puzzle, digits)
    if fault:
        return BadLine(grid.line, f"{fault}; correct the solution or leave it out", "solution that does not fit")
    return Entry(puzzle, grid.line, name, facts, digits)


def wrong_length(length: int, line: int) -> BadLine:
    """Describe the fault of a grid with a number of cells that no board has."""
    nearest = min(SHAPES, key=lambda cells: abs(cells - length))
    sizes = ", ".join(map(str, SHAPES))
    return BadLine(
        line,
        f"{length} characters where a puzzle has {sizes}; a {SHAPES[nearest].name} board needs {nearest}",
        "wrong length",
    )


def _symbol_values(cells: Sequence[str], solution: Sequence[str], shape: Shape) -> dict[str, int]:
    """Return the value of each text that may be in a cell."""
    if not isinstance(cells, str) and any(len(cell) > 1 for cell in cells):
        return _number_values(shape.size)
    if shape.size <= 9:
        return _alphabet_values(SYMBOLS[: shape.size])
    return _alphabet_values(_alphabet([c.upper() for c in cells], {c.upper() for c in solution}, shape.size))


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
def _alphabet_values(alphabet: str) -> dict[str, int]:
    values = dict.fromkeys(EMPTY, 0)
    for value, symbol in enumerate(alphabet, start=1):
        values[symbol] = values[symbol.lower()] = value  # upper() of the cells would turn some characters into two
    return values


@cache
def _number_values(size: int) -> dict[str, int]:
    values = dict.fromkeys((*EMPTY, "00"), 0)
    for value in range(1, size + 1):
        values[str(value)] = values[f"{value:02d}"] = value
    return values


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


def _solution_fault(puzzle: Puzzle, digits: tuple[int, ...]) -> str:
    """Describe the first cell where a source's solution does not fit the clues; empty if it fits."""
    if len(digits) != len(puzzle.cells):
        return f"the solution given with the puzzle has {len(digits)} cells, not {len(puzzle.cells)}"
    for place, (clue, digit) in enumerate(zip(puzzle.cells, digits, strict=True), start=1):
        if not digit:
            return f"cell {place} of the solution given with the puzzle is not a digit of a {puzzle.shape.name} board"
        if clue not in (0, digit):
            return f"the solution given with the puzzle differs from its clue in cell {place}"
    return ""
