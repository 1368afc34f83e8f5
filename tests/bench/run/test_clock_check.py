"""Which differences between reported and charged times are false times, and which are not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.process.empty_request import EmptyRequest
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.run.clock_check import EMPTY_REQUESTS, LONG_ROWS, LONGER, ROW_S, ROWS, ClockCheck
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

FORMS = [parse(text) for text in FOURS]
REQUEST = SolveRequest(FORMS[:1], FIRST, 10.0)
RUN_IN = SolveRequest(FORMS[:1], FIRST, 10.0, run_in=FORMS[1:])
EMPTY_S = 2e-4
ALLOWED_S = EMPTY_REQUESTS * EMPTY_S  # in each row


def reply(cpu_s: float, missing_s: float = 0.0, **others: float) -> dict[str, Any]:
    """A reply to a request of one form: so much more was charged than was reported."""
    times = {"cpu_s": cpu_s, "aside_cpu_s": 0.0} | others
    reported_s = cpu_s + times["aside_cpu_s"] + others.get("failed_cpu_s", 0.0)
    return times | {"charged_s": reported_s + EMPTY_S + missing_s}


def faults(replies: list[dict[str, Any]], request: SolveRequest = REQUEST) -> list[str | None]:
    check = ClockCheck(EmptyRequest(EMPTY_S, 0.0))
    return [check.fault(request, each) for each in replies]


@given(st.lists(st.tuples(st.floats(1e-6, 1.0), st.floats(-1.0, ALLOWED_S)), min_size=1, max_size=50))
def test_what_lacks_no_more_than_reading_and_writing_is_no_fault(rows: list[tuple[float, float]]) -> None:
    assert set(faults([reply(cpu_s, missing_s) for cpu_s, missing_s in rows])) == {None}


@given(st.floats(1e-6, 1.0), st.floats(4e-3, 10.0), st.integers(0, 20))
def test_what_is_missing_from_all_rows_is_a_fault_from_some_row_on(cpu_s: float, missing_s: float, honest: int) -> None:
    found = faults([reply(1e-5)] * honest + [reply(1e-5 + cpu_s / 100, cpu_s / 50 + missing_s)] * 100)
    assert set(found[:honest]) <= {None}
    assert found[-1] is not None


def test_a_launch_is_mistimed_once_a_few_rows_lack_much() -> None:
    found = faults([reply(4e-6, 0.017)] * 2 * ROWS)
    assert found[:ROWS] == [None] * ROWS
    assert found[-1] is not None
    assert re.fullmatch(r"in this launch: [\d.]+ ms reported, [\d.]+ ms charged by the system", found[-1])
    assert faults([reply(4e-6, 0.017)] * 2 * ROWS + [reply(4e-6)] * 10)[-1] == found[-1]  # for the rest of the launch


def test_noise_of_the_system_in_a_few_rows_is_no_fault() -> None:
    """It may charge a process for taking memory from it and giving it back."""
    assert set(faults([reply(1e-3), reply(1e-3, 0.9), *[reply(1e-3)] * 100] * 4)) == {None}


def test_a_row_alone_is_mistimed_if_it_lacks_more_than_the_system_takes() -> None:
    assert faults([reply(1e-3, ROW_S + 0.002)]) == ["1 ms reported, 1e+03 ms charged by the system"]
    assert faults([reply(2.0, ROW_S + 1.9)]) == [None]


def test_forms_beside_most_rows_may_take_a_few_times_as_long_as_those_of_rows() -> None:
    honest, moved = (reply(2e-5, run_in=4, aside_cpu_s=4 * seconds) for seconds in (LONGER * 2e-5, 5e-3))
    assert set(faults([honest] * 50, RUN_IN)) == {None}
    found = faults([honest] * 9 + [moved] * 50, RUN_IN)
    assert set(found[: 9 + LONG_ROWS]) == {None}
    [reason] = set(found[9 + LONG_ROWS :])
    assert reason == "in this launch: forms beside most rows took more than 3 times as long as theirs"
    assert set(faults([reply(0.1)] * 10 + [moved] * 50, RUN_IN)) == {None}  # the mean solve takes longer


def test_a_form_beside_a_row_may_take_far_longer_than_those_of_rows() -> None:
    """Solves of isomorphs of a puzzle can differ by factors of 100."""
    rare = reply(3e-4, run_in=1, aside_cpu_s=60.0)
    assert set(faults([rare] * LONG_ROWS + [reply(3e-4, run_in=4, aside_cpu_s=1e-3), rare] * 50, RUN_IN)) == {None}


def test_a_worker_cannot_invent_forms_beside_a_row() -> None:
    assert faults([reply(2e-5, run_in=10**9, aside_cpu_s=2e-2)] * 50, RUN_IN)[-1] is not None
    assert faults([reply(2e-5, run_in=8, aside_cpu_s=2e-2)] * 50)[-1] is not None  # none was asked for


def test_a_form_that_fails_in_a_run_in_may_take_longer() -> None:
    assert set(faults([reply(2e-5, run_in=1, aside_cpu_s=2e-5, failed_cpu_s=0.1)] * 20, RUN_IN)) == {None}


def test_all_forms_of_a_row_and_the_clocks_count() -> None:
    eight = SolveRequest(FORMS[:1] * 8, FIRST, 10.0)
    long = {"cpu_s": 1e-2, "clock_cost_s": 1e-2, "aside_cpu_s": 0.0, "charged_s": 0.16 + EMPTY_S}
    assert set(faults([long] * 20, eight)) == {None}
    assert faults([long] * 20)[-1] is not None


def test_a_worker_with_children_may_scan_all_processes() -> None:
    check = ClockCheck(EmptyRequest(EMPTY_S, 0.0, scan_s=2e-3))
    kept = reply(1e-3, missing_s=3 * 2e-3) | {"has_kept": True}
    assert {check.fault(REQUEST, kept) for _ in range(50)} == {None}
    assert faults([kept] * 50)[-1] is not None


@pytest.mark.parametrize("times", [1, 10])
def test_ticks_of_children_even_out(times: int) -> None:
    """The time of ended children is counted in ticks of 10 ms."""
    assert set(faults([reply(3e-3, 7e-3), *[reply(3e-3, -3e-3)] * 3] * 20 * times)) == {None}
