"""The stopwatch. A worker is a process of its own that solves with one strategy, one measurement at a time.

It is started as ``python -P -m bench.worker READ_FD WRITE_FD`` and speaks JSON lines on those two descriptors;
standard input, output and error belong to nobody, so a strategy that prints does no harm. Requests, in order:

1. ``{"strategy", "plugin", "memory_mib", "gc"}``: import it -> ``{"status": "ok"}``
2. ``{"prepare": [box_rows, box_cols]}`` -> ``{"status", "prepare_cpu_s"}``
3. ``{"solve": [cells, ...], "shape", "task", "phases"}`` -> two lines: ``{"status", "wall_s", "cpu_s", ...}`` as
   soon as the clock has stopped, and if the status is ok, ``{"answers", "counters"}`` or ``{"malformed"}``.

A request carries a ``number``, and so do the replies to it.

``--describe FILE`` instead prints what a plug-in file registers. Nothing here imports pandas, matplotlib or numba.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import operator
import os
import resource
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.clocks import cpu_s, wall_s
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers import registry
from solvers.strategy import GaveUp, Strategy, Task, Unsupported

PHASES = ("encode", "load", "search", "decode", "release")
PR_SET_PDEATHSIG = 1

Message = dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    if arguments[0] == "--describe":
        answer_fd = os.dup(1)
        os.dup2(2, 1)  # what the plug-in prints must not mix with the answer
        os.write(answer_fd, json.dumps(describe(arguments[1])).encode())
        return
    read_fd, write_fd = map(int, arguments)
    for fd in (read_fd, write_fd):
        os.set_inheritable(fd, False)
    die_with_parent()
    with os.fdopen(read_fd, "rb") as requests, os.fdopen(write_fd, "wb", buffering=0) as replies:
        own = os.getpid()
        for reply in serve(map(json.loads, requests)):
            if os.getpid() != own:
                os._exit(0)  # a copy that the strategy forked: only the worker itself may answer
            replies.write(json.dumps(reply, separators=(",", ":")).encode() + b"\n")


def serve(requests: Iterator[Message]) -> Iterator[Message]:
    """Answer requests until there are no more, or until something failed: then a fresh process must take over."""
    setup = next(requests)
    limit_memory(setup["memory_mib"])
    if setup["gc"] == "off":
        gc.disable()
    try:
        make = load_strategy(setup["strategy"], setup["plugin"])
    except Exception as error:
        yield {"number": setup["number"], "status": "error", "reason": f"at import: {said(error)}"}
        return
    yield {"number": setup["number"], "status": "ok"}
    prepared: dict[Shape, Strategy] = {}
    for request in requests:
        number = {"number": request["number"]}
        if "prepare" in request:
            shape = Shape(*request["prepare"])
            reply, strategy = prepare(make, shape)
            if strategy:
                prepared[shape] = strategy
            yield number | reply
        else:
            shape = Shape(*request["shape"])
            puzzles = [Puzzle(shape, tuple(cells)) for cells in request["solve"]]
            for reply in sample(prepared[shape], puzzles, Task.parse(request["task"]), request["phases"]):
                yield number | reply


def load_strategy(name: str, plugin: str | None) -> type[Strategy]:
    """Only the worker of a plug-in's strategy runs the plug-in's file."""
    registry.load_builtin()
    if plugin:
        registry.load_plugin(plugin)
    return registry.get(name)


def prepare(make: type[Strategy], shape: Shape) -> tuple[Message, Strategy | None]:
    start = cpu_s()
    try:
        strategy = make()
        strategy.prepare(shape)
    except Unsupported as error:
        return {"status": "unsupported", "reason": str(error) or f"no {shape.name} boards"}, None
    except MemoryError:
        return {"status": "memout", "reason": "MemoryError in prepare"}, None
    except Exception as error:
        return {"status": "error", "reason": f"in prepare: {said(error)}"}, None
    return {"status": "ok", "prepare_cpu_s": cpu_s() - start}, strategy


def sample(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task, phases: bool) -> Iterator[Message]:
    """Solve each puzzle once; times are means per solve, and the whole is clocked apart from its phases."""
    marks: list[float] = []
    answers: list[list[list[Any]]] = []
    gc.unfreeze()  # what was alive at the last sample may be garbage now
    gc.collect()
    gc.freeze()
    reset_peak_rss()
    try:
        wall_start, cpu_start = wall_s(), cpu_s()
        longest_s, before = 0.0, wall_start
        for puzzle in puzzles:
            answers.append(solve_marked(strategy, puzzle, task, marks) if phases else solve(strategy, puzzle, task))
            after = wall_s()  # much cheaper than the CPU clock
            longest_s, before = max(longest_s, after - before), after
        cpu_end, wall_end = cpu_s(), wall_s()
    except GaveUp as error:
        with contextlib.suppress(Exception):  # it may have stopped before there was anything to free
            strategy.release()
        yield {"status": "gave_up", "reason": str(error) or "gave up"}
        return
    except MemoryError:
        yield {"status": "memout", "reason": "MemoryError"}
        return
    except Exception as error:
        yield {"status": "error", "reason": said(error)}
        return
    loops = len(puzzles)
    yield {
        "status": "ok",
        "wall_s": (wall_end - wall_start) / loops,
        "cpu_s": (cpu_end - cpu_start) / loops,
        "longest_wall_s": longest_s,
        "peak_rss_mib": peak_rss_mib(),
        **phase_means(marks, loops),
    }
    try:
        plain_answers = [[plain(cells) for cells in answer] for answer in answers]
    except Exception as error:
        yield {"malformed": said(error)}
        return
    yield {"answers": plain_answers, **counters(strategy)}


def solve(strategy: Strategy, puzzle: Puzzle, task: Task) -> list[list[Any]]:
    answer = strategy.search(strategy.load(strategy.encode(puzzle)), task)
    solutions = [list(cells) for cells in strategy.decode(answer)]
    strategy.release()
    return solutions


def solve_marked(strategy: Strategy, puzzle: Puzzle, task: Task, marks: list[float]) -> list[list[Any]]:
    """As ``solve``, noting the CPU clock at the beginning and after each phase (6 marks)."""
    marks.append(cpu_s())
    model = strategy.encode(puzzle)
    marks.append(cpu_s())
    model = strategy.load(model)
    marks.append(cpu_s())
    answer = strategy.search(model, task)
    marks.append(cpu_s())
    solutions = [list(cells) for cells in strategy.decode(answer)]
    marks.append(cpu_s())
    strategy.release()
    del model, answer  # freeing them (a list of 12,000 clauses, say) is part of the price
    marks.append(cpu_s())
    return solutions


def phase_means(marks: Sequence[float], loops: int) -> dict[str, float]:
    """Mean CPU seconds of each phase from the marks of ``solve_marked``; empty without marks."""
    if not marks:
        return {}
    width = len(PHASES) + 1
    return {
        f"{phase}_cpu_s": sum(marks[i + 1 :: width][k] - marks[i::width][k] for k in range(loops)) / loops
        for i, phase in enumerate(PHASES)
    }


def plain(cells: Sequence[Any]) -> list[int]:
    """Integers of any make as Python's own; anything else raises."""
    return [operator.index(cell) for cell in cells]


