"""Output of commands: as text, as JSON or quiet, and in the encoding of the output stream."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import math
import re
import sys
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:  # both are imported late: they take long
    import pandas as pd
    from rich.console import Console

# Replacements for characters that the encoding of an output stream lacks.
REPLACEMENTS = {"µ": "u", "×": "x", "≥": ">=", "≤": "<=", "…": "~", "–": "-", "·": "*", "±": "+-", "∞": "inf"}
# Spaces within a number with its unit, and within an interval; what stands for them while a line is wrapped.
TOGETHER, JOINT = re.compile(r"(?<=\d) (?=(?:ns|µs|ms|s|min|h|MiB|GiB)\b)|(?<=,) (?=[^\s\[\]]+\])"), "\0"
ERROR_HANDLER = "sudoku-bench.replace"


@dataclass(frozen=True)
class OutputMode:
    """The output that ``--quiet``, ``--json`` and ``--verbose`` ask for.

    Attributes:
        quiet: print only errors, and warnings that change what the numbers mean.
        json: print one JSON document on standard output and nothing else there.
        verbose: print all tables and sentences instead of the most important ones.
    """

    quiet: bool = False
    json: bool = False
    verbose: bool = False

    @classmethod
    def of(cls, options: argparse.Namespace) -> OutputMode:
        if options.verbose and (options.quiet or options.json):
            raise InputError("--verbose: prints all tables; give it without --quiet and --json")
        return cls(options.quiet, options.json, options.verbose)

    @property
    def text(self) -> bool:
        """Whether tables and sentences are printed."""
        return not (self.quiet or self.json)


TEXT = OutputMode()


def plain_console(**settings: Any) -> Console:
    """Return a console that prints text as it is, without markup, highlighting or emoji (``mine:bug: ...``)."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, **settings)


def print_line(line: str, console: Console | None = None, indent: str = "") -> None:
    """Print a line, wrapped between words on a terminal and unwrapped elsewhere; units and intervals stay whole.

    Args:
        console: by default standard output.
        indent: indent of continuation lines; by default two more spaces than the line has.
    """
    console = console or plain_console()
    if console.is_terminal:
        indent = indent or " " * (len(line) - len(line.lstrip()) + 2)
        whole = TOGETHER.sub(JOINT, line)
        lines = textwrap.wrap(whole, console.width, subsequent_indent=indent, break_on_hyphens=False)
        line = "\n".join(lines).replace(JOINT, " ")
    console.print(line, soft_wrap=True, markup=False, highlight=False)


def print_json(document: Any) -> None:
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False) + "\n")


def json_rows(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows of a table for JSON; unknown values are null."""
    return [
        {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}
        for row in table.astype(object).where(table.notna(), None).to_dict("records")
    ]


def replace_unencodable() -> None:
    """Make standard output and error replace characters that their encoding lacks, instead of failing."""
    codecs.register_error(ERROR_HANDLER, _replacement)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERROR_HANDLER)


def _replacement(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    text = "".join(REPLACEMENTS.get(c) or c.encode("ascii", "backslashreplace").decode() for c in characters)
    return text, error.end
