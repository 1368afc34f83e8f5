"""The reference of the commands, docs/commands.md, from their parsers: ``make tables``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from bench import cli
from bench.studies import document
from datasets.errors import InputError

PAGE = document.TOP / "docs" / "commands.md"
MAKER = "made by bench.studies.command_reference"
MARKS = f"<!-- commands: {MAKER} -->", "<!-- end of commands -->"


def main() -> int:
    try:
        document.fill(PAGE, MARKS, "\n".join(reference()))
    except InputError as error:
        print(f"command_reference: {error}", file=sys.stderr)
        return 2
    return 0


def reference() -> Iterator[str]:
    """Yield the lines of the page: for each command its purpose, its arguments and an example."""
    [commands] = [action for action in cli.parser()._actions if action.choices]
    for name, parser in dict(commands.choices or {}).items():
        yield from (f"## {name}", "", str(parser.description), "")
        arguments = [action for action in parser._actions if "--help" not in action.option_strings]
        if arguments:
            yield from ("| argument | meaning |", "| --- | --- |", *map(row, arguments), "")
        yield from (f"    {str(parser.epilog).removeprefix('example: ')}", "")


def row(action: argparse.Action) -> str:
    """Return an argument as a row of a table."""
    value = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    value = " ".join(value) if isinstance(value, tuple) else value
    names = " ".join((", ".join(action.option_strings), "" if action.nargs == 0 else value)).strip()
    meaning = str(action.help or "").replace("%%", "%").replace("%(default)s", str(action.default))
    return f"| `{escaped(names)}` | {escaped(meaning)} |"


def escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    sys.exit(main())
