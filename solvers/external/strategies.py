"""Strategies of external programs: declared commands, and SAT solvers on the PATH (``sat:ENCODING@/PROGRAM``)."""

from __future__ import annotations

from typing import Any

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.external.cnf_programs import OpbStrategy, ProgramStrategy, fault_of
from sudoku_bench.solvers.external.command import OPB, PLAIN_MODEL, SAT, Command
from sudoku_bench.solvers.external.line_programs import OnceStrategy, StreamStrategy
from sudoku_bench.solvers.external.model_files import ModelProgramStrategy
from sudoku_bench.solvers.registry import register_family
from sudoku_bench.solvers.sat.cnf import cnf_strategy
from sudoku_bench.solvers.sat.engines import PROGRAMS
from sudoku_bench.solvers.strategy import Strategy

ON_PATH = "@/"  # before the name of a program that is looked up on the PATH


def strategy_of(name: str, command: Command) -> type[Strategy]:
    """The strategy of a declared command under a name that matches the command.

    Raises:
        InputError: the name contains an encoding that does not exist, or that a DIMACS file cannot hold.
    """
    attributes: dict[str, Any] = {"tasks": command.tasks, "argv": command.argv, "programs": command.argv[:1]}
    if command.takes_encoding:
        return cnf_strategy(name, OpbStrategy if command.file == OPB else ProgramStrategy, **attributes)
    attributes |= {"name": name, "file": command.file, "shapes": command.shapes}
    of_lines = StreamStrategy if command.streams else OnceStrategy
    return type(name, (ModelProgramStrategy if command.file else of_lines,), attributes)


def on_path(full_name: str) -> type[Strategy]:
    """The strategy of ``sat:ENCODING[+SCHEME][+CLUES]@/PROGRAM`` for one of the programs in ``PROGRAMS``.

    Raises:
        InputError: the program is not one of these, or the name is invalid.
    """
    program = full_name.partition("@")[2].removeprefix("/")
    if program not in PROGRAMS:
        raise InputError(
            f"no strategy is called {full_name}: programs called by their name are {', '.join(PROGRAMS)};"
            " declare others as commands of a suite"
        )
    return strategy_of(full_name, Command(program, PROGRAMS[program]))


def fault_on_path(full_name: str) -> str:
    """Try the program of a strategy that ``on_path`` returns; return what is wrong with it, or an empty text."""
    program = full_name.partition("@")[2].removeprefix("/")
    return fault_of(Command(program, PROGRAMS[program]).argv)


def names_on_path() -> list[str]:
    """The strategies of the programs in ``PROGRAMS`` under the encoding that listings show."""
    return [f"{SAT}:{PLAIN_MODEL}{ON_PATH}{program}" for program in PROGRAMS]


register_family(f"{SAT}:*{ON_PATH}*", on_path)
