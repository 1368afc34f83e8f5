"""Complete grids: the solution of a puzzle near them, and never puzzles themselves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.items import BadLine, Entry
from sudoku_bench.datasets.verify import solution_fault

COMPLETE = "complete grid"  # kind of the fault
MAX_UNSOLVED = 10_000  # puzzles whose solutions may come after all of them


def without_solutions(items: Iterable[Entry | BadLine]) -> Iterator[Entry | BadLine]:
    """Yield items without the complete grids that solve a puzzle; any other complete grid becomes a fault.

    A solution stands directly before or after its puzzle, or solutions follow all puzzles in the same order. Puzzles
    are yielded at once, and a complete grid as soon as the next item shows that it is not its solution.
    """
    held: Entry | None = None  # a complete grid that the next puzzle may belong to
    unsolved: deque[Puzzle] = deque(maxlen=MAX_UNSOLVED)
    for item in items:
        if isinstance(item, BadLine) or 0 in item.puzzle.cell_bytes:
            if held and isinstance(item, Entry) and _solves(held, item.puzzle):
                item = item._replace(solution=held.puzzle.cells)
            elif held:
                yield _fault(held)
            held = None
            if isinstance(item, Entry) and item.solution is None:
                unsolved.append(item.puzzle)
            yield item
        elif unsolved and _solves(item, unsolved[-1]):
            unsolved.pop()
        elif unsolved and _solves(item, unsolved[0]):
            unsolved.popleft()
        else:
            if held is not None:
                yield _fault(held)
            held = item
    if held is not None:
        yield _fault(held)


def _solves(grid: Entry, puzzle: Puzzle) -> bool:
    return puzzle.shape == grid.puzzle.shape and not solution_fault(puzzle, grid.puzzle.cell_bytes)


def _fault(grid: Entry) -> BadLine:
    clash = next(grid.puzzle.clashes(), "")
    message = "a complete grid, and no solution of the puzzle before or after it"
    return BadLine(grid.line, f"{message}; {clash}" if clash else message, COMPLETE)
