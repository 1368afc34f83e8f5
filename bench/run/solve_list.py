"""Solve the puzzles of a list of any length with one worker, in batches, in order.

A batch that fails as a whole (a crash, a timeout, a strategy that gives up) is solved again puzzle by puzzle, so that
the fault is found and all other puzzles of the batch have their answers. Batches grow while they are short: a fast
solver spends its time on puzzles and not on messages, and with a slow one little is solved twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from threading import Timer
from typing import NamedTuple

from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.bench.say.compiling import KERNELS
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.items import Entry
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault, solved
from sudoku_bench.solvers.strategy import Task

MOST = 2048  # puzzles of a batch; fewer if several solutions of each are asked for
BATCH_S = 0.2  # CPU seconds of a batch beyond which the next one is smaller
LIMIT_SHARE = 0.25  # of the time limit of a puzzle, for the same
MAX_GUESSES = 200_000  # of the search for missing solutions
SLOW_S = 2.0  # a strategy that takes longer to prepare compiles
NINE = Shape(3, 3)


class Answer(NamedTuple):
    """The checked solutions of a puzzle, a byte for each cell, or the reason why there are none."""

    solutions: Sequence[bytes] = ()
    fault: str = ""


class ListSolver:
    """Solves lists with one strategy. A context manager: its worker ends with it.

    Args:
        timeout_s: limit for each puzzle in CPU seconds.
    """

    def __init__(self, info: StrategyInfo, task: Task, timeout_s: float) -> None:
        self._info, self._task, self._timeout_s = info, task, timeout_s
        self._worker: Worker | None = None
        self._prepared: Shape | None = None
        self._refusals: dict[Shape, str] = {}  # why no board of a shape can be solved
        self._size = 1  # of the next batch

    def __enter__(self) -> ListSolver:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def batches(self, entries: Iterable[Entry]) -> Iterator[list[tuple[Entry, Answer]]]:
        """Yield batches of entries, each with its answer. The next batch is solved while the caller uses one."""
        for _, of_shape in groupby(entries, key=lambda entry: entry.puzzle.shape):
            yield from self._batches_of_one_shape(of_shape)

    def _batches_of_one_shape(self, entries: Iterator[Entry]) -> Iterator[list[tuple[Entry, Answer]]]:
        batch = list(islice(entries, self._size))
        fault = self._send(batch)
        while batch:
            following = list(islice(entries, self._size))
            found = self._receive(batch, fault)
            fault = self._send(following)
            yield [*zip(batch, self._checked(batch, found), strict=True)]
            batch = following

    def _send(self, batch: Sequence[Entry]) -> str:
        """Send a batch to the worker, which is started if there is none; return the reason if that fails."""
        if not batch:
            return ""
        try:
            if refusal := self._prepare(batch[0].puzzle.shape):
                return refusal
            assert self._worker is not None
            self._worker.ask(self._request(batch))
        except WorkerDied as death:
            self._close()
            return f"{death.status}: {death.reason}"
        return ""

    def _receive(self, batch: Sequence[Entry], fault: str) -> list[Answer]:
        """Return the answers to a batch, which was sent unless there is a fault."""
        if not fault:
            assert self._worker is not None
            try:
                reply = self._worker.answer(self._request(batch))
                fault = fault_in(reply)
            except WorkerDied as death:
                self._close()
                fault = f"{death.status}: {death.reason}"
        if not fault:
            self._adapt(reply.cpu_s * len(batch))
            with contextlib.suppress(ValueError):
                return [Answer([bytes(cells) for cells in answer]) for answer in reply.answers]
            fault = "wrong: malformed answer: a number that no cell has"
        self._size = 1
        if len(batch) == 1:
            return [Answer(fault=fault)]
        return [self._receive([entry], self._send([entry]))[0] for entry in batch]

    def _request(self, batch: Sequence[Entry]) -> SolveRequest:
        """Return a request for one call of the strategy, in which all puzzles have the time of one."""
        puzzles = [entry.puzzle for entry in batch]
        return SolveRequest(puzzles, self._task, self._timeout_s / len(batch), "batch")

    def _adapt(self, used_s: float) -> None:
        """Choose the size of the next batch by the CPU seconds of the last."""
        enough_s = min(BATCH_S, LIMIT_SHARE * self._timeout_s)
        if used_s < enough_s / 2:
            self._size = min(2 * self._size, max(1, MOST // self._task.limit))
        elif used_s > enough_s:
            self._size = max(1, self._size // 2)

    def _prepare(self, shape: Shape) -> str:
        """Have a worker prepared for a shape; return the reason if that fails, which holds for all later puzzles."""
        if shape in self._refusals or (self._worker and self._prepared == shape):
            return self._refusals.get(shape, "")
        try:
            reply = {"status": "ok"}
            if self._worker is None:
                self._worker = Worker(self._info, number=1)
                reply = self._worker.start()
            if reply["status"] == "ok":
                slow = Timer(SLOW_S, KERNELS.info, ["a worker prepares its strategy"])
                slow.start()
                try:
                    reply = self._worker.prepare(shape)
                finally:
                    slow.cancel()
            self._prepared = shape
        except WorkerDied as death:
            reply = {"status": death.status, "reason": death.reason}
        if reply["status"] != "ok":
            self._close()
            self._refusals[shape] = f"{reply['status']}: {reply['reason']}"
        return self._refusals.get(shape, "")

    def _checked(self, batch: Sequence[Entry], answers: Sequence[Answer]) -> list[Answer]:
        """Return the answers to a batch, a fault in place of those that are wrong."""
        puzzles, limit = [entry.puzzle for entry in batch], self._task.limit
        of_grids = [puzzle for puzzle, answer in zip(puzzles, answers, strict=True) for _ in answer.solutions]
        fits = iter(solved(of_grids, [grid for answer in answers for grid in answer.solutions]))
        fit = [min([next(fits) for _ in answer.solutions], default=True) for answer in answers]
        fewer = [k for k, answer in enumerate(answers) if fit[k] and not answer.fault and len(answer.solutions) < limit]
        numbers = dict(zip(fewer, numbers_of([puzzles[k] for k in fewer], limit), strict=True))
        checked = []
        for k, answer in enumerate(answers):
            number = numbers.get(k, limit)
            expected = len(answer.solutions) if number is None else number
            is_right = fit[k] and len(set(answer.solutions)) == len(answer.solutions) == expected
            fault = "" if answer.fault or is_right else answer_fault(puzzles[k], answer.solutions, expected)
            checked.append(Answer(fault=f"wrong answer of {self._info.name}: {fault}") if fault else answer)
        return checked

    def _close(self) -> None:
        if self._worker:
            self._worker.close()
        self._worker = self._prepared = None


def numbers_of(puzzles: Sequence[Puzzle], limit: int) -> list[int | None]:
    """Return the number of solutions, up to a limit, of puzzles of one shape; None if a search gives up."""
    if not puzzles:
        return []
    if puzzles[0].shape == NINE and limit <= 2:
        import numpy as np

        from sudoku_bench.datasets.making.validity import validate

        boards = np.frombuffer(b"".join(puzzle.cell_bytes for puzzle in puzzles), dtype=np.uint8)
        counts = validate(boards.reshape(-1, NINE.n_cells), MAX_GUESSES, clues_too=False).solutions.tolist()
        return [None if count < 0 else min(count, limit) for count in counts]
    from sudoku_bench.datasets.search import solve

    results = [solve(puzzle, limit, max_guesses=MAX_GUESSES) for puzzle in puzzles]
    return [len(result.solutions) if result.complete else None for result in results]


def fault_in(reply: Reply) -> str:
    """Return why a reply holds no solutions; empty if it does."""
    if reply.status != "ok":
        return f"{reply.status}: {reply.reason}"
    return f"wrong: malformed answer: {reply.malformed}" if reply.malformed else ""
