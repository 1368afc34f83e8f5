"""The lists made from the code: what they list is true. They may lack what is new, which ``make tables`` adds."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from studies import strength_tables
from studies.catalogue import (
    DOCS,
    ENCODINGS,
    REGIONS,
    SCHEMA,
    SECTION,
    SUITE_LISTS,
    SUITES,
    commands,
    described,
    line,
    models,
    short_name,
    suite_lines,
)
from studies.document import TOP, region
from sudoku_bench.bench.commands import cli
from sudoku_bench.bench.folder import manifest
from sudoku_bench.bench.plan import suite
from sudoku_bench.bench.plan.strategies import select
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import engines
from sudoku_bench.solvers.sat.amo import SCHEMES
from sudoku_bench.solvers.sat.encodings import maker


@pytest.mark.parametrize("place", REGIONS, ids=lambda place: place[1])
def test_every_line_of_a_table_is_true(place: tuple[str, str]) -> None:
    page, name = place
    assert_listed(region(DOCS / page, name), REGIONS[place]())


def test_the_schema_of_a_manifest_is_that_of_the_code() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert schema == json.loads(json.dumps(manifest.schema()))
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads((TOP / "results" / "reference" / "manifest.json").read_text(encoding="utf-8"))
    jsonschema.validate(manifest.with_known_settings(document), schema)


@pytest.mark.parametrize("name", SUITE_LISTS)
def test_every_listed_strategy_exists(name: str) -> None:
    [section] = SECTION.findall((SUITES / f"{name}.toml").read_text(encoding="utf-8"))
    assert_listed(section, suite_lines(SUITE_LISTS[name]()))


def names_in(name: str) -> list[str]:
    return [name for pattern in suite.load(name).strategies for name in registry.expanded(pattern)]


def test_suites_show_every_engine() -> None:
    backends = {name.partition("@")[2] for name in names_in("backends")}
    assert set(engines.engines()) - backends <= {"cryptominisat5"}  # python-sat only wraps it; it is another package


@pytest.mark.parametrize("name", ["backends", "sizes"])
def test_every_strategy_of_a_suite_is_available(name: str) -> None:
    names = names_in(name)
    assert [info.name for info in select(suite.load(name).strategies) if info.available] == names  # each once


def test_the_document_shows_the_stored_strengths() -> None:
    assert region(strength_tables.PAGE, "strength") == strength_tables.markdown()


def assert_listed(stored: str, generated: str) -> None:
    lines = stored.splitlines()
    assert lines
    assert [line for line in lines if line not in set(generated.splitlines())] == [], "run `make tables`"


def test_every_key_of_a_suite_is_an_option_of_run() -> None:
    options = {action.dest for action in cli.parsers(cli.filled_parser())["run"]._actions}
    keys = {field.name for field in dataclasses.fields(suite.Suite)}
    assert keys - options == {"name", "title", "commands"}


def test_the_page_of_commands_describes_every_argument_once() -> None:
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", commands(), re.MULTILINE | re.DOTALL))
    for name, parser in cli.parsers(cli.filled_parser()).items():
        for action in parser._actions:
            if "--help" not in action.option_strings:
                own = sections[name].count(f"{line(action)}\n")
                referred = re.findall(rf"^As in .*`{re.escape(short_name(action))}`[,.]", sections[name], re.MULTILINE)
                assert own + len(referred) == 1, (name, action.dest)


def test_everything_has_a_description_and_a_source() -> None:
    makers = {name: maker(name) for name in ENCODINGS} | {name: scheme.pattern for name, scheme in SCHEMES.items()}
    for name, function in {**models(), **makers}.items():
        description, source = described(function)
        assert description, f"{name} has no docstring"
        ablation = name in ENCODINGS and "ablation" in description
        assert source or ablation, f"{name}: the first sentence of its docstring does not end with (Author YEAR)"
