"""The options that select strategies of a run and give them other names: ``-s`` and ``--alias``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from datasets.errors import InputError

if TYPE_CHECKING:
    from bench.verdicts.run_tables import Run


def add_strategies(parser: Any) -> None:
    parser.add_argument(
        "-s",
        "--strategy",
        action="append",
        dest="strategies",
        metavar="PATTERN",
        help="only these strategies, such as 'sat:*'; verdicts are then about them alone; repeatable",
    )


def add_aliases(parser: Any) -> None:
    parser.add_argument(
        "--alias",
        action="append",
        dest="aliases",
        default=[],
        metavar="NAME=TEXT",
        help="name to show for a strategy; repeatable",
    )


def selected(run: Run, options: argparse.Namespace) -> Run:
    """Return the part of a run that the options select.

    Raises:
        InputError: an option names a strategy that the run does not have.
    """
    from bench.verdicts.selection import select

    aliases = aliases_of(options)
    return select(run, options.strategies or (), aliases) if options.strategies or aliases else run


def aliases_of(options: argparse.Namespace) -> dict[str, str]:
    """Return the aliases by name of the strategy.

    Raises:
        InputError: one is not of the form NAME=TEXT.
    """
    aliases = {}
    for text in options.aliases:
        name, equals, alias = text.partition("=")
        if not (equals and name and alias.strip()):
            raise InputError(f"--alias {text}: write it as NAME=TEXT, such as seed:pyeda=PyEDA")
        aliases[name] = alias.strip()
    return aliases
