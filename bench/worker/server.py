"""The worker: a separate process that solves with one strategy, one measurement at a time.

It is started with the arguments READ_FD WRITE_FD PROGRESS_FD (``bench/worker/start``) and exchanges JSON lines on the
first two. Standard input, output and error are unused, so a strategy that prints does no harm. Requests:

1. ``{"strategy", "plugin", "command", "memory_mib", "gc", "cores"}``: import it -> ``{"status": "ok"}``
2. ``{"prepare": [box_rows, box_cols]}`` (``Shape.arguments``) ``, "lead_in": boards, "solutions": boards}`` ->
   ``{"status", "prepare_cpu_s"}``
3. ``{"solve": boards, "shape", "task", "how", "lead_in"}`` -> ``{"status", "wall_s", "cpu_s", ..., "answers",
   "counters"}``. Times are means per solve, except ``busy_cpu_s``, the CPU time of everything from the lead-in to the
   last reading of a clock. In place of ``answers`` there is ``malformed`` if they cannot be written. ``left`` is the
   number of processes that a solve left running. Before the strategy is imported, ``"how": "empty"`` returns boards.

Boards are texts (``bench/worker/boards``). A request carries a ``number``, and so does its reply.
The file ``PROGRESS_FD`` holds the number of forms solved so far, where the runner reads it. Nothing here imports
pandas, matplotlib or numba.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import mmap
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sudoku_bench.bench.worker import boards, confine, process_tree
from sudoku_bench.bench.worker.clocks import cpu_end_s, cpu_s, has_children
from sudoku_bench.bench.worker.messages import Message, error_line
from sudoku_bench.bench.worker.stopwatch import (
    ANSWERED,
    DEPTHS,
    PHASE_COLUMNS,
    PROGRESS_BYTES,
    Answer,
    LeadIn,
    LeadInFault,
    Times,
    at_once,
    at_random_depth,
    busy_from_now,
    clock_cost,
    read,
    require_grids,
    solve,
    timed,
    timed_batch,
)
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import GaveUp, Strategy, Task, Unsupported, prepared

REQUESTS_BETWEEN_SWEEPS = 2048  # then frozen objects are collected again: some have become garbage

_as_json = json.JSONEncoder(separators=(",", ":")).encode


def main(arguments: Sequence[str]) -> None:
    read_fd, write_fd, progress_fd = map(int, arguments)
    for fd in (read_fd, write_fd, progress_fd):
        os.set_inheritable(fd, False)
    sys.setrecursionlimit(sys.getrecursionlimit() + 2 * DEPTHS)  # strategies have as much as without the depth
    process_tree.die_with_parent()
    process_tree.adopt_orphans()
    progress = mmap.mmap(progress_fd, PROGRESS_BYTES)
    with os.fdopen(read_fd, "rb") as requests, os.fdopen(write_fd, "wb", buffering=0) as replies:
        worker_pid = os.getpid()
        for reply in StrategyServer(progress).serve(map(json.loads, requests)):
            if os.getpid() != worker_pid:
                os._exit(0)  # a fork made by the strategy: only the worker itself may answer
            cells = reply.pop("cells", "")  # behind the message: as text in it, they would be searched for quotes
            replies.write(f"{_as_json(reply)}\t{cells}\n".encode())


class Echo(Strategy):
    """Returns its input: what a request costs without a solve."""

    name = "(echo)"

    def search(self, model: Any, task: Task) -> Any:
        return [model.cells]


class StrategyServer:
    """Serves the runner's requests with one strategy."""

    def __init__(self, progress: mmap.mmap) -> None:
        self._progress = progress
        self._make: type[Strategy] = Echo
        self._prepared: dict[Shape, Strategy] = {}
        self._lead_ins: dict[Shape, LeadIn] = {}
        self._solve_requests = itertools.count(1)
        self._peak = confine.PeakMemory()
        self._standing: frozenset[int] = frozenset()  # processes that `prepare` started, such as a pool

    def serve(self, requests: Iterable[Message]) -> Iterator[Message]:
        """Answer requests until the stream ends, or the import of the strategy fails."""
        for request in requests:
            reply = self._reply(request)
            yield {"number": request["number"]} | reply
            if "strategy" in request and reply["status"] != "ok":
                return

    def _reply(self, request: Message) -> Message:
        if "strategy" in request:
            return self.load(request)
        if "prepare" in request:
            return self.prepare(boards.shape_of(*request["prepare"]), request["lead_in"], request["solutions"])
        return self.solve(request)

    def load(self, setup: Message) -> Message:
        """Import the strategy, under the limits of the run."""
        confine.spare_limits()
        confine.limit_data(setup["memory_mib"])
        confine.pin(setup["cores"])
        if setup["gc"] == "off":
            gc.disable()
        try:
            self._make = load_strategy(setup)
        except MemoryError:
            return {"status": "memout", "reason": "MemoryError at import"}
        except Exception as error:
            return {"status": "error", "reason": f"at import: {error_line(error)}"}
        return {"status": "ok"}

    def prepare(self, shape: Shape, lead_in: str, solutions: str) -> Message:
        """Prepare for boards of a shape, and take note of the puzzles that lead in, with their solutions."""
        start = cpu_s()
        try:
            strategy = prepared(self._make, shape)
        except Unsupported as error:
            return {"status": "unsupported", "reason": str(error) or f"no {shape.name} boards"}
        except MemoryError:
            return {"status": "memout", "reason": "MemoryError in prepare"}
        except Exception as error:
            return {"status": "error", "reason": f"in prepare: {error_line(error)}"}
        used_s = cpu_end_s() - start
        self._prepared[shape] = strategy
        grids = boards.boards_of(replace(shape, pencilmarks=False), solutions)
        self._lead_ins[shape] = LeadIn(shape, boards.boards_of(shape, lead_in), [list(cells) for cells in grids])
        self._standing = frozenset(living())
        self._tidy()
        return {"status": "ok", "prepare_cpu_s": used_s}

    def solve(self, request: Message) -> Message:
        """Lead the strategy in, then solve each form once."""
        shape, task = boards.shape_of(*request["shape"]), Task.parse(request["task"])
        strategy = Echo() if request["how"] == "empty" else self._prepared[shape]
        if request["how"] not in ("cold", "list"):  # a cold process is charged for garbage collection
            self._tidy()
            self._peak.reset()
        busy, solves, place = busy_from_now(), 0, "lead-in: "
        try:
            if request["lead_in"]:
                how = at_once if request["how"] == "batch" else solve
                solves = self._lead_ins[shape].solve(strategy, task, how, self._progress)
            place = ""
            if request["how"] == "list":
                return self._listed(bytes.fromhex(request["solve"]), shape, task) | self._left()
            times, cost, answers = self._timed(
                strategy, boards.puzzles_of(shape, request["solve"]), task, request["how"]
            )
        except GaveUp as error:
            with contextlib.suppress(Exception):  # there may be nothing to release yet
                strategy.release()
            return {"status": "gave_up", "reason": str(error) or "gave up", "lead_in": solves} | self._left()
        except LeadInFault as fault:
            return {"status": "wrong", "reason": f"{place}{fault}"} | self._left()
        except MemoryError:
            return {"status": "memout", "reason": f"{place}MemoryError"}
        except Exception as error:
            return {"status": "error", "reason": f"{place}{error_line(error)}"}
        reply = {"lead_in": solves, "peak_rss_mib": self._peak.read_mib()}
        self._progress[:] = ANSWERED
        return reply | self._answered(times, cost, answers, strategy, shape, task, busy)

    def _listed(self, cells: bytes, shape: Shape, task: Task) -> Message:
        """Solve a list in one call; return the cells of all solutions as one text, and how many each puzzle has."""
        start = cpu_s()
        counts, grids = self._prepared[shape].solve_cells(shape, cells, task)
        return {"status": "ok", "cpu_s": (cpu_end_s() - start) / len(counts), "counts": counts, "cells": grids.hex()}

    def _timed(
        self, strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, how: str
    ) -> tuple[Times, Times, list[Answer]]:
        """Return the times of a request, less those of reading the clocks; these; and the answers.

        A whole batch, and the life of a cold process, are long compared with them.
        """
        if how == "batch":
            times, answers = timed_batch(strategy, puzzles, task)
            return times, Times(0.0, 0.0), answers
        times, answers = at_random_depth(lambda: timed(strategy, puzzles, task, self._progress, solve))
        cost = Times(0.0, 0.0) if how == "cold" else clock_cost(strategy, puzzles, task, self._progress)
        return times.less(cost), cost, answers

    def _answered(
        self,
        times: Times,
        cost: Times,
        answers: list[Answer],
        strategy: Strategy,
        shape: Shape,
        task: Task,
        busy: Callable[[], float],
    ) -> Message:
        """Return the times with the answers, or with their fault.

        Args:
            busy: returns the CPU seconds since the lead-in began.
        """
        busy_s = busy()
        try:
            require_grids(answers, task.limit, shape)
            plain, times = read(answers, times)
            busy_s = busy()
            content: Message = {"answers": boards.packed(plain)}
        except MemoryError:
            return {"status": "memout", "reason": "MemoryError in the answer"}
        except Exception as error:
            content = {"malformed": error_line(error)}
        reply = {"status": "ok", "wall_s": times.wall_s, "cpu_s": times.cpu_s, "clock_cost_s": cost.cpu_s}
        reply |= {"longest_wall_s": times.longest_wall_s, **dict(zip(PHASE_COLUMNS, times.phases_cpu_s, strict=False))}
        return reply | {"busy_cpu_s": busy_s} | content | counters(strategy) | self._left()

    def _tidy(self) -> None:
        """Freeze live objects, so that a garbage collection during a solve visits only the objects of the solve."""
        if next(self._solve_requests) % REQUESTS_BETWEEN_SWEEPS == 1:
            gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _left(self) -> Message:
        """Return ``left``, how many processes the last solve left running; nothing if it left none to wait for."""
        if not has_children():
            return {}
        left = len([pid for pid in living() if pid not in self._standing])
        # What forks and ends again and again is in no list, but it is there.
        return {"left": left or int(not self._standing and has_children())}


def counters(strategy: Strategy) -> Message:
    """Return the strategy's counters, or the reason if there are none: a fault here does not affect the answer."""
    try:
        return {"counters": {str(name): float(value) for name, value in strategy.counters().items()}}
    except Exception as error:
        return {"counters": {}, "reason": f"no counters: {error_line(error)}"}


def living() -> list[int]:
    """Return the descendants of this process that still run; reap those that have ended."""
    if not has_children():
        return []
    descendants = process_tree.descendants(os.getpid())
    ended = [pid for pid in descendants if process_tree.is_zombie(pid)]
    process_tree.reap(ended)
    return [pid for pid in descendants if pid not in ended]


def load_strategy(setup: Message) -> type[Strategy]:
    """Return the strategy's class. Only the worker of a plug-in's strategy imports the plug-in."""
    if setup["command"]:
        from sudoku_bench.solvers.external.command import Command
        from sudoku_bench.solvers.external.strategies import strategy_of

        return strategy_of(setup["strategy"], Command.of(setup["command"]))
    if setup["plugin"]:
        registry.load_plugin(setup["plugin"])
    return registry.get(setup["strategy"])


if __name__ == "__main__":
    main(sys.argv[1:])
