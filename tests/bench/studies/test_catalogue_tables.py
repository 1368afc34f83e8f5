"""The lists made from the code: what they list is true. They may lack what is new, which ``make tables`` adds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from bench.studies import catalogue_tables
from solvers.sat.amo import SCHEMES
from solvers.sat.encodings import WITH_SCHEME, WITHOUT_SCHEME, maker


@pytest.mark.parametrize(
    ("page", "name", "part"),
    [(page, name, part) for page, name, part in catalogue_tables.TABLES],
    ids=[name for _, name, _ in catalogue_tables.TABLES],
)
def test_every_line_of_a_table_is_true(page: Path, name: str, part) -> None:
    begin, end = catalogue_tables.marks(name)
    table = page.read_text(encoding="utf-8").partition(begin)[2].partition(end)[0].strip()
    assert_listed(table.splitlines(), "\n".join(part()).splitlines())


@pytest.mark.parametrize(("path", "part"), catalogue_tables.SUITE_LISTS)
def test_every_listed_strategy_exists(path: Path, part) -> None:
    [section] = catalogue_tables.SECTION.findall(path.read_text(encoding="utf-8"))
    assert_listed(section.splitlines(), list(part()))


def assert_listed(lines: Iterable[str], generated: Iterable[str]) -> None:
    lines = list(lines)
    assert len(lines) > 2
    assert [line for line in lines if line not in set(generated)] == [], "run `make tables`"


def test_every_strategy_has_a_description_and_a_source() -> None:
    for name, strategy in catalogue_tables.models().items():
        description, source = catalogue_tables.described(strategy)
        assert description, f"{name} has no docstring"
        assert source, f"{name}: the first sentence of its docstring does not end with a source (Author YEAR)"


@pytest.mark.parametrize("name", [*WITH_SCHEME, *WITHOUT_SCHEME])
def test_an_encoding_has_a_description(name: str) -> None:
    description, source = catalogue_tables.described(maker(name))
    assert description
    assert source or "ablation" in description


@pytest.mark.parametrize("name", SCHEMES)
def test_a_scheme_has_a_description_and_a_source(name: str) -> None:
    description, source = catalogue_tables.described(SCHEMES[name].pattern)
    assert description
    assert source
