"""Options that several commands have; this module imports nothing that takes long."""

from __future__ import annotations

import argparse


def add_external_strategies(parser: argparse._ActionsContainer) -> None:
    """Declare the options for strategies from plug-in files and for external programs."""
    parser.add_argument(
        "--plugin", action="append", default=[], metavar="FILE.py", help="file with strategies of your own; repeatable"
    )
    parser.add_argument(
        "--command",
        action="append",
        default=[],
        metavar="NAME=CMD",
        help="external program as a strategy, see docs/external.md; repeatable",
    )


def jobs_of(options: argparse.Namespace) -> int:
    """Return the value of ``--jobs``; without one, the number of cores.

    Raises:
        InputError: it is not positive.
    """
    from bench.machine.system import usable_cores
    from datasets.errors import InputError

    if options.jobs is not None and options.jobs < 1:
        raise InputError(f"--jobs must be at least 1, not {options.jobs}")
    return options.jobs or len(usable_cores() or (0,))


def limit_s(text: str) -> float:
    """Parse a time limit: seconds, or a time such as ``1m``."""
    from bench.plan import suite

    try:
        return float(text)
    except ValueError:
        return suite.seconds_of(text, "--timeout")
