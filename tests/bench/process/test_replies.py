"""Replies of workers, which a strategy could have written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.process.replies import is_outcome, is_sample, parse_reply

TIMES = {"wall_s": 1e-6, "cpu_s": 1e-6, "before_cpu_s": 0.0, "aside_cpu_s": 0}
SAMPLE = {"number": 1, "status": "ok", **TIMES, "search_cpu_s": 1e-7, "run_in": 3, "peak_rss_mib": None}
OUTCOME = {"number": 1, "answers": [[[1, 2]]], "counters": {"guesses": 3}, "after_cpu_s": 1e-6}


def as_line(reply: Any) -> bytes:
    return json.dumps(reply).encode()


def test_an_honest_reply_is_taken() -> None:
    assert parse_reply(as_line(SAMPLE)) == SAMPLE
    assert is_sample(SAMPLE)
    assert is_outcome(OUTCOME, 1)
    assert is_outcome(SAMPLE | OUTCOME, 1)
    assert is_outcome(OUTCOME | {"reading": {"wall_s": 0.1, "cpu_s": 0.1}}, 1)
    assert is_outcome({"malformed": "3 cells", "after_cpu_s": 0.0}, 1)


@pytest.mark.parametrize(
    "line",
    [b"no JSON", b"[" * 10**5, as_line([SAMPLE]), as_line(TIMES), as_line(SAMPLE | {"number": "1"})]
    + [as_line(SAMPLE | extra) for extra in ({"status": "done"}, {"reason": 7}, {"charge": {}})],
)
def test_what_no_worker_writes_is_no_reply(line: bytes) -> None:
    assert parse_reply(line) is None


@pytest.mark.parametrize("value", ["1", True, float("nan"), float("inf"), 10**400, [1]])
@pytest.mark.parametrize("key", ["wall_s", "aside_cpu_s", "search_cpu_s", "clock_cost_s", "run_in", "peak_rss_mib"])
def test_a_time_is_a_finite_number(key: str, value: Any) -> None:
    assert not is_sample(SAMPLE | {key: value})
    assert not is_outcome(OUTCOME | {"after_cpu_s": value}, 1)
    assert not is_outcome(OUTCOME | {"reading": {"wall_s": value, "cpu_s": 0.1}}, 1)


@pytest.mark.parametrize("key", TIMES)
def test_a_sample_without_a_time_is_none(key: str) -> None:
    assert not is_sample({name: value for name, value in SAMPLE.items() if name != key})


@pytest.mark.parametrize(
    "change",
    [
        *({"answers": []}, {"counters": []}, {"counters": {"guesses": "3"}}, {"reading": []}),
        *({"reading": {"cpu_s": 0.1}}, {"reading": {"wall_s": 0.1, "cpu_s": 0.1, "answers": 1}}),
    ],
)
def test_an_outcome_has_what_was_asked_for(change: dict[str, Any]) -> None:
    assert not is_outcome(OUTCOME | change, 1)
