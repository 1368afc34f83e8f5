"""Formulas as text: DIMACS for clauses, OPB where at-most-one constraints stay as they are, and the way back.

Comment lines say how cells follow from variables, a true variable being 1 and a false one 0, so that a model can be
read by a person, or by ``cells_of``::

    c r1c1 = 5
    c r1c2 = 3*x1 + 7*x2
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from datasets.shape import Shape
from solvers.sat.encodings.clues import Formula
from solvers.sat.encodings.parts import Clause
from solvers.sat.encodings.readout import Readout

_LINE = re.compile(r"r(\d+)c(\d+) = (.+)")
_TERM = re.compile(r"(?:(\d+)\*)?x(\d+)")


def dimacs(formula: Formula, remarks: Iterable[str], shape: Shape) -> Iterator[str]:
    """The lines of a DIMACS file, remarks and variables explained first.

    Raises:
        ValueError: the formula has constraints that are no clauses.
    """
    if formula.at_mosts:
        raise ValueError("DIMACS has no native at-most-one constraints; write OPB")
    for remark in (*remarks, *cell_lines(formula, shape)):
        yield f"c {remark}"
    yield f"p cnf {formula.size.variables} {formula.size.clauses}"
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
        yield at_least([-literal for literal in literals], len(literals) - 1)


def at_least(literals: Clause, number: int) -> str:
    """A linear constraint: at least so many of the literals are true."""
    terms = [f"+1 x{literal}" if literal > 0 else f"-1 x{-literal}" for literal in literals]
    return f"{' '.join(terms)} >= {number - sum(literal < 0 for literal in literals)} ;"


def cell_lines(formula: Formula, shape: Shape) -> Iterator[str]:
    """For each cell how it follows from the variables."""
    readout = formula.readout
    terms: list[list[str]] = [[str(base)] if base else [] for base in readout.base]
    for variable, (cell, weight) in enumerate(readout.adds, start=1):
        terms[cell].append(f"x{variable}" if weight == 1 else f"{weight}*x{variable}")
    for cell, sum_of in enumerate(terms):
        row, column = divmod(cell, shape.size)
        yield f"r{row + 1}c{column + 1} = {' + '.join(sum_of or ['0'])}"


def readout_of(lines: Iterable[str]) -> Readout:
    """How cells follow from variables, by the comment lines of a file that was written here.

    Raises:
        ValueError: they do not say it for all cells of a board.
    """
    bases: dict[tuple[int, int], int] = {}
    adds: dict[int, tuple[tuple[int, int], int]] = {}
    for line in lines:
        if line[:2] not in ("c ", "* ") or not (said := _LINE.fullmatch(line[2:].strip())):
            continue
        place = int(said[1]), int(said[2])
        bases[place] = 0
        for text in said[3].split(" + "):
            if term := _TERM.fullmatch(text):
                adds[int(term[2])] = place, int(term[1] or 1)
            else:
                bases[place] += int(text)
    order = {place: cell for cell, place in enumerate(sorted(bases))}
    if len(order) < 4 or len(order) != max(order)[0] ** 2 or sorted(adds) != list(range(1, len(adds) + 1)):
        raise ValueError("the comment lines do not say how cells follow from variables")
    variables = tuple((order[place], weight) for _, (place, weight) in sorted(adds.items()))
    return Readout(tuple(bases[place] for place in sorted(bases)), variables, one_hot=False)


def cells_of(lines: Iterable[str], model: Sequence[int]) -> list[int]:
    """The N² cells of a model (literals) of a file that was written here.

    Raises:
        ValueError: its comment lines do not say how cells follow from variables.
    """
    return readout_of(lines).cells(model)
