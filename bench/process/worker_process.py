"""A worker seen from the runner: start it, ask it, watch its limits, kill its whole tree."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import resource
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.process import memory_group, orphans
from bench.process.memory_group import MemoryGroup
from bench.process.strategy_info import StrategyInfo
from bench.process.watch import NEARLY, TICK_S, Limits, Watch, WorkerDied, kernel_kills
from bench.worker import confine, packages, process_tree
from bench.worker.clocks import wall_s
from bench.worker.stopwatch import PROGRESS_BYTES
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.strategy import Task

PREPARE_LIMIT_S = 120.0  # CPU seconds for importing and preparing
TRANSFER_LIMIT_S = 120.0  # CPU seconds for handing over an answer
REPLY_BYTES = 1 << 20  # for everything in a reply but the solutions
BYTES_PER_CELL = 4
PATIENCE_S = 5.0  # for a worker that has closed its pipe to end
SHORTLY_S = 0.002  # between two looks whether a worker that is ending has ended
KIB_PER_MIB = 1024


@dataclass(frozen=True)
class Confinement:
    """How the workers of a run are started.

    Attributes:
        memory_mib: limit for each process's data segment, and for the resident memory of the tree.
        gc: ``on`` or ``off``: Python's garbage collector.
        cores: what a worker is pinned to (None: wherever the system puts it).
        mark: of the run; every process of it carries one that begins so in its environment.
    """

    memory_mib: int | None = None
    gc: str = "on"
    cores: tuple[int, ...] | None = None
    mark: str = "none"
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sample:
    """What a worker is asked to solve: forms of one shape, each once.

    Attributes:
        how: ``warm``, ``batch`` (all forms in one call) or ``cold`` (the process is left as it is).
        phases: whether the phases are clocked too.
        phase_forms: more forms of that shape, on which phases are clocked once the sample is over, if it was short.
    """

    forms: Sequence[Puzzle]
    task: Task
    limit_s: float  # CPU seconds, for each form
    how: str = "warm"
    phases: bool = False
    phase_forms: Sequence[Puzzle] = ()

    @property
    def shape(self) -> Shape:
        return self.forms[0].shape

    @property
    def request(self) -> dict[str, Any]:
        return {
            "solve": [puzzle.cells for puzzle in self.forms],
            "shape": [self.shape.box_rows, self.shape.box_cols],
            "task": str(self.task),
            "limit_s": self.limit_s,
            "how": self.how,
            "phases": self.phases,
            "phase_forms": [puzzle.cells for puzzle in self.phase_forms],
        }

    @property
    def reply_bytes(self) -> int:
        """No honest reply is longer."""
        forms = len(self.forms) + len(self.phase_forms)
        return REPLY_BYTES + forms * self.task.limit * (self.shape.n_cells + 1) * BYTES_PER_CELL


class Worker:
    """One process, one strategy. ``number`` tells the workers of a run apart.

    Every method that asks the worker raises ``WorkerDied`` if it ends or has to be killed; the worker is closed then.
    """

    def __init__(self, info: StrategyInfo, number: int, confined: Confinement = Confinement()) -> None:
        self.info, self.number, self.alive = info, number, True
        self._memory_mib = confined.memory_mib
        self._buffer, self._asked, self._peak_mib = b"", 0, 0.0
        self._standing: Sequence[int] = ()
        self._waited_s = 0.0
        self._kernel_kills = kernel_kills()
        self._inherited_mib = confine.forget_peak()
        self._mark = f"{confined.mark}/{secrets.token_hex(8)}"
        self._group: MemoryGroup | None = None
        try:
            self._launch({**os.environ, **info.environ, **confined.environ, process_tree.MARK: self._mark})
        except OSError as error:
            raise WorkerDied("error", f"start: no worker process can be started: {error.strerror}") from None
        self._poll = select.poll()
        self._poll.register(self._replies, select.POLLIN)
        self._setup = {
            "strategy": info.name,
            **info.source,
            "memory_mib": None if self._group else confined.memory_mib,
            "gc": confined.gc,
            "cores": confined.cores,
        }

    def _launch(self, environ: Mapping[str, str]) -> None:
        """Start the process, its pipes and its memory group; leave nothing behind if that fails."""
        with contextlib.ExitStack() as undo, contextlib.ExitStack() as of_worker, tempfile.TemporaryFile() as shared:
            read_requests, self._requests = os.pipe()
            of_worker.callback(os.close, read_requests)
            undo.callback(os.close, self._requests)
            self._replies, write_replies = os.pipe()
            of_worker.callback(os.close, write_replies)
            undo.callback(os.close, self._replies)
            shared.truncate(PROGRESS_BYTES)
            self._progress = undo.enter_context(mmap.mmap(shared.fileno(), PROGRESS_BYTES))
            fds = (read_requests, write_replies, shared.fileno())
            if self._memory_mib:
                self._group = MemoryGroup.make(self._memory_mib, memory_group.parent())
            if self._group:
                undo.callback(self._group.close)
            self._process = orphans.start(
                [sys.executable, "-P", "-m", "bench.worker.server", *map(str, fds)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=fds,
                env=environ,
                start_new_session=True,  # Ctrl-C is for the runner alone
            )
            undo.callback(kill_tree, self._process, self._mark)
            if self._group:
                self._group.add(self._process.pid)
            undo.pop_all()

    def start(self) -> dict[str, Any]:
        """Import the strategy.

        Raises:
            InputError: the worker runs the code of another checkout.
        """
        return self._ask(self._setup, PREPARE_LIMIT_S, "importing")

    def prepare(self, shape: Shape) -> dict[str, Any]:
        reply = self._ask({"prepare": [shape.box_rows, shape.box_cols]}, PREPARE_LIMIT_S, "prepare")
        self._standing = reply.get("standing", ())
        return reply

    def solve(self, sample: Sample) -> dict[str, Any]:
        """The worker's reply to a sample (see ``bench.worker.server``)."""
        times = len(sample.forms) if sample.how == "batch" else 1
        return self._with_answers(self._ask(sample.request, sample.limit_s * times, "solve"), sample)

    def solve_at_once(self, sample: Sample) -> dict[str, Any]:
        """Import, prepare and solve in one go; the limit is for all of it together."""
        shape = sample.shape
        limits = Limits(sample.limit_s, self._memory_mib)
        first = self._asked + 1
        for request in (self._setup, {"prepare": [shape.box_rows, shape.box_cols]}, sample.request):
            self._request(request, "starting")
        last = self._asked
        reply: dict[str, Any] = {}
        for self._asked, doing in zip(range(first, last + 1), ("importing", "prepare", "solve"), strict=True):
            reply = reply | self._receive(limits, doing, used_s=0.0)
            if reply.get("status") != "ok":
                return reply
        return self._with_answers(reply, sample)

    def _with_answers(self, reply: dict[str, Any], sample: Sample) -> dict[str, Any]:
        if "status" not in reply:
            raise self._garbled("solve")
        if reply["status"] == "ok":
            limits = Limits(TRANSFER_LIMIT_S, self._memory_mib)
            answer = self._receive(limits, "handing over the answer", self._used_s(), sample.reply_bytes)
            if answer.get("status", "memout") != "memout":
                raise self._garbled("solve")
            reply |= answer
        return reply

    def finish(self, limit_s: float) -> resource.struct_rusage:
        """Let the worker end by itself, having told it so; what it used from beginning to end.

        Args:
            limit_s: CPU seconds from beginning to end.
        """
        os.close(self._requests)
        self._requests = -1
        watch = Watch(self._process.pid, Limits(limit_s, self._memory_mib), "ending", self._progress, used_s=0.0)
        while not self._ended():
            death = watch.look()
            if death:
                self.close()
                raise death
            time.sleep(SHORTLY_S)
        usage = self._reap()
        self.close()
        return usage

    def close(self) -> None:
        """Kill the worker with all its descendants and reap it."""
        if self.alive:
            self.alive = False
            kill_tree(self._process, self._mark)
            if self._requests >= 0:
                os.close(self._requests)
            os.close(self._replies)
            self._progress.close()
            if self._group:
                self._group.close()

    def _ask(self, request: Mapping[str, Any], limit_s: float, doing: str) -> dict[str, Any]:
        used_s = self._used_s()
        self._request(request, doing)
        return self._receive(Limits(limit_s, self._memory_mib), doing, used_s)

    def _request(self, request: Mapping[str, Any], doing: str) -> None:
        self._asked += 1
        self._progress[:] = bytes(PROGRESS_BYTES)
        try:
            self._send(json.dumps({**request, "number": self._asked}, separators=(",", ":")).encode() + b"\n")
        except OSError:
            raise self._gone(doing) from None

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._requests, data) :]

    def _used_s(self) -> float:
        """CPU seconds of the worker so far, with those of the processes that it keeps or has waited for."""
        used_s = process_tree.own_cpu_s(self._process.pid) + self._waited_s
        return used_s + sum(map(process_tree.cpu_s, self._standing)) if self._standing else used_s

    def _receive(self, limits: Limits, doing: str, used_s: float, size: int = REPLY_BYTES) -> dict[str, Any]:
        """The next reply to the last request; replies to earlier ones are passed over."""
        reply = self._next_reply(limits, doing, used_s, size)
        while reply["number"] < self._asked:
            reply = self._next_reply(limits, doing, used_s, size)
        if reply.pop("number") != self._asked:
            raise self._garbled(doing)
        self._waited_s = reply.pop("waited_s", self._waited_s)
        if reported := reply.pop("packages", None):
            self._require_same_code(reported)
        return reply

    def _require_same_code(self, reported: Mapping[str, str]) -> None:
        try:
            packages.require_same(reported, sys.executable)
        except InputError:
            self.close()
            raise

    def _next_reply(self, limits: Limits, doing: str, used_s: float, size: int) -> dict[str, Any]:
        watch: Watch | None = None
        while b"\n" not in self._buffer:
            if self._poll.poll(TICK_S * 1000):
                data = os.read(self._replies, 1 << 20)
                if not data:
                    raise self._gone(doing)
                self._buffer += data
                if len(self._buffer) > size:
                    raise self._garbled(doing)
                continue
            if self._ended() and not self._poll.poll(0):
                raise self._gone(doing)
            watch = watch or Watch(self._process.pid, limits, doing, self._progress, used_s)
            death = watch.look()
            self._peak_mib = watch.peak_mib
            if death:
                self.close()
                raise death
        line, _, self._buffer = self._buffer.partition(b"\n")
        reply = parsed(line)
        if reply is None:  # the strategy wrote on our pipe
            raise self._garbled(doing)
        return reply

    def _garbled(self, doing: str) -> WorkerDied:
        self.close()
        return WorkerDied("error", f"{doing}: garbled its reply")

    def _gone(self, doing: str) -> WorkerDied:
        """Why the worker ended by itself."""
        deadline = wall_s() + PATIENCE_S
        while not self._ended():
            if wall_s() > deadline:
                self.close()
                return WorkerDied("error", f"{doing}: closed its pipe")
            time.sleep(SHORTLY_S)
        whole_mib = self._reap().ru_maxrss / KIB_PER_MIB
        # Not more than what it has inherited from us says nothing.
        peak_mib = whole_mib if whole_mib > self._inherited_mib else self._peak_mib
        code = self._process.returncode
        killed = self._group and self._group.killed()
        self.close()
        if killed:
            return WorkerDied("memout", f"{doing}: more than {self._memory_mib} MiB in its control group")
        if code >= 0:
            return WorkerDied("error", f"{doing}: the process exited with code {code}")
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        short = self._memory_mib and peak_mib >= NEARLY * self._memory_mib
        if short or (code == -signal.SIGKILL and kernel_kills() > self._kernel_kills):
            return WorkerDied("memout", f"{doing}: ended by {name} at {peak_mib:.0f} MiB or more")
        return WorkerDied("error", f"{doing}: ended by {name}")

    def _ended(self) -> bool:
        """Has it ended? It is not reaped by looking."""
        if self._process.returncode is not None:
            return True
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _reap(self) -> resource.struct_rusage:
        """What the worker, which has ended, and the children that it waited for have used."""
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return usage


def parsed(line: bytes) -> dict[str, Any] | None:
    """A worker's reply; None if it is none."""
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(reply, dict) or type(reply.get("number")) is not int:
        return None
    return reply if any(key in reply for key in ("status", "answers", "malformed")) else None


def kill_tree(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a process that leads a session, and all that came from it, whatever their session now; reap it.

    Descendants go first, while the process (stopped, so that it starts no more) still holds them together. If it is
    dead already, what it left is known by the mark in its environment, by its session, or as an orphan that we adopted.
    """
    with contextlib.suppress(OSError):
        process.send_signal(signal.SIGSTOP)
    process_tree.kill_descendants(process.pid)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    orphans.forget(process)
    process_tree.kill_run(mark, session=process.pid)
    orphans.end()
