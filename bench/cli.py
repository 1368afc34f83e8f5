"""The command line: ``sudoku-bench COMMAND``.

Exit codes: 0 success; 1 the work was done and the answer is negative; 2 wrong usage or input, with one line on
standard error; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from bench.commands import (
    check,
    claims,
    compare,
    completion,
    doctor,
    encode,
    exporting,
    fetch,
    generate,
    importing,
    listing,
    rate,
    recommend,
    report,
    run,
    solve,
    status,
)
from bench.commands.examples import EXAMPLES
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
    solve,
    check,
    rate,
    generate,
    encode,
    importing,
    exporting,
    listing,
    fetch,
    doctor,
    completion,
)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors as one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see `{self.prog} --help`")


class CommandParser(Parser):
    """The parser of a command, whose module is imported only if the command is used: many take long to import."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self.get_default("main") is None:
            name = self.prog.rpartition(" ")[2]
            import_module(f"{commands.__name__}.{MODULES.get(name, name)}").add(self)
        return super().parse_known_args(args, namespace)


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
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    for name, parser_of_command in commands.choices.items():
        parser_of_command.epilog = f"example: {EXAMPLES[name]}"
    return top
