"""Commands that read puzzle lines and write solution lines.

A puzzle is a line of N·N characters, ``.`` for an empty cell, digits 1-9, then A-Z. The answer is one line: a solution
for the task ``first``; for ``unique`` two solutions separated by a blank, or one if there is no other; an empty line if
there is no solution. ``printed`` reads answers that are decorated. One process answers all puzzles of a worker, so it
must flush each answer; with ``{puzzle}`` in the command, a process answers one puzzle.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import SYMBOLS, Shape
from sudoku_bench.solvers.external import printed
from sudoku_bench.solvers.external.command import PUZZLE
from sudoku_bench.solvers.external.program import MORE_LINES, CommandFault, Stream, failure, got, run
from sudoku_bench.solvers.strategy import GaveUp, Strategy, Task, Unsupported

TO_TEXT = f".{SYMBOLS}".encode().ljust(256, b"?")  # by value


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
        self.shape, self.longest = shape, shape.n_cells + 1

    def encode(self, puzzle: Puzzle) -> bytes:
        return puzzle.cell_bytes.translate(TO_TEXT)

    def decode(self, answer: bytes) -> list[list[int]]:
        return printed.solutions_in(answer, self.shape)


class StreamStrategy(LinesStrategy):
    """One process for all puzzles."""

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.stream = Stream(self.argv)
        atexit.register(self.stream.close)

    def search(self, model: bytes, task: Task) -> bytes:
        answer = self.stream.answer(model, task.limit * self.longest, self.is_whole)
        if answer.find(b"\n", 0, -1) >= 0 and printed.has_too_much(answer, self.shape, task.limit):
            raise CommandFault(f"{MORE_LINES}; {got(answer)}")
        return answer

    def is_whole(self, answer: bytes) -> bool:
        """Whether the lines that the program has written so far answer the puzzle."""
        if printed.is_plain(answer, self.shape.n_cells):
            # A blank line may still belong to the grid before.
            return not (self.stream.decorates and answer.isspace())
        try:
            printed.solutions_in(answer, self.shape)
        except CommandFault:
            return False
        except GaveUp:
            pass
        return True

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
