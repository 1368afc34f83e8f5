"""Times, names, counts and lists as text, for the terminal, figures and the write-up."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len, set_cell_size

from sudoku_bench.datasets.naming import counted as counted
from sudoku_bench.datasets.naming import listed as listed

GAP = "…"


def seconds(value: Any) -> str:
    """Format a time with the unit that fits it best: 250 µs, 3.2 ms, 1.5 s, 1,200 s."""
    if value >= 999.5:
        return f"{value:,.0f} s"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale * 0.9999:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def seconds_between(least: Any, most: Any) -> str:
    """Format a range of times, with one unit if both have the same: 5.38 to 14.3 µs, 980 µs to 1.02 ms."""
    first, last = seconds(least), seconds(most)
    if first == last:
        return first
    unit = last.split()[1]
    return f"{first.removesuffix(f' {unit}') if first.split()[1] == unit else first} to {last}"


def duration(seconds: float) -> str:
    """Format a time roughly: 45 s, 4 min, 1.5 h."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"


def fitted(name: str, width: int) -> str:
    """Pad a name to ``width`` terminal cells, or cut out its middle, which is less informative than its ends."""
    if cell_len(name) <= width:
        return name + " " * (width - cell_len(name))
    end = name[len(name) - (width - 1) // 2 :]
    while cell_len(end) > width - 1:
        end = end[1:]
    return set_cell_size(name, width - 1 - cell_len(end)) + GAP + end


def cut(line: str, width: int) -> str:
    """Truncate a line to at most ``width`` terminal cells."""
    return line if cell_len(line) <= width else set_cell_size(line, width - 1) + GAP


def sentences(*parts: str) -> str:
    """Join the parts that are not empty into one paragraph."""
    return " ".join(part for part in parts if part)
