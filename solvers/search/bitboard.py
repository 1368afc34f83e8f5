"""``bitboard:bands`` and ``bitboard:cells``: fast searches compiled by numba.

``bands`` is for 9×9 boards only, as 27 words in one vector; ``cells`` is for any shape up to 36×36, with a mask of
candidates for each cell. Both place naked and hidden singles and eliminate locked candidates before they branch.
Compiled code is cached on disk, so that only the first process of an installation compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import FIRST, Strategy, Task, Unsupported

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Kernel = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], None]

COUNTERS = ("guesses", "failures", "backtracks")  # columns of a tally, after the number of solutions
COLUMNS = 1 + len(COUNTERS)
ROWS = 8192  # solutions for which a call of a batch has space, unless one puzzle alone needs more
LARGEST = 36


class Buffers(NamedTuple):
    """The arrays of a call, and flat views of them, which Python reads faster.

    Attributes:
        puzzles: a row for each puzzle.
        out: up to K solutions for each puzzle.
        tally: for each puzzle the number of solutions, then the columns of ``COUNTERS``.
        puzzle_bytes, out_bytes, tally_integers: the flat views.
    """

    puzzles: NDArray[np.uint8]
    out: NDArray[np.uint8]
    tally: NDArray[np.int64]
    puzzle_bytes: memoryview
    out_bytes: memoryview
    tally_integers: memoryview


class Compiled(Strategy):
    """A kernel that solves an array of puzzles in one call; a single puzzle is an array of one."""

    requires = ("numba",)

    def prepare(self, shape: Shape) -> None:
        self.shape = shape
        self.kernel = self.kernel_for(shape)
        self.allocated: dict[tuple[int, int], Buffers] = {}
        self.search(self.encode(Puzzle(shape, (0,) * shape.n_cells)), FIRST)  # compiles

    def kernel_for(self, shape: Shape) -> Kernel:
        """The compiled function for a shape.

        Raises:
            Unsupported: there is none for this shape.
        """
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> bytes:
        return bytes(puzzle.cells)

    def search(self, model: bytes, task: Task) -> Buffers:
        buffers = self.buffers_for(1, task.limit)
        buffers.puzzle_bytes[:] = model
        self.kernel(buffers.puzzles, buffers.out, buffers.tally)
        self.last = buffers, 0
        return buffers

    def decode(self, answer: Buffers) -> list[bytes]:
        width = self.shape.n_cells
        return [answer.out_bytes[k : k + width].tobytes() for k in range(0, width * answer.tally_integers[0], width)]

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> list[list[bytes]]:
        answers = []
        step = max(1, min(ROWS // task.limit, len(puzzles)))
        buffers = self.buffers_for(step, task.limit)
        for start in range(0, len(puzzles), step):
            cells = b"".join([bytes(puzzle.cells) for puzzle in puzzles[start : start + step]])
            number = len(cells) // self.shape.n_cells
            buffers.puzzle_bytes[: len(cells)] = cells
            self.kernel(buffers.puzzles[:number], buffers.out[:number], buffers.tally[:number])
            self.last = buffers, number - 1
            answers += self.solutions(buffers, number)
        return answers

    def buffers_for(self, puzzles: int, limit: int) -> Buffers:
        """Arrays for a number of puzzles and solutions of each, allocated again only if these numbers change."""
        if (puzzles, limit) not in self.allocated:
            import numpy as np

            cells = np.zeros((puzzles, self.shape.n_cells), dtype=np.uint8)
            out = np.empty((puzzles, limit, self.shape.n_cells), dtype=np.uint8)
            tally = np.zeros((puzzles, COLUMNS), dtype=np.int64)
            flat = [array.reshape(-1).data for array in (cells, out, tally)]
            self.allocated = {(puzzles, limit): Buffers(cells, out, tally, *flat)}
        return self.allocated[puzzles, limit]

    def solutions(self, buffers: Buffers, number: int) -> list[list[bytes]]:
        """The solutions of the first ``number`` puzzles of a call; a byte is a cell."""
        width, cells = self.shape.n_cells, buffers.out_bytes
        starts = range(0, number * buffers.out.shape[1] * width, buffers.out.shape[1] * width)
        counts = buffers.tally_integers[: number * COLUMNS : COLUMNS].tolist()
        return [
            [cells[k : k + width].tobytes() for k in range(start, start + width * count, width)]
            for start, count in zip(starts, counts, strict=True)
        ]

    def counters(self) -> Mapping[str, float]:
        buffers, row = self.last
        counts = dict(zip(COUNTERS, buffers.tally[row, 1:].tolist(), strict=True))
        return {"nodes": 1 + counts["guesses"], **counts}


@register
class Bands(Compiled):
    """9×9 boards as 27 words of 27 bits in one vector register; singles and locked candidates of all digits, bands and
    stacks at once, and both sides of a branch together (Dillon 2019; Boussemart and others 2004).

    Branches on a cell with two candidates that many of its peers have too, and whose digits have failed often.
    """

    name = "bitboard:bands"

    def kernel_for(self, shape: Shape) -> Kernel:
        if shape != Shape(3, 3):
            raise Unsupported(f"9x9 boards only, not {shape.name}")
        from solvers.search.bitboard_bands import solve_many

        kernel: Kernel = solve_many
        return kernel


@register
class Cells(Compiled):
    """Boards up to 36×36 with a mask of candidates for each cell: singles, locked candidates, branching on failures
    (Boussemart and others 2004)."""

    name = "bitboard:cells"

    def kernel_for(self, shape: Shape) -> Kernel:
        if shape.size > LARGEST:
            raise Unsupported(f"boards up to {LARGEST}x{LARGEST}, not {shape.name}")
        from functools import partial

        from solvers.search.bitboard_cells import solve_many

        return partial(solve_many, shape)
