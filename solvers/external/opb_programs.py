"""Pseudo-Boolean solvers that are external programs: they read an OPB file, under any encoding.

At-most-one constraints of ``native`` are linear constraints of the file. The output is that of the pseudo-Boolean
competitions: an ``s`` line, and ``v`` lines with literals such as ``x1`` and ``-x2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from sudoku_bench.solvers.external.cnf_programs import UNSATISFIABLE, ProgramStrategy, neither, parse_output
from sudoku_bench.solvers.external.command import OPB
from sudoku_bench.solvers.external.program import CommandFault
from sudoku_bench.solvers.sat.dimacs import at_least, at_most_one
from sudoku_bench.solvers.strategy import GaveUp

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.amo import Clause

_LITERAL = re.compile(rb"-?x\d{1,9}")


class OpbStrategy(ProgramStrategy):
    """A process for each set of linear constraints."""

    file = OPB
    no_native = ""

    def head(self, variables: int, constraints: int) -> bytes:
        return b"* #variable= %d #constraint= %d\n" % (variables, constraints)

    def text_of(self, clauses: Iterable[Clause], at_mosts: Iterable[Clause] = ()) -> bytes:
        lines = chain((at_least(clause, 1) for clause in clauses), map(at_most_one, at_mosts))
        return "".join([f"{line}\n" for line in lines]).encode()

    def model_of(self, code: int, text: bytes) -> list[int] | None:
        return parse_answer(code, text)


def parse_answer(code: int, text: bytes) -> list[int] | None:
    """The literals of the model that a solver found, or None if it found the constraints unsatisfiable.

    Raises:
        GaveUp: the solver reports UNKNOWN.
        CommandFault: it reports nothing else either, or its model contains something other than literals.
    """
    verdict, values = parse_output(text)
    if verdict is None:
        raise neither(code, text)
    if verdict == 0:
        raise GaveUp("the solver reports UNKNOWN")
    if verdict == UNSATISFIABLE:
        return None
    if not all(map(_LITERAL.fullmatch, values)):
        raise CommandFault("the solver's model contains something other than literals")
    return [int(value.replace(b"x", b"")) for value in values]
