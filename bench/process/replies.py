"""Replies of workers: JSON lines that a strategy could have written itself, so nothing in them is taken on trust."""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from typing import Any

from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.worker import boards
from sudoku_bench.bench.worker.stopwatch import PHASE_COLUMNS

STATUSES = ("ok", "unsupported", "memout", "error", "gave_up")
TIMES = ("wall_s", "cpu_s", "aside_cpu_s")  # of every solved measurement
OPTIONAL = (*PHASE_COLUMNS, "longest_wall_s", "failed_cpu_s", "clock_cost_s", "run_in")

Reply = dict[str, Any]

_decoder = json.JSONDecoder()


def parse_reply(line: bytes) -> Reply | None:
    """Parse a worker's reply; None if it is invalid."""
    try:
        text = line.decode()
        reply, end = _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    if end != len(text) or not isinstance(reply, dict) or type(reply.get("number")) is not int:
        return None
    is_known = reply.get("status") in STATUSES and "charged_s" not in reply
    return reply if is_known and is_text(reply.get("reason")) and is_text(reply.get("malformed")) else None


def with_answers(reply: Reply, request: SolveRequest) -> Reply | None:
    """Return the reply to a solve request, its answers as ``boards.unpacked`` has them; None if it is invalid."""
    if reply["status"] != "ok":
        return reply
    peak = [] if reply.get("peak_rss_mib") is None else [reply["peak_rss_mib"]]  # the system may not report it
    if not are_numbers([*map(reply.get, TIMES), *(reply[key] for key in OPTIONAL if key in reply), *peak]):
        return None
    if "malformed" in reply:
        return reply
    try:
        answers = boards.unpacked(reply.get("answers"))
    except (TypeError, ValueError):
        return None
    is_whole = are_counters(reply.get("counters")) and len(answers) == request.answers(reply)
    return reply | {"answers": answers} if is_whole else None


def is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def are_counters(value: object) -> bool:
    return type(value) is dict and set(map(type, value.values())) <= {int, float}


def are_numbers(values: Collection[Any]) -> bool:
    """Are all of them finite numbers, and none a Boolean?"""
    try:
        return set(map(type, values)) <= {int, float} and all(map(math.isfinite, values))
    except OverflowError:  # an integer beyond the range of floating-point numbers
        return False


def is_number(value: Any) -> bool:
    """Is it a finite number, and not a Boolean?"""
    return are_numbers((value,))
