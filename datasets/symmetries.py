"""Symmetries of a layout: moves of rows and columns, with transposition, that map its set of units onto itself.

Line 2k is row k, line 2k + 1 column k, and a *move* says for each line which line takes its place. All moves of a board
form a group. A chain of stabilizers (Sims 1970) holds it in little memory, gives its size, and draws from it uniformly.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from math import prod

from sudoku_bench.datasets.shape import Shape

Move = tuple[int, ...]
Chain = tuple[tuple[Move, ...], ...]


@lru_cache(maxsize=256)
def stabilizers(shape: Shape) -> Chain:
    """Return for each line the moves that leave all earlier lines in place, one for each line that it can become.

    A line that no such move changes is left out.
    """
    moves, lines = _Moves(shape), range(2 * shape.size)
    found = (tuple(filter(None, (moves.extend([*lines[:line], image]) for image in lines[line:]))) for line in lines)
    return tuple(moves for moves in found if len(moves) > 1)


def order(shape: Shape) -> int:
    """Return the number of moves."""
    return prod(map(len, stabilizers(shape)))


def random_move(shape: Shape, rng: random.Random) -> Sequence[int]:
    """Return a move, each with the same probability."""
    move: Sequence[int] = range(2 * shape.size)
    for moves in stabilizers(shape):
        chosen = moves[rng.randrange(len(moves))]
        move = [move[line] for line in chosen]
    return move


class _Moves:
    """Finds moves by search with backtracking."""

    def __init__(self, shape: Shape) -> None:
        self._size = size = shape.size
        lines = {frozenset(unit) for unit in shape.rows + shape.columns}
        self._units = {frozenset(unit) for unit in shape.units} - lines
        # How many units each cell shares with others and itself: the same for the cells that they become.
        self._near = [Counter(chain.from_iterable(u for u in self._units if cell in u)) for cell in range(size**2)]
        cells = [(shape.columns if line % 2 else shape.rows)[line // 2] for line in range(2 * size)]
        self._shared = [[self._of_lines(line, other) for other in cells] for line in cells]

    def _of_lines(self, line: Sequence[int], other: Sequence[int]) -> int:
        return sum(self._near[a][b] ** 2 for a in line for b in other)

    def extend(self, start: list[int]) -> Move | None:
        """Return a move that begins so; None if there is none."""
        move: list[int] = []
        images: dict[int, int] = {}  # of cells whose row and column have been moved
        return tuple(move) if self._extend(move, images, start) else None

    def _extend(self, move: list[int], images: dict[int, int], start: list[int]) -> bool:
        line = len(move)
        if line == 2 * self._size:
            return {frozenset(images[cell] for cell in unit) for unit in self._units} == self._units
        parity = (line + move[0]) % 2 if move else 0
        for image in start[line : line + 1] or range(parity, 2 * self._size, 2):
            if image in move or (move and image % 2 != parity) or not self._agree(move, line, image):
                continue
            crossing = range(1 - line % 2, line, 2)
            new = {self._cell(line, other): self._cell(image, move[other]) for other in crossing}
            images.update(new)
            move.append(image)
            if self._is_kept(images, new) and self._extend(move, images, start):
                return True
            move.pop()
            for cell in new:
                del images[cell]
        return False

    def _agree(self, move: list[int], line: int, image: int) -> bool:
        shared, becoming = self._shared[line], self._shared[image]
        return shared[line] == becoming[image] and all(shared[k] == becoming[to] for k, to in enumerate(move))

    def _is_kept(self, images: dict[int, int], new: dict[int, int]) -> bool:
        """Whether each new cell shares as many units with each of the others as before the move."""
        moved = frozenset(images.values())
        for cell, image in new.items():
            near = {images[other]: number for other, number in self._near[cell].items() if other in images}
            if near != {other: number for other, number in self._near[image].items() if other in moved}:
                return False
        return True

    def _cell(self, line: int, other: int) -> int:
        row, column = (line, other) if line % 2 == 0 else (other, line)
        return row // 2 * self._size + column // 2
