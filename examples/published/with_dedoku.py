"""dedoku: logic alone, which gives up where it ends."""

import dedoku
from lines import serve


def solve(puzzle: str) -> str | None:
    try:
        result = dedoku.solve(puzzle)
    except dedoku.ContradictionError:
        return None
    return result.grid.to_string() if result.solved else "gave up"


serve(solve)
