"""Solve the puzzles of a list of any length with one worker, in batches, in order.

A batch that fails as a whole (a crash, a timeout, a strategy that gives up) is solved again puzzle by puzzle, so that
the fault is found and all other puzzles of the batch have their answers. Batches grow while they are short: a fast
solver spends its time on puzzles and not on messages, and with a slow one little is solved twice.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from threading import Timer
from typing import NamedTuple

from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.bench.say.compiling import KERNELS
from sudoku_bench.datasets.puzzle import Packed, in_parts
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault, solved
from sudoku_bench.solvers.strategy import Task

MOST = 2048  # puzzles of a batch; fewer if several solutions of each are asked for
BATCH_S = 0.2  # CPU seconds of a batch beyond which the next one is smaller
LIMIT_SHARE = 0.25  # of the time limit of a puzzle, for the same
MAX_GUESSES = 200_000  # of the search for missing solutions
SLOW_S = 2.0  # a strategy that takes longer to prepare compiles
NINE = Shape(3, 3)


class Answers(NamedTuple):
    """The checked solutions of several puzzles.

    Attributes:
        counts: how many each puzzle has; grids: all of them one after another, a byte for each cell.
        faults: by the places of puzzles, why there are none.
    """

    counts: Sequence[int]
    grids: bytes = b""
    faults: Mapping[int, str] = {}

    def of_each(self) -> Iterator[list[bytes]]:
        """Yield the solutions of each puzzle."""
        grids = iter(in_parts(self.grids, sum(self.counts)))
        return (list(islice(grids, count)) for count in self.counts)


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

    def batches(self, puzzles: Iterable[Packed]) -> Iterator[tuple[Packed, Answers]]:
        """Yield puzzles of one shape in batches, with their answers; the next is solved while the caller uses one."""
        batches = self._sized(puzzles)
        batch = next(batches, None)
        fault = self._send(batch)
        while batch:
            following = next(batches, None)
            found = self._receive(batch, fault)
            fault = self._send(following)
            yield batch, self._checked(batch, found)
            batch = following

    def _sized(self, puzzles: Iterable[Packed]) -> Iterator[Packed]:
        """Yield the puzzles in batches of the size that is right when one is asked for."""
        cells, lines = bytearray(), list[int]()
        for part in puzzles:
            cells += part.cells
            lines += part.lines
            width = len(part.cells) // len(part)
            while len(lines) >= (size := self._size):
                yield Packed(part.shape, bytes(cells[: size * width]), lines[:size])
                del cells[: size * width], lines[:size]
        if lines:
            yield Packed(part.shape, bytes(cells), lines)

    def _send(self, batch: Packed | None) -> str:
        """Send a batch to the worker, which is started if there is none; return the reason if that fails."""
        if not batch:
            return ""
        try:
            if refusal := self._prepare(batch.shape):
                return refusal
            assert self._worker is not None
            self._worker.ask(self._request(batch))
        except WorkerDied as death:
            self._close()
            return f"{death.status}: {death.reason}"
        return ""

    def _receive(self, batch: Packed, fault: str) -> Answers:
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
            if len(batch) > 1:
                return Answers(reply.counts, reply.cells)
            with contextlib.suppress(ValueError):
                grids = [*map(bytes, reply.answers[0])]
                if {*map(len, grids)} <= {batch.shape.n_cells}:
                    return Answers([len(grids)], b"".join(grids))
            fault = "wrong: malformed answer: a number that no cell has"
        self._size = 1
        if len(batch) == 1:
            return Answers([0], faults={0: fault})
        singles = (Packed(batch.shape, *single) for single in zip(batch.boards, zip(batch.lines), strict=True))
        answers = [self._receive(single, self._send(single)) for single in singles]
        faults = {place: answer.faults[0] for place, answer in enumerate(answers) if answer.faults}
        return Answers([answer.counts[0] for answer in answers], b"".join(answer.grids for answer in answers), faults)

    def _request(self, batch: Packed) -> SolveRequest:
        """Return a request for one call of the strategy, in which all puzzles have the time of one."""
        how = "list" if len(batch) > 1 else "batch"
        return SolveRequest(batch, self._task, self._timeout_s / len(batch), how)

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
                self._worker.widen()
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

    def _checked(self, batch: Packed, found: Answers) -> Answers:
        """Return the answers to a batch, a fault in place of those that are wrong."""
        counts, limit = found.counts, self._task.limit
        boards = [] if {*counts} == {limit} == {1} else batch.boards
        fits = solved(batch.shape, b"".join(map(operator.mul, boards, counts)) or batch.cells, found.grids)
        fewer = [k for k, count in enumerate(counts) if count < limit and k not in found.faults]
        numbers = numbers_of(Packed(batch.shape, b"".join([boards[k] for k in fewer]), fewer), limit)
        expected = [limit] * len(batch)
        for k, number in zip(fewer, numbers, strict=True):
            expected[k] = counts[k] if number is None else number
        if all(fits) and expected == counts and max(counts) < 2:
            return found
        fit, right, faults = iter(fits), [], dict(found.faults)
        for k, (puzzle, grids) in enumerate(zip(batch, found.of_each(), strict=True)):
            is_right = all([*islice(fit, len(grids))]) and len({*grids}) == len(grids) == expected[k]
            if not is_right and k not in faults:
                fault = answer_fault(puzzle, grids, expected[k])
                faults[k] = f"wrong answer of {self._info.name}: {fault}"
            right.append(grids if is_right else [])
        return Answers([*map(len, right)], b"".join(chain.from_iterable(right)), faults)

    def _close(self) -> None:
        if self._worker:
            self._worker.close()
        self._worker = self._prepared = None


def numbers_of(puzzles: Packed, limit: int) -> list[int | None]:
    """Return the number of solutions, up to a limit, of each puzzle; None if a search gives up."""
    if not puzzles:
        return []
    if puzzles.shape == NINE and limit <= 2:
        import numpy as np

        from sudoku_bench.datasets.making.validity import validate

        boards = np.frombuffer(puzzles.cells, dtype=np.uint8)
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
