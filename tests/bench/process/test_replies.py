"""Replies of workers, which a strategy could have written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sudoku_bench.bench.process.replies import TIMES, Reply, parse_message, reply_of
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

REQUEST = SolveRequest([parse(FOURS[0])], FIRST, 10.0)
KNOWN = {**dict.fromkeys(TIMES, 1e-6), "lead_in": 3}
MESSAGE = {"number": 1, "status": "ok", **KNOWN, "peak_rss_mib": None, "counters": {"guesses": 3}}
MESSAGE |= {"answers": [["01020304"]], "search_cpu_s": 1e-6}


def as_line(message: Any) -> bytes:
    return json.dumps(message).encode()


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in MESSAGE.items() if name != key}


def test_an_honest_reply_is_taken() -> None:
    assert parse_message(as_line(MESSAGE)) == MESSAGE
    reply = Reply("ok", **KNOWN, phases_cpu_s={"search_cpu_s": 1e-6}, counters={"guesses": 3})
    assert reply_of(MESSAGE, REQUEST) == Reply(**vars(reply) | {"answers": [[bytes([1, 2, 3, 4])]]})
    malformed = reply_of(without("answers") | {"malformed": "3 cells"}, REQUEST)
    assert malformed is not None
    assert (malformed.malformed, malformed.answers) == ("3 cells", ())
    gave_up = {"number": 1, "status": "gave_up", "reason": "no", "lead_in": 2}
    assert reply_of(gave_up, REQUEST) == Reply("gave_up", "no", lead_in=2)


@pytest.mark.parametrize(
    "line",
    [b"no JSON", b"[" * 10**5, as_line([MESSAGE]), as_line(KNOWN), as_line(MESSAGE | {"number": "1"})]
    + [as_line(MESSAGE | extra) for extra in ({"status": "done"}, {"status": []}, {"reason": 7})],
)
def test_what_no_worker_writes_is_no_message(line: bytes) -> None:
    assert parse_message(line) is None


@pytest.mark.parametrize("value", ["1", True, float("nan"), float("inf"), 10**400, [1]])
@pytest.mark.parametrize("key", ["cpu_s", "peak_rss_mib", "search_cpu_s"])
def test_a_time_is_a_finite_number(key: str, value: Any) -> None:
    assert reply_of(MESSAGE | {key: value}, REQUEST) is None


@pytest.mark.parametrize("key", [*TIMES, "answers", "counters"])
def test_a_reply_without_a_time_or_an_answer_is_none(key: str) -> None:
    assert reply_of(without(key), REQUEST) is None


@pytest.mark.parametrize(
    "change",
    [
        *({"answers": []}, {"answers": [["01"], ["02"]]}, {"answers": [7]}, {"lead_in": 1.5}, {"left": "1"}),
        *({"counters": []}, {"counters": {"guesses": "3"}}, {"malformed": 7}),
        *({"status": "gave_up", "lead_in": "2"}, {"status": "gave_up", "left": True}),
    ],
)
def test_a_reply_has_what_was_asked_for(change: dict[str, Any]) -> None:
    assert reply_of(MESSAGE | change, REQUEST) is None


@pytest.mark.parametrize(
    "change", [{}, {"counts": [2]}, {"counts": 1}, {"cells": "0g"}, {"cells": []}, {"cells": "01"}]
)
def test_the_answers_to_a_list_are_as_many_cells_as_they_say(change: dict[str, Any]) -> None:
    message = {"number": 1, "status": "ok", "cpu_s": 1e-6, "counts": [1], "cells": b"01" * 16} | change
    found = reply_of(message, SolveRequest([parse(FOURS[0])], FIRST, 10.0, "list"))
    assert (found and found.cells) == (None if change else b"\1" * 16)
