"""A solve request: what the runner asks of a worker for one row, and how large the reply may be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sudoku_bench.bench.worker import boards
from sudoku_bench.datasets.puzzle import Packed, Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import Task

REPLY_BYTES = 1 << 20  # for everything in a reply except the solutions
TRANSFER_S_PER_MIB = 1.0  # CPU seconds for handing over long answers, beyond the limit of a solve
BYTES_PER_CELL = 4

Solved = tuple[Puzzle, bytes]  # a puzzle and the cells of its only solution


@lru_cache(maxsize=256)
def _settings(shape: Shape, task: Task, how: str, lead_in: bool) -> str:
    """Return the fields that are the same in many requests, without braces."""
    fields = {"shape": shape.arguments, "task": str(task), "how": how, "lead_in": lead_in}
    return json.dumps(fields, separators=(",", ":"))[1:-1]


@dataclass(frozen=True)
class SolveRequest:
    """One measurement: forms of one shape, each solved once.

    Attributes:
        how: ``warm``, ``batch`` (all forms in one call), ``list`` (as well, and nothing is measured), ``cold`` (no
            garbage collection before the solves) or ``empty`` (forms are solutions, which are returned without a
            strategy).
        lead_in: the strategy is led in before.
    """

    forms: Sequence[Puzzle] | Packed
    task: Task
    limit_s: float  # CPU seconds, for each form
    how: str = "warm"
    lead_in: bool = False

    @property
    def shape(self) -> Shape:
        return next(iter(self.forms)).shape

    @property
    def text(self) -> str:
        """A JSON object for the worker, from parts that rarely change: an encoder takes several times as long."""
        settings = _settings(self.shape, self.task, self.how, self.lead_in)
        return f'{{{settings},"solve":"{boards.text_of(self.forms)}"}}'

    @property
    def reply_bytes(self) -> int:
        """Upper bound on the length of a valid reply."""
        return REPLY_BYTES + len(self.forms) * self.task.limit * (self.shape.n_cells + 1) * BYTES_PER_CELL

    @property
    def solve_limit_s(self) -> float:
        """CPU seconds until the next form must be solved: a batch is solved in one call."""
        return self.limit_s * (len(self.forms) if self.how in ("batch", "list") else 1)

    @property
    def transfer_limit_s(self) -> float:
        """CPU seconds for handing over the answer: as much as for a solve, and more for a long answer."""
        return self.limit_s + TRANSFER_S_PER_MIB * (self.reply_bytes >> 20)

    @property
    def candidates(self) -> int:
        """The number of candidates that boards with pencilmarks list in this request."""
        return len(self.forms) * self.shape.n_cells * self.shape.size if self.shape.pencilmarks else 0
