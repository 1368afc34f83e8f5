"""``sudoku-bench list encodings --strength``: what unit propagation derives under each encoding, without a clock."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from sudoku_bench.bench.commands.encode import import_extensions, require_used
from sudoku_bench.bench.run import strength
from sudoku_bench.bench.say.output import plain_console, print_json
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry

if TYPE_CHECKING:  # these import numba
    from sudoku_bench.solvers.sat.strength.prober import State


def list_strengths(pattern: str, sources: Sequence[str], as_json: bool, failed: bool, plugins: Sequence[str]) -> None:
    """Print how many puzzles each encoding solves by unit propagation, and which encodings derive the same.

    Args:
        pattern: encodings, such as ``complete+*``; ``*`` stands for those of listings.
        sources: files of puzzles, or names of collections.
        failed: also by failed literals.
        plugins: files with encodings or schemes, which the pattern names.

    Raises:
        InputError: the pattern matches nothing, or a source cannot be read.
    """
    import_extensions(plugins)
    names = chosen(pattern)
    require_used(plugins, names)
    documents = []
    for shape, states in sorted(boards_of(sources).items()):
        with plain_console(stderr=True).status("") as status:
            rows = list(strength.derive(names, shape, states, failed=failed, tell=status.update))
        if not rows:
            raise InputError(f"{pattern}: no such encoding is for {shape.name} boards")
        documents.append(document(shape, rows))
        if not as_json:
            show(rows, documents[-1]["classes"])
    if as_json:
        print_json({"boards": documents})


def chosen(pattern: str) -> list[str]:
    from sudoku_bench.solvers.sat.encodings import DEFAULT_SCHEME, DEFAULTS, WITH_SCHEME, every_name

    names = dict.fromkeys(DEFAULTS if pattern == "*" else ())
    for part in registry.expanded(pattern) if pattern != "*" else ():
        full = f"{part}+{DEFAULT_SCHEME}" if part in WITH_SCHEME else part
        matches = fnmatch.filter(every_name(), full)
        if not matches:
            raise InputError(f"no encoding matches {part}; see `sudoku-bench list encodings`")
        names |= dict.fromkeys(matches)
    return list(names)


def boards_of(sources: Iterable[str]) -> dict[Shape, dict[str, Sequence[State]]]:
    """Return the states of each collection by shape."""
    boards: dict[Shape, dict[str, Sequence[State]]] = {}
    for source in sources:
        collection = catalogue.load(source)
        for shape, states in strength.clue_states(item.puzzle for item in collection.items).items():
            if collection.name in boards.get(shape, ()):
                raise InputError(f"--strength {source}: another file is called {collection.name}, too; rename one")
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
    first_of, kinds = {row.collection: row for row in rows}, ("up_solved", "failed_solved")
    of_row = {(row.encoding, row.collection): row.fields() for row in rows}
    table = Table("class", "encodings", box=None, header_style="bold")
    for collection, row in first_of.items():
        table.add_column(f"{collection} ({len(row.propagated)})", justify="right")
    table.add_column("left", justify="right")
    for number, group in enumerate(classes, start=1):
        names = group["encodings"]
        facts = [of_row[names[0], collection] for collection in first_of]
        solved = ["/".join(str(row[kind]) for kind in kinds if row[kind] is not None) for row in facts]
        table.add_row(str(number), ", ".join(strength.abbreviated(names)), *solved, f"{group['candidates_left']:.1f}")
    console = plain_console()
    console.print(table)
    console.print(
        "Solved by unit propagation alone (/ by failed literals); encodings of one class leave the same candidates in"
        " every state. Left: mean number of candidates.",
        soft_wrap=True,
    )
