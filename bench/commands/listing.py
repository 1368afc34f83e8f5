"""``sudoku-bench list``: what there is to choose from."""

from __future__ import annotations

import argparse
import fnmatch
import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from bench import strategies, suite
from datasets import collections, fetch
from datasets.shape import Shape


def add(commands: Any) -> None:
    parser = commands.add_parser("list", help="list strategies, encodings, datasets or suites")
    parser.add_argument("what", choices=("strategies", "encodings", "datasets", "suites"))
    parser.add_argument("pattern", nargs="?", default="*", help="only names that match, such as 'sat:*'")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--plugin", action="append", default=[], metavar="FILE.py", help="strategies of your own")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    rows = {
        "strategies": lambda: _strategies(options.plugin),
        "encodings": _encodings,
        "datasets": _datasets,
        "suites": _suites,
    }[options.what]()
    rows = [row for row in rows if fnmatch.fnmatch(next(iter(row.values())), options.pattern)]
    if options.json:
        print(json.dumps(rows, indent=2))
        return 0
    table = Table(*(rows[0] if rows else ()), box=None, header_style="bold")
    for column in table.columns[:1]:
        column.no_wrap, column.min_width = True, max(len(next(iter(row.values()))) for row in rows)
    for row in rows:
        table.add_row(*map(_words, row.values()))
    Console(highlight=False, markup=False).print(table if rows else f"no {options.what} match {options.pattern}")
    return 0


def _strategies(plugins: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "strategy": info.name,
            "family": info.family,
            "tasks": list(info.tasks),
            "available": info.available,
            "reason": info.reason,
        }
        for info in strategies.known(plugins).values()
    ]


def _encodings() -> list[dict[str, Any]]:
    from solvers.encodings import ENCODINGS, size

    shape = Shape(3, 3)
    rows = []
    for name, clauses in ENCODINGS.items():
        measured = size(clauses(shape))
        rows.append(
            {
                "encoding": name,
                "shape": shape.name,
                "variables": measured.variables,
                "clauses": measured.clauses,
                "literals": measured.literals,
            }
        )
    return rows


def _datasets() -> list[dict[str, Any]]:
    return [
        {
            "dataset": name,
            "puzzles": facts.get("number"),
            "kind": _kind(facts),
            "licence": facts["licence"],
            "title": facts["title"],
        }
        for name, facts in collections.catalogue().items()
    ]


def _kind(facts: Mapping[str, Any]) -> str:
    if "url" not in facts:
        return "embedded"
    return "fetched" if fetch.path_of(facts).exists() else "not fetched"


def _suites() -> list[dict[str, Any]]:
    return [
        {
            "suite": name,
            "title": found.title,
            "task": found.task,
            "strategies": list(found.strategies),
            "datasets": list(found.datasets),
        }
        for name, found in suite.shipped().items()
    ]


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "?"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
