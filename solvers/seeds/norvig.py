"""``seed:norvig``: propagation and search on strings of candidates (starting document 004)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import Strategy, Task

Values = dict[str, str]  # square -> its candidates


class Board:
    """Squares (``A1`` is the first), units and peers, named as in the document."""

    def __init__(self, shape: Shape) -> None:
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi"
        self.digits = shape.symbols
        self.guesses = 0  # values tried in the last search
        self.squares = [letters[r] + letter for r in range(shape.size) for letter in self.digits]
        unit_list = [[self.squares[cell] for cell in u] for u in shape.columns + shape.rows + shape.boxes]
        self.units = {s: [u for u in unit_list if s in u] for s in self.squares}
        self.peers = {s: {p for u in self.units[s] for p in u} - {s} for s in self.squares}

    def parse(self, puzzle: Puzzle) -> Values | None:
        """The candidates after propagating the clues; None on a contradiction."""
        values = dict.fromkeys(self.squares, self.digits)
        for square, clue in zip(self.squares, puzzle.cells, strict=True):
            if clue and not self.assign(values, square, self.digits[clue - 1]):
                return None
        return values

    def assign(self, values: Values, square: str, digit: str) -> bool:
        """Eliminate all other candidates of a square; False on a contradiction."""
        return all(self.eliminate(values, square, other) for other in values[square].replace(digit, ""))

    def eliminate(self, values: Values, square: str, digit: str) -> bool:
        """Eliminate a candidate; a last candidate is eliminated from the peers, a last place is assigned.

        False on a contradiction.
        """
        if digit not in values[square]:
            return True
        values[square] = values[square].replace(digit, "")
        if not values[square]:
            return False
        if len(values[square]) == 1:
            last = values[square]
            if not all(self.eliminate(values, peer, last) for peer in self.peers[square]):
                return False
        for unit in self.units[square]:
            places = [s for s in unit if digit in values[s]]
            if not places or (len(places) == 1 and not self.assign(values, places[0], digit)):
                return False
        return True

    def search(self, values: Values | None) -> Iterator[Values]:
        """Depth first on the square with the fewest candidates, the first by name if there are several."""
        if values is None:
            return
        open_squares = [(len(values[s]), s) for s in self.squares if len(values[s]) > 1]
        if not open_squares:
            yield values
            return
        square = min(open_squares)[1]
        for digit in values[square]:
            self.guesses += 1
            copy = values.copy()
            if self.assign(copy, square, digit):
                yield from self.search(copy)


@register
class SeedNorvig(Strategy):
    """Naked and hidden singles by elimination, then depth-first search on the square with the fewest candidates (Norvig
    2006).

    Changed: the search is a generator, so that it can continue to a second solution.
    """

    name = "seed:norvig"

    def prepare(self, shape: Shape) -> None:
        self.board = Board(shape)

    def search(self, model: Puzzle, task: Task) -> list[Values]:
        self.board.guesses = 0
        return list(islice(self.board.search(self.board.parse(model)), task.limit))

    def decode(self, answer: list[Values]) -> list[list[int]]:
        digit = {symbol: value for value, symbol in enumerate(self.board.digits, start=1)}
        return [[digit[values[s]] for s in self.board.squares] for values in answer]

    def counters(self) -> dict[str, int]:
        return {"guesses": self.board.guesses}
