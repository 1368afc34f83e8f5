"""Formulas as text, DIMACS for clauses and OPB for native at-most-one constraints.

Comment lines define each cell in terms of variables, where a true variable counts 1 and a false one 0, so that models
can be decoded::

    c r1c1 = 5
    c r1c2 = 3*x1 + 7*x2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import Clause
from sudoku_bench.solvers.sat.encodings.clues import Formula


def dimacs(formula: Formula, remarks: Iterable[str], shape: Shape) -> Iterator[str]:
    """The lines of a DIMACS file; remarks and the definitions of the cells come first.

    The line ``c p show`` names the variables of the cells, as in the Model Counting Competitions. A model counter that
    ignores it also counts the values that auxiliary variables can have for one grid.

    Raises:
        ValueError: the formula has native at-most-one constraints.
    """
    if formula.at_mosts:
        raise ValueError("DIMACS has no native at-most-one constraints; write OPB")
    for remark in (*remarks, *cell_lines(formula, shape)):
        yield f"c {remark}"
    yield f"p cnf {formula.size.variables} {formula.size.clauses}"
    if formula.readout.adds:
        yield " ".join(map(str, ("c p show", *range(1, len(formula.readout.adds) + 1), 0)))
    for clause in formula.clauses:
        yield " ".join(map(str, (*clause, 0)))


def opb(formula: Formula, remarks: Iterable[str], shape: Shape) -> Iterator[str]:
    """The lines of a pseudo-Boolean file (OPB, as in the PB competitions)."""
    size = formula.size
    yield f"* #variable= {size.variables} #constraint= {size.clauses + size.at_mosts}"
    for remark in (*remarks, *cell_lines(formula, shape)):
        yield f"* {remark}"
    for clause in formula.clauses:
        yield at_least(clause, 1)
    for literals in formula.at_mosts:
        yield at_most_one(literals)


def at_least(literals: Clause, number: int) -> str:
    """The linear constraint that at least ``number`` of the literals are true."""
    terms = [f"+1 x{literal}" if literal > 0 else f"-1 x{-literal}" for literal in literals]
    return f"{' '.join(terms)} >= {number - sum(literal < 0 for literal in literals)} ;"


def at_most_one(literals: Clause) -> str:
    """The linear constraint that at most one of the literals is true."""
    return at_least([-literal for literal in literals], len(literals) - 1)


def cell_lines(formula: Formula, shape: Shape) -> Iterator[str]:
    """The definition of each cell in terms of the variables."""
    readout = formula.readout
    terms: list[list[str]] = [[str(base)] if base else [] for base in readout.base]
    for variable, (cell, weight) in enumerate(readout.adds, start=1):
        terms[cell].append(f"x{variable}" if weight == 1 else f"{weight}*x{variable}")
    for cell, summands in enumerate(terms):
        row, column = divmod(cell, shape.size)
        yield f"r{row + 1}c{column + 1} = {' + '.join(summands or ['0'])}"
