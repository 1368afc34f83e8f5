"""Complete grids: the solution of a puzzle near them, and never puzzles themselves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from sudoku_bench.datasets.puzzle import Packed, puzzles_of
from sudoku_bench.datasets.reading.items import BadLine, Entry, unpacked
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import solution_fault

COMPLETE = "complete grid"  # kind of the fault
MAX_UNSOLVED = 10_000  # puzzles whose solutions may come after all of them


def without_solutions(items: Iterable[Entry | BadLine | Packed]) -> Iterator[Entry | BadLine | Packed]:
    """Yield items without the complete grids that solve a puzzle; any other complete grid becomes a fault.

    A solution stands directly before or after its puzzle, or solutions follow all puzzles in the same order. Puzzles
    are yielded at once, and a complete grid as soon as the next item shows that it is not its solution.
    """
    held: Entry | None = None  # a complete grid that the next puzzle may belong to
    unsolved: deque[tuple[Shape, bytes]] = deque(maxlen=MAX_UNSOLVED)
    for item in chain.from_iterable(unpacked([item]) if held else [item] for item in items):
        if isinstance(item, Packed | BadLine) or 0 in item.puzzle.cell_bytes:
            if held and isinstance(item, Entry) and _solves(held, item.puzzle.shape, item.puzzle.cell_bytes):
                item = item._replace(solution=held.puzzle.cells)
            elif held:
                yield _fault(held)
            held = None
            unsolved.extend(_unsolved(item))
            yield item
        elif unsolved and _solves(item, *unsolved[-1]):
            unsolved.pop()
        elif unsolved and _solves(item, *unsolved[0]):
            unsolved.popleft()
        else:
            if held is not None:
                yield _fault(held)
            held = item
    if held is not None:
        yield _fault(held)


def _unsolved(item: Entry | BadLine | Packed) -> Sequence[tuple[Shape, bytes]]:
    if isinstance(item, Packed):
        return [(item.shape, board) for board in item.boards]
    return [(item.puzzle.shape, item.puzzle.cell_bytes)] if isinstance(item, Entry) and item.solution is None else ()


def _solves(grid: Entry, shape: Shape, cells: bytes) -> bool:
    return shape == grid.puzzle.shape and not solution_fault(next(puzzles_of(shape, [cells])), grid.puzzle.cell_bytes)


def _fault(grid: Entry) -> BadLine:
    clash = next(grid.puzzle.clashes(), "")
    message = "a complete grid, and no solution of the puzzle before or after it"
    return BadLine(grid.line, f"{message}; {clash}" if clash else message, COMPLETE)
