"""Times and names as people read them, in a terminal and in figures."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len, set_cell_size

GAP = "…"


def seconds(value: Any) -> str:
    """A time in the unit that reads best: 250 µs, 3.2 ms, 1.5 s."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale * 0.9999:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def duration(seconds: float) -> str:
    """A time about as exactly as one would say it: 45 s, 4 min, 1.5 h."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"


def fitted(name: str, width: int) -> str:
    """A name in so many cells of a terminal: filled up, or without its middle (its ends tell more)."""
    if cell_len(name) <= width:
        return name + " " * (width - cell_len(name))
    end = name[len(name) - (width - 1) // 2 :]
    while cell_len(end) > width - 1:
        end = end[1:]
    return set_cell_size(name, width - 1 - cell_len(end)) + GAP + end


def cut(line: str, width: int) -> str:
    """A line in at most so many cells of a terminal, without its end if need be."""
    return line if cell_len(line) <= width else set_cell_size(line, width - 1) + GAP
