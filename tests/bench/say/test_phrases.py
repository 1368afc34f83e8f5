"""Names, durations, lists and counts as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sudoku_bench.bench.say import phrases
from sudoku_bench.bench.say.choice import excess_text


@given(st.text(min_size=1, max_size=100), st.integers(min_value=5, max_value=60))
def test_a_name_takes_exactly_the_given_width(name: str, width: int) -> None:
    assert cell_len(phrases.fitted(name, width)) == width
    assert cell_len(phrases.cut(name, width)) <= width


def test_ends_of_a_name_are_kept() -> None:
    assert phrases.fitted("sat:complete+pairwise@cadical195", 15) == "sat:com…ical195"[:15]
    assert phrases.fitted("seed:norvig", 13) == "seed:norvig  "


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (45, "45 s"), (100, "2 min"), (3600, "60 min"), (9000, "2.5 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert phrases.duration(seconds) == text


def test_an_interval_has_one_unit() -> None:
    assert phrases.seconds_between(5.38e-6, 14.3e-6) == "5.38 to 14.3 µs"
    assert phrases.seconds_between(0.5, 0.5) == "500 ms"
    assert phrases.seconds_between(1e-3, 1.5) == "1 ms to 1.5 s"
    row = {"strategy": "a", "excess": 1.2, "excess_lo": 0.8, "excess_hi": 2.0}
    assert excess_text(row) == "a ×2.20 [×1.80, ×3.00]"
    assert excess_text(row | {"excess": 0.9}) == "a +90.0% [+80.0%, +200.0%]"


def test_times_are_written_in_the_unit_that_reads_best() -> None:
    texts = {1200: "1,200 s", 12: "12 s", 0.25: "250 ms", 0.001: "1 ms", 3.2e-6: "3.2 µs", 5e-8: "50 ns"}
    assert {value: phrases.seconds(value) for value in texts} == texts
