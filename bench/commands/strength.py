"""``sudoku-bench strength``: what unit propagation derives under each encoding, exactly and without a clock."""

from __future__ import annotations

import argparse
import fnmatch
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from sudoku_bench.bench.commands.encode import import_extensions
from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.run import strength
from sudoku_bench.bench.say.output import plain_console, print_json
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry

if TYPE_CHECKING:  # these import numba
    from sudoku_bench.solvers.sat.strength.prober import State


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show how many puzzles unit propagation alone solves under each encoding, and which encodings"
        " derive the same. The counts are exact: no solver, clock or chance takes part."
    )
    parser.add_argument("puzzles", nargs="+", metavar="FILE", help="files of puzzles, or names of collections")
    parser.add_argument(
        "-e",
        "--encoding",
        action="append",
        default=[],
        metavar="PATTERN",
        help="encodings such as 'complete+*' (default: those of `list encodings`); repeatable",
    )
    add_shared(parser, "--plugin", help="file with encodings of your own, for -e; repeatable")
    add_shared(parser, "--json")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N puzzles of each collection")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    if options.limit is not None and options.limit < 1:
        raise InputError(f"--limit must be at least 1, not {options.limit}")
    import_extensions(options.plugin)
    names = chosen(options.encoding)
    boards = boards_of(options.puzzles, options.limit)
    console = plain_console(stderr=True)
    documents = []
    for shape, states in sorted(boards.items()):
        with console.status("") as status:
            rows = list(strength.derive(names, shape, states, failed=False, tell=status.update))
        documents.append(document(shape, rows))
        if not options.json:
            show(rows, documents[-1]["classes"])
    if options.json:
        print_json({"boards": documents})
    return 0


def chosen(patterns: Sequence[str]) -> list[str]:
    """The encodings that match the patterns, each once; those of listings if there are no patterns.

    Raises:
        InputError: a pattern matches nothing.
    """
    from sudoku_bench.solvers.sat.encodings import DEFAULT_SCHEME, DEFAULTS, WITH_SCHEME, every_name

    names = dict.fromkeys(() if patterns else DEFAULTS)
    for pattern in (part for text in patterns for part in registry.expanded(text)):
        full = f"{pattern}+{DEFAULT_SCHEME}" if pattern in WITH_SCHEME else pattern
        matches = fnmatch.filter(every_name(), full)
        if not matches:
            raise InputError(f"no encoding matches {pattern}; see `sudoku-bench list encodings`")
        names |= dict.fromkeys(matches)
    return list(names)


def boards_of(sources: Iterable[str], limit: int | None) -> dict[Shape, dict[str, Sequence[State]]]:
    """The states of each collection by shape.

    Raises:
        InputError: a source cannot be read.
    """
    boards: dict[Shape, dict[str, Sequence[State]]] = {}
    for source in sources:
        collection = catalogue.load(source, catalogue.Choice(limit=limit))
        puzzles = [item.puzzle for item in collection.items]
        for shape, states in strength.clue_states(puzzles).items():
            boards.setdefault(shape, {})[collection.name] = states
    return boards


def document(shape: Shape, rows: Sequence[strength.Derived]) -> dict[str, Any]:
    """The rows and the classes of one shape for JSON."""
    classes = [
        {"encodings": list(group.names), "candidates_left": group.left, "stronger_than": list(group.weaker)}
        for group in strength.classes_of(rows)
    ]
    return {"shape": shape.name, "rows": [row.fields() for row in rows], "classes": classes}


def show(rows: Sequence[strength.Derived], classes: Sequence[dict[str, Any]]) -> None:
    """Print a line per class of encodings: how many puzzles of each collection it solves."""
    first_of = {row.collection: row for row in rows}
    of_row = {(row.encoding, row.collection): row.fields() for row in rows}
    table = Table("class", "encodings", box=None, header_style="bold")
    for collection, row in first_of.items():
        table.add_column(f"{collection} ({len(row.propagated)})", justify="right")
    table.add_column("left", justify="right")
    for number, group in enumerate(classes, start=1):
        names = group["encodings"]
        solved = [str(of_row[names[0], collection]["up_solved"]) for collection in first_of]
        table.add_row(str(number), ", ".join(strength.abbreviated(names)), *solved, f"{group['candidates_left']:.1f}")
    console = plain_console()
    console.print(table)
    console.print(
        "Solved by unit propagation alone; encodings of one class leave the same candidates in every state. Left: mean"
        " number of candidates.",
        soft_wrap=True,
    )
