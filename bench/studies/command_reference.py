"""The reference of the commands and of the keys of a suite, docs/commands.md, from the code: ``make tables``."""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
from collections.abc import Iterator

from bench import cli
from bench.plan.suite import Suite
from bench.studies import document
from datasets.errors import InputError

PAGE = document.TOP / "docs" / "commands.md"
MAKER = "made by bench.studies.command_reference"
SUITES = "A suite is a TOML file; `sudoku-bench list suites` shows the shipped ones. Options of `run` override it."
OPTION_ONLY = re.compile(r"; repeatable| \(default:? [^)]*\)|, or 1m")  # in help that is not true of a key
WITHOUT_OPTION = {
    "title": "heading of the report",
    "commands": "external programs, see [external](external.md)",
    "cluster": "batch jobs to measure in, see [large runs](scale.md)",
}
MARKS = f"<!-- commands: {MAKER} -->", "<!-- end of commands -->"


def main() -> int:
    try:
        document.fill(PAGE, MARKS, "\n".join(reference()))
    except InputError as error:
        print(f"command_reference: {error}", file=sys.stderr)
        return 2
    return 0


def reference() -> Iterator[str]:
    """Yield the lines of the page: for each command its purpose, its arguments and an example; then keys of a suite."""
    commands = cli.parsers(cli.filled_parser())
    for name, parser in commands.items():
        yield from (f"## {name}", "", str(parser.description), "")
        arguments = [action for action in parser._actions if "--help" not in action.option_strings]
        if arguments:
            yield from ("| argument | meaning |", "| --- | --- |", *map(row, arguments), "")
        yield from (f"    {str(parser.epilog).removeprefix('example: ')}", "")

    yield from ("## Keys of a suite", "", SUITES, "", "| key | default | meaning |", "| --- | --- | --- |")
    meanings = {action.dest: str(action.help) for action in commands["run"]._actions} | WITHOUT_OPTION
    for field in dataclasses.fields(Suite):
        if field.name != "name":  # that of the file
            yield f"| `{field.name}` | {toml(field.default)} | {escaped(OPTION_ONLY.sub('', meanings[field.name]))} |"


def toml(value: object) -> str:
    """Return a default as a suite would say it; nothing if it cannot."""
    if isinstance(value, tuple):
        value = list(value)
    return "" if value is None else f"`{json.dumps(value)}`"


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
