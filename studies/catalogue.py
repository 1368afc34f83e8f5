"""The lists of strategies, encodings, at-most-one schemes and commands, from the code.

``write`` fills the tables in docs/strategies.md, docs/encoding-list.md and docs/commands.md, and the lists of
strategies in the suites ``backends`` and ``families``; those in ``main`` and ``reference``, and medians, follow from
``bench/run/screening.csv``. A description is the first sentence of the docstring of the class, or of the function that
makes the clauses; the citation in brackets at its end is the source.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping

from studies import screening
from studies.document import DOCS, MAKER, TOP, fill, table
from sudoku_bench.bench.commands import cli
from sudoku_bench.bench.folder import manifest
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat.amo import SCHEMES
from sudoku_bench.solvers.sat.encodings import DEFAULT_SCHEME, WITH_SCHEME, WITHOUT_SCHEME, maker
from sudoku_bench.solvers.sat.engines import OTHER_ENGINES, package_of
from sudoku_bench.solvers.strategy import Strategy

SCHEMA = DOCS / "manifest.schema.json"
ENCODINGS = (*WITH_SCHEME, *WITHOUT_SCHEME)
SUITES = TOP / "bench" / "plan" / "suites"
SECTION = re.compile(rf"(?<=# {MAKER}\n).*?(?=    # end)", re.DOTALL)  # of a suite
CITATION = re.compile(r" \(((?:[^()]*(?:\d{4}| & |'s )|folklore)[^()]*)\)")
SHOWN = ("easy", "hardest")  # collections of the table of strategies
KEYS = """\
A suite is a TOML file; `sudoku-bench list suites` shows the shipped ones. Each key is an option of [run](#run), which
overrides it. `title` heads the report, and `commands` declares [external programs](external.md). Defaults:"""


def write() -> None:
    """Write the lists of strategies, encodings, schemes and commands into documents and suites, and the schema."""
    for (page, name), text in REGIONS.items():
        fill(DOCS / page, name, text())
    SCHEMA.write_text(json.dumps(manifest.schema(), indent=1) + "\n", encoding="utf-8")
    for name, names in SUITE_LISTS.items():
        path = SUITES / f"{name}.toml"
        path.write_text(SECTION.sub(suite_lines(names()), path.read_text(encoding="utf-8")), encoding="utf-8")


def suite_lines(names: Iterable[str]) -> str:
    return "".join(f'    "{name}",\n' for name in names)


def described(function: Callable[..., object]) -> tuple[str, str]:
    """Return the first sentence of a docstring, and the citation at its end (empty if there is none)."""
    text = " ".join((inspect.getdoc(function) or "").split()).replace("``", "`")
    citation = CITATION.search(text)
    if citation and ". " not in text[: citation.start()]:
        return text[: citation.start()], citation[1]
    return text.partition(". ")[0].removesuffix("."), ""


def models() -> dict[str, type[Strategy]]:
    """Return the project's own strategies other than ``sat:``, by name."""
    registry.load_builtin()
    registered = {name: registry.get(name) for name in sorted(registry.names()) if not name.startswith("sat:")}
    return {
        name: strategy
        for name, strategy in registered.items()
        if strategy.__module__.startswith("sudoku_bench.solvers.")
    }


def strategies() -> str:
    """Return the table of strategies other than ``sat:`` with medians of the screening, the fastest first."""
    known, medians = models(), screening.results(screening.stored(), SHOWN)
    names = dict.fromkeys([*(name for name in medians if name in known), *known])
    rows = [[f"`{name}`", described(known[name])[0], *medians.get(name, [""] * len(SHOWN))] for name in names]
    return table(["strategy", "what it is", *(screening.COLLECTIONS[name] for name in SHOWN)], rows)


def encodings() -> str:
    return items({name: maker(name) for name in ENCODINGS})


def schemes() -> str:
    return items({name: scheme.pattern for name, scheme in SCHEMES.items()})


def engines() -> str:
    """Return the engines in packages other than python-sat."""
    return items({f"{name}` of `{package_of(name)}": engine for name, engine in OTHER_ENGINES.items()})


def items(functions: Mapping[str, Callable[..., object]]) -> str:
    """Return a list of names, each with what it is and its source."""
    lines = []
    for name, function in functions.items():
        description, source = described(function)
        lines.append(f"- `{name}`: {description}{f' ({source})' if source else ''}")
    return "\n".join(lines)


def commands() -> str:
    """Return for each command its purpose, an example and its arguments; then the keys of a suite.

    An argument that means the same in an earlier command is described there only.
    """
    parts: list[str] = []
    described_in: dict[str, str] = {}  # the command, by line
    for name, parser in cli.parsers(cli.filled_parser()).items():
        lines = {line(each): each for each in parser._actions if "--help" not in each.option_strings}
        again: dict[str, list[str]] = {}
        for each in filter(described_in.get, lines):
            again.setdefault(described_in[each], []).append(f"`{short_name(lines[each])}`")
        own = [each for each in lines if each not in described_in]
        described_in |= dict.fromkeys(own, name)
        parts += [f"## {name}", str(parser.description), f"    {str(parser.epilog).removeprefix('example: ')}"]
        parts += ["\n".join(own)] if own else []
        parts += [f"As in [{command}](#{command}): {', '.join(names)}." for command, names in again.items()]
    return "\n\n".join([*parts, "## Keys of a suite", KEYS, *keys_of_suites()])


def short_name(action: argparse.Action) -> str:
    return action.option_strings[0] if action.option_strings else str(action.metavar or action.dest)


def line(action: argparse.Action) -> str:
    """Return an argument and what it means."""
    value = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    value = " ".join(value) if isinstance(value, tuple) else value
    names = " ".join((", ".join(action.option_strings), "" if action.nargs == 0 else value)).strip()
    meaning = str(action.help or "").replace("%%", "%").replace("%(default)s", str(action.default))
    return f"- `{names}`: {meaning.replace('<', '&lt;')}"


def keys_of_suites() -> tuple[str, str]:
    """Return the keys with a default, and a sentence about the others."""
    defaults = {field.name: field.default for field in dataclasses.fields(Suite) if field.name != "name"}
    shown = {key: list(value) if isinstance(value, tuple) else value for key, value in defaults.items()}
    lines = [f"    {key} = {json.dumps(value)}" for key, value in shown.items() if value is not None]
    none = ", ".join(f"`{key}`" for key, value in defaults.items() if value is None)
    return "\n".join(lines), f"Without a default: {none}."


REGIONS: dict[tuple[str, str], Callable[[], str]] = {  # by page and name
    ("strategies.md", "strategies"): strategies,
    ("strategies.md", "screening"): lambda: screening.markdown(screening.stored()),
    ("encoding-list.md", "encodings"): encodings,
    ("encoding-list.md", "schemes"): schemes,
    ("encoding-list.md", "engines"): engines,
    ("commands.md", "commands"): commands,
}
SUITE_LISTS: dict[str, Callable[[], Iterable[str]]] = {  # names and patterns of strategies
    "backends": lambda: [f"sat:complete+{DEFAULT_SCHEME}@{name}" for name in OTHER_ENGINES],
    "families": lambda: dict.fromkeys(f"{name.partition(':')[0]}:*" for name in models()),
    "main": lambda: screening.leading(screening.without_persistent(screening.stored()), 2, screening.TIERS),
    "reference": lambda: screening.leading(screening.without_persistent(screening.stored()), 5),
}
