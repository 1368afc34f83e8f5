"""Replies of workers: JSON lines that a strategy could have written itself, so nothing in them is taken on trust."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bench.process.sample import Sample
from bench.worker import boards
from bench.worker.stopwatch import PHASES

CONTENTS = ("status", "answers", "malformed")  # one of them is in each reply
STATUSES = ("ok", "unsupported", "memout", "error", "gave_up", "wrong")
TIMES = ("wall_s", "cpu_s", "before_cpu_s", "aside_cpu_s")  # of a sample
# What else is read of its first reply, if it is there: a number or nothing.
OTHERS = (
    *(f"{phase}_cpu_s" for phase in PHASES),
    *("longest_wall_s", "failed_cpu_s", "clock_cost_s", "run_in", "peak_rss_mib"),
)
NO_READING = {"wall_s": 0.0, "cpu_s": 0.0}

Reply = dict[str, Any]

_decoder = json.JSONDecoder()
# In a text, the quotes would be escaped.
_solved, _accounted = re.compile(rb'"status": ?"ok"').search, re.compile(rb'"after_cpu_s":').search


def parse_reply(line: bytes) -> Reply | None:
    """Parse a worker's reply; None if it is invalid."""
    try:
        text = line.decode()
        reply, end = _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    if end != len(text) or not isinstance(reply, dict) or type(reply.get("number")) is not int:
        return None
    known = reply.get("status", "ok") in STATUSES and any(key in reply for key in CONTENTS) and "charge" not in reply
    return reply if known and all(is_text(reply.get(key)) for key in ("reason", "malformed")) else None


def is_first_of_two(line: bytes) -> bool:
    """Does another line of the reply to a sample follow?"""
    return bool(_solved(line)) and not _accounted(line)


def outcome_of(replies: Sequence[Reply], sample: Sample) -> Reply | None:
    """Return the whole reply to a sample; None if it is invalid.

    Time that the answer took to be read is added to that of the solve.

    Args:
        replies: the only one, or the first, as soon as the clock has stopped, and the second.
    """
    reply: Reply = {}
    for each in replies:
        if reply and (each["number"] != reply["number"] or not is_sample(reply)):
            return None
        reply |= each
    if len(replies) == 1 and not is_solved(reply) and "status" in reply and reply["status"] != "ok":
        return reply
    try:
        if "answers" in reply:
            reply["answers"] = boards.unpacked(reply["answers"])
    except (TypeError, ValueError):
        return None
    if not (is_sample(reply) and is_outcome(reply, sample.answers(reply))):
        return None
    for key, spent_s in reply.pop("reading", {}).items():
        reply[key] += spent_s
    return reply


def is_solved(reply: Mapping[str, Any]) -> bool:
    """Was the sample solved, with or without a right answer?"""
    return "after_cpu_s" in reply


def is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def is_sample(reply: Mapping[str, Any]) -> bool:
    """Has the first reply to a solved sample all its times, and are they numbers?"""
    others = [value for key in OTHERS if (value := reply.get(key)) is not None]
    return are_numbers([*map(reply.get, TIMES), *others])


def is_outcome(reply: Mapping[str, Any], answers: int) -> bool:
    """Is the second reply to a sample a fault, or has it as many answers as were asked for?"""
    if not is_number(reply.get("after_cpu_s")):
        return False
    if "answers" not in reply:
        return "malformed" in reply or reply.get("status") == "memout"
    reading, counters = reply.get("reading", NO_READING), reply.get("counters")
    return (
        type(counters) is dict
        and all(type(value) in (int, float) for value in counters.values())
        and type(reading) is dict
        and reading.keys() == NO_READING.keys()
        and are_numbers(reading.values())
        and len(reply["answers"]) == answers
    )


def are_numbers(values: Collection[Any]) -> bool:
    """Are all of them finite numbers, and none a Boolean?"""
    try:
        return set(map(type, values)) <= {int, float} and all(map(math.isfinite, values))
    except OverflowError:  # an integer beyond the range of floating-point numbers
        return False


def is_number(value: Any) -> bool:
    """Is it a finite number, and not a Boolean?"""
    return are_numbers((value,))
