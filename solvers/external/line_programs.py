"""Commands that read puzzle lines and write solution lines.

A puzzle is a line of N·N characters, ``.`` for an empty cell, digits 1-9, then A-Z. The answer is one line: a solution
for the task ``first``; for ``unique`` two solutions separated by a blank, or one if there is no other; an empty line if
there is no solution. One process answers all puzzles of a worker, so it must flush each line; with ``{puzzle}`` in the
command, a process answers one puzzle.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import SYMBOLS, Shape
from solvers.external.command import PUZZLE
from solvers.external.program import CommandFault, Stream, failure, run
from solvers.strategy import Strategy, Task, Unsupported

TO_TEXT = f".{SYMBOLS}".encode().ljust(256, b"?")  # by value
FROM_TEXT = bytes(max(SYMBOLS.find(chr(code).upper()) + 1, 0) for code in range(256))  # by character


class LinesStrategy(Strategy):
    """Base of both kinds: puzzles and solutions as text."""

    argv: ClassVar[tuple[str, ...]]
    shapes: ClassVar[tuple[str, ...]]

    def prepare(self, shape: Shape) -> None:
        if shape.size > len(SYMBOLS):
            raise Unsupported(f"a {shape.name} board has more digits than there are characters for them")
        if shape != Shape.of_size(shape.size):
            raise Unsupported(f"a puzzle line cannot express that boxes have {shape.box_rows} rows")
        if self.shapes and shape.name not in self.shapes:
            raise Unsupported(f"declared for {', '.join(self.shapes)} boards only")
        self.longest = shape.n_cells + 1

    def encode(self, puzzle: Puzzle) -> bytes:
        return puzzle.cell_bytes.translate(TO_TEXT)

    def decode(self, answer: bytes) -> list[list[int]]:
        """Convert text to cells; anything but a digit becomes 0, which is in no solution."""
        return [list(word.translate(FROM_TEXT)) for word in answer.split()]


class StreamStrategy(LinesStrategy):
    """One process for all puzzles."""

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.stream = Stream(self.argv)
        atexit.register(self.stream.close)

    def search(self, model: bytes, task: Task) -> bytes:
        [line] = self.stream.exchange([model], task.limit * self.longest)
        return line

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> list[list[list[int]]]:
        """Send all lines without waiting for each answer."""
        lines = self.stream.exchange([*map(self.encode, puzzles)], task.limit * self.longest)
        return [*map(self.decode, lines)]


class OnceStrategy(LinesStrategy):
    """A process for each puzzle. The puzzle is an argument, and the only line of the standard input."""

    def search(self, model: bytes, task: Task) -> bytes:
        argv = [argument.replace(PUZZLE, model.decode()) for argument in self.argv]
        code, output = run(argv, model + b"\n")
        if code:
            raise CommandFault(f"the command {failure(argv, code)}")
        return output
