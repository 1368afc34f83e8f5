"""Puzzles as models in MiniZinc and FlatZinc, and the programs that solve them, with the solutions in what these print.

A model has an integer for each cell, and excludes the solutions already found: a process solves one model, and another
one for each further solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.external.command import FZN, MZN
from sudoku_bench.solvers.external.files import FileProgram
from sudoku_bench.solvers.external.program import CommandFault, end_text, got
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating, GaveUp

Cells = Sequence[int]

_ARRAY = re.compile(r"\[([\d,\s]+)\]")


def minizinc(puzzle: Puzzle, known: Sequence[Cells]) -> Iterator[str]:
    """An array of integers, all different in each unit."""
    n = puzzle.shape.size
    yield 'include "alldifferent.mzn";'
    yield f"array[1..{n * n}] of var 1..{n}: x;"
    yield from (f"constraint x[{cell}] = {clue};" for cell, clue in enumerate(puzzle.cells, start=1) if clue)
    yield from (f"constraint x[{cell + 1}] != {value};" for cell, value in puzzle.forbidden)
    for unit in puzzle.shape.units:
        yield f"constraint alldifferent([{', '.join(f'x[{cell + 1}]' for cell in unit)}]);"
    for cells in known:
        others = (f"x[{cell}] != {value}" for cell, value in enumerate(cells, start=1))
        yield "constraint " + " \\/ ".join(others) + ";"
    yield "solve satisfy;"
    yield "output [show(x)];"


def flatzinc(puzzle: Puzzle, known: Sequence[Cells]) -> Iterator[str]:
    """An integer for each cell, different from those of its peers: every solver knows this constraint."""
    count = puzzle.shape.n_cells
    for cell, values in enumerate(puzzle.domains, start=1):
        first, last = values[0], values[-1]
        without_gap = last - first < len(values)
        yield f"var {f'{first}..{last}' if without_gap else f'{{{str(values)[1:-1]}}}'}: x{cell};"
    for number in range(len(known)):
        yield from (f"var bool: other{number}_{cell};" for cell in range(1, count + 1))
    names = ", ".join(f"x{cell}" for cell in range(1, count + 1))
    yield f"array [1..{count}] of var int: x :: output_array([1..{count}]) = [{names}];"
    for cell, peers in enumerate(puzzle.shape.peers):
        yield from (f"constraint int_ne(x{cell + 1}, x{peer + 1});" for peer in peers if cell < peer)
    for number, cells in enumerate(known):
        others = [f"other{number}_{cell}" for cell in range(1, count + 1)]
        for cell, value in enumerate(cells, start=1):
            yield f"constraint int_ne_reif(x{cell}, {value}, {others[cell - 1]});"
        yield f"constraint array_bool_or([{', '.join(others)}], true);"
    yield "solve satisfy;"


MODELS = {MZN: minizinc, FZN: flatzinc}


def solution_in(text: str, shape: Shape, end: str) -> list[int] | None:
    """The first array that a solver printed, or None if it reports that there is no solution.

    Args:
        end: how its process ended, for the message.

    Raises:
        GaveUp: the solver reports that it does not know.
        CommandFault: the text contains neither a whole solution nor the report that there is none.
    """
    if "=====UNSATISFIABLE=====" in text:
        return None
    if "=====UNKNOWN=====" in text:
        raise GaveUp("the solver reports UNKNOWN")
    found = _ARRAY.search(text)
    cells = [int(number) for number in found[1].split(",")] if found else []
    if len(cells) != shape.n_cells or 0 in cells:
        raise CommandFault(
            f"the solver {end} and prints neither a whole solution nor that there is none; {got(text.encode())}"
        )
    return cells


class ModelProgramStrategy(Enumerating):
    """A process for each model."""

    takes = ANY_BOARD
    argv: ClassVar[tuple[str, ...]]  # with placeholders for files
    file: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        self.program = FileProgram(self.argv, self.file)

    def encode(self, puzzle: Puzzle) -> bytes:
        self.puzzle, self.known = puzzle, list[list[int]]()
        return self.text()

    def text(self) -> bytes:
        return "".join([f"{line}\n" for line in MODELS[self.file](self.puzzle, self.known)]).encode()

    def load(self, model: bytes) -> bytes:
        """Write the model to its file."""
        self.program.input.write(model)
        return model

    def find(self, model: bytes) -> list[int] | None:
        code, result, output = self.program.run()
        text = (result + output).decode("utf-8", "replace")
        return solution_in(text, self.puzzle.shape, end_text(code))

    def exclude(self, model: bytes, cells: list[int]) -> None:
        self.known.append(cells)
        self.program.input.write(self.text())
