"""Replies of workers: JSON lines that a strategy could have written itself, so nothing in them is taken on trust."""

from __future__ import annotations

import json
import math
from binascii import unhexlify
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.worker import boards
from sudoku_bench.bench.worker.messages import Message
from sudoku_bench.bench.worker.stopwatch import PHASE_COLUMNS

STATUSES = ("ok", "unsupported", "memout", "error", "gave_up", "wrong")
TIMES = ("wall_s", "cpu_s", "busy_cpu_s", "clock_cost_s", "longest_wall_s", "lead_in")  # of every solved measurement

_decoder = json.JSONDecoder()


@dataclass(frozen=True)
class Reply:
    """What a worker reports about the solves of a request, and what the runner knows about them.

    Attributes:
        status: ``ok``, or why there are no times, with the reason; a note if it is ``ok``.
        wall_s, cpu_s: seconds per solve, less ``clock_cost_s``, what reading the clocks costs.
        longest_wall_s: wall seconds of the longest solve.
        busy_cpu_s: CPU seconds of everything from the lead-in to the last reading of a clock.
        phases_cpu_s: by their columns; none in a batch.
        lead_in: solves of the lead-in.
        malformed: why there are no answers; empty if there are.
        answers: of each form, its solutions; of a list instead their ``counts``, and the ``cells`` of all.
        left: processes that a solve left running.
        charged_s: CPU seconds that the system charged for the request; has_kept: has the worker kept processes since
            it was prepared?
        worker, stream_position, prepare_cpu_s: as in a row.
    """

    status: str
    reason: str | None = None
    wall_s: float = 0.0
    cpu_s: float = 0.0
    clock_cost_s: float = 0.0
    longest_wall_s: float = 0.0
    busy_cpu_s: float = 0.0
    phases_cpu_s: Mapping[str, float] = field(default_factory=dict)
    lead_in: int = 0
    peak_rss_mib: float | None = None
    malformed: str = ""
    answers: Sequence[Sequence[Sequence[int]]] = ()
    counts: Sequence[int] = ()
    cells: bytes = b""
    counters: Mapping[str, float] = field(default_factory=dict)
    left: int = 0
    charged_s: float = 0.0
    has_kept: bool = False
    worker: int | None = None
    stream_position: int | None = None
    prepare_cpu_s: float | None = None


def parse_message(line: bytes) -> Message | None:
    """Parse a worker's message, which cells may follow; None if it is invalid."""
    line, _, cells = line.partition(b"\t")
    try:
        text = line.decode()
        message, end = _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    if end != len(text) or not isinstance(message, dict) or type(message.get("number")) is not int:
        return None
    message |= {"cells": cells} if cells else {}
    return message if message.get("status") in STATUSES and is_text(message.get("reason")) else None


def reply_of(message: Message, request: SolveRequest) -> Reply | None:
    """Return the reply to a solve request; None if it is invalid."""
    status, reason, left = message["status"], message.get("reason"), message.get("left", 0)
    if type(left) is not int:
        return None
    if status != "ok":
        lead_in = message.get("lead_in", 0)
        return Reply(status, reason, lead_in=lead_in, left=left) if type(lead_in) is int else None
    if request.how == "list":
        return _of_list(message, request, left)
    phases = {column: message[column] for column in PHASE_COLUMNS if column in message}
    peak, malformed, counters = message.get("peak_rss_mib"), message.get("malformed"), message.get("counters")
    known = [*map(message.get, TIMES), *phases.values(), *([] if peak is None else [peak])]  # the system may hide it
    if not are_numbers(known) or type(message["lead_in"]) is not int or not is_text(malformed):
        return None
    times = {name: message[name] for name in TIMES}
    if malformed is not None:
        return Reply(status, reason, **times, phases_cpu_s=phases, peak_rss_mib=peak, malformed=malformed, left=left)
    try:
        answers = boards.unpacked(message.get("answers"))
    except (TypeError, ValueError):
        return None
    if len(answers) != len(request.forms) or counters is None or not are_counters(counters):
        return None
    solved = {"peak_rss_mib": peak, "answers": answers, "counters": counters, "left": left}
    return Reply(status, reason, **times, phases_cpu_s=phases, **solved)


def _of_list(message: Message, request: SolveRequest, left: int) -> Reply | None:
    counts, cpu_s = message.get("counts"), message.get("cpu_s", math.nan)
    if type(counts) is not list or set(map(type, counts)) != {int} or not is_number(cpu_s):
        return None
    try:
        grids = unhexlify(message.get("cells", b""))
    except (TypeError, ValueError):
        return None
    fit = len(counts) == len(request.forms) and min(counts) >= 0 and max(counts) <= request.task.limit
    if not fit or len(grids) != sum(counts) * request.shape.n_cells:
        return None
    return Reply("ok", cpu_s=cpu_s, counts=counts, cells=grids, left=left)


def is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def are_counters(value: Any) -> bool:
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
