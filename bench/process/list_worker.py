"""A worker that solves lists of puzzles, each list in one call of the strategy."""

from __future__ import annotations

from collections.abc import Sequence

from bench.process.watch import Limits
from bench.process.worker_process import REPLY_BYTES, Worker
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
        self._shape = puzzles[0].shape
        self._longest = REPLY_BYTES + len(puzzles) * task.limit * self._shape.n_cells * BYTES_PER_CELL
        self._used_before_s = self._used_s()
        shape = [self._shape.box_rows, self._shape.box_cols]
        self._send_request({"list": text_of(puzzles), "shape": shape, "task": str(task)}, "solve")

    def receive_list(self, limit_s: float) -> tuple[list[list[bytes]], float]:
        """Return the solutions of each puzzle of the list sent last, a byte for each cell, and their CPU seconds.

        Args:
            limit_s: CPU seconds for the whole list.

        Raises:
            Refused: the strategy failed on a puzzle of the list.
            WorkerDied: the worker ended or was killed.
        """
        reply = self._receive(Limits(limit_s, self._memory_mib), "solve", self._used_before_s, self._longest)
        if "status" not in reply:
            raise self._invalid_reply("solve")
        if reply["status"] != "ok":
            raise Refused(reply["status"], reply["reason"])
        return unpacked(reply, self._shape), reply["cpu_s"]
