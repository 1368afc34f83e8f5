"""The lists made from the code: up to date in the document and in the suite."""

from __future__ import annotations

import pytest

from bench.studies import catalogue_tables
from solvers.sat.amo import SCHEMES
from solvers.sat.encodings import WITH_SCHEME, WITHOUT_SCHEME, maker


@pytest.mark.parametrize(
    "part",
    [catalogue_tables.encodings, catalogue_tables.schemes, catalogue_tables.engines, catalogue_tables.sources],
)
def test_the_page_of_encodings_is_up_to_date(part) -> None:
    """If not: ``python -m bench.studies.catalogue_tables``."""
    assert "\n".join(part()).strip() in catalogue_tables.ENCODINGS.read_text(encoding="utf-8")


def test_the_page_of_strategies_is_up_to_date() -> None:
    assert "\n".join(catalogue_tables.families()) in catalogue_tables.STRATEGIES.read_text(encoding="utf-8")


def test_every_strategy_has_a_description_and_a_source() -> None:
    for name, strategy in catalogue_tables.models().items():
        assert all(catalogue_tables.described(strategy)), name


def test_the_suites_are_up_to_date() -> None:
    assert "\n".join(catalogue_tables.strategies()) in catalogue_tables.ENCODINGS_SUITE.read_text(encoding="utf-8")
    assert "\n".join(catalogue_tables.other_engines()) in catalogue_tables.ENGINES_SUITE.read_text(encoding="utf-8")
    assert "\n".join(catalogue_tables.patterns()) in catalogue_tables.FAMILIES_SUITE.read_text(encoding="utf-8")


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
