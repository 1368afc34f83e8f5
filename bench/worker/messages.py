"""The worker's side of the pipes: requests are read, and replies written, for a whole turn at once.

After each solve the caches hold other code and data, and what the worker does for the next solve takes three to five
times as long as it would for many in a row. So requests are decoded when they arrive, and replies to a turn are encoded
before the worker waits for more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

from bench.worker import boards
from bench.worker.clocks import own_cpu_s
from solvers.strategy import Task

SHORT_SAMPLE_S = 0.02  # wall time per solve, below which both replies are one line
SOLUTIONS_HELD = 256  # of replies that are not written yet; more would be part of the memory of the next solves
BOARDS = ("solve", "phase_forms", "run_in")

Message = dict[str, Any]

_as_json = json.JSONEncoder(separators=(",", ":")).encode


def requests_from(read_fd: int, wake_fd: int, before_waiting: Callable[[], None]) -> Iterator[Message]:
    """Yield the requests; wake the runner up before waiting for more after a turn, which it does not watch.

    Args:
        before_waiting: called before the worker waits, and before it wakes the runner up.
    """
    parts: list[bytes] = []  # of a line that is not complete yet
    in_turn = False
    while True:
        before_waiting()
        if in_turn:
            os.write(wake_fd, b"\n")
        data = os.read(read_fd, boards.PIPE_BYTES)
        if not data:
            return
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = b"".join((*parts, lines[0]))
            parts.clear()
        parts.append(rest)
        requests = [decoded(line) for line in lines]
        in_turn = any("turn" in request for request in requests)
        yield from requests


def decoded(line: bytes) -> Message:
    """Return a request; if it is one to solve, with its shape, its task and its puzzles as objects."""
    request: Message = json.loads(line)
    if "solve" in request:
        shape = boards.shape_of(*request["shape"])
        request |= {key: boards.puzzles_of(shape, request[key]) for key in BOARDS}
        request |= {"shape": shape, "task": Task.parse(request["task"])}
    return request


def signature(request: Message) -> Message:
    """Return what shows that a reply answers this request: a strategy that writes to the pipe does not know it."""
    return {key: request[key] for key in ("number", "key", "turn") if key in request}


class Replies:
    """Writes replies: to a turn when they are flushed, others at once.

    The reply to a sample comes in two parts, its times and its answers. Of a short sample, both are one line.

    Args:
        write: writes bytes to the runner.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._first: Message = {}
        self._held: list[Message] = []
        self._solutions = 0  # in replies that are held

    def add(self, reply: Message) -> None:
        """Write a reply, a JSON object whose answers are lists of integers, or hold it until the turn ends."""
        if reply.get("wall_s", SHORT_SAMPLE_S) < SHORT_SAMPLE_S:
            self._first = reply
            return
        reply, self._first = self._first | reply, {}
        self._held.append(reply)
        self._solutions += sum(map(len, reply.get("answers", ())))
        is_short = "wall_s" in reply and "answers" in reply
        if not ("turn" in reply and is_short and self._solutions <= SOLUTIONS_HELD):
            self.flush()

    def flush(self) -> None:
        """Write all replies that are held. The CPU time of packing the answers is divided among them."""
        if not self._held:
            return
        start_s, held, self._held, self._solutions = own_cpu_s(), self._held, [], 0
        for reply in held:
            pack(reply)
        each_s = (own_cpu_s() - start_s) / len(held)
        for reply in held:
            reply.pop("turn", None)
            if "after_cpu_s" in reply:
                reply["after_cpu_s"] += each_s
        self._write("".join([_as_json(reply) + "\n" for reply in held]).encode())


def pack(reply: Message) -> None:
    """Write the answers of a reply as texts, or say why they cannot be written."""
    try:
        if "answers" in reply:
            reply["answers"] = boards.packed(reply["answers"])
    except MemoryError:
        _without_answers(reply, {"status": "memout", "reason": "MemoryError in the answer"})
    except Exception as error:
        _without_answers(reply, {"malformed": error_line(error)})


def _without_answers(reply: Message, fault: Message) -> None:
    for key in ("answers", "counters", "left"):
        reply.pop(key, None)
    reply |= fault


def error_line(error: BaseException) -> str:
    """Return an exception as one short line."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # its __str__ fails
        text = ""
    return f"{type(error).__name__}: {text}"[:300] if text else type(error).__name__
