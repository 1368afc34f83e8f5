"""Further solutions from solvers that find one at a time: forbid each that is found, and ask again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Cells = list[int]


def distinct(find: Callable[[], Cells | None], forbid: Callable[[Cells], Any], limit: int) -> list[Cells]:
    """Up to ``limit`` solutions; fewer means that ``find`` has refuted any other.

    Args:
        find: the cells of a solution that is not forbidden, None if there is none.
        forbid: excludes a solution from all later answers.
        limit: how many are asked for, at least 1.
    """
    found: list[Cells] = []
    while (cells := find()) is not None:
        found.append(cells)
        if len(found) == limit:
            break
        forbid(cells)
    return found
