"""``sudoku-bench list``: list strategies, encodings, engines, datasets or suites."""

from __future__ import annotations

import argparse
import fnmatch
import inspect
import re
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.say.output import plain_console, print_json, print_line
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from sudoku_bench.bench.process.strategy_info import StrategyInfo

# Too long for a terminal, or printed below the table.
JSON_ONLY = ("source", "family", "reason", "tasks", "available", "licence")
COMPOSED = "more can be composed: sat:ENCODING[+SCHEME][+CLUES]@ENGINE (list encodings, list engines)"
INSTALL = (  # docs/strategies.md, "What is missing"
    "To install all packages: make setup, or pip install 'sudoku-bench[seeds,solvers]'; all programs (Debian):"
    " sudo make setup-solvers."
)
ALL_OF_FAMILY = "all of a family, with what each lacks: sudoku-bench list strategies 'sat:*'; or one by its name"
WHAT = 52  # characters of what a strategy is that fit on 80 columns
NAMED = 3  # strategies and datasets of a suite that a terminal shows


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "List strategies, encodings with their sizes, SAT engines, datasets or suites."
    parser.add_argument(
        "what", choices=("strategies", "encodings", "engines", "datasets", "suites"), help="what to list"
    )
    parser.add_argument("pattern", nargs="?", default="*", help="only names that match, such as 'sat:*'")
    add_shared(parser, "--json", "--plugin")
    parser.add_argument(
        "--shape", action="append", default=[], metavar="NxN", help="board for encoding sizes (default 9x9); repeatable"
    )
    parser.add_argument(
        "--strength",
        action="append",
        default=[],
        metavar="FILE",
        help="of encodings: count the puzzles of a file or collection that unit propagation solves, instead of sizes",
    )
    parser.add_argument("--failed", action="store_true", help="with --strength, also by failed literals (slow)")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    for name in ("shape", "strength"):
        if getattr(options, name) and options.what != "encodings":
            raise InputError(f"--{name}: applies to encodings only; remove it to list {options.what}")
    if options.plugin and options.what in ("datasets", "suites"):
        raise InputError(f"--plugin: a plug-in adds no {options.what}; remove it")
    if options.failed and not options.strength:
        raise InputError("--failed: goes with --strength FILE")
    if options.strength and options.shape:
        raise InputError("--shape: is for sizes; --strength counts on the boards of its file; give one of them")
    if options.strength:
        from sudoku_bench.bench.commands.strength import list_strengths

        list_strengths(options.pattern, options.strength, options.json, options.failed, options.plugin)
        return 0
    rows = rows_of(options.what, options.pattern, options.shape, options.plugin)
    if options.json:
        print_json(rows)
    else:
        _show(rows, options)
    return 0


