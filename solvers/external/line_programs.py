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
from sudoku_bench.solvers.external.program import CommandFault, Stream, failure, run
from sudoku_bench.solvers.strategy import Strategy, Task, Unsupported

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
        self.puzzle = puzzle
        return puzzle.cell_bytes.translate(TO_TEXT)

    def search(self, model: bytes, task: Task) -> bytes:
        self.limit = task.limit
        return self.ask(model)

    def ask(self, model: bytes) -> bytes:
        """Return what the program writes for a line."""
        raise NotImplementedError

    def decode(self, answer: bytes) -> list[list[int]]:
        return printed.solutions_in(answer, self.puzzle, self.limit)


class StreamStrategy(LinesStrategy):
    """One process for all puzzles."""

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.stream = Stream(self.argv)
        atexit.register(lambda: self.stream.close())

    def ask(self, model: bytes) -> bytes:
        return self.stream.answer(model, self.limit * self.longest, self.is_whole)

    def is_whole(self, answer: bytes) -> bool:
        """Whether the lines that the program has written so far answer the puzzle."""
        if answer.isspace():  # it may still belong to the grid before
            return not self.stream.decorates
        return printed.is_answer(answer, self.shape)

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> Sequence[Sequence[Sequence[int]]]:
        """Send all lines without waiting for each answer; restart a program that does not write a line for each."""
        if len(puzzles) == 1:
            return super().solve_many(puzzles, task)
        try:
            lines = self.stream.exchange([*map(self.encode, puzzles)], task.limit * self.longest)
            return [printed.solutions_in(text, puzzle, task.limit) for text, puzzle in zip(lines, puzzles, strict=True)]
        except CommandFault:
            self.stream = self.stream.restarted()
            raise


class OnceStrategy(LinesStrategy):
    """A process for each puzzle. The puzzle is an argument, and the only line of the standard input."""

    def ask(self, model: bytes) -> bytes:
        argv = [argument.replace(PUZZLE, model.decode()) for argument in self.argv]
        code, output = run(argv, model + b"\n")
        if code:
            raise CommandFault(f"the command {failure(argv, code)}")
        return output
