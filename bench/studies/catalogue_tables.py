"""The lists of strategies, encodings and at-most-one schemes: ``make tables``.

Writes the tables in docs/strategies.md and docs/encodings.md, and the lists of strategies in the suites ``encodings``,
``backends`` and ``families``. A description is the first sentence of the docstring of the class, or of the function
that makes the clauses; the citation in brackets at its end is the source.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.studies import document
from bench.writeup import bibliography
from datasets.errors import InputError
from datasets.shape import Shape
from solvers import registry
from solvers.sat.amo import SCHEMES
from solvers.sat.encodings import DEFAULT_SCHEME, WITH_SCHEME, WITHOUT_SCHEME, maker, sizes
from solvers.sat.engines import OTHER_ENGINES, package_of
from solvers.strategy import Strategy

ENCODINGS = document.TOP / "docs" / "encodings.md"
STRATEGIES = document.TOP / "docs" / "strategies.md"
SUITES = document.TOP / "bench" / "plan" / "suites"
ENCODINGS_SUITE, ENGINES_SUITE, FAMILIES_SUITE = (
    SUITES / f"{name}.toml" for name in ("encodings", "backends", "families")
)
CITATION = re.compile(r" \(((?:[^()]*(?:\d{4}| & |'s )|folklore)[^()]*)\)")
MAKER = "made by bench.studies.catalogue_tables"
SECTION = re.compile(rf"(?<=# {MAKER}\n).*?(?=    # end)", re.DOTALL)


def marks(name: str) -> tuple[str, str]:
    """The lines of a page between which a table stands."""
    return f"<!-- {name}: {MAKER} -->", f"<!-- end of {name} -->"


def main() -> int:
    try:
        for page, name, part in TABLES:
            document.fill(page, marks(name), "\n".join(part()))
        for path, part in SUITE_LISTS:
            fill_suite(path, part())
    except InputError as error:
        print(f"catalogue_tables: {error}", file=sys.stderr)
        return 2
    return 0


def encodings() -> Iterator[str]:
    """The table of encodings."""
    yield from heads("encoding", "constraints")
    for name in (*WITH_SCHEME, *WITHOUT_SCHEME):
        yield row(name, maker(name))


def schemes() -> Iterator[str]:
    """The table of at-most-one schemes, under the encoding ``complete``."""
    yield from heads("encoding", "at-most-one scheme")
    for scheme in SCHEMES.values():
        yield row(f"complete+{scheme.name}", scheme.pattern)


def families() -> Iterator[str]:
    """The table of strategies other than ``sat:``, by name."""
    yield "| strategy | description | source | package |"
    yield "| --- | --- | --- | --- |"
    for name, strategy in models().items():
        description, source = described(strategy)
        yield f"| `{name}` | {description} | {source} | {', '.join(strategy.requires) or 'none'} |"


def models() -> dict[str, type[Strategy]]:
    """The project's own strategies other than ``sat:``."""
    registry.load_builtin()
    registered = {name: registry.get(name) for name in sorted(registry.names()) if not name.startswith("sat:")}
    return {name: strategy for name, strategy in registered.items() if strategy.__module__.startswith("solvers.")}


def other_engines() -> Iterator[str]:
    """Every engine in a package other than python-sat, as lines of a suite."""
    for name in OTHER_ENGINES:
        yield f'    "sat:complete+{DEFAULT_SCHEME}@{name}",'


def patterns() -> Iterator[str]:
    """Every family other than ``sat:``, as lines of a suite."""
    for family in dict.fromkeys(name.partition(":")[0] for name in models()):
        yield f'    "{family}:*",'


def fill_suite(path: Path, lines: Iterable[str]) -> None:
    """Replace the lines between the two marks of a suite."""
    path.write_text(SECTION.sub("\n".join([*lines, ""]), path.read_text(encoding="utf-8")), encoding="utf-8")


def heads(*names: str) -> Iterator[str]:
    columns = [*names, "variables", "clauses", "literals", "source"]
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join(['---'] * len(columns))} |"


def row(name: str, function: Callable[..., Any]) -> str:
    """A line of a table, with the sizes at 9×9."""
    [size] = sizes([name], [Shape(3, 3)])
    description, source = described(function)
    clauses = f"{size['clauses']}{' + {} at-most'.format(size['at_mosts']) if size['at_mosts'] else ''}"
    return f"| `{name}` | {description} | {size['variables']} | {clauses} | {size['literals']} | {source} |"


def described(function: Callable[..., Any]) -> tuple[str, str]:
    """The first sentence of a docstring, and the citation at its end (empty if there is none)."""
    text = " ".join((inspect.getdoc(function) or "").split()).replace("``", "`")
    citation = CITATION.search(text)
    if citation and ". " not in text[: citation.start()]:
        return text[: citation.start()], citation[1]
    return text.partition(". ")[0].removesuffix("."), ""


def engines() -> Iterator[str]:
    """The table of engines in packages other than python-sat."""
    yield "| engine | package | clauses are passed as |"
    yield "| --- | --- | --- |"
    for name, strategy in OTHER_ENGINES.items():
        yield f"| `{name}` | {package_of(name)} | {described(strategy)[0]} |"


def sources() -> Iterator[str]:
    """A list of references for encodings, and one for schemes."""
    yield from (reference(name, bibliography.of_encoding(name)) for name in (*WITH_SCHEME, *WITHOUT_SCHEME))
    yield "\nAt-most-one schemes:\n"
    for name, scheme in SCHEMES.items():
        keys = bibliography.of_encoding(f"+{name}")
        yield reference(name, keys) if keys else f"- `{name}`: {described(scheme.pattern)[1]}"


def reference(name: str, keys: Iterable[str]) -> str:
    return f"- `{name}`: {'; '.join(map(bibliography.reference, keys))}"


def strategies() -> Iterator[str]:
    """Every encoding and every scheme under one engine, as lines of a suite."""
    for name in (*WITH_SCHEME, *WITHOUT_SCHEME):
        yield f'    "sat:{name}{f"+{DEFAULT_SCHEME}" if name in WITH_SCHEME else ""}@cadical195",'
    for name, scheme in SCHEMES.items():
        if name != DEFAULT_SCHEME:
            yield f'    "sat:complete+{name}@{"minicard" if scheme.native else "cadical195"}",'


Part = Callable[[], Iterator[str]]
TABLES: tuple[tuple[Path, str, Part], ...] = (
    (STRATEGIES, "strategies", families),
    (ENCODINGS, "encodings", encodings),
    (ENCODINGS, "schemes", schemes),
    (ENCODINGS, "engines", engines),
    (ENCODINGS, "sources", sources),
)
SUITE_LISTS: tuple[tuple[Path, Part], ...] = (
    (ENCODINGS_SUITE, strategies),
    (ENGINES_SUITE, other_engines),
    (FAMILIES_SUITE, patterns),
)

if __name__ == "__main__":
    sys.exit(main())
