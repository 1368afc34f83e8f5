"""The command line: ``sudoku-bench COMMAND``.

Exit codes: 0 success; 1 the work was done and the answer is negative; 2 wrong usage or input, with one line on
standard error; 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, NoReturn

from sudoku_bench.bench import commands as rooms
from sudoku_bench.bench.commands.examples import EXAMPLES
from sudoku_bench.bench.say.compiling import tell_compiling
from sudoku_bench.bench.say.output import replace_unencodable
from sudoku_bench.datasets.errors import InputError

COMMANDS = {
    "run": "measure strategies on puzzles and report the results",
    "status": "show the progress of a run and how to resume it",
    "join": "put the shards of a run together",
    "report": "write the tables, figures and page of a run",
    "claims": "check the marked numbers of a document against a run",
    "compare": "compare two runs, two versions of a strategy, or the strategies of a run",
    "choose": "choose a strategy for puzzles of your own, or one of a run",
    "solve": "solve a puzzle, or the puzzles of a file",
    "show": "show a puzzle step by step, as a page",
    "check": "check that the puzzles of a file are valid and have one solution",
    "check-plugin": "check the strategies, encodings, schemes and engines of a plug-in",
    "rate": "rate the difficulty of puzzles",
    "generate": "generate random puzzles with given properties",
    "encode": "write a puzzle as a DIMACS or OPB file",
    "import": "turn results of pytest-benchmark, hyperfine or BenchExec into a run",
    "export": "write a run as a Parquet or Excel file, or as a wide table",
    "list": "list strategies, encodings, engines, datasets or suites",
    "fetch": "download collections of puzzles",
    "doctor": "report what makes timings on this machine noisy",
}
# Of commands whose module has another name.
MODULES = {"check-plugin": "check_plugin", "import": "importing", "export": "exporting", "list": "listing"}


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors as one line, and answers an empty call with its help."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if not args and any(action.required for action in self._actions if not action.option_strings):
            self.print_help()
            self.exit()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        if invalid := re.fullmatch(r"argument COMMAND: invalid choice: '(.*?)' .*", message, re.DOTALL):
            message = f"there is no command {invalid[1]}{did_you_mean(invalid[1], COMMANDS)}"
        raise InputError(f"{message}; see `{self.prog} --help`")


class CommandParser(Parser):
    """The parser of a command, whose module is imported only if the command is used: many take long to import."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.fill()
        for before, text in pairwise(["", *(args or ())]):
            name = before if text == "" else text.removesuffix("=")
            action = self._option_string_actions.get(name)
            if action is not None and action.nargs != 0 and name != text:
                self.error(f"{name}: is empty; give a value, or leave it out")
        known, others = super().parse_known_args(args, namespace)
        if others:
            near = did_you_mean(others[0].partition("=")[0], self._option_string_actions)
            self.error(f"unrecognized argument {others[0]}{near}")
        return known, others

    def fill(self) -> None:
        """Add the arguments of the command, unless they are there."""
        if self.get_default("main") is None:
            name = self.prog.rpartition(" ")[2]
            import_module(f"{rooms.__name__}.{MODULES.get(name, name)}").add(self)
            self.epilog = f"example: {EXAMPLES[name]}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return a question about the word that is most like another one; empty if none is."""
    near = difflib.get_close_matches(word, words, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    replace_unencodable()
    tell_compiling()
    os.environ.pop("MPLBACKEND", None)  # figures are files, and importing matplotlib fails with a backend it lacks
    try:
        with terminated_as_interrupt():
            options = parser().parse_args(sys.argv[1:] if arguments is None else arguments)
            code: int = options.main(options)
            sys.stdout.flush()
        return code
    except InputError as error:
        print(f"sudoku-bench: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader closed the pipe, such as `| head`
        print_nothing_more()
        return 0
    except OSError as error:  # a full disk, a folder without permission
        reason = error.strerror or " ".join(str(error).split())
        print(f"sudoku-bench: {error.filename or 'the system'}: {reason}", file=sys.stderr)
        print_nothing_more()
        return 2
    except MemoryError:
        print("sudoku-bench: there is not enough memory", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return interrupted("sudoku-bench")


def interrupted(program: str) -> int:
    """End a program that was interrupted, with a line."""
    from sudoku_bench.bench.process.computing import leave

    print(f"{program}: interrupted", file=sys.stderr)
    return leave(130)


def print_nothing_more() -> None:
    """Lose what standard output still holds, if it cannot be written."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def terminated_as_interrupt() -> Iterator[None]:
    """Make SIGTERM and SIGHUP end a command as cleanly as Ctrl-C."""
    survives = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN  # its terminal (nohup)
    numbers = [signal.SIGTERM] if survives else [signal.SIGTERM, signal.SIGHUP]
    previous = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def parser() -> argparse.ArgumentParser:
    top = Parser(
        prog="sudoku-bench",
        description="Which way of solving Sudoku should I choose, and from which difficulty on does the answer change?",
    )
    version = f"%(prog)s {rooms.VERSION}"
    top.add_argument("--version", action="version", version=version, help="print the version and exit")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    for name, purpose in COMMANDS.items():
        commands.add_parser(name, help=purpose)
    return top


def filled_parser() -> argparse.ArgumentParser:
    """Return the parser with the arguments of all commands; this imports the modules of all commands."""
    top = parser()
    for of_command in parsers(top).values():
        of_command.fill()
    return top


def parsers(top: argparse.ArgumentParser) -> Mapping[str, CommandParser]:
    """Return the parser of each command."""
    [commands] = [action.choices for action in top._actions if isinstance(action.choices, dict)]
    return commands
