"""The option ``--version``."""

from __future__ import annotations

import argparse
import sys
from typing import Any


class PrintVersion(argparse.Action):
    """Print the version of the installed distribution and exit."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(nargs=0, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version  # slow to import, and rarely needed

        try:
            number = version("sudoku-bench")
        except PackageNotFoundError:
            number = "(not installed)"
        sys.stdout.write(f"sudoku-bench {number}\n")
        parser.exit()