def counters(strategy: Strategy) -> Message:
    """The strategy's counters, or why there are none: a fault there says nothing about the answer."""
    try:
        return {"counters": {str(name): float(value) for name, value in strategy.counters().items()}}
    except Exception as error:
        return {"counters": {}, "reason": f"no counters: {said(error)}"}


def said(error: BaseException) -> str:
    """An exception in one short line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}"[:300] if words else type(error).__name__


def limit_memory(mib: int | None) -> None:
    """Limit the data segment (never the address space, which counts what is only reserved)."""
    if mib:
        resource.setrlimit(resource.RLIMIT_DATA, (mib << 20, mib << 20))


def die_with_parent() -> None:
    """End with the runner, however it ends (Linux; elsewhere a worker ends at its next request)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def reset_peak_rss() -> None:
    # Where that is not possible, the peak is that of the process so far, as good as this system can tell.
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_rss_mib() -> float | None:
    """Peak resident memory since the last reset (VmHWM), in MiB; None where the system does not tell."""
    try:
        with Path("/proc/self/status").open(encoding="ascii", errors="replace") as lines:
            return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return None


def describe(plugin: str) -> list[Message] | Message:
    """What a plug-in registers, or what is wrong with it, without running it in the caller's process."""
    registry.load_builtin()
    try:
        names = registry.load_plugin(plugin)
    except InputError as error:
        line = last_line_in(plugin, error)
        return {"error": f"{plugin}{line}: {error}" if line else str(error)}
    except Exception as error:
        line = last_line_in(plugin, error)
        return {"error": f"{plugin}{line}: {said(error)}; a plug-in must import without an error"}
    found = []
    for name in names:
        strategy = registry.get(name)
        found.append(
            {
                "name": name,
                "tasks": list(strategy.tasks),
                "requires": list(strategy.requires),
                "persistent": strategy.persistent,
                "environ": dict(strategy.environ),
            }
        )
    return found


def last_line_in(plugin: str, error: BaseException) -> str:
    """``:LINE`` of the deepest frame of the error that lies in the plug-in's file, or nothing."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places.append((error.filename or "", error.lineno))
    own = [line for name, line in places if line and Path(name).resolve() == Path(plugin).resolve()]
    return f":{own[-1]}" if own else ""


if __name__ == "__main__":
    main(sys.argv[1:])
