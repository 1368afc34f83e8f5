"""How a command speaks: to people, to programs, or not at all; and in letters that its reader can take."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import math
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

if TYPE_CHECKING:  # pandas is loaded only where it is needed
    import pandas as pd

SPELLED = {"µ": "u", "×": "x", "≥": ">=", "≤": "<=", "…": "~", "–": "-", "·": "*", "±": "+-"}  # where letters are few
ERRORS = "sudoku-bench.spelled"  # the name of the way, for Python's streams


@dataclass(frozen=True)
class Voice:
    """Quiet: only errors, and warnings that change what the numbers mean. Programs: one JSON document, nothing else,
    on standard output."""

    quiet: bool = False
    programs: bool = False

    @classmethod
    def of(cls, options: argparse.Namespace) -> Voice:
        return cls(options.quiet, options.json)

    @property
    def talks(self) -> bool:
        """Tables and words for people."""
        return not (self.quiet or self.programs)


TALKING = Voice()


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--quiet", action="store_true", help="say nothing but errors, and warnings that change what the numbers mean"
    )
    parser.add_argument("--json", action="store_true", help="for programs: one JSON document on standard output")


def say(line: str, console: Console) -> None:
    """A line that a terminal shows in its width, broken between words, and that stays whole elsewhere."""
    if console.is_terminal:
        deep = " " * (len(line) - len(line.lstrip()) + 2)
        line = "\n".join(textwrap.wrap(line, console.width, subsequent_indent=deep, break_on_hyphens=False))
    console.print(line, soft_wrap=True, markup=False, highlight=False)


def answer(document: Mapping[str, Any]) -> None:
    """Print a document for programs."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False) + "\n")


def records(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """The rows of a table for JSON: what is not known is null."""
    return [
        {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in line.items()}
        for line in table.astype(object).where(table.notna(), None).to_dict("records")
    ]


def spell_out() -> None:
    """Let standard output and error spell letters that their encoding lacks, rather than fail."""
    codecs.register_error(ERRORS, _spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERRORS)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(SPELLED.get(a) or a.encode("ascii", "backslashreplace").decode() for a in letters), error.end
