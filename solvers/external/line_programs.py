"""Commands that read puzzle lines and write solution lines.

A puzzle is a line of N·N characters, ``.`` for an empty cell, digits 1-9, then A-Z. The answer is one line: a solution
for the task ``first``; for ``unique`` two solutions with a blank between them, one if there is no other; nothing but
the end of the line if there is none. One process answers all puzzles of a worker, so it must flush each line; with
``{puzzle}`` in the command, a process answers one puzzle.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import SYMBOLS, Shape
from solvers.external.command import PUZZLE, Command
from solvers.external.program import CommandFault, Stream, ended, run
from solvers.strategy import Strategy, Task, Unsupported

WRITTEN = f".{SYMBOLS}".encode().ljust(256, b"?")  # by value
READ = bytes(max(SYMBOLS.find(chr(code).upper()) + 1, 0) for code in range(256))  # by character; no digit is 0


class LinesStrategy(Strategy):
    """What both kinds share: puzzles and solutions as text."""

    words: ClassVar[tuple[str, ...]]
    shapes: ClassVar[tuple[str, ...]]

    def prepare(self, shape: Shape) -> None:
        if shape.size > len(SYMBOLS):
            raise Unsupported(f"a {shape.name} board has more digits than there are characters for a line")
        if shape != Shape.of_size(shape.size):
            raise Unsupported(f"a line does not say that boxes have {shape.box_rows} rows")
        if self.shapes and shape.name not in self.shapes:
            raise Unsupported(f"declared for {', '.join(self.shapes)} boards only")
        self.longest = shape.n_cells + 1

    def encode(self, puzzle: Puzzle) -> bytes:
        return bytes(puzzle.cells).translate(WRITTEN)

    def decode(self, answer: bytes) -> list[list[int]]:
        """What is no digit becomes 0, which no solution holds."""
        return [list(word.translate(READ)) for word in answer.split()]


class StreamStrategy(LinesStrategy):
    """One process for all puzzles."""

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.stream = Stream(self.words)
        atexit.register(self.stream.close)

    def search(self, model: bytes, task: Task) -> bytes:
        [line] = self.stream.exchange([model], task.limit * self.longest)
        return line

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> list[list[list[int]]]:
        """All lines are on their way before the first answer is waited for."""
        lines = self.stream.exchange([*map(self.encode, puzzles)], task.limit * self.longest)
        return [*map(self.decode, lines)]


class OnceStrategy(LinesStrategy):
    """A process for each puzzle, which is an argument, and the only line of its standard input."""

    def search(self, model: bytes, task: Task) -> bytes:
        words = [word.replace(PUZZLE, model.decode()) for word in self.words]
        code, output = run(words, model + b"\n")
        if code:
            raise CommandFault(f"the command {ended(code)}")
        return output


def strategy_of(name: str, command: Command) -> type[Strategy]:
    """The strategy of a command that reads puzzles."""
    base = StreamStrategy if command.streams else OnceStrategy
    words = command.words
    settings = {"name": name, "tasks": command.tasks, "words": words, "shapes": command.shapes, "programs": words[:1]}
    return type(name, (base,), settings)
