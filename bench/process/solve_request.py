"""A solve request: what the runner asks of a worker for one row, and how large the reply may be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sudoku_bench.bench.worker import boards
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import Task

REPLY_BYTES = 1 << 20  # for everything in a reply except the solutions
TRANSFER_S_PER_MIB = 1.0  # CPU seconds for handing over long answers, beyond the limit of a solve
BYTES_PER_CELL = 4


@lru_cache(maxsize=256)
def _settings(shape: Shape, task: Task, limit_s: float, how: str, phases: bool) -> str:
    """Return the fields that are the same in many requests, without braces."""
    fields = {"shape": shape.arguments, "task": str(task), "limit_s": limit_s, "how": how, "phases": phases}
    return json.dumps(fields, separators=(",", ":"))[1:-1]


@dataclass(frozen=True)
class SolveRequest:
    """One measurement: forms of one shape, each solved once.

    Attributes:
        how: ``warm``, ``batch`` (all forms in one call), ``cold`` (no garbage collection before the solves) or
            ``empty`` (forms are solutions, which are returned without a strategy).
        phases: whether the phases are timed too.
        phase_forms: further forms of that shape, on which phases are timed afterwards if the solves were short.
        run_in: further forms of that shape, solved untimed before; the cost of reading the clocks is then subtracted.
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
    def text(self) -> str:
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
    def solve_limit_s(self) -> float:
        """CPU seconds until the next form must be solved: a batch is solved in one call."""
        return self.limit_s * (len(self.forms) if self.how == "batch" else 1)

    @property
    def transfer_limit_s(self) -> float:
        """CPU seconds for handing over the answer: as much as for a solve, and more for a long answer."""
        return self.limit_s + TRANSFER_S_PER_MIB * (self.reply_bytes >> 20)

    def answers(self, reply: Mapping[str, Any]) -> int:
        """Return the number of answers that a reply must have: phases are not timed apart after a slow solve."""
        return len(self.forms) + (len(self.phase_forms) if "search_cpu_s" in reply else 0)

    def boards(self, reply: Mapping[str, Any]) -> int:
        """Return the number of boards in this request and in its reply."""
        return self._asked + sum(map(len, reply.get("answers", ())))

    @property
    def candidates(self) -> int:
        """The number of candidates that boards with pencilmarks list in this request."""
        return self._asked * self.shape.n_cells * self.shape.size if self.shape.pencilmarks else 0

    @property
    def _asked(self) -> int:
        return len(self.forms) + len(self.phase_forms) + len(self.run_in)
