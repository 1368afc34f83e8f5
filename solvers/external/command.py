"""Declarations of external programs: a command with a name is run like any strategy.

The placeholders in the command determine its kind. With ``{cnf}`` or ``{opb}`` it is a solver that reads a DIMACS or
OPB file, under any encoding (``cnf_programs``); with ``{mzn}`` or ``{fzn}`` it reads a model in MiniZinc or FlatZinc
(``model_files``). With ``{puzzle}`` it is a program that is started for each puzzle; without any of these it reads
puzzle lines and writes solution lines until its input ends (``line_programs``). Commands are not run by a shell.
"""

from __future__ import annotations

import fnmatch
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sudoku_bench.datasets.errors import InputError

CNF, OPB, MZN, FZN = "{cnf}", "{opb}", "{mzn}", "{fzn}"
FILES = (CNF, OPB, MZN, FZN)  # formats of the file that a solver reads
OUT, PUZZLE = "{out}", "{puzzle}"
PLACEHOLDERS = (*FILES, OUT, PUZZLE)
FAMILY = "command"  # of commands whose name contains no family
SAT = "sat"
PLAIN_MODEL = "complete+pairwise"  # the encoding under which a SAT solver is listed; others need an exact name
PLAIN_OPB_MODEL = "complete+native"  # the same for a pseudo-Boolean solver
COMMAND_KEYS = ("name", "command", "task", "shapes")  # settings of a declaration
LINE_TASKS = ("first", "unique")
TASKS = (*LINE_TASKS, "count")

_NAME = re.compile(r"[A-Za-z0-9][\w.+-]*(:[\w.+@-]+)?", re.ASCII)
_PLACEHOLDER = re.compile(r"\{\w+\}")
_SHAPE = re.compile(r"(\d+)x\1", re.ASCII)


@dataclass(frozen=True)
class Command:
    """The declaration of an external program.

    Attributes:
        name: of the strategy (prefixed with ``command:`` if it contains no family) or, with ``{cnf}`` or ``{opb}``, of
            the engine.
        command: a program and its arguments, quoted as in a shell.
        task: the only task that it answers; empty for ``first``, and for all of them if it reads a file.
        shapes: the boards that it can solve, such as ``9x9``; empty for all.

    Raises:
        InputError: the settings are invalid.
    """

    name: str
    command: str
    task: str = ""
    shapes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        fault = _name_fault(self) or _command_fault(self) or _task_fault(self)
        if fault:
            raise InputError(f"command {self.name}: {fault}" if self.name else fault)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Command:
        """Make a command from a table of settings.

        Raises:
            InputError: a setting is missing, unknown, of the wrong type, or invalid.
        """
        for key, value in settings.items():
            if key not in COMMAND_KEYS:
                near = _closest(key, COMMAND_KEYS)
                hint = f"did you mean {near}?" if near else f"a command has {', '.join(COMMAND_KEYS)}"
                raise InputError(f"unknown setting {key} of a command; {hint}")
            if key == "shapes":
                valid = isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
                expected = "list of strings"
            else:
                valid, expected = isinstance(value, str), "string"
            if not valid:
                raise InputError(f"{key} of a command must be a {expected}, not {value!r}")
        missing = [key for key in ("name", "command") if not settings.get(key)]
        if missing:
            raise InputError(f"a command has no {missing[0]}; write name = '...' and command = '...'")
        return cls(**{**settings, "shapes": tuple(settings.get("shapes", ()))})

    @classmethod
    def parse(cls, text: str, task: str = "") -> Command:
        """Parse ``NAME=COMMAND``, as on a command line.

        Raises:
            InputError: the text is not of that form, or the command is invalid.
        """
        name, equals, command = text.partition("=")
        if not (name and equals and command.strip()):
            raise InputError(f"{text!r} declares no command; write NAME='PROGRAM ARGUMENTS'")
        reads_file = any(file in command for file in FILES)
        return cls(name, command, "" if reads_file or task not in LINE_TASKS else task)

    @property
    def argv(self) -> tuple[str, ...]:
        """The program and its arguments, with their placeholders."""
        return tuple(shlex.split(self.command))

    @property
    def file(self) -> str:
        """The placeholder of the file that it reads; empty if it reads puzzles."""
        return next((file for file in FILES if file in self.command), "")

    @property
    def takes_encoding(self) -> bool:
        """Whether it is an engine, which solves puzzles under any encoding."""
        return self.file in (CNF, OPB)

    @property
    def streams(self) -> bool:
        """Whether one process answers line after line."""
        return not (self.file or PUZZLE in self.command)

    @property
    def tasks(self) -> tuple[str, ...]:
        if self.task:
            return (self.task,)
        return TASKS if self.file else ("first",)

    @property
    def strategy(self) -> str:
        """The name under which the command is listed."""
        if self.takes_encoding:
            return f"{SAT}:{PLAIN_OPB_MODEL if self.file == OPB else PLAIN_MODEL}@{self.name}"
        return self.name if ":" in self.name else f"{FAMILY}:{self.name}"

    def matches(self, pattern: str) -> bool:
        """Whether a pattern of strategies, without braces, stands for this command."""
        return pattern == self.name or self.goes_by(pattern) or fnmatch.fnmatchcase(self.strategy, pattern)

    def goes_by(self, name: str) -> bool:
        """Whether the exact name of a strategy refers to this command."""
        if self.takes_encoding:
            return name.startswith(f"{SAT}:") and name.partition("@")[2] == self.name
        return name == self.strategy


