"""The keyword arguments of ``run`` are the settings of a suite."""

from __future__ import annotations

import dataclasses

import pytest

from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.settings import Settings, suite_of

VALUES = {
    **{"strategies": ["seed:*", "exact-cover:*"], "datasets": ["classics", "own.txt"], "task": "unique"},
    **{"mode": "warm", "limit": 3, "sample": 2, "skip_bad": True, "repetitions": 4, "launches": 2, "timeout_s": 1.5},
    **{"memory_mib": 512, "seed": 7, "isomorphs": False, "loops": 6, "gc": "off", "pin": "off", "jobs": 2},
    **{"margin": 0.1, "budget": "10m", "set_aside": 5, "sandbox": True},
}
NOT_SETTINGS = {"name", "title", "commands"}  # of a suite file: what it is called, and programs


def test_every_key_of_a_suite_is_a_setting() -> None:
    assert set(Settings.__annotations__) == {field.name for field in dataclasses.fields(Suite)} - NOT_SETTINGS
    assert set(VALUES) == set(Settings.__annotations__)


@pytest.mark.parametrize("key", VALUES)
def test_a_setting_reaches_the_suite(key: str) -> None:
    expected = tuple(VALUES[key]) if isinstance(VALUES[key], list) else VALUES[key]
    assert getattr(suite_of(None, {key: VALUES[key]}), key) == expected
    assert suite_of("main", {key: None}) == suite_of("main", {})


def test_an_unknown_setting_is_refused_with_a_hint() -> None:
    with pytest.raises(TypeError, match="no setting repetition; did you mean repetitions"):
        suite_of(None, {"repetition": 3})
