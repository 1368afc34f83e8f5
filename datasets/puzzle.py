"""A puzzle, its one-line text and its printed grid with box borders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from datasets.shape import Shape


@dataclass(frozen=True)
class Puzzle:
    """A shape and its N·N cells, row by row; 0 is an empty cell, 1 .. N are clues.

    A strategy sees nothing else. Clues may contradict each other; only a solver decides whether a puzzle has a
    solution.

    Raises:
        ValueError: the number of cells is not N·N, or a cell is not within 0 .. N.
    """

    shape: Shape
    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.cells) != self.shape.n_cells:
            raise ValueError(f"a {self.shape.name} board has {self.shape.n_cells} cells, not {len(self.cells)}")
        if min(self.cells) < 0 or max(self.cells) > self.shape.size:
            raise ValueError(f"a cell of a {self.shape.name} board is 0 (empty) or 1 to {self.shape.size}")

    @property
    def clues(self) -> int:
        """The number of clues."""
        return len(self.cells) - self.cells.count(0)

    @property
    def text(self) -> str:
        """The puzzle in one line, ``.`` for an empty cell."""
        return cells_text(self.shape, self.cells)

    @property
    def bordered(self) -> str:
        """The puzzle as a printed grid with borders between boxes."""
        return bordered(self.shape, self.cells)

    def clashes(self) -> Iterator[str]:
        """Describe each digit that occurs more than once in a unit; yield nothing if no two clues clash."""
        size, shape = self.shape.size, self.shape
        for kind, units in (("row", shape.rows), ("column", shape.columns), ("box", shape.boxes)):
            for number, unit in enumerate(units, start=1):
                counts = Counter(self.cells[cell] for cell in unit if self.cells[cell])
                for digit, count in counts.items():
                    if count > 1:
                        places = [divmod(c, size) for c in unit if self.cells[c] == digit]
                        cells = " and ".join(f"r{r + 1}c{c + 1}" for r, c in places)
                        yield f"{shape.symbols[digit - 1]} occurs {count} times in {kind} {number} ({cells})"


def cells_text(shape: Shape, cells: Iterable[int]) -> str:
    """Format cells as one character each, ``.`` for 0."""
    symbols = "." + shape.symbols
    return "".join(symbols[v] for v in cells)


def bordered(shape: Shape, cells: Sequence[int]) -> str:
    """Format cells as N lines with ``|`` between boxes and a line of ``---+---+---`` between bands."""
    text = cells_text(shape, cells)
    n, width = shape.size, shape.box_cols
    rule = "+".join(["-" * width] * shape.box_rows)
    lines = []
    for r in range(n):
        if r and r % shape.box_rows == 0:
            lines.append(rule)
        row = text[r * n : (r + 1) * n]
        lines.append("|".join(row[c : c + width] for c in range(0, n, width)))
    return "\n".join(lines)
