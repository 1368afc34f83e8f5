"""Replies of workers: JSON lines that a strategy could have written itself, so nothing in them is taken on trust."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

CONTENTS = ("status", "answers", "malformed")  # one of them is in each reply
STATUSES = ("ok", "unsupported", "memout", "error", "gave_up", "wrong")
TIMES = ("wall_s", "cpu_s", "before_cpu_s", "aside_cpu_s")  # of a sample

Reply = dict[str, Any]


def parse_reply(line: bytes) -> Reply | None:
    """Parse a worker's reply; None if it is invalid."""
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(reply, dict) or type(reply.get("number")) is not int:
        return None
    known = reply.get("status", "ok") in STATUSES and any(key in reply for key in CONTENTS)
    return reply if known and all(is_text(reply.get(key)) for key in ("reason", "malformed")) else None


def is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def is_sample(reply: Mapping[str, Any]) -> bool:
    """Has the first reply to a solved sample all its times?"""
    others = (value for key, value in reply.items() if key.endswith(("_s", "_mib", "run_in")) and value is not None)
    return all(is_number(reply.get(key)) for key in TIMES) and all(map(is_number, others))


def is_outcome(reply: Mapping[str, Any], answers: int) -> bool:
    """Is the second reply to a sample a fault, or has it as many answers as were asked for?"""
    if not is_number(reply.get("after_cpu_s")):
        return False
    if "answers" not in reply:
        return "malformed" in reply or reply.get("status") == "memout"
    reading, counters = reply.get("reading", {"wall_s": 0.0, "cpu_s": 0.0}), reply.get("counters")
    return (
        isinstance(counters, dict)
        and all(type(value) in (int, float) for value in counters.values())
        and isinstance(reading, dict)
        and all(is_number(reading.get(key)) for key in ("wall_s", "cpu_s"))
        and isinstance(reply["answers"], list)
        and len(reply["answers"]) == answers
        and all(is_grids(answer) for answer in reply["answers"])
    )


def is_grids(answer: Any) -> bool:
    return isinstance(answer, list) and all(
        isinstance(cells, list) and set(map(type, cells)) <= {int} for cells in answer
    )


def is_number(value: Any) -> bool:
    """Is it a finite number, and not a Boolean?"""
    return type(value) in (int, float) and math.isfinite(value)
