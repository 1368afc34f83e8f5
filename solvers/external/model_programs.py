"""Solvers that are external programs and read a model: MiniZinc, FlatZinc, SMT-LIB or LP files.

A process solves one model; for each further solution, another process solves the model that excludes those found.
"""

from __future__ import annotations

from typing import ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.external.files import FileProgram
from sudoku_bench.solvers.external.model_files import LANGUAGES, Language, solution_in
from sudoku_bench.solvers.external.program import end_text
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating


class ModelProgramStrategy(Enumerating):
    """A process for each model."""

    takes = ANY_BOARD
    argv: ClassVar[tuple[str, ...]]  # with placeholders for files
    file: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        self.language: Language = LANGUAGES[self.file]
        self.program = FileProgram(self.argv, self.file)

    def encode(self, puzzle: Puzzle) -> bytes:
        self.puzzle, self.known = puzzle, list[list[int]]()
        return self.text()

    def text(self) -> bytes:
        return "".join([f"{line}\n" for line in self.language.model(self.puzzle, self.known)]).encode()

    def load(self, model: bytes) -> bytes:
        """Write the model to its file."""
        self.program.input.write(model)
        return model

    def find(self, model: bytes) -> list[int] | None:
        code, result, output = self.program.run()
        text = (result + output).decode("utf-8", "replace")
        return solution_in(text, self.puzzle.shape, self.language, end_text(code))

    def exclude(self, model: bytes, cells: list[int]) -> None:
        self.known.append(cells)
        self.program.input.write(self.text())
