"""pencilmark: search in C++ that looks for a second solution, too, and raises if there is one."""

import pencilmark
from lines import serve


def solve(puzzle: str) -> list[int] | None:
    try:
        return list(pencilmark.solve(puzzle))
    except (pencilmark.NoSolution, pencilmark.NotUnique):
        return None


serve(solve)
