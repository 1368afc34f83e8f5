"""Options that several commands have, each described once, and the strategies of a run that they select.

This module imports nothing that takes long.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from sudoku_bench.bench.verdicts.run_tables import Run


REPEATABLE: dict[str, Any] = {"action": "append", "default": []}
FLAG: dict[str, Any] = {"action": "store_true"}
OTHER_NAMES = {"-s": "--strategy", "-d": "--dataset", "--verbose": "-v"}
PUZZLES = "81 characters (. for an empty cell), a grid, a name such as hardest-010, or a file; - for standard input"
SELECTED = "only these strategies, such as 'sat:*'; verdicts are then about them alone; repeatable"
PROGRAM = "external program as a strategy, see docs/external.md; repeatable"

SHARED: dict[str, dict[str, Any]] = {
    "run": {"metavar": "RUN", "type": Path, "help": "run folder, such as results/bench"},
    "puzzle": {"metavar": "PUZZLE|FILE", "help": PUZZLES},
    "-s": REPEATABLE | {"dest": "strategies", "metavar": "PATTERN", "help": SELECTED},
    "-d": REPEATABLE | {"dest": "datasets", "metavar": "NAME", "help": "only this collection; repeatable"},
    "--alias": REPEATABLE
    | {"dest": "aliases", "metavar": "NAME=TEXT", "help": "name to show for a strategy; repeatable"},
    "--task": {"default": "first", "help": "first, unique or count:K (default first)"},
    "--seed": {"type": int, "metavar": "N", "help": "random seed (default 1)"},
    "--pin": {"metavar": "on|off|CORES", "help": "run all workers of a job on one core (default on)"},
    "--jobs": {"type": int, "metavar": "J", "help": "puzzles at a time (default: one per core)"},
    "--plugin": REPEATABLE | {"metavar": "FILE.py", "help": "file with strategies of your own; repeatable"},
    "--command": REPEATABLE | {"metavar": "NAME=CMD", "help": PROGRAM},
    "--skip-bad": FLAG | {"help": "skip and count lines that are not puzzles"},
    "--quiet": FLAG | {"help": "print only errors and warnings that change what the numbers mean"},
    "--verbose": FLAG | {"help": "print all tables and sentences at the end"},
    "--json": FLAG | {"help": "print one JSON document"},
}


def add_shared(parser: argparse._ActionsContainer, *names: str, **changes: Any) -> None:
    """Declare arguments of ``SHARED`` by their names; ``changes`` replace settings of all of them."""
    for name in names:
        parser.add_argument(name, *filter(None, [OTHER_NAMES.get(name)]), **(SHARED[name] | changes))


def jobs_of(options: argparse.Namespace) -> int:
    """Return the value of ``--jobs``; without one, the number of cores.

    Raises:
        InputError: it is not positive.
    """
    if options.jobs is not None and options.jobs < 1:
        raise InputError(f"--jobs must be at least 1, not {options.jobs}")
    return options.jobs or all_cores()


def all_cores() -> int:
    """Return the number of cores that this process may use."""
    from sudoku_bench.bench.machine.system import usable_cores

    return len(usable_cores())


def limit_s(text: str) -> float:
    """Parse a time limit: seconds, or a time such as ``1m``."""
    from sudoku_bench.bench.plan import suite

    try:
        return float(text)
    except ValueError:
        return suite.seconds_of(text, "--timeout")


def selected(run: Run, patterns: Sequence[str]) -> Run:
    """Return the part of a run that ``-s`` selects.

    Raises:
        InputError: the run has no such strategy.
    """
    from sudoku_bench.bench.verdicts.selection import select

    return select(run, patterns) if patterns else run


def aliases_of(options: argparse.Namespace) -> dict[str, str]:
    """Return the aliases by name of the strategy.

    Raises:
        InputError: one is not of the form NAME=TEXT.
    """
    aliases = {}
    for text in options.aliases:
        name, equals, alias = text.partition("=")
        if not (equals and name and alias.strip()) or name in aliases:
            raise InputError(f"--alias {text}: write it as NAME=TEXT, such as seed:pyeda=PyEDA, once for each name")
        aliases[name] = alias.strip()
    return aliases
