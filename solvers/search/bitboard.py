"""``bitboard:bands`` and ``bitboard:cells``: compiled searches, the fast ones.

``bands`` does 9×9 boards only, as 27 words in one vector; ``cells`` does any shape up to 36×36, with a mask of
candidates for each cell. Both place naked and hidden singles and take away locked candidates before they branch.
Compiled code is kept on disk, so that only the first process of an installation compiles.
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

COUNTERS = ("guesses", "failures", "backtracks")  # columns of a tally, behind the number of solutions
COLUMNS = 1 + len(COUNTERS)
ROWS = 8192  # solutions that there is room for in one call of a batch, unless one puzzle alone asks for more
LARGEST = 36


class Room(NamedTuple):
    """The arrays of a call, and the same as bytes and (``founds``) integers in one line, which Python reads faster.

    Attributes:
        puzzles: a row for each puzzle.
        out: up to K solutions for each.
        tally: for each how many there are, then the columns of ``COUNTERS``.
    """

    puzzles: NDArray[np.uint8]
    out: NDArray[np.uint8]
    tally: NDArray[np.int64]
    puzzle_bytes: memoryview
    out_bytes: memoryview
    founds: memoryview


class Compiled(Strategy):
    """A kernel that solves an array of puzzles in one call; a single puzzle is an array of one."""

    requires = ("numba",)

    def prepare(self, shape: Shape) -> None:
        self.shape = shape
        self.kernel = self.kernel_for(shape)
        self.rooms: dict[tuple[int, int], Room] = {}
        self.search(self.encode(Puzzle(shape, (0,) * shape.n_cells)), FIRST)  # compiles

    def kernel_for(self, shape: Shape) -> Kernel:
        """The compiled function for a shape.

        Raises:
            Unsupported: there is none.
        """
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> bytes:
        return bytes(puzzle.cells)

    def search(self, model: bytes, task: Task) -> Room:
        room = self.room(1, task.limit)
        room.puzzle_bytes[:] = model
        self.kernel(room.puzzles, room.out, room.tally)
        self.last = room, 0
        return room

    def decode(self, answer: Room) -> list[bytes]:
        width = self.shape.n_cells
        return [answer.out_bytes[k : k + width].tobytes() for k in range(0, width * answer.founds[0], width)]

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> list[list[bytes]]:
        answers = []
        step = max(1, min(ROWS // task.limit, len(puzzles)))
        room = self.room(step, task.limit)
        for start in range(0, len(puzzles), step):
            cells = b"".join([bytes(puzzle.cells) for puzzle in puzzles[start : start + step]])
            number = len(cells) // self.shape.n_cells
            room.puzzle_bytes[: len(cells)] = cells
            self.kernel(room.puzzles[:number], room.out[:number], room.tally[:number])
            self.last = room, number - 1
            answers += self.solutions(room, number)
        return answers

    def room(self, puzzles: int, limit: int) -> Room:
        """Arrays for so many puzzles and solutions of each, made anew only if these numbers change."""
        if (puzzles, limit) not in self.rooms:
            import numpy as np

            cells = np.zeros((puzzles, self.shape.n_cells), dtype=np.uint8)
            out = np.empty((puzzles, limit, self.shape.n_cells), dtype=np.uint8)
            tally = np.zeros((puzzles, COLUMNS), dtype=np.int64)
            flat = [array.reshape(-1).data for array in (cells, out, tally)]
            self.rooms = {(puzzles, limit): Room(cells, out, tally, *flat)}
        return self.rooms[puzzles, limit]

    def solutions(self, room: Room, number: int) -> list[list[bytes]]:
        """The solutions of the first puzzles of a call; a byte is a cell."""
        width, cells = self.shape.n_cells, room.out_bytes
        starts = range(0, number * room.out.shape[1] * width, room.out.shape[1] * width)
        founds = room.founds[: number * COLUMNS : COLUMNS].tolist()
        return [
            [cells[k : k + width].tobytes() for k in range(start, start + width * found, width)]
            for start, found in zip(starts, founds, strict=True)
        ]

    def counters(self) -> Mapping[str, float]:
        room, row = self.last
        counts = dict(zip(COUNTERS, room.tally[row, 1:].tolist(), strict=True))
        return {"nodes": 1 + counts["guesses"], **counts}


@register
class Bands(Compiled):
    """9×9 boards as 27 words of 27 bits, all digits and bands in one vector.

    Branches on a cell with two candidates: one whose candidates see many of the same digits, which have failed often.
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
    """Boards of any shape up to 36×36, a mask of candidates for each cell."""

    name = "bitboard:cells"

    def kernel_for(self, shape: Shape) -> Kernel:
        if shape.size > LARGEST:
            raise Unsupported(f"boards up to {LARGEST}x{LARGEST}, not {shape.name}")
        from functools import partial

        from solvers.search.bitboard_cells import solve_many

        return partial(solve_many, shape)
