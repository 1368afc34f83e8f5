"""A sample: the request to solve that becomes a row, and how large its reply may be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bench.worker import boards
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.strategy import Task

REPLY_BYTES = 1 << 20  # for everything in a reply except the solutions
USUAL_BYTES = 1 << 10  # for everything in the reply of most strategies except the solutions
TRANSFER_S_PER_MIB = 1.0  # CPU seconds for handing over long answers, beyond the limit of a solve
BYTES_PER_CELL = 4


@lru_cache(maxsize=256)
def _settings(shape: Shape, task: Task, limit_s: float, how: str, phases: bool) -> str:
    """Return the fields of a request that are the same for many samples, without braces."""
    board = [shape.box_rows, shape.box_cols]
    fields = {"shape": board, "task": str(task), "limit_s": limit_s, "how": how, "phases": phases}
    return json.dumps(fields, separators=(",", ":"))[1:-1]


@dataclass(frozen=True)
class Sample:
    """One request to solve: forms of one shape, each solved once.

    Attributes:
        how: ``warm``, ``batch`` (all forms in one call) or ``cold`` (no garbage collection before the sample).
        phases: whether the phases are timed too.
        phase_forms: further forms of that shape, on which phases are timed after the sample if it was short.
        run_in: further forms of that shape, solved untimed before the sample; the cost of reading the clocks is then
            subtracted.
    """

    forms: Sequence[Puzzle]
    task: Task
    limit_s: float  # CPU seconds, for each form
    how: str = "warm"
    phases: bool = False
    phase_forms: Sequence[Puzzle] = ()
    run_in: Sequence[Puzzle] = ()

    @property
    def shape(self) -> Shape:
        return self.forms[0].shape

    @property
    def request(self) -> str:
        """A JSON object for the worker, from parts that rarely change: an encoder takes several times as long."""
        forms, phase_forms, run_in = map(boards.text_of, (self.forms, self.phase_forms, self.run_in))
        settings = _settings(self.shape, self.task, self.limit_s, self.how, self.phases)
        return f'{{{settings},"solve":"{forms}","phase_forms":"{phase_forms}","run_in":"{run_in}"}}'

    @property
    def reply_bytes(self) -> int:
        """Upper bound on the length of a valid reply."""
        forms = len(self.forms) + len(self.phase_forms)
        return REPLY_BYTES + forms * self.task.limit * (self.shape.n_cells + 1) * BYTES_PER_CELL

    @property
    def usual_reply_bytes(self) -> int:
        """Length of a reply with as many solutions as are asked for, if the strategy has few counters."""
        forms = len(self.forms) + len(self.phase_forms)
        return USUAL_BYTES + forms * self.task.limit * (2 * self.shape.n_cells + len('"",'))

    def answers(self, reply: Mapping[str, Any]) -> int:
        """Return the number of answers that follow a first reply: phases are not timed apart after a slow sample."""
        return len(self.forms) + (len(self.phase_forms) if "search_cpu_s" in reply else 0)

    def accounted_s(self, reply: Mapping[str, Any]) -> float:
        """Return all CPU seconds that the worker accounts for in its reply to this sample."""
        beside_s = reply["before_cpu_s"] + reply["aside_cpu_s"] + reply["after_cpu_s"] + reply.get("failed_cpu_s", 0.0)
        return float(beside_s + (reply["cpu_s"] + reply.get("clock_cost_s", 0.0)) * len(self.forms))

    @property
    def transfer_limit_s(self) -> float:
        """CPU seconds for handing over the answer: as much as for a solve, and more for a long answer."""
        return self.limit_s + TRANSFER_S_PER_MIB * (self.reply_bytes >> 20)


def fitting(samples: Sequence[Sample], room_bytes: int, reply_bytes: int = 0) -> list[str]:
    """Return the requests of the first samples, at least one, as many as there is room for, also for their replies.

    Args:
        reply_bytes: of the longest reply to a sample so far.
    """
    requests, requests_left, replies_left = [samples[0].request], room_bytes, room_bytes
    requests_left -= len(requests[0])
    replies_left -= max(samples[0].usual_reply_bytes, reply_bytes)
    for sample in samples[1:]:
        request = sample.request
        requests_left -= len(request)
        replies_left -= max(sample.usual_reply_bytes, reply_bytes)
        if min(requests_left, replies_left) < 0:
            break
        requests.append(request)
    return requests
