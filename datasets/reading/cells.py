"""From what is written in the cells to a puzzle: empty cells, digits, letters, numbers.

Boards up to 9×9 have the digits 1-9. Larger ones are written in one of three alphabets, or as numbers:

=========  ==============================  ===============================================================
alphabet   16×16                           taken when
=========  ==============================  ===============================================================
usual      ``1-9``, then ``A-G``           nothing speaks for another
letters    ``A-P``                         there is no digit 1-9, and a letter beyond G
from 0     ``0-9``, then ``A-F``           there is no G, and ``0`` stands beside another sign for empty,
                                           once at most in each row and column; or in the solution
=========  ==============================  ===============================================================

(for other boards with their own last letters). Each puzzle is judged alone, together with its solution if there is
one. Where a puzzle uses too few symbols to tell, the usual alphabet is taken; that renames digits, and so it is at
worst an isomorph of the puzzle that was meant.
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


def entry(
    grid: Grid, solution: Sequence[str] = (), name: str = "", facts: tuple[tuple[str, str], ...] = ()
) -> Entry | BadLine:
    """The puzzle that is written in the cells of a grid, or what is wrong with them."""
    cells = grid.cells
    shape = grid.shape or SHAPES.get(len(cells))
    if shape is None:
        return wrong_length(len(cells), grid.line)
    table = _table(cells, solution, shape)
    try:
        puzzle = Puzzle(shape, tuple(map(table.__getitem__, cells)))
    except KeyError:
        return _foreign(grid, shape, table)
    if not solution:
        return Entry(puzzle, grid.line, name, facts)
    digits = tuple(table.get(cell, 0) for cell in solution)
    fault = _solution_fault(puzzle, digits)
    if fault:
        return BadLine(grid.line, f"{fault}; mend the solution or leave it out", "solution that does not fit")
    return Entry(puzzle, grid.line, name, facts, digits)


def wrong_length(length: int, line: int) -> BadLine:
    """The fault of a line that has as many cells as no board."""
    near = min(SHAPES, key=lambda cells: abs(cells - length))
    sizes = ", ".join(map(str, SHAPES))
    return BadLine(
        line,
        f"{length} characters where a puzzle has {sizes}; a {SHAPES[near].name} board needs {near}",
        "wrong length",
    )


def _table(cells: Sequence[str], solution: Sequence[str], shape: Shape) -> dict[str, int]:
    """What each text in a cell stands for."""
    if not isinstance(cells, str) and any(len(cell) > 1 for cell in cells):
        return _numbers(shape.size)
    if shape.size <= 9:
        return _symbols(SYMBOLS[: shape.size])
    return _symbols(_alphabet([c.upper() for c in cells], {c.upper() for c in solution}, shape.size))


def _alphabet(cells: Sequence[str], solved: set[str], size: int) -> str:
    """The alphabet of a board larger than 9×9: see the table at the top."""
    given = set(cells)
    used = given | solved
    usual, beyond = SYMBOLS[:size], SYMBOLS[size:]
    if used.isdisjoint("123456789") and not used.isdisjoint(beyond):
        return LETTERS[:size]
    from_0 = "0" in solved or ("0" in given and not given.isdisjoint(OTHER_EMPTY) and _once("0", cells, size))
    return FROM_0[:size] if from_0 and usual[-1] not in used else usual


def _once(symbol: str, cells: Sequence[str], size: int) -> bool:
    """Does a symbol stand at most once in each row and column, as a digit must?"""
    places = [divmod(place, size) for place, cell in enumerate(cells) if cell == symbol]
    return len({row for row, _ in places}) == len({column for _, column in places}) == len(places)


@cache
def _symbols(alphabet: str) -> dict[str, int]:
    table = dict.fromkeys(EMPTY, 0)
    for value, symbol in enumerate(alphabet, start=1):
        table[symbol] = table[symbol.lower()] = value  # upper() of the text would not do: it makes two letters of some
    return table


@cache
def _numbers(size: int) -> dict[str, int]:
    table = dict.fromkeys((*EMPTY, "00"), 0)
    for value in range(1, size + 1):
        table[str(value)] = table[f"{value:02d}"] = value
    return table


def _foreign(grid: Grid, shape: Shape, table: dict[str, int]) -> BadLine:
    place = next(place for place, cell in enumerate(grid.cells) if cell not in table)
    what, kind = f"{grid.cells[place][:20]!a}", "foreign character"
    line, before, unit = grid.line, 0, "character"
    if grid.lines:
        line, before, unit = grid.lines[place // shape.size], place // shape.size * shape.size, "cell"
    last = shape.size if shape.size <= 9 or "10" in table else shape.symbols[-1]
    allowed = f"a {shape.name} board has 1 to {last}, and . 0 * _ for empty cells"
    return BadLine(line, f"{unit} {place - before + 1} is {what}; {allowed}", kind)


def _solution_fault(puzzle: Puzzle, digits: tuple[int, ...]) -> str:
    """What is wrong with the solution that a source gives, as far as a glance tells; empty if nothing is."""
    if len(digits) != len(puzzle.cells):
        return f"the solution beside the puzzle has {len(digits)} cells, not {len(puzzle.cells)}"
    for place, (clue, digit) in enumerate(zip(puzzle.cells, digits, strict=True), start=1):
        if not digit:
            return f"cell {place} of the solution beside the puzzle is not a digit of a {puzzle.shape.name} board"
        if clue not in (0, digit):
            return f"the solution beside the puzzle differs from its clue in cell {place}"
    return ""
