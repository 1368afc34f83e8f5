"""SAT solvers that are programs of their own: a formula in a DIMACS file, under any encoding of ``solvers.sat.encodings``.

``sat:ENCODING@NAME`` for one that is declared as a command, ``sat:ENCODING@/PROGRAM`` for a well-known one on the
PATH. Both ways of answering are understood: ``s`` and ``v`` lines on standard output, as in the SAT competitions, and
MiniSat's file for the result. A process solves one formula; the next solution is asked for with a clause more.

The files are in memory (memfd_create(2)) and belong to the worker: they go with it, however it ends.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from datasets.errors import InputError
from datasets.shape import Shape
from solvers.external.command import CNF, ON_PATH, OUT, TASKS, WELL_KNOWN
from solvers.external.program import CommandFault, ended, run
from solvers.sat.cnf import CnfStrategy, distinct_models
from solvers.sat.encodings import named
from solvers.sat.strategies import fault_of, model_of
from solvers.strategy import GaveUp, Strategy, Task, Unsupported

if TYPE_CHECKING:
    from solvers.sat.encodings.clues import Formula
    from solvers.sat.encodings.parts import Clause
    from solvers.sat.encodings.readout import Readout

_LITERAL = re.compile(rb"-?\d{1,9}")
SATISFIABLE, UNSATISFIABLE = 10, 20  # exit codes
VERDICTS = {
    **dict.fromkeys((b"SATISFIABLE", b"SAT"), SATISFIABLE),
    **dict.fromkeys((b"UNSATISFIABLE", b"UNSAT"), UNSATISFIABLE),
    **dict.fromkeys((b"UNKNOWN", b"INDETERMINATE", b"INDET"), 0),
}


class ProgramStrategy(CnfStrategy):
    """A process for each formula."""

    words: ClassVar[tuple[str, ...]]

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.formula_file, self.result_file = MemoryFile("formula"), MemoryFile("result")
        places = {CNF: self.formula_file.path, OUT: self.result_file.path}
        self.arguments = [filled(word, places) for word in self.words]
        self.has_result_file = any(OUT in word for word in self.words)
        self.rules_text = b"" if self.clues else text_of(self.rules.clauses)  # the same for every puzzle

    def load(self, model: Formula) -> Formula:
        """Write the file."""
        if self.clues:
            self.text = text_of(model.clauses)
        else:  # unit clauses of the clues, then the rules
            units = model.clauses[: len(model.clauses) - len(self.rules.clauses)]
            self.text = text_of(units) + self.rules_text
        self.n_clauses = model.size.clauses
        self.write()
        return model

    def search(self, model: Formula, task: Task) -> list[Sequence[int]]:
        return distinct_models(self.next_model, self.exclude, task.limit, model.readout)

    def next_model(self) -> list[int] | None:
        if self.has_result_file:
            self.result_file.write(b"")  # nobody reads an older answer
        code, output = run(self.arguments)
        found = model_in(code, self.result_file.read() if self.has_result_file else output)
        if found:
            must_be_whole(found, self.formula.readout)
        return found

    def exclude(self, clause: Clause) -> None:
        self.text += text_of([clause])
        self.n_clauses += 1
        self.write()

    def write(self) -> None:
        self.formula_file.write(b"p cnf %d %d\n" % (self.formula.size.variables, self.n_clauses) + self.text)


class MemoryFile:
    """A file without a folder, that other processes open by its path as long as this one lives.

    Raises:
        Unsupported: the system has none.
    """

    def __init__(self, name: str) -> None:
        if sys.platform != "linux":
            raise Unsupported("programs are given their formula in a file in memory, which only Linux has")
        self._fd = os.memfd_create(name)
        self.path = f"/proc/{os.getpid()}/fd/{self._fd}"

    def write(self, data: bytes) -> None:
        """Put this in place of what is in it."""
        os.ftruncate(self._fd, 0)
        written = 0
        while written < len(data):
            written += os.pwrite(self._fd, data[written:], written)

    def read(self) -> bytes:
        return os.pread(self._fd, os.fstat(self._fd).st_size, 0)


def text_of(clauses: Iterable[Sequence[int]]) -> bytes:
    """Clauses as lines of a DIMACS file."""
    return "".join([f"{' '.join(map(str, clause))} 0\n" for clause in clauses]).encode()


def filled(word: str, places: Mapping[str, str]) -> str:
    for place, path in places.items():
        word = word.replace(place, path)
    return word


def model_in(code: int, text: bytes) -> list[int] | None:
    """The literals of the model that a solver found, or None if it found the formula unsatisfiable.

    Args:
        code: its exit code; 10 and 20 must agree with what it says, 0 is what a solver without such codes ends with.
        text: its standard output, or its file for the result.

    Raises:
        GaveUp: it says that it does not know.
        CommandFault: it ended otherwise, or what it says is incomplete or contradicts itself.
    """
    said, literals = told(text)
    if code not in (0, SATISFIABLE, UNSATISFIABLE):
        raise CommandFault(f"the solver {ended(code)}")
    if said is None:
        raise CommandFault(f"the solver {ended(code)} and says neither SATISFIABLE nor UNSATISFIABLE")
    if code and code != said:
        verdict = {SATISFIABLE: "SATISFIABLE", UNSATISFIABLE: "UNSATISFIABLE"}.get(said, "UNKNOWN")
        raise CommandFault(f"the solver says {verdict} but {ended(code)}")
    if said == 0:
        raise GaveUp("the solver says that it does not know")
    return None if said == UNSATISFIABLE else model_of_values(literals)


def told(text: bytes) -> tuple[int | None, list[bytes]]:
    """The verdict, as an exit code (None: there is none, 0: unknown), and the values of variables that follow it."""
    said: int | None = None
    values: list[bytes] = []
    for line in text.splitlines():
        first, *rest = line.split() or [b""]
        if first == b"v":
            values += rest
        elif first == b"s" and rest:
            said = VERDICTS.get(rest[0], said)
        elif first in VERDICTS and not rest:  # MiniSat's file: the values are on the next line
            said = VERDICTS[first]
        elif said is not None and _LITERAL.fullmatch(first):
            values += [first, *rest]
    return said, values


def model_of_values(values: Sequence[bytes]) -> list[int]:
    """Literals, without the 0 that ends them.

    Raises:
        CommandFault: the end is missing, or something is no literal.
    """
    if not all(map(_LITERAL.fullmatch, values)):
        raise CommandFault("the solver writes something else than literals for a model")
    literals = [int(value) for value in values]
    if 0 not in literals:
        raise CommandFault("the solver's model has no end" if literals else "the solver shows no model")
    return literals[: literals.index(0)]


def must_be_whole(model: Iterable[int], readout: Readout) -> None:
    """Each variable of a cell needs a value: a clause that excludes the cells must name them all.

    Raises:
        CommandFault: one has none.
    """
    open_ = set(range(1, len(readout.adds) + 1)).difference(map(abs, model))
    if open_:
        raise CommandFault(f"the solver's model leaves {len(open_)} variables of cells open")


def strategy_of(full_name: str, words: Sequence[str], tasks: Sequence[str] = TASKS) -> type[Strategy]:
    """The strategy of ``sat:ENCODING[+AMO][+CLUES]@NAME`` whose engine is a program.

    Raises:
        InputError: there is no such encoding or scheme, or no file can hold it.
    """
    model, _, engine = full_name.removeprefix("sat:").partition("@")
    try:
        encoding, clues = model_of(model)
        fault = fault_of(encoding, clues, engine) or _fault_of_file(encoding, clues)
    except InputError as error:
        fault = str(error)
    if fault:
        raise InputError(f"no strategy is called {full_name}: {fault}; see `sudoku-bench list strategies`")
    settings: dict[str, Any] = {"name": full_name, "encoding": encoding, "clues": clues, "engine": engine}
    return type(full_name, (ProgramStrategy,), settings | {"tasks": tasks, "words": words, "programs": words[:1]})


def on_path(full_name: str) -> type[Strategy]:
    """The strategy of ``sat:ENCODING[+AMO][+CLUES]@/PROGRAM``, PROGRAM being one of ``WELL_KNOWN``.

    Raises:
        InputError: it is not, or as of ``strategy_of``.
    """
    program = full_name.partition(ON_PATH)[2]
    if program not in WELL_KNOWN:
        raise InputError(
            f"no strategy is called {full_name}: programs called by their name are {', '.join(WELL_KNOWN)};"
            " declare others as commands of a suite"
        )
    return strategy_of(full_name, tuple(WELL_KNOWN[program].split()))


def _fault_of_file(encoding: str, clues: str) -> str:
    """Why a program cannot be given such a formula, or nothing."""
    if named(encoding)[1] == "native":
        return "a DIMACS file holds no native at-most-one constraints"
    if clues == "assumptions":
        return "a program that ends after each puzzle takes no assumptions"
    return ""
