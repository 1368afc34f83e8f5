"""The keyword arguments of ``run`` are the settings of a suite."""

from __future__ import annotations

import dataclasses

from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.settings import Settings

NOT_SETTINGS = {"name", "title", "commands"}  # of a suite file: what it is called, and programs


def test_every_key_of_a_suite_is_a_setting() -> None:
    assert set(Settings.__annotations__) == {field.name for field in dataclasses.fields(Suite)} - NOT_SETTINGS
