"""Solvers that are external programs and read a model: MiniZinc, FlatZinc, SMT-LIB or LP files.

A process solves one model; for each further solution, another process solves the model that excludes those found. The
files are in memory, as in ``cnf_programs``.
"""

from __future__ import annotations

from typing import ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.external.cnf_programs import MemoryFile, filled
from solvers.external.command import OUT
from solvers.external.model_files import LANGUAGES, Language, solution_in
from solvers.external.program import end_text, run
from solvers.strategy import Strategy, Task, distinct


class ModelProgramStrategy(Strategy):
    """A process for each model."""

    argv: ClassVar[tuple[str, ...]]  # with placeholders for files
    file: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        self.language: Language = LANGUAGES[self.file]
        self.model_file, self.result_file = MemoryFile("model"), MemoryFile("result")
        paths = {self.file: self.model_file.path, OUT: self.result_file.path}
        self.command = [filled(argument, paths) for argument in self.argv]

    def encode(self, puzzle: Puzzle) -> bytes:
        self.puzzle, self.known = puzzle, list[list[int]]()
        return self.text()

    def text(self) -> bytes:
        return "".join([f"{line}\n" for line in self.language.model(self.puzzle, self.known)]).encode()

    def load(self, model: bytes) -> bytes:
        """Write the model to its file."""
        self.model_file.write(model)
        return model

    def search(self, model: bytes, task: Task) -> list[list[int]]:
        return distinct(self.find, self.exclude, task.limit)

    def find(self) -> list[int] | None:
        self.result_file.write(b"")  # so that an earlier answer is not read again
        code, output = run(self.command)
        text = (self.result_file.read() + output).decode("utf-8", "replace")
        return solution_in(text, self.puzzle.shape, self.language, end_text(code))

    def exclude(self, cells: list[int]) -> None:
        self.known.append(cells)
        self.model_file.write(self.text())