def _closest(text: str, candidates: Iterable[str]) -> str:
    """The candidate that was probably meant; empty if none is similar."""
    import difflib  # no worker needs it

    near = difflib.get_close_matches(text, tuple(candidates))
    swapped = [each for each in near if sorted(each) == sorted(text)]  # the same letters in another order
    return next(iter([*swapped, *near]), "")


def _name_fault(command: Command) -> str:
    if not _NAME.fullmatch(command.name):
        return f"{command.name!r} is not a valid name; use letters, digits and . _ + -, such as mine or family:model"
    if command.name.startswith(f"{SAT}:"):
        return f"names of the family {SAT} are composed of encodings and engines; choose another"
    if command.takes_encoding and ":" in command.name:
        return "the name of a SAT solver follows the @ in names of strategies; write it without a colon"
    return ""


def _command_fault(command: Command) -> str:
    try:
        argv = command.argv
    except ValueError as error:
        return f"{command.command!r} cannot be split into words: {str(error).lower()}"
    if not argv or argv[0] in PLACEHOLDERS:
        return f"{command.command!r} names no program; begin with one"
    for placeholder in _PLACEHOLDER.findall(command.command):
        if placeholder not in PLACEHOLDERS and (near := _closest(placeholder, PLACEHOLDERS)):
            return f"{placeholder} is not a placeholder; did you mean {near}?"
    if OUT in command.command and not command.file:
        return f"{OUT} is the file for the result of a solver; add the file that it reads, such as {CNF}"
    read = [placeholder for placeholder in (*FILES, PUZZLE) if placeholder in command.command]
    if len(read) > 1:
        return f"{read[0]} and {read[1]} cannot be combined; use one of them"
    return ""


def _task_fault(command: Command) -> str:
    tasks = TASKS if command.file else LINE_TASKS
    if command.task and command.task not in tasks:
        kind = "reads a formula or a model" if command.file else "reads puzzles"
        return f"task {command.task!r}: a command that {kind} can answer {' or '.join(tasks)}"
    if command.file and command.shapes:
        return "shapes are for commands that read puzzles, not for solvers that read a file; leave them out"
    for shape in command.shapes:
        if not _SHAPE.fullmatch(shape):
            return f"{shape!r} is not a shape of boards; write it as 9x9"
    return ""
