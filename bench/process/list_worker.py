"""A worker that solves lists of puzzles, each list in one call of the strategy."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bench.process.replies import is_number
from bench.process.solve_request import REPLY_BYTES
from bench.process.watch import Limits
from bench.process.worker_process import Worker
from bench.worker.boards import text_of
from bench.worker.lists import unpacked
from datasets.puzzle import Puzzle
from solvers.strategy import Task

BYTES_PER_CELL = 2


class Refused(Exception):
    """There are no answers to a list; ``status`` and ``reason`` say why, as those of a row do."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class ListWorker(Worker):
    """Sends a list and receives its answers in two steps, so that the runner can work while the worker solves."""

    def send_list(self, puzzles: Sequence[Puzzle], task: Task) -> None:
        """Send puzzles of one shape."""
        self._shape, self._number = puzzles[0].shape, len(puzzles)
        self._longest = REPLY_BYTES + len(puzzles) * task.limit * self._shape.n_cells * BYTES_PER_CELL
        self._used_before_s = self._meter.start()
        shape = [self._shape.box_rows, self._shape.box_cols]
        self._send(json.dumps({"list": text_of(puzzles), "shape": shape, "task": str(task)}), "solve")

    def receive_list(self, limit_s: float) -> tuple[list[list[bytes]], float]:
        """Return the solutions of each puzzle of the list sent last, a byte for each cell, and their CPU seconds.

        Args:
            limit_s: CPU seconds for the whole list.

        Raises:
            Refused: the strategy failed on a puzzle of the list.
            WorkerDied: the worker ended or was killed.
        """
        limits = Limits(limit_s, self._memory_mib)
        reply = self._receive(len(self._keys), "solve", limits, self._used_before_s, self._longest)
        self._meter.stop()
        if reply["status"] != "ok":
            raise Refused(reply["status"], reply.get("reason", ""))
        try:
            answers = unpacked(reply, self._number, self._shape)
        except (KeyError, TypeError, ValueError):
            raise self._invalid_reply("solve") from None
        if not is_number(reply.get("cpu_s")):
            raise self._invalid_reply("solve")
        return answers, reply["cpu_s"]
