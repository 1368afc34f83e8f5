"""``local-search:annealing``: simulated annealing.

Each box always contains each digit once; a move swaps two cells of a box that are not clues; the cost is the number of
digits missing in rows and columns. After a chain of moves at one temperature, the temperature is lowered; after
``PATIENCE`` chains that did not change the cost, it is reset to the first (a restart). Annealing cannot refute: it
gives up after ``MOVES_PER_CELL`` moves for each cell of the board, unless two clues clash. Random numbers start from
the same seed for every puzzle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from statistics import pstdev

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import GaveUp, Strategy, Task

COOLING = 0.99
PATIENCE = 20
MOVES_PER_CELL = 10_000
SAMPLE = 50  # moves whose costs determine the first temperature


@dataclass
class Filling:
    """A board whose boxes are full.

    Attributes:
        cells: N·N digits.
        counts: for each row and then each column the number of times that it contains each digit (2N × (N+1)).
        swappable: the cells without a clue of each box that has at least two.
        cost: the number of digits missing in rows and columns.
    """

    cells: list[int]
    counts: list[list[int]]
    swappable: list[list[int]]
    cost: int


@register
class Annealing(Strategy):
    """Simulated annealing on boxes that are always full (Lewis 2007)."""

    name = "local-search:annealing"
    tasks = ("first",)
    complete = False

    def prepare(self, shape: Shape) -> None:
        self.shape = shape
        self.moves = self.restarts = 0

    def encode(self, puzzle: Puzzle) -> Filling | None:
        """Fill a board at random; None if two clues clash."""
        self.moves = self.restarts = 0
        if any(puzzle.clashes()):
            return None
        self.random = Random(0)
        n, cells, swappable = puzzle.shape.size, list(puzzle.cells), []
        for box in puzzle.shape.boxes:
            open_cells = [cell for cell in box if not cells[cell]]
            missing = sorted(set(range(1, n + 1)) - {cells[cell] for cell in box})
            self.random.shuffle(missing)
            for cell, digit in zip(open_cells, missing, strict=True):
                cells[cell] = digit
            if len(open_cells) > 1:
                swappable.append(open_cells)
        counts = [[0] * (n + 1) for _ in range(2 * n)]
        for cell, digit in enumerate(cells):
            counts[cell // n][digit] += 1
            counts[n + cell % n][digit] += 1
        return Filling(cells, counts, swappable, sum(line[1:].count(0) for line in counts))

    def search(self, model: Filling | None, task: Task) -> list[list[int]]:
        if model is None:
            return []
        if model.cost and model.swappable:
            self.anneal(model)
        if model.cost:
            raise GaveUp(f"no solution within {self.moves} moves and {self.restarts} restarts")
        return [model.cells]

    def anneal(self, board: Filling) -> None:
        """Move until the cost is 0 or the moves are used up."""
        most = MOVES_PER_CELL * self.shape.n_cells
        length = sum(len(cells) ** 2 for cells in board.swappable)
        first = temperature = self.first_temperature(board)
        idle = 0
        while board.cost and self.moves < most:
            before = board.cost
            self.chain(board, temperature, min(length, most - self.moves))
            temperature *= COOLING
            idle = idle + 1 if board.cost == before else 0
            if idle == PATIENCE:
                temperature, idle = first, 0
                self.restarts += 1

    def first_temperature(self, board: Filling) -> float:
        """The standard deviation of the cost over ``SAMPLE`` moves that are all accepted."""
        costs = []
        for _ in range(SAMPLE):
            self.chain(board, math.inf, 1)
            costs.append(board.cost)
        return pstdev(costs) or 1.0

    def chain(self, board: Filling, temperature: float, length: int) -> None:
        """Make up to ``length`` moves until the cost is 0; a move that increases the cost is accepted at random
        (Metropolis)."""
        random, choose = self.random.random, self.random.choice
        for _ in range(length):
            if not board.cost:
                return
            self.moves += 1
            box = choose(board.swappable)
            a = choose(box)
            b = choose(box)
            if a != b:
                rise = self.swap(board, a, b)
                if rise > 0 and random() >= math.exp(-rise / temperature):
                    self.swap(board, a, b)

    def swap(self, board: Filling, a: int, b: int) -> int:
        """Exchange two cells and return the increase of the cost."""
        n, cells, counts = self.shape.size, board.cells, board.counts
        x, y = cells[a], cells[b]
        cells[a], cells[b] = y, x
        rise = 0
        for line_a, line_b in ((counts[a // n], counts[b // n]), (counts[n + a % n], counts[n + b % n])):
            if line_a is not line_b:
                rise += exchange(line_a, x, y) + exchange(line_b, y, x)
        board.cost += rise
        return rise

    def counters(self) -> Mapping[str, int]:
        """``restarts``: resets of the temperature to the first; ``moves``: swaps evaluated."""
        return {"restarts": self.restarts, "moves": self.moves}


def exchange(line: list[int], old: int, new: int) -> int:
    """Replace one digit of a line by another and return the increase in missing digits."""
    line[old] -= 1
    line[new] += 1
    return (line[old] == 0) - (line[new] == 1)
