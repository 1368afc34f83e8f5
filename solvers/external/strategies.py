"""Strategies of external programs: declared commands, and SAT solvers on the PATH (``sat:ENCODING@/PROGRAM``)."""

from __future__ import annotations

from datasets.errors import InputError
from solvers.external import cnf_programs, line_programs, model_programs, opb_programs
from solvers.external.command import CNF, OPB, PLAIN_MODEL, SAT, Command
from solvers.registry import register_family
from solvers.sat.engines import PROGRAMS
from solvers.strategy import Strategy

ON_PATH = "@/"  # before the name of a program that is looked up on the PATH


def strategy_of(name: str, command: Command) -> type[Strategy]:
    """The strategy of a declared command under a name that matches the command.

    Raises:
        InputError: the name contains an encoding that does not exist, or that a DIMACS file cannot hold.
    """
    if command.file == CNF:
        return cnf_programs.strategy_of(name, command.argv, command.tasks)
    if command.file == OPB:
        return opb_programs.strategy_of(name, command.argv, command.tasks)
    if command.file:
        return model_programs.strategy_of(name, command)
    return line_programs.strategy_of(name, command)


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
    command = Command(program, PROGRAMS[program])
    return cnf_programs.strategy_of(full_name, command.argv, command.tasks)


def fault_on_path(full_name: str) -> str:
    """Try the program of a strategy that ``on_path`` returns; return what is wrong with it, or an empty text."""
    program = full_name.partition("@")[2].removeprefix("/")
    return cnf_programs.fault_of(Command(program, PROGRAMS[program]).argv)


def names_on_path() -> list[str]:
    """The strategies of the programs in ``PROGRAMS`` under the encoding that listings show."""
    return [f"{SAT}:{PLAIN_MODEL}{ON_PATH}{program}" for program in PROGRAMS]


register_family(f"{SAT}:*{ON_PATH}*", on_path)
