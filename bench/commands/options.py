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


def limit_s(text: str) -> float:
    """Parse a time limit: seconds, or a time such as ``1m``."""
    from bench.plan import suite

    try:
        return float(text)
    except ValueError:
        return suite.seconds_of(text, "--timeout")
