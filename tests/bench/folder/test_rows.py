"""The record of a measurement, as a row of text and back."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.folder.rows import COLUMNS, STATUSES, Row, counter_columns, csv_values, from_csv, one_line
from tests.bench.folder.a_row import a_row

TEXT = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=1, max_size=20).filter(str.isprintable)
SECONDS = st.floats(1e-9, 1e6)
TIMED = a_row(wall_s=0.1, cpu_s=0.1)
FIELDS = st.fixed_dictionaries(
    {
        **{"strategy": TEXT, "status": st.sampled_from(STATUSES), "launch": st.integers(1, 99)},
        **{"started_s": SECONDS, "cpu_s": SECONDS, "wall_s": SECONDS},
    },
    optional={"conflicts": st.integers(0, 10**8), "worker": st.integers(1, 10**6), "host": TEXT},
)


@given(FIELDS)
def test_a_row_survives_a_round_trip(fields: dict[str, Any]) -> None:
    row = a_row(**fields)
    read = from_csv(dict(zip(COLUMNS, csv_values(row), strict=True)), Row)
    for name in COLUMNS:
        expected = getattr(row, name)
        assert getattr(read, name) == (pytest.approx(expected, rel=1e-8) if isinstance(expected, float) else expected)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e30])
def test_a_counter_that_is_no_number_of_a_row_is_kept_as_text(value: float) -> None:
    row = dataclasses.replace(TIMED, **counter_columns({"conflicts": value, "guesses": 2}))
    assert from_csv(dict(zip(COLUMNS, csv_values(row), strict=True)), Row).other_counters == f"conflicts={value:g}"


@pytest.mark.parametrize(
    ("column", "text"),
    [
        *(("cpu_s", text) for text in ("-1", "0", "nan", "inf", "")),
        *(("launch", "0"), ("limit_s", "0"), ("round", "1" + "0" * 30)),
        *(("wall_s", "1_0"), ("launch", " 1"), ("search_cpu_s", "nan"), ("conflicts", "inf"), ("nodes", "9" * 30)),
        *(("status", "fine"), ("limit_clock", "sun"), ("decoy", "duck")),
    ],
)
def test_a_field_out_of_its_range_is_named(column: str, text: str) -> None:
    values = dict(zip(COLUMNS, csv_values(TIMED), strict=True)) | {column: text}
    with pytest.raises(ValueError, match=f"{column} is '{text}'"):
        from_csv(values, Row)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'=1"),
        ("a\u202eb\x1b[31m\x00", "a\\u202eb\\x1b[31m\\x00"),
        ("no way", "no way"),
    ],
)
def test_text_of_a_strategy_is_no_formula_and_has_no_control_letters(text: str, line: str) -> None:
    assert one_line(text) == line


def test_only_a_tool_without_a_cpu_clock_may_lack_cpu_time() -> None:
    row = dataclasses.replace(TIMED, status="unverified", limit_clock="wall", cpu_s=None)
    assert from_csv(dict(zip(COLUMNS, csv_values(row), strict=True)), Row) == row
    for faulty in (dataclasses.replace(row, limit_clock="cpu"), dataclasses.replace(row, wall_s=None)):
        with pytest.raises(ValueError, match=r"it is unverified, and (cpu|wall)_s is ''"):
            from_csv(dict(zip(COLUMNS, csv_values(faulty), strict=True)), Row)