def rows_of(
    what: str, pattern: str = "*", shapes: Sequence[str] = (), plugins: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return what there is of a kind and matches a pattern."""
    rows = {
        "strategies": lambda: _strategies(plugins, pattern),
        "encodings": lambda: _encodings(pattern, shapes, plugins),
        "engines": lambda: _engines(plugins),
        "datasets": _datasets,
        "suites": _suites,
    }[what]()
    return rows if what == "strategies" else [r for r in rows if fnmatch.fnmatch(next(iter(r.values())), pattern)]


def _show(rows: list[dict[str, Any]], options: argparse.Namespace) -> None:
    """Print a table, and the reasons below it."""
    from rich.table import Table

    notes = [f"{next(iter(row.values()))}: {row['reason']}" for row in rows if row.get("reason")]
    missing = options.what == "strategies" and not all(row["available"] for row in rows)
    hidden: tuple[str, ...] = JSON_ONLY
    if options.what == "strategies" and rows:
        number = f"{counted(len(rows), 'strategy', 'strategies')}; {COMPOSED}"
        if options.pattern == "*":
            rows, notes, hidden = _families(rows), [ALL_OF_FAMILY, number], ()
        else:
            notes.append(number)
    notes += [INSTALL] if missing else []
    if options.what == "suites":
        rows = [{"suite": row["suite"], "what it measures": _summary(row)} for row in rows]
    columns = [name for name in (rows[0] if rows else ()) if name not in hidden]
    table = Table(box=None, header_style="bold")
    for name in columns:
        table.add_column(name, justify="right" if isinstance(rows[0][name], int) else "left")
    for column in table.columns[:1]:
        column.no_wrap, column.min_width = True, max(len(next(iter(row.values()))) for row in rows)
    for row in rows:
        table.add_row(*(_text(row[name]) for name in columns))
    console = plain_console()
    console.print(table if rows else f"no {options.what} match {options.pattern}")
    for note in notes:
        print_line(note, console)


def _families(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each family: how many of its strategies can run here, and one of them with what it does."""
    families: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault(row["family"], []).append(row)
    result = []
    for family, members in families.items():
        available = [row["strategy"] for row in members if row["available"]]
        example = (available or [members[0]["strategy"]])[0]
        sentence = next(row["description"] for row in members if row["strategy"] == example)
        number = str(len(members)) if len(available) == len(members) else f"{len(available)} of {len(members)}"
        clause = re.match(rf"(.{{1,{WHAT}}})(?:[;:,] |$)", sentence)
        what = clause[1] if clause else shorten(sentence, WHAT, placeholder="…")
        result.append({"family": family, "available": number, "such as": f"{example}\n {what}"})
    return result


# Each listing imports only what it lists.


def _strategies(plugins: Sequence[str], pattern: str) -> list[dict[str, Any]]:
    from sudoku_bench.bench.plan import strategies

    return [
        {
            "strategy": info.name,
            "family": info.family,
            "tasks": list(info.tasks),
            "available": info.available,
            "reason": info.reason,
            "description": info.description or _description(info.name),
        }
        for info in _matching(strategies.known(plugins) | strategies.programs(pattern), pattern)
    ]


def _matching(infos: Mapping[str, StrategyInfo], pattern: str) -> list[StrategyInfo]:
    """Return the strategies that a pattern stands for, also those that are composed for it; none if there are none."""
    from sudoku_bench.bench.plan import strategies
    from sudoku_bench.solvers import registry

    try:
        matches = registry.match(strategies.combinations(pattern, infos), infos)
        return [infos.get(name) or strategies.exact(name) for name in matches]
    except InputError:
        return []


def _description(name: str) -> str:
    """Return the first sentence about a strategy of the project; about its encoding for a SAT strategy."""
    from sudoku_bench.solvers import registry
    from sudoku_bench.solvers.sat import names as sat_names
    from sudoku_bench.solvers.sat.encodings import maker

    try:
        documented: Any = registry.get(name)
        if name.startswith(f"{sat_names.FAMILY}:"):
            documented = maker(sat_names.parse(name).encoding.partition("+")[0])
    except InputError:  # of a plug-in, whose code is not imported here
        return ""
    text = " ".join((inspect.getdoc(documented) or "").split())
    return text.partition(". ")[0].partition(" (")[0].removesuffix(".").replace("``", "")


def _encodings(pattern: str, shapes: Sequence[str], plugins: Sequence[str]) -> list[dict[str, Any]]:
    from sudoku_bench.bench.plan import strategies
    from sudoku_bench.bench.reports import bibliography
    from sudoku_bench.bench.run import side_tables
    from sudoku_bench.solvers.sat.encodings import DEFAULTS, every_name, sizes

    names = [pattern] if pattern in every_name() else DEFAULTS
    boards = [side_tables.shape_of(text) for text in shapes or ["9x9"]]
    infos = list(strategies.known(plugins).values())
    rows = [*sizes(names, boards), *strategies.encodings_of_plugins(infos, boards)]
    sources = (map(bibliography.reference, bibliography.of_encoding(row["encoding"])) for row in rows)
    return [row | {"source": "; ".join(source)} for row, source in zip(rows, sources, strict=True)]


def _engines(plugins: Sequence[str]) -> list[dict[str, Any]]:
    from sudoku_bench.bench.plan import strategies
    from sudoku_bench.solvers.external.command import PLAIN_MODEL, SAT
    from sudoku_bench.solvers.sat import engines

    prefix = f"{SAT}:{PLAIN_MODEL}@"
    infos = [strategies.exact(f"{prefix}{engine}") for engine in engines.engines()]
    infos += [info for info in strategies.known(plugins).values() if info.plugin and info.name.startswith(prefix)]
    return [
        {
            "engine": (engine := info.name.removeprefix(prefix)),
            "package": info.plugin or engines.package_of(engine),
            "aliases": [alias for alias in engines.pysat_engines().get(engine, ()) if alias != engine],
            "available": info.available,
            "reason": info.reason,
        }
        for info in infos
    ]


def _datasets() -> list[dict[str, Any]]:
    from sudoku_bench.datasets.collections import catalogue, fetch

    return [
        {
            "dataset": name,
            "puzzles": facts.get("number"),
            "kind": "embedded" if "url" not in facts else "fetched" if fetch.path_of(facts).exists() else "not fetched",
            "licence": facts["licence"],
            "title": facts["title"],
        }
        for name, facts in catalogue.entries().items()
    ]


def _suites() -> list[dict[str, Any]]:
    from sudoku_bench.bench.plan import suite

    return [
        {
            "suite": name,
            "title": shipped.title,
            "task": shipped.task,
            "strategies": list(shipped.strategies),
            "datasets": list(shipped.datasets),
        }
        for name, shipped in suite.shipped().items()
    ]


def _summary(suite: Mapping[str, Any]) -> str:
    """Return a suite in a few lines that fit beside its name on a terminal."""
    texts = []
    for names in (suite["strategies"], suite["datasets"]):
        more = len(names) - NAMED
        texts.append(", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else ""))
    return f"{suite['title']}\n{texts[0]}\non {texts[1]}, task {suite['task']}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "?"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
