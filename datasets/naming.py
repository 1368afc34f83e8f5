"""Names of cells and units, and counts, in running text."""

from __future__ import annotations

from collections.abc import Iterable

from sudoku_bench.datasets.shape import Shape


def cell_name(shape: Shape, cell: int) -> str:
    """Name a cell by row and column: ``r1c5``."""
    return f"r{cell // shape.size + 1}c{cell % shape.size + 1}"


def unit_name(shape: Shape, unit: int) -> str:
    """Name a unit: ``row 3``."""
    names = [f"{kind} {number}" for kind, units in shape.kinds for number in range(1, len(units) + 1)]
    return names[unit]


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Join names: ``a``, ``a and b``, ``a, b and c``; empty without names."""
    *others, last = list(names) or [""]
    return f"{', '.join(others)} {joint} {last}" if others else last


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a count with its noun: ``1 puzzle``, ``2,000 puzzles``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
