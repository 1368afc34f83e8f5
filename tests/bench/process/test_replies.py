"""Replies of workers, which a strategy could have written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sudoku_bench.bench.process.replies import parse_reply, with_answers
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

REQUEST = SolveRequest([parse(FOURS[0])], FIRST, 10.0)
TIMES = {"wall_s": 1e-6, "cpu_s": 1e-6, "aside_cpu_s": 0}
OPTIONAL = {"run_in": 3, "peak_rss_mib": None, "clock_cost_s": 1e-7}
REPLY = {"number": 1, "status": "ok", **TIMES, **OPTIONAL, "answers": [["01020304"]], "counters": {"guesses": 3}}


def as_line(reply: Any) -> bytes:
    return json.dumps(reply).encode()


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in REPLY.items() if name != key}


def test_an_honest_reply_is_taken() -> None:
    assert parse_reply(as_line(REPLY)) == REPLY
    assert with_answers(REPLY, REQUEST) == REPLY | {"answers": [[bytes([1, 2, 3, 4])]]}
    for other in (without("answers") | {"malformed": "3 cells"}, {"number": 1, "status": "gave_up", "reason": "no"}):
        assert with_answers(other, REQUEST) == other


@pytest.mark.parametrize(
    "line",
    [b"no JSON", b"[" * 10**5, as_line([REPLY]), as_line(TIMES), as_line(REPLY | {"number": "1"})]
    + [as_line(REPLY | extra) for extra in ({"status": "done"}, {"status": []}, {"reason": 7}, {"charged_s": 1.0})],
)
def test_what_no_worker_writes_is_no_reply(line: bytes) -> None:
    assert parse_reply(line) is None


@pytest.mark.parametrize("value", ["1", True, float("nan"), float("inf"), 10**400, [1]])
@pytest.mark.parametrize("key", [*TIMES, *OPTIONAL, "search_cpu_s", "failed_cpu_s"])
def test_a_time_is_a_finite_number(key: str, value: Any) -> None:
    assert with_answers(REPLY | {key: value}, REQUEST) is None


@pytest.mark.parametrize("key", [*TIMES, "answers", "counters"])
def test_a_reply_without_a_time_or_an_answer_is_none(key: str) -> None:
    assert with_answers(without(key), REQUEST) is None


@pytest.mark.parametrize(
    "change",
    [
        *({"answers": []}, {"answers": [["01"], ["02"]]}, {"answers": [7]}, {"search_cpu_s": 1e-7, "answers": []}),
        *({"counters": []}, {"counters": {"guesses": "3"}}, {"run_in": None}, {"clock_cost_s": None}),
    ],
)
def test_a_reply_has_what_was_asked_for(change: dict[str, Any]) -> None:
    assert with_answers(REPLY | change, REQUEST) is None
