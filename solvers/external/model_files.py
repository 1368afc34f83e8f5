"""Puzzles as models in four languages, and the programs that solve them, with the solutions in what these print.

MiniZinc and FlatZinc have an integer for each cell, SMT-LIB a bit-vector, LP files N 0-1 variables. Each model also
excludes the solutions already found: a process solves one model, and another one for each further solution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.external.command import FZN, LP, MZN, SMT2
from sudoku_bench.solvers.external.files import FileProgram
from sudoku_bench.solvers.external.program import CommandFault, end_text, got
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating, GaveUp

Cells = Sequence[int]
PER_LINE = 8  # terms of a line of an LP file, whose lines some readers limit

_ARRAY = re.compile(r"\[([\d,\s]+)\]")
_BITS = re.compile(r"\(\s*x(\d{1,9})\s+(?:#x([0-9a-fA-F]+)|#b([01]+)|\(\s*_\s+bv(\d{1,9})\s+\d+\s*\))\s*\)")
_COLUMN = re.compile(r"(?<![\w.])x(\d{1,9})\s+\*?\s*(-?[\d.]+(?:[eE][+-]?\d+)?)")
_NO_SOLUTION = re.compile(r"infeasible|no (?:primal |integer )?feasible|INTEGER EMPTY|INTEGER UNDEFINED")


@dataclass(frozen=True)
class Language:
    """A language of models.

    Attributes:
        model: the lines of the model of a puzzle without some known solutions.
        cells: the solution in the text that a solver prints; None if the text says that there is none.
    """

    model: Callable[[Puzzle, Sequence[Cells]], Iterable[str]]
    cells: Callable[[str, Shape], list[int] | None]


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


def zinc_cells(text: str, shape: Shape) -> list[int] | None:
    """The first array of a MiniZinc or FlatZinc solver's output."""
    if "=====UNSATISFIABLE=====" in text:
        return None
    if "=====UNKNOWN=====" in text:
        raise GaveUp("the solver reports UNKNOWN")
    found = _ARRAY.search(text)
    return [int(number) for number in found[1].split(",")] if found else []


def smt_lib(puzzle: Puzzle, known: Sequence[Cells]) -> Iterator[str]:
    """A bit-vector for the value minus one of each cell, distinct in each unit (logic QF_BV)."""
    n = puzzle.shape.size
    bits = (n - 1).bit_length()
    names = [f"x{cell}" for cell in range(puzzle.shape.n_cells)]

    def value(number: int) -> str:
        return f"(_ bv{number - 1} {bits})"

    yield "(set-option :produce-models true)"
    yield "(set-logic QF_BV)"
    for name, clue in zip(names, puzzle.cells, strict=True):
        yield f"(declare-fun {name} () (_ BitVec {bits}))"
        yield f"(assert (= {name} {value(clue)}))" if clue else f"(assert (bvule {name} {value(n)}))"
    yield from (f"(assert (not (= {names[cell]} {value(number)})))" for cell, number in puzzle.forbidden)
    for unit in puzzle.shape.units:
        yield f"(assert (distinct {' '.join(names[cell] for cell in unit)}))"
    for cells in known:
        equal = (f"(= {name} {value(number)})" for name, number in zip(names, cells, strict=True))
        yield f"(assert (not (and {' '.join(equal)})))"
    yield "(check-sat)"
    yield f"(get-value ({' '.join(names)}))"


def smt_cells(text: str, shape: Shape) -> list[int] | None:
    """The values of a solver's answer to ``get-value``, in decimal, hexadecimal or binary."""
    verdict = next(iter(text.split()), "")
    if verdict == "unsat":
        return None
    if verdict == "unknown":
        raise GaveUp("the solver reports unknown")
    values = {int(x): _number(*digits) + 1 for x, *digits in _BITS.findall(text)}
    return [values.get(cell, 0) for cell in range(shape.n_cells)] if values else []


def _number(hexadecimal: str, binary: str, decimal: str) -> int:
    return int(hexadecimal, 16) if hexadecimal else int(binary, 2) if binary else int(decimal)


def linear(puzzle: Puzzle, known: Sequence[Cells]) -> Iterator[str]:
    """N³ 0-1 variables, numbered as in the direct encodings; exactly one in each cell and place (CPLEX LP format)."""
    n, shape = puzzle.shape.size, puzzle.shape
    cells = [[cell * n + v for v in range(1, n + 1)] for cell in range(shape.n_cells)]
    groups = cells + [[cells[cell][v] for cell in unit] for unit in shape.full_units for v in range(n)]
    yield "Minimize"
    yield " objective: 0 x1"
    yield "Subject To"
    for group in groups:
        yield from _sum(group, "= 1")
    for unit in shape.small_units:
        for v in range(n):
            yield from _sum([cells[cell][v] for cell in unit], "<= 1")
    for cell, clue in enumerate(puzzle.cells):
        if clue:
            yield f" x{cells[cell][clue - 1]} = 1"
    yield from (f" x{cells[cell][value - 1]} = 0" for cell, value in puzzle.forbidden)
    for solution in known:
        yield from _sum([cells[cell][value - 1] for cell, value in enumerate(solution)], f"<= {shape.n_cells - 1}")
    yield "Binary"
    yield from (f" x{number}" for row in cells for number in row)
    yield "End"


def _sum(variables: Sequence[int], rest: str) -> Iterator[str]:
    terms = [f"+ x{variable}" for variable in variables]
    for start in range(0, len(terms), PER_LINE):
        yield f" {' '.join(terms[start : start + PER_LINE])}"
    yield f" {rest}"


def linear_cells(text: str, shape: Shape) -> list[int] | None:
    """The variables that are 1 in a table of names and values; such tables may leave out zeros."""
    cells = [0] * shape.n_cells
    for name, value in _COLUMN.findall(text):
        if round(float(value)) == 1 and 0 < int(name) <= shape.size**3:
            cell, v = divmod(int(name) - 1, shape.size)
            cells[cell] = v + 1
    if any(cells):
        return cells
    return None if _NO_SOLUTION.search(text) else []


LANGUAGES = {
    MZN: Language(minizinc, zinc_cells),
    FZN: Language(flatzinc, zinc_cells),
    SMT2: Language(smt_lib, smt_cells),
    LP: Language(linear, linear_cells),
}


def solution_in(text: str, shape: Shape, language: Language, end: str) -> list[int] | None:
    """The solution that a solver printed, or None if it reports that there is none.

    Args:
        end: how its process ended, for the message.

    Raises:
        GaveUp: the solver reports that it does not know.
        CommandFault: the text contains neither a whole solution nor the report that there is none.
    """
    cells = language.cells(text, shape)
    if cells is not None and (len(cells) != shape.n_cells or 0 in cells):
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
