"""``bitboard:bands`` and ``bitboard:cells``: compiled searches, the fast ones.

``bands`` does 9×9 boards only, as 27 words in one vector; ``cells`` does any shape up to 36×36, with a mask of candidates
for each cell. Both place naked and hidden singles and take away locked candidates before they branch. Compiled
code is kept on disk, so that only the first process of an installation compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import Strategy, Task, Unsupported

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Kernel = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], None]

COUNTERS = ("guesses", "failures", "backtracks")  # columns of a tally, behind the number of solutions
ROWS = 8192  # solutions that there is room for in one call of a batch, unless one puzzle alone asks for more
LARGEST = 36


class Compiled(Strategy):
    """A kernel that solves an array of puzzles in one call; a single puzzle is an array of one."""

    def prepare(self, shape: Shape) -> None:
        import numpy as np

        self.np = np
        self.shape = shape
        self.kernel = self.kernel_for(shape)
        self.rooms: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.search(self.encode(Puzzle(shape, (0,) * shape.n_cells)), Task("first", 1))  # compiles

    def kernel_for(self, shape: Shape) -> Kernel:
        """The compiled function for a shape.

        Raises:
            Unsupported: there is none.
        """
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> Any:
        return self.np.frombuffer(bytes(puzzle.cells), dtype=self.np.uint8).reshape(1, -1)

    def search(self, model: Any, task: Task) -> Any:
        out, self.tally = self.room(len(model), task.limit)
        self.kernel(model, out, self.tally)
        return out

    def room(self, puzzles: int, limit: int) -> tuple[Any, Any]:
        """Arrays for solutions and tallies, made anew only if their sizes change."""
        if (puzzles, limit) not in self.rooms:
            out = self.np.empty((puzzles, limit, self.shape.n_cells), dtype=self.np.uint8)
            self.rooms = {(puzzles, limit): (out, self.np.zeros((puzzles, 1 + len(COUNTERS)), dtype=self.np.int64))}
        return self.rooms[puzzles, limit]

    def decode(self, answer: Any) -> list[bytes]:
        return self.solutions(answer)[0]

    def solutions(self, answer: Any) -> list[list[bytes]]:
        """The solutions of each puzzle of an array; a byte is a cell."""
        found = []
        for rows, number in zip(answer, self.tally[:, 0].tolist(), strict=True):
            found.append([row.tobytes() for row in rows[:number]])
        return found

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> list[list[bytes]]:
        answers = []
        step = max(1, ROWS // task.limit)
        for start in range(0, len(puzzles), step):
            cells = b"".join([bytes(puzzle.cells) for puzzle in puzzles[start : start + step]])
            model = self.np.frombuffer(cells, dtype=self.np.uint8).reshape(-1, self.shape.n_cells)
            answers += self.solutions(self.search(model, task))
        return answers

    def counters(self) -> Mapping[str, float]:
        counts = dict(zip(COUNTERS, self.tally[-1, 1:].tolist(), strict=True))
        return {"nodes": 1 + counts["guesses"], **counts}


@register
class Bands(Compiled):
    """9×9 boards as 27 words of 27 bits, all digits and bands in one vector.

    Branches on a cell with two candidates, the one whose candidates see the most candidates of the same digits.
    """

    name = "bitboard:bands"

    def kernel_for(self, shape: Shape) -> Kernel:
        if shape != Shape(3, 3):
            raise Unsupported(f"9x9 boards only, not {shape.name}")
        from solvers.bitboard_bands import solve_many

        kernel: Kernel = solve_many
        return kernel


@register
class Cells(Compiled):
    """Boards of any shape up to 36×36, a mask of candidates for each cell."""

    name = "bitboard:cells"

    def kernel_for(self, shape: Shape) -> Kernel:
        if shape.size > LARGEST:
            raise Unsupported(f"boards up to {LARGEST}x{LARGEST}, not {shape.name}")
        from functools import partial

        from solvers.bitboard_cells import solve_many

        return partial(solve_many, shape)
