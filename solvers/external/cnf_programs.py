"""Solvers that are external programs and read a DIMACS or an OPB file, under any encoding of ``solvers/sat/encodings``.

Of SAT solvers, two output formats are accepted: ``s`` and ``v`` lines on standard output, as in the SAT competitions,
and MiniSat's result file; of pseudo-Boolean solvers that of their competitions, with literals such as ``-x2``. A
process solves one formula; for each further solution, another process solves it with one more clause.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.external.command import CNF, OPB
from sudoku_bench.solvers.external.files import FileProgram
from sudoku_bench.solvers.external.program import CommandFault, end_text, failure, got
from sudoku_bench.solvers.sat.cnf import CnfStrategy, distinct_models
from sudoku_bench.solvers.sat.dimacs import at_least, at_most_one
from sudoku_bench.solvers.strategy import GaveUp, Task, Unsupported

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.amo import Clause
    from sudoku_bench.solvers.sat.encodings.cell_codes import Readout
    from sudoku_bench.solvers.sat.encodings.clues import Formula

_LITERAL, _OPB_LITERAL = re.compile(rb"-?\d{1,9}"), re.compile(rb"-?x\d{1,9}")
SATISFIABLE, UNSATISFIABLE = 10, 20  # exit codes
TRIAL_LIMIT_S = 10
EXIT_CODES = (0, SATISFIABLE, UNSATISFIABLE)
VERDICTS = {
    b"sat": SATISFIABLE,  # Z3, whose model has no 0 at its end
    b"unsat": UNSATISFIABLE,
    b"unknown": 0,
    **dict.fromkeys((b"SATISFIABLE", b"SAT", b"OPTIMUM"), SATISFIABLE),  # OPTIMUM FOUND: of pseudo-Boolean solvers
    **dict.fromkeys((b"UNSATISFIABLE", b"UNSAT"), UNSATISFIABLE),
    **dict.fromkeys((b"UNKNOWN", b"INDETERMINATE", b"INDET"), 0),
}


class ProgramStrategy(CnfStrategy):
    """A process for each formula."""

    argv: ClassVar[tuple[str, ...]]  # with placeholders for files
    file: ClassVar[str] = CNF
    no_native = "a DIMACS file holds no native at-most-one constraints"
    no_assumptions = "a program that ends after each puzzle takes no assumptions"

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.program = FileProgram(self.argv, self.file)
        # The same for every puzzle, unless the clues change the rules.
        self.rules_text = b"" if self.clues else self.text_of(self.rules.clauses, self.rules.at_mosts)

    def load(self, model: Formula) -> Formula:
        """Write the formula to its file."""
        if self.clues:
            self.text = self.text_of(model.clauses, model.at_mosts)
        else:  # unit clauses of the clues, then the rules
            units = model.clauses[: len(model.clauses) - len(self.rules.clauses)]
            self.text = self.text_of(units) + self.rules_text
        self.n_constraints = model.size.clauses + model.size.at_mosts
        self.write()
        return model

    def search(self, model: Formula, task: Task) -> list[Sequence[int]]:
        return distinct_models(self.next_model, self.exclude, task.limit, model.readout)

    def next_model(self) -> list[int] | None:
        code, result, output = self.program.run()
        try:
            model = self.model_of(code, result if self.program.has_result_file else output)
        except CommandFault:
            if code in EXIT_CODES:
                raise
            raise CommandFault(f"the solver {failure(self.program.command, code)}") from None
        if model:
            require_complete(model, self.readout)
        return model

    def exclude(self, clause: Clause) -> None:
        self.text += self.text_of([clause])
        self.n_constraints += 1
        self.write()

    def write(self) -> None:
        self.program.input.write(self.head(self.size.variables, self.n_constraints) + self.text)

    def head(self, variables: int, constraints: int) -> bytes:
        """The first line of the file."""
        return b"p cnf %d %d\n" % (variables, constraints)

    def text_of(self, clauses: Iterable[Clause], at_mosts: Iterable[Clause] = ()) -> bytes:
        """Constraints as lines of the file; DIMACS has no at-most-one constraints."""
        return text_of(clauses)

    def model_of(self, code: int, text: bytes) -> list[int] | None:
        """The model in the output of the solver; None if there is none."""
        return parse_answer(code, text)


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
        return parse_opb_answer(code, text)


@functools.cache
def fault_of(argv: tuple[str, ...]) -> str:
    """Try a program on a formula of one clause; return what is wrong with it, or an empty text.

    Other programs may have the name of a solver: python packages install scripts that are called like one.
    """
    try:
        program = FileProgram(argv, CNF)
        program.input.write(b"p cnf 1 1\n1 0\n")
        done = subprocess.run(
            program.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=TRIAL_LIMIT_S, check=False,
        )  # fmt: skip
        model = parse_answer(done.returncode, program.result.read() if program.has_result_file else done.stdout)
    except subprocess.TimeoutExpired:
        return f"does not solve a formula of one clause within {TRIAL_LIMIT_S} s"
    except OSError as error:
        return f"cannot be started: {error.strerror}"
    except (CommandFault, GaveUp, Unsupported) as fault:
        return f"is no such solver: {fault}"
    return "" if model == [1] else "solves a formula of one clause wrongly"


def text_of(clauses: Iterable[Sequence[int]]) -> bytes:
    """Clauses as lines of a DIMACS file."""
    return "".join([f"{' '.join(map(str, clause))} 0\n" for clause in clauses]).encode()


def parse_answer(code: int, text: bytes) -> list[int] | None:
    """The literals of the model that a solver found, or None if it found the formula unsatisfiable.

    Args:
        code: the exit code; 10 and 20 must agree with the text, 0 is the exit code of a solver without such codes.
        text: the standard output, or the contents of the result file.

    Raises:
        GaveUp: the solver reports UNKNOWN.
        CommandFault: the exit code is another one, or the answer is incomplete or contradictory.
    """
    verdict, values = parse_output(text)
    if code not in EXIT_CODES:
        raise CommandFault(f"the solver {end_text(code)}")
    if verdict is None:
        raise neither(code, text)
    if code and code != verdict:
        name = {SATISFIABLE: "SATISFIABLE", UNSATISFIABLE: "UNSATISFIABLE"}.get(verdict, "UNKNOWN")
        raise CommandFault(f"the solver reports {name} but {end_text(code)}")
    if verdict == 0:
        raise GaveUp("the solver reports UNKNOWN")
    return None if verdict == UNSATISFIABLE else parse_literals(values)


def parse_opb_answer(code: int, text: bytes) -> list[int] | None:
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
    if not all(map(_OPB_LITERAL.fullmatch, values)):
        raise CommandFault("the solver's model contains something other than literals")
    return [int(value.replace(b"x", b"")) for value in values]


def neither(code: int, text: bytes) -> CommandFault:
    """The fault of an answer without a verdict."""
    return CommandFault(f"the solver {end_text(code)} and reports neither SATISFIABLE nor UNSATISFIABLE; {got(text)}")


def parse_output(text: bytes) -> tuple[int | None, list[bytes]]:
    """The verdict as an exit code (None: there is none, 0: unknown), and the literals of the model as text."""
    verdict: int | None = None
    values: list[bytes] = []
    needs_end = True
    for line in text.splitlines():
        first, *rest = line.split() or [b""]
        if first == b"v":
            values += rest
        elif first == b"s" and rest:
            verdict = VERDICTS.get(rest[0], verdict)
        elif first in VERDICTS and not rest:  # MiniSat's result file: the literals are on the next line
            verdict = VERDICTS[first]
            needs_end = first != b"sat"
        elif line.strip() == b"c UNKNOWN" and verdict is None:  # CaDiCaL and Kissat at a limit
            verdict = 0
        elif verdict is not None and _LITERAL.fullmatch(first):
            values += [first, *rest]
    return verdict, values if needs_end or b"0" in values else [*values, b"0"]


def parse_literals(values: Sequence[bytes]) -> list[int]:
    """The literals without the 0 that terminates them.

    Raises:
        CommandFault: the 0 is missing, or a value is not a literal.
    """
    if not all(map(_LITERAL.fullmatch, values)):
        raise CommandFault("the solver's model contains something other than literals")
    literals = [int(value) for value in values]
    if 0 not in literals:
        raise CommandFault("the solver's model has no end" if literals else "the solver prints no model")
    return literals[: literals.index(0)]


def require_complete(model: Iterable[int], readout: Readout) -> None:
    """Require a value for each variable of a cell: a clause that excludes the cells must contain them all.

    Raises:
        CommandFault: a variable has none.
    """
    unassigned = set(range(1, len(readout.adds) + 1)).difference(map(abs, model))
    if unassigned:
        raise CommandFault(f"the solver's model has no value for {len(unassigned)} variables of cells")
