"""``bitboard:bands`` and ``bitboard:cells``: fast searches compiled by numba.

``bands`` is for ordinary 9×9 boards only, as 27 words in one vector; ``cells`` is for any units on boards up to 62×62,
with a mask of candidates for each cell. Both place naked and hidden singles and eliminate locked candidates before they
branch. Compiled code is cached on disk, so that only the first process of an installation compiles.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.puzzle import Puzzle, puzzles_of
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, FIRST, Strategy, Task, Unsupported

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Kernel = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], None]
    Views = tuple[memoryview, ...]  # flat, of the arrays that a kernel takes: Python reads them faster

COUNTERS = ("guesses", "failures", "backtracks")  # columns of a tally, after the number of solutions
COLUMNS = 1 + len(COUNTERS)
BLOCK = 256  # puzzles of a call in a batch: their cells and solutions stay in the cache of a core
ROWS = 8192  # solutions for which a call in a batch has space, unless one puzzle alone needs more
LARGEST = 62  # rows; candidates are a mask in a signed integer of 64 bits


class Compiled(Strategy):
    """A kernel that solves an array of puzzles in one call; a single puzzle is an array of one.

    The kernel takes three arrays: the puzzles as in ``Puzzle.cell_bytes`` (n × N·N, with pencilmarks n × 8·N·N); space
    for K solutions of each (n·K × N·N), which it fills from the first row on without gaps; and a tally (n ×
    ``COLUMNS``), which receives for each puzzle the number of solutions and the ``COUNTERS``.
    """

    requires = ("numba",)

    def prepare(self, shape: Shape) -> None:
        self.shape = shape
        self.kernel = self.kernel_for(shape)
        self.n_bytes = shape.n_bytes  # of a puzzle
        self.buffers: dict[int, tuple[Sequence[NDArray[Any]], Views]] = {}
        self.search(self.encode(next(puzzles_of(shape, [bytes(self.n_bytes)]))), FIRST)  # compiles

    def kernel_for(self, shape: Shape) -> Kernel:
        """The compiled function for a shape.

        Raises:
            Unsupported: there is none for this shape.
        """
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> bytes:
        return puzzle.cell_bytes

    def search(self, model: bytes, task: Task) -> Views:
        arrays, views = self.buffers.get(task.limit) or self.make_buffers(task.limit)
        views[0][:] = model
        self.kernel(*arrays)
        self.last = arrays[2]
        return views

    def make_buffers(self, limit: int) -> tuple[Sequence[NDArray[Any]], Views]:
        """Allocate the arrays for single puzzles, in place of those for another limit."""
        import numpy as np

        puzzles, out = (np.empty(size, dtype=np.uint8) for size in ((1, self.n_bytes), (limit, self.shape.n_cells)))
        arrays = (puzzles, out, np.empty((1, COLUMNS), dtype=np.int64))
        self.buffers = {limit: (arrays, tuple(array.reshape(-1).data for array in arrays))}
        return self.buffers[limit]

    def decode(self, answer: Views) -> list[bytes]:
        (_, out, tally), width = answer, self.shape.n_cells
        return [out[k : k + width].tobytes() for k in range(0, width * tally[0], width)]

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> list[tuple[bytes, ...]]:
        """Solve a batch in blocks; a byte of a solution is a cell."""
        width, answers = self.shape.n_cells, list[tuple[bytes, ...]]()
        for counts, rows in self.solve_blocks(bytearray().join([puzzle.cell_bytes for puzzle in puzzles]), task.limit):
            if 0 < min(counts) == max(counts) <= BLOCK:
                answers += struct.iter_unpack(f"{width}s" * counts[0], rows.data)
            else:
                cells = rows.view(f"S{width}").ravel().tolist()
                answers += (tuple(cells[start:end]) for start, end in pairwise(accumulate(counts, initial=0)))
        return answers

    def solve_cells(self, shape: Shape, cells: bytes, task: Task) -> tuple[list[int], bytes]:
        blocks = list(self.solve_blocks(bytearray(cells), task.limit))
        return [number for counts, _ in blocks for number in counts], b"".join(rows.data for _, rows in blocks)

    def solve_blocks(self, cells: bytearray, limit: int) -> Iterator[tuple[list[int], NDArray[np.uint8]]]:
        """Yield the numbers of solutions of the puzzles in each call of the kernel, and all these solutions."""
        import numpy as np

        puzzles = np.frombuffer(cells, dtype=np.uint8).reshape(-1, self.n_bytes)
        step = max(1, min(BLOCK, ROWS // limit))
        for block in (puzzles[start : start + step] for start in range(0, len(puzzles), step)):
            out = np.empty((len(block) * limit, self.shape.n_cells), dtype=np.uint8)
            tally = np.empty((len(block), COLUMNS), dtype=np.int64)
            self.kernel(block, out, tally)
            self.last = tally[-1:]
            counts = tally[:, 0].tolist()
            yield counts, out[: sum(counts)]

    def counters(self) -> Mapping[str, float]:
        counts = dict(zip(COUNTERS, self.last[0, 1:].tolist(), strict=True))
        return {"nodes": 1 + counts["guesses"], **counts}


@register
class Bands(Compiled):
    """9×9 boards as 27 words of 27 bits in one vector register; singles and locked candidates of all digits, bands and
    stacks at once, and both sides of a branch together (Dillon 2019; Boussemart and others 2004).

    Branches on a cell with two candidates that many of its peers have too, and whose digits have failed often.
    """

    name = "bitboard:bands"
    takes = ("candidates",)

    def kernel_for(self, shape: Shape) -> Kernel:
        if replace(shape, pencilmarks=False) != Shape(3, 3):
            raise Unsupported(f"9x9 boards only, not {shape.name}")
        from sudoku_bench.solvers.search.bitboard_bands import solve_many

        kernel: Kernel = solve_many
        return kernel


@register
class Cells(Compiled):
    """Boards up to 62×62 with a mask of candidates for each cell: singles, locked candidates, branching on failures
    (Boussemart and others 2004)."""

    name = "bitboard:cells"
    takes = ANY_BOARD

    def kernel_for(self, shape: Shape) -> Kernel:
        if shape.size > LARGEST:
            raise Unsupported(f"boards up to {LARGEST}x{LARGEST}, not {shape.name}")
        from sudoku_bench.solvers.search.bitboard_cells import solve_many, tables_of

        return partial(solve_many, tables_of(shape))
