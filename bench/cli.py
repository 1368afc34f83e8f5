"""The command line: ``sudoku-bench COMMAND``.

Exit codes: 0 success; 1 the work was done and the answer is negative; 2 wrong usage or input, with one line on
standard error; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from bench.commands import (
    check,
    check_plugin,
    choose,
    claims,
    compare,
    doctor,
    encode,
    fetch,
    generate,
    listing,
    rate,
    recommend,
    report,
    run,
    show,
    solve,
    status,
    strength,
)
from bench.say.output import replace_unencodable
from bench.say.version import PrintVersion
from datasets.errors import InputError

COMMANDS = (
    run,
    status,
    report,
    claims,
    compare,
    recommend,
    choose,
    solve,
    show,
    check,
    check_plugin,
    rate,
    generate,
    encode,
    strength,
    listing,
    fetch,
    doctor,
)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors as one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see `{self.prog} --help`")


class CommandParser(Parser):
    """The parser of a command, whose module is imported only if the command is used: many take long to import."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.fill()
        return super().parse_known_args(args, namespace)

    def fill(self) -> None:
        """Add the arguments of the command, unless they are there."""
        if self.get_default("main") is None:
            name = self.prog.rpartition(" ")[2]
            import_module(f"{commands.__name__}.{MODULES.get(name, name)}").add(self)
            self.epilog = f"example: {EXAMPLES[name]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    replace_unencodable()
    try:
        options = parser().parse_args(arguments)
        code: int = options.main(options)
        sys.stdout.flush()
        return code
    except InputError as error:
        print(f"sudoku-bench: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader closed the pipe, such as `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a full disk, a folder without permission
        print(f"sudoku-bench: {error.filename or 'the system'}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("sudoku-bench: interrupted", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    top = Parser(
        prog="sudoku-bench",
        description="Which way of solving Sudoku should I choose, and from which difficulty on does the answer change?",
    )
    top.add_argument("--version", action=PrintVersion, help="print the version and exit")
    top.set_defaults(parsers=filled_parsers)  # for commands that describe all commands
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    for name, purpose in COMMANDS.items():
        commands.add_parser(name, help=purpose)
    return top


def filled_parsers() -> Mapping[str, argparse.ArgumentParser]:
    """Return the parser of each command with its arguments; this imports the modules of all commands."""
    [parsers] = [action.choices for action in parser()._actions if isinstance(action.choices, dict)]
    for of_command in parsers.values():
        of_command.fill()
    return parsers
