"""A manifest that no run writes is refused, and the message says where and why."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from sudoku_bench.bench.folder import manifest
from tests.conftest import TOP

REFERENCE = json.loads((TOP / "results" / "reference" / "manifest.json").read_text(encoding="utf-8"))


def test_the_manifest_of_a_run_has_no_fault() -> None:
    assert manifest.fault(REFERENCE) is None


REFERENCE["calibration"] = {"placebos": [], "parallel": [], "repetitions": None}


def edited(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(REFERENCE)
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


FAULTS = {
    ("suite",): (5, "suite is 5, not a table"),
    ("suite", "repetitions"): (True, "suite.repetitions is True, not an integer"),
    ("started",): ("today", "started is 'today', not a date and time such as 2026-01-31T12:00:00+00:00"),
    ("strategies", 0): ({}, "strategies[0].name is missing"),
    ("machine", "memory_mib"): ("much", "machine.memory_mib is 'much', not an integer"),
    ("disturbance", 0, "kinds"): (None, "disturbance[0].kinds is None, not a table"),
    ("references_by_sources",): ({"3": 1}, "a name in references_by_sources is not one of the allowed values"),
    ("clock_cost_s", "cpu"): (float("nan"), "clock_cost_s.cpu is nan, not a number above 0"),
    ("format",): (4, "format is 4, not one of the allowed values"),
    ("hosts",): ({"host-1": {"machine": None, "versions": {}}}, "hosts[...].machine is not a table"),
}


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: ".".join(map(str, path)))
def test_a_fault_is_named_with_its_place(path: tuple[str | int, ...]) -> None:
    value, message = FAULTS[path]
    fault = manifest.fault(edited(path, value))
    assert fault is not None
    assert fault.startswith(message)


def test_a_long_value_is_not_quoted_in_full() -> None:
    fault = manifest.fault(edited(("started",), "x\x1b[1m\u202e" * 1000))
    assert fault is not None
    assert fault.isascii()
    assert len(fault) < 200


def test_what_later_versions_add_is_no_fault() -> None:
    assert manifest.fault(edited(("suite", "colour"), "blue")) is None
    assert manifest.fault(edited(("colour",), [1, {"a": None}])) is None
