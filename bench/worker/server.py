"""The worker: a separate process that solves with one strategy, one measurement at a time.

It is started with the arguments READ_FD WRITE_FD WAKE_FD PROGRESS_FD (``bench.worker.start``) and exchanges JSON lines
on the first two. Standard input, output and error are unused, so a strategy that prints does no harm. Requests:

1. ``{"strategy", "plugin", "entry_point", "command", "memory_mib", "gc", "cores"}``: import it -> ``{"status": "ok"}``
2. ``{"prepare": [box_rows, box_cols]}`` -> ``{"status", "prepare_cpu_s"}``
3. ``{"solve": boards, "shape", "task", "limit_s", "how", "phases", "phase_forms", "run_in"}`` -> two lines:
   ``{"status", "wall_s", "cpu_s", ...}`` as soon as the clock has stopped, then, if the status is ok, ``{"answers",
   "counters", "left"}``, ``{"malformed"}``, or the status ``memout`` if the answer does not fit into memory. The first
   also accounts for what the system charges to the worker beside the sample: ``before_cpu_s`` for reading the request
   and collecting garbage, ``aside_cpu_s`` for other forms. So does the second: ``after_cpu_s``. It has ``reading``,
   times to be added, if the answer did not consist of Python's own integers. After a short sample both are one
   line, so that the runner wakes up once. Requests with ``"turn"``, their place in a turn, are sent together; a byte
   on ``WAKE_FD`` says that all requests are answered that have arrived. If the worker dies before, so do the replies
   to short samples that it has not written yet (``bench.worker.messages``).
4. ``{"list": boards, "shape", "task"}`` -> ``{"status", "cpu_s", "counts", "solutions"}``: for ``bench.worker.lists``

Boards are texts (``bench.worker.boards``). A request carries a ``number`` and a random ``key``, and so do its replies.
The file ``PROGRESS_FD`` holds the number of forms solved so far and the place in the turn, where the runner reads them.
Nothing here imports pandas, matplotlib or numba.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import mmap
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.worker import boards, confine, lists, packages, process_tree, sandbox
from bench.worker.clocks import cpu_end_s, cpu_s, has_children, own_cpu_s, waited_for_cpu_s
from bench.worker.messages import Message, Replies, error_line, requests_from, signature
from bench.worker.stopwatch import (
    DEPTHS,
    PLACE,
    PROGRESS_BYTES,
    Answer,
    Clock,
    are_plain,
    made_plain,
    marked,
    phase_means,
    solve,
    timed,
    timed_after_run_in,
    timed_batch,
)
from datasets.shape import Shape
from solvers import registry
from solvers.strategy import GaveUp, Strategy, Task, Unsupported

PHASE_FORMS_SHARE = 0.1  # of the limit: after a slower sample, no further forms are solved to time phases
SAMPLES_BETWEEN_SWEEPS = 2048  # then frozen objects are collected again if some may have become garbage


def main(arguments: Sequence[str]) -> None:
    read_fd, write_fd, wake_fd, progress_fd = map(int, arguments)
    for fd in (read_fd, write_fd, wake_fd, progress_fd):
        os.set_inheritable(fd, False)
    sys.setrecursionlimit(sys.getrecursionlimit() + 2 * DEPTHS)  # strategies have as much as without the depth
    process_tree.die_with_parent()
    process_tree.adopt_orphans()
    progress = mmap.mmap(progress_fd, PROGRESS_BYTES)
    with os.fdopen(write_fd, "wb", buffering=0) as pipe:
        worker_pid, server, replies = os.getpid(), StrategyServer(progress), Replies(pipe.write)

        def before_waiting() -> None:
            replies.flush()
            server.rest()

        for reply in server.serve(requests_from(read_fd, wake_fd, before_waiting)):
            if os.getpid() != worker_pid:
                os._exit(0)  # a fork made by the strategy: only the worker itself may answer
            replies.add(reply)


class StrategyServer:
    """Serves the runner's requests with one strategy."""

    def __init__(self, progress: mmap.mmap) -> None:
        self._progress = progress
        self._prepared: dict[Shape, Strategy] = {}
        self._samples = itertools.count(1)
        self._frozen = 0  # objects, after the last sweep
        self._peak = confine.PeakMemory()
        self._rested_s = 0.0  # CPU seconds of this process when it had answered the last request
        self._waited_s = 0.0  # of the children that it had waited for by the end of the last sample
        self._clock: Clock = cpu_s  # at the beginning of a sample and between phases
        self._standing: frozenset[int] = frozenset()  # processes that `prepare` started, such as a pool

    def serve(self, requests: Iterator[Message]) -> Iterator[Message]:
        """Answer requests until the stream ends."""
        setup = next(requests)
        confine.limit_data(setup["memory_mib"])
        confine.pin(setup["cores"])
        if setup["gc"] == "off":
            gc.disable()
        head = {**signature(setup), "packages": packages.locations()}
        try:
            if os.environ.get(sandbox.FOLDER):
                sandbox.enter(files_of(setup))
            make = load_strategy(setup)
        except MemoryError:
            yield {**head, "status": "memout", "reason": "MemoryError at import"}
            return
        except Exception as error:
            yield {**head, "status": "error", "reason": f"at import: {error_line(error)}"}
            return
        yield {**head, "status": "ok"}
        for request in requests:
            if "prepare" in request:
                yield signature(request) | self.prepare(make, boards.shape_of(*request["prepare"]))
            elif "list" in request:
                yield signature(request) | self.solve_list(request)
            else:
                self._progress[PLACE] = request.get("turn", 0).to_bytes(PROGRESS_BYTES // 2, "little")
                for reply in self.sample(request):
                    yield signature(request) | reply
            self.rest()

    def rest(self) -> None:
        """Take note that all is answered: what the process does from now on belongs to the next request."""
        self._rested_s = own_cpu_s()

    def prepare(self, make: Callable[[], Strategy], shape: Shape) -> Message:
        start = cpu_s()
        try:
            strategy = make()
            strategy.prepare(shape)
        except Unsupported as error:
            return {"status": "unsupported", "reason": str(error) or f"no {shape.name} boards"}
        except MemoryError:
            return {"status": "memout", "reason": "MemoryError in prepare"}
        except Exception as error:
            return {"status": "error", "reason": f"in prepare: {error_line(error)}"}
        used_s = cpu_end_s() - start
        self._prepared[shape], self._clock = strategy, cpu_s
        self._standing = frozenset(living())
        return {"status": "ok", "prepare_cpu_s": used_s, "standing": sorted(self._standing)}

    def sample(self, request: Message) -> Iterator[Message]:
        """Solve each form once. Times are means per solve; phases are timed separately from the total."""
        shape, task, how, puzzles = request["shape"], request["task"], request["how"], request["solve"]
        strategy, phase_puzzles, run_in_puzzles = self._prepared[shape], request["phase_forms"], request["run_in"]
        clock, marks = self._clock, list[float]()
        solver = marked(marks, clock) if request["phases"] else solve
        if how != "cold":  # a cold process is charged for garbage collection
            self._tidy()
            self._peak.reset()
        before_s = own_cpu_s() - self._rested_s
        try:
            if how == "batch":
                reply, answers = timed_batch(strategy, puzzles, task)
            else:
                reply, answers = timed_after_run_in(
                    strategy, puzzles, task, solver, self._progress, run_in_puzzles, clock
                )
            if reply["cpu_s"] > request["limit_s"] * PHASE_FORMS_SHARE:
                phase_puzzles = []
            aside_s = reply.get("aside_cpu_s", 0.0)
            if phase_puzzles:
                solved = len(run_in_puzzles) + len(puzzles)
                apart, more = timed(strategy, phase_puzzles, task, marked(marks, clock), self._progress, solved)
                answers, aside_s = answers + more, aside_s + apart["cpu_s"] * len(phase_puzzles)
                del more
        except GaveUp as error:
            with contextlib.suppress(Exception):  # there may be nothing to release yet
                strategy.release()
            yield {"status": "gave_up", "reason": str(error) or "gave up"} | self._left()
            return
        except MemoryError:
            yield {"status": "memout", "reason": "MemoryError"}
            return
        except Exception as error:
            yield {"status": "error", "reason": error_line(error)}
            return
        reply |= {"peak_rss_mib": self._peak.read_mib(), "before_cpu_s": before_s, "aside_cpu_s": aside_s}
        yield reply | phase_means(marks, len(phase_puzzles or puzzles))
        start_s = own_cpu_s()
        outcome, left = checked(answers, len(puzzles), task, shape), self._left()
        del answers  # a million of them take long to free, which would be charged to the next sample
        if "answers" in outcome:
            outcome |= counters(strategy) | left
        reading_s = outcome.get("reading", {}).get("cpu_s", 0.0) * len(puzzles)
        yield outcome | {"after_cpu_s": own_cpu_s() - start_s - reading_s}

    def solve_list(self, request: Message) -> Message:
        """Solve all puzzles in one call; if the strategy fails on one of them, that is the reply."""
        shape, task = boards.shape_of(*request["shape"]), Task.parse(request["task"])
        strategy, puzzles = self._prepared[shape], lists.puzzles_of(shape, request["list"])
        try:
            answers, used_s = lists.solved(strategy, puzzles, task)
        except GaveUp as error:
            with contextlib.suppress(Exception):  # there may be nothing to release yet
                strategy.release()
            return {"status": "gave_up", "reason": str(error) or "gave up"}
        except MemoryError:
            return {"status": "memout", "reason": "MemoryError"}
        except Exception as error:
            return {"status": "error", "reason": error_line(error)}
        try:
            return {"status": "ok", "cpu_s": used_s, **lists.packed(answers, len(puzzles), task.limit, shape)}
        except Exception as error:
            return {"status": "wrong", "reason": f"malformed answer: {error_line(error)}"}

    def _tidy(self) -> None:
        """Freeze live objects, so that a garbage collection during the sample visits only the sample's objects."""
        swept = next(self._samples) % SAMPLES_BETWEEN_SWEEPS == 1 and self._may_hold_garbage()
        if swept:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        if swept:
            self._frozen = gc.get_freeze_count()

    def _may_hold_garbage(self) -> bool:
        """Are more objects frozen than after the last sweep, about one for every other sample?

        A sweep looks at all objects, which takes as long as a thousand short solves. Counting takes a sixth of that.
        """
        return gc.get_freeze_count() > self._frozen + SAMPLES_BETWEEN_SWEEPS // 2 or not self._frozen

    def _left(self) -> Message:
        """Return ``left``, how many processes the last solve left running; nothing if it left none to wait for.

        If it had none at all, the next solve looks for them only at its end. That takes twice as long as to read the
        clock.
        """
        alone, waited_s = not has_children(), waited_for_cpu_s()
        self._clock = own_cpu_s if alone and waited_s == self._waited_s else cpu_s
        self._waited_s = waited_s
        return {} if alone else {"left": len([pid for pid in living() if pid not in self._standing])}


def checked(answers: Sequence[Answer], timed: int, task: Task, shape: Shape) -> Message:
    """Return the answers for a reply, as Python's own integers, or their fault.

    If the sample's are not Python's own integers yet, ``reading`` holds the times per solve that it took to read them.

    Args:
        timed: the number of answers that belong to the sample; the others only timed phases.
    """
    reading: Message = {}
    try:
        require_grids(answers, task.limit, shape)
        sample: Sequence[Answer] = answers[:timed]
        if not are_plain(sample):
            reading, sample = made_plain(sample, lambda answer: [boards.digits(cells) for cells in answer])
        return {"answers": [*sample, *answers[timed:]]} | reading
    except MemoryError:
        return {"status": "memout", "reason": "MemoryError in the answer"}
    except Exception as error:
        return {"malformed": error_line(error)}


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


def files_of(setup: Message) -> list[str]:
    """Return the files that a strategy's own code consists of: its plug-in, or those that its command names."""
    import shlex  # these would take part of a cold solve
    import shutil

    words = shlex.split(setup["command"]["command"]) if setup["command"] else []
    programs = [shutil.which(word) or word for word in words[:1]]
    return [str(Path(word).resolve()) for word in (setup["plugin"], *programs, *words[1:]) if word]


def load_strategy(setup: Message) -> type[Strategy]:
    """Return the strategy's class. Only the worker of a plug-in's strategy imports the plug-in."""
    if setup["command"]:
        from solvers.external.command import Command
        from solvers.external.strategies import strategy_of

        return strategy_of(setup["strategy"], Command.of(setup["command"]))
    if setup["plugin"]:
        registry.load_plugin(setup["plugin"])
    if setup["entry_point"]:
        registry.load_entry_point(setup["entry_point"])
    return registry.get(setup["strategy"])


if __name__ == "__main__":
    main(sys.argv[1:])
