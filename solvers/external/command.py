"""Contenders in other languages: a command, declared with a name, takes part like any strategy.

What stands in the command says what it is: with ``{cnf}`` a SAT solver that is given a DIMACS file, under any encoding
(``outside_dimacs``); with ``{puzzle}`` a program that is started for each puzzle; with neither a program that reads
puzzle lines and writes solution lines as long as it lives (``outside_lines``). No shell reads the command.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from datasets.errors import InputError
from solvers.strategy import Strategy

CNF, OUT, PUZZLE = "{cnf}", "{out}", "{puzzle}"
PLACES = (CNF, OUT, PUZZLE)
FAMILY = "command"  # of commands whose name has none
SAT = "sat"
ON_PATH = "@/"  # before the name of a program that is looked for on the PATH
WELL_KNOWN = {
    "cadical": f"cadical -q {CNF}",
    "glucose": f"glucose -verb=0 -model {CNF}",
    "kissat": f"kissat -q {CNF}",
    "minisat": f"minisat -verb=0 {CNF} {OUT}",
    "picosat": f"picosat {CNF}",
}
PLAIN_MODEL = "complete+pairwise"  # under which a SAT solver is listed; others are reached by exact name
COMMAND_KEYS = ("name", "command", "task", "shapes")  # what a declaration may say
LINE_TASKS = ("first", "unique")
TASKS = (*LINE_TASKS, "count")

_NAME = re.compile(r"[A-Za-z0-9][\w.+-]*(:[\w.+@-]+)?", re.ASCII)
_PLACE = re.compile(r"\{\w+\}")
_SHAPE = re.compile(r"(\d+)x\1", re.ASCII)


@dataclass(frozen=True)
class Command:
    """A contender that is no Python: how it is called, and what it answers.

    Attributes:
        name: of the strategy (``command:`` is put before it if it names no family), or, with ``{cnf}``, of the engine.
        command: a program and its arguments, quoted as in a shell.
        task: the one that it answers; empty for ``first``, and with ``{cnf}`` for all of them.
        shapes: boards that it can do, such as ``9x9``; empty for all.

    Raises:
        InputError: these do not make a contender.
    """

    name: str
    command: str
    task: str = ""
    shapes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        fault = _fault_of_name(self) or _fault_of_words(self) or _fault_of_use(self)
        if fault:
            raise InputError(f"command {self.name}: {fault}" if self.name else fault)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Command:
        """A command from a table with its settings.

        Raises:
            InputError: one is missing, unknown or of the wrong kind, or they do not make a contender.
        """
        for key, value in settings.items():
            if key not in COMMAND_KEYS:
                near = _close_to(key, COMMAND_KEYS)
                hint = f"did you mean {near}?" if near else f"a command has {', '.join(COMMAND_KEYS)}"
                raise InputError(f"unknown setting {key} of a command; {hint}")
            if key == "shapes":
                good, kind = (
                    isinstance(value, list | tuple) and all(isinstance(v, str) for v in value),
                    "list of strings",
                )
            else:
                good, kind = isinstance(value, str), "string"
            if not good:
                raise InputError(f"{key} of a command must be a {kind}, not {value!r}")
        missing = [key for key in ("name", "command") if not settings.get(key)]
        if missing:
            raise InputError(f"a command has no {missing[0]}; write name = '...' and command = '...'")
        return cls(**{**settings, "shapes": tuple(settings.get("shapes", ()))})

    @classmethod
    def parse(cls, text: str, task: str = "") -> Command:
        """``NAME=COMMAND``, as on a command line.

        Raises:
            InputError: it is not of that form.
        """
        name, equals, command = text.partition("=")
        if not (name and equals and command.strip()):
            raise InputError(f"{text!r} declares no command; write NAME='PROGRAM ARGUMENTS'")
        reads_cnf = CNF in command
        return cls(name, command, "" if reads_cnf or task not in LINE_TASKS else task)

    @property
    def words(self) -> tuple[str, ...]:
        """The program and its arguments, places not filled in."""
        return tuple(shlex.split(self.command))

    @property
    def reads_cnf(self) -> bool:
        return CNF in self.command

    @property
    def streams(self) -> bool:
        """Does one process answer line after line?"""
        return not (self.reads_cnf or PUZZLE in self.command)

    @property
    def tasks(self) -> tuple[str, ...]:
        if self.task:
            return (self.task,)
        return TASKS if self.reads_cnf else ("first",)

    @property
    def strategy(self) -> str:
        """The name under which it is listed."""
        if self.reads_cnf:
            return f"{SAT}:{PLAIN_MODEL}@{self.name}"
        return self.name if ":" in self.name else f"{FAMILY}:{self.name}"

    def goes_by(self, name: str) -> bool:
        """Is it meant by the exact name of a strategy?"""
        if self.reads_cnf:
            return name.startswith(f"{SAT}:") and name.partition("@")[2] == self.name
        return name == self.strategy


def strategy_of(name: str, command: Command) -> type[Strategy]:
    """The strategy of a declared command, which must go by that name.

    Raises:
        InputError: the name asks for an encoding that does not exist, or that no file can hold.
    """
    if command.reads_cnf:
        from solvers.external import cnf_programs

        return cnf_programs.strategy_of(name, command.words, command.tasks)
    from solvers.external import line_programs

    return line_programs.strategy_of(name, command)


def well_known() -> list[str]:
    """Strategies of the SAT solvers that are called by the name of their program alone."""
    return [f"{SAT}:{PLAIN_MODEL}{ON_PATH}{program}" for program in WELL_KNOWN]


def missing_program(programs: Iterable[str]) -> str:
    """Which of these programs cannot be run here, in words; empty if all can."""
    import shutil  # no worker needs it

    for program in programs:
        if shutil.which(program) is None:
            return f"{program} is no program here" if "/" in program else f"the program {program} is not on the PATH"
    return ""


def _close_to(word: str, words: Iterable[str]) -> str:
    """What may have been meant, or nothing."""
    import difflib  # no worker needs it

    return next(iter(difflib.get_close_matches(word, tuple(words), n=1)), "")


def _fault_of_name(command: Command) -> str:
    if not _NAME.fullmatch(command.name):
        return f"{command.name!r} is no name; use letters, digits and . _ + -, such as mine or family:model"
    if command.name.startswith(f"{SAT}:"):
        return f"names of the family {SAT} are made from encodings; choose another"
    if command.reads_cnf and ":" in command.name:
        return "the name of a SAT solver goes behind the @ of strategies; write it without a colon"
    return ""


def _fault_of_words(command: Command) -> str:
    try:
        words = command.words
    except ValueError as error:
        return f"{command.command!r} cannot be split into words: {str(error).lower()}"
    if not words or words[0] in PLACES:
        return f"{command.command!r} names no program"
    for place in _PLACE.findall(command.command):
        if place not in PLACES and (near := _close_to(place, PLACES)):
            return f"{place} is no place for anything; did you mean {near}?"
    if OUT in command.command and not command.reads_cnf:
        return f"{OUT} is where a SAT solver writes its result; say where its formula goes with {CNF}"
    if command.reads_cnf and PUZZLE in command.command:
        return f"{CNF} and {PUZZLE} exclude each other"
    return ""


def _fault_of_use(command: Command) -> str:
    tasks = TASKS if command.reads_cnf else LINE_TASKS
    if command.task and command.task not in tasks:
        what = "reads a formula" if command.reads_cnf else "reads puzzles"
        return f"task {command.task!r}: a command that {what} can answer {' or '.join(tasks)}"
    if command.reads_cnf and command.shapes:
        return "shapes are for commands that read puzzles; a SAT solver takes every formula"
    for shape in command.shapes:
        if not _SHAPE.fullmatch(shape):
            return f"{shape!r} is no shape of boards; write it as 9x9"
    return ""
