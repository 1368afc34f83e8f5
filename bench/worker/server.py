"""The worker: a separate process that solves with one strategy, one measurement at a time.

It is started with the arguments READ_FD WRITE_FD PROGRESS_FD (``bench/worker/start``) and exchanges JSON lines on the
first two. Standard input, output and error are unused, so a strategy that prints does no harm. Requests:

1. ``{"strategy", "plugin", "entry_point", "command", "memory_mib", "gc", "cores"}``: import it -> ``{"status": "ok"}``
2. ``{"prepare": [box_rows, box_cols]}`` (``Shape.arguments``) -> ``{"status", "prepare_cpu_s"}``
3. ``{"solve": boards, "shape", "task", "limit_s", "how", "phases", "phase_forms", "run_in"}`` ->
   ``{"status", "wall_s", "cpu_s", ..., "aside_cpu_s", "answers", "counters"}``. Times are means per solve, except
   ``aside_cpu_s``, the CPU time of all other forms. In place of ``answers`` there is ``malformed`` if they cannot be
   written. ``left`` is the number of processes that a solve left running. Before the strategy is imported, ``"how":
   "empty"`` returns the boards.

Boards are texts (``bench/worker/boards``). A request carries a ``number`` and a random ``key``, and so does its reply.
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
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sudoku_bench.bench.worker import boards, confine, process_tree
from sudoku_bench.bench.worker.clocks import cpu_end_s, cpu_s, has_children
from sudoku_bench.bench.worker.messages import Message, error_line, signature
from sudoku_bench.bench.worker.stopwatch import (
    ANSWERED,
    DEPTHS,
    PROGRESS_BYTES,
    Answer,
    marked,
    phase_means,
    read,
    solve,
    timed,
    timed_after_run_in,
    timed_batch,
)
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import GaveUp, Strategy, Task, Unsupported, prepared

PHASE_FORMS_SHARE = 0.1  # of the limit: after a slower solve, no further forms are solved to time phases
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
            replies.write(_as_json(reply).encode() + b"\n")


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
        self._solve_requests = itertools.count(1)
        self._peak = confine.PeakMemory()
        self._standing: frozenset[int] = frozenset()  # processes that `prepare` started, such as a pool

    def serve(self, requests: Iterable[Message]) -> Iterator[Message]:
        """Answer requests until the stream ends, or the import of the strategy fails."""
        for request in requests:
            reply = self._reply(request)
            yield signature(request) | reply
            if "strategy" in request and reply["status"] != "ok":
                return

    def _reply(self, request: Message) -> Message:
        if "strategy" in request:
            return self.load(request)
        if "prepare" in request:
            return self.prepare(boards.shape_of(*request["prepare"]))
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

    def prepare(self, shape: Shape) -> Message:
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
        self._standing = frozenset(living())
        self._tidy()
        return {"status": "ok", "prepare_cpu_s": used_s}

    def solve(self, request: Message) -> Message:
        """Solve each form once, and phases on forms of their own where the request has such."""
        shape = boards.shape_of(*request["shape"])
        strategy = Echo() if request["how"] == "empty" else self._prepared[shape]
        if request["how"] != "cold":  # a cold process is charged for garbage collection
            self._tidy()
            self._peak.reset()
        try:
            reply, answers = self._timed(strategy, shape, request)
        except GaveUp as error:
            with contextlib.suppress(Exception):  # there may be nothing to release yet
                strategy.release()
            return {"status": "gave_up", "reason": str(error) or "gave up"} | self._left()
        except MemoryError:
            return {"status": "memout", "reason": "MemoryError"}
        except Exception as error:
            return {"status": "error", "reason": error_line(error)}
        reply["peak_rss_mib"] = self._peak.read_mib()
        self._progress[:] = ANSWERED
        return self._answered(reply, answers, strategy, shape, Task.parse(request["task"]))

    def _timed(self, strategy: Strategy, shape: Shape, request: Message) -> tuple[Message, list[Answer]]:
        """Return the times of a request and the answers to its forms, then to those that only time phases."""
        task, marks = Task.parse(request["task"]), list[float]()
        puzzles, phase_puzzles, run_in_puzzles = (
            boards.puzzles_of(shape, request[key]) for key in ("solve", "phase_forms", "run_in")
        )
        solver = marked(marks) if request["phases"] else solve
        if request["how"] == "batch":
            reply, answers = timed_batch(strategy, puzzles, task)
        else:
            reply, answers = timed_after_run_in(strategy, puzzles, task, solver, self._progress, run_in_puzzles)
        reply.setdefault("aside_cpu_s", 0.0)
        if phase_puzzles and reply["cpu_s"] <= request["limit_s"] * PHASE_FORMS_SHARE:
            solved = len(run_in_puzzles) + len(puzzles)
            apart, others = timed(strategy, phase_puzzles, task, marked(marks), self._progress, solved)
            answers += others
            reply["aside_cpu_s"] += apart["cpu_s"] * len(phase_puzzles)
            return reply | phase_means(marks, len(phase_puzzles)), answers
        return reply | phase_means(marks, len(puzzles)), answers

    def _answered(self, reply: Message, answers: list[Answer], strategy: Strategy, shape: Shape, task: Task) -> Message:
        """Return the reply with the answers, or with their fault."""
        try:
            require_grids(answers, task.limit, shape)
            reply["answers"] = boards.packed(read(answers, reply))
        except MemoryError:
            return {"status": "memout", "reason": "MemoryError in the answer"}
        except Exception as error:
            return reply | {"malformed": error_line(error)}
        return reply | counters(strategy) | self._left()

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


def require_grids(answers: Sequence[Answer], limit: int, shape: Shape) -> None:
    """Refuse solutions of another size, and more of them than were requested.

    Raises:
        ValueError: there are such.
    """
    for answer in answers:
        if len(answer) > limit:
            raise ValueError(f"{len(answer)} solutions where {limit} were requested")
        for cells in answer:
            if len(cells) != shape.n_cells:
                raise ValueError(f"{len(cells)} cells where {shape.n_cells} were requested")


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
    if setup["entry_point"]:
        registry.load_entry_point(setup["entry_point"])
    return registry.get(setup["strategy"])


if __name__ == "__main__":
    main(sys.argv[1:])
