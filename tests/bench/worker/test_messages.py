"""The worker's side of the pipes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from bench.process.sample import Sample
from bench.worker import boards, messages
from bench.worker.messages import Message, Replies, requests_from
from datasets.reading.reader import parse
from solvers.strategy import FIRST
from tests.bench.conftest import FOURS

PUZZLE = parse(FOURS[0])
SHORT, LONG = messages.SHORT_SAMPLE_S / 2, messages.SHORT_SAMPLE_S * 2
ANSWER = [list(PUZZLE.cells)]
PACKED = [[bytes(PUZZLE.cells).hex()]]


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    """The ends for requests and for waking up."""
    ends = (*os.pipe(), *os.pipe())
    yield ends
    for end in ends:
        os.close(end)


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def replies(lines: list[str]) -> Replies:
    return Replies(lambda data: lines.extend(data.decode().splitlines()))


def reply(number: int, wall_s: float | None = None, **fields: Any) -> Message:
    return {"number": number, "turn": number - 1} | fields | ({} if wall_s is None else {"wall_s": wall_s})


def test_requests_are_decoded_and_the_runner_is_woken_up_after_a_turn(pipes) -> None:
    read_requests, write_requests, read_wakes, write_wakes = pipes
    os.set_blocking(read_wakes, False)
    waits: list[str] = []
    requests = requests_from(read_requests, write_wakes, lambda: waits.append("waits"))
    texts = [Sample([PUZZLE], FIRST, 1.0).request[:-1] + f',"turn":{place}}}' for place in range(3)]
    os.write(write_requests, "\n".join(texts)[:-9].encode())
    assert [next(requests)["turn"] for _ in range(2)] == [0, 1]
    os.write(write_requests, f"{texts[-1][-9:]}\n{{}}\n".encode())
    last = next(requests)
    assert (last["solve"], last["phase_forms"], last["task"]) == ([PUZZLE], [], FIRST)
    assert last["shape"] is boards.shape_of(2, 2)
    assert next(requests) == {}
    os.write(write_requests, b"{}\n")
    assert next(requests) == {}
    assert os.read(read_wakes, 9) == b"\n\n"  # before it waited for the rest, and then for more
    assert len(waits) == 3


def test_replies_to_short_samples_of_a_turn_are_written_together(replies: Replies, lines: list[str]) -> None:
    for number in (1, 2):
        replies.add(reply(number, SHORT))
        replies.add(reply(number, answers=[ANSWER], after_cpu_s=0.0))
        assert not lines
    replies.flush()
    first, second = map(json.loads, lines)
    assert first == {"number": 1, "wall_s": SHORT, "answers": PACKED, "after_cpu_s": first["after_cpu_s"]}
    assert first["after_cpu_s"] == second["after_cpu_s"] > 0  # the time of packing the answers is shared
    lines.clear()
    replies.flush()
    assert not lines


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([{"status": "error", "reason": "no"}], id="a failure"),
        pytest.param([{"wall_s": SHORT}, {"malformed": "no"}], id="no answer"),
        pytest.param([{"wall_s": LONG}, {"answers": [ANSWER]}], id="a long sample"),
        pytest.param([{"wall_s": SHORT}, {"answers": [ANSWER * (messages.SOLUTIONS_HELD + 1)]}], id="many solutions"),
    ],
)
def test_others_are_written_at_once_and_in_order(replies: Replies, lines: list[str], parts: list[Message]) -> None:
    replies.add(reply(1, SHORT))
    replies.add(reply(1, answers=[ANSWER]))
    for part in parts:
        replies.add(reply(2) | part)
    together = 1 if parts[0].get("wall_s") == SHORT else len(parts)
    assert [json.loads(line)["number"] for line in lines] == [1, *[2] * together]


def test_a_reply_to_a_single_request_is_written_at_once(replies: Replies, lines: list[str]) -> None:
    replies.add({"number": 1, "wall_s": SHORT})
    replies.add({"number": 1, "answers": [ANSWER]})
    assert [json.loads(line)["answers"] for line in lines] == [PACKED]


@pytest.mark.parametrize(("cell", "fault"), [(1 << 80, "ValueError: an integer of 81 bits"), ("a", "TypeError")])
def test_an_answer_that_cannot_be_written_is_a_fault(replies: Replies, lines: list[str], cell: Any, fault: str) -> None:
    replies.add({"number": 1, "answers": [[[cell]]], "counters": {}, "after_cpu_s": 0.0})
    [line] = map(json.loads, lines)
    assert line.pop("after_cpu_s") > 0
    assert line.pop("malformed").startswith(fault)
    assert line == {"number": 1}
