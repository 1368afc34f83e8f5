"""A worker seen from the runner: start it, ask it, watch its limits, kill its whole tree.

The only limit that holds for every solver is killing the process: C code ignores signals handled in Python.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from bench.strategies import StrategyInfo
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.strategy import Task

TICK_S = 0.05  # between two looks at CPU time and memory
KILL_SLACK_S = 0.1  # CPU seconds beyond the limit before the kill; the worker's own clock decides
PREPARE_LIMIT_S = 120.0  # CPU seconds for importing and preparing
TRANSFER_LIMIT_S = 120.0  # wall seconds for handing over an answer


@dataclass(frozen=True)
class Limits:
    """What one solve may use: CPU seconds of the process tree, and resident MiB of it (None: no limit)."""

    cpu_s: float
    memory_mib: int | None = None

    @property
    def wall_s(self) -> float:
        """The guard behind the CPU limit, for a solver that waits instead of working."""
        return 2 * self.cpu_s + 5


class WorkerDied(Exception):
    """The worker is gone, killed or by itself; ``status`` and ``reason`` are those of the row.

    ``clock`` names the clock of the limit that was hit: ``cpu`` or ``wall``.
    """

    def __init__(self, status: str, reason: str, clock: str = "cpu") -> None:
        super().__init__(reason)
        self.status, self.reason, self.clock = status, reason, clock


class Worker:
    """One process, one strategy. ``number`` tells the workers of a run apart.

    Every method that asks the worker raises ``WorkerDied`` if it ends or has to be killed; the worker is closed then.
    """

    def __init__(self, info: StrategyInfo, number: int, memory_mib: int | None = None, gc: str = "on") -> None:
        self.info, self.number, self.alive = info, number, True
        self._memory_mib = memory_mib
        self._buffer = b""
        self._asked = 0
        read_requests, self._requests = os.pipe()
        self._replies, write_replies = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bench.worker", str(read_requests), str(write_replies)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(read_requests, write_replies),
            env={**os.environ, **info.environ},
            start_new_session=True,  # Ctrl-C is for the runner alone
        )
        os.close(read_requests)
        os.close(write_replies)
        self._setup = {
            "strategy": info.name,
            "plugin": info.plugin,
            "memory_mib": memory_mib,
            "gc": gc,
        }

    def start(self) -> dict[str, Any]:
        """Import the strategy."""
        return self._ask(self._setup, Limits(PREPARE_LIMIT_S, self._memory_mib), "importing")

    def prepare(self, shape: Shape) -> dict[str, Any]:
        request = {"prepare": [shape.box_rows, shape.box_cols]}
        return self._ask(request, Limits(PREPARE_LIMIT_S, self._memory_mib), "prepare")

    def solve(self, puzzles: Sequence[Puzzle], task: Task, phases: bool, limit_s: float) -> dict[str, Any]:
        """Solve forms of one shape, each once, within ``limit_s`` CPU seconds per solve."""
        shape = puzzles[0].shape
        request = {
            "solve": [puzzle.cells for puzzle in puzzles],
            "shape": [shape.box_rows, shape.box_cols],
            "task": str(task),
            "phases": phases,
        }
        reply = self._ask(request, Limits(limit_s * len(puzzles), self._memory_mib), "solve")
        if "status" not in reply:
            raise self._garbled("solve")
        if reply["status"] == "ok":
            answer = self._receive(Limits(TRANSFER_LIMIT_S, self._memory_mib), "handing over the answer")
            if "status" in answer:
                raise self._garbled("solve")
            reply |= answer
        return reply

    def close(self) -> None:
        """Kill the worker with all its descendants and reap it."""
        if self.alive:
            self.alive = False
            kill_tree(self._process)
            os.close(self._requests)
            os.close(self._replies)

    def _ask(self, request: dict[str, Any], limits: Limits, doing: str) -> dict[str, Any]:
        try:
            self._asked += 1
            request["number"] = self._asked
            data = memoryview(json.dumps(request, separators=(",", ":")).encode() + b"\n")
            while data:
                data = data[os.write(self._requests, data) :]
        except BrokenPipeError:
            raise self._gone(doing) from None
        return self._receive(limits, doing)

    def _receive(self, limits: Limits, doing: str) -> dict[str, Any]:
        """The next reply to the last request; a reply to an earlier one is dropped."""
        while True:
            reply = self._next_reply(limits, doing)
            if reply.pop("number") == self._asked:
                return reply

    def _next_reply(self, limits: Limits, doing: str) -> dict[str, Any]:
        watch: _Watch | None = None
        started = time.monotonic()
        poll = select.poll()
        poll.register(self._replies, select.POLLIN)
        while b"\n" not in self._buffer:
            if poll.poll(TICK_S * 1000):
                data = os.read(self._replies, 1 << 20)
                if not data:
                    raise self._gone(doing)
                self._buffer += data
                continue
            if self._process.poll() is not None and not poll.poll(0):
                raise self._gone(doing)
            watch = watch or _Watch(self._process.pid, limits, started, doing)
            death = watch.look()
            if death:
                self.close()
                raise death
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            reply: dict[str, Any] = json.loads(line)
            well_formed = "number" in reply and ("status" in reply or "answers" in reply or "malformed" in reply)
        except (ValueError, TypeError):
            well_formed = False
        if not well_formed:  # the strategy wrote on our pipe
            raise self._garbled(doing)
        return reply

    def _garbled(self, doing: str) -> WorkerDied:
        self.close()
        return WorkerDied("error", f"{doing}: garbled its reply")

    def _gone(self, doing: str) -> WorkerDied:
        """Why the worker ended by itself."""
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.close()
            return WorkerDied("error", f"{doing}: closed its pipe")
        self.close()
        if code < 0:
            with contextlib.suppress(ValueError):
                return WorkerDied("error", f"{doing}: ended by {signal.Signals(-code).name}")
        return WorkerDied("error", f"{doing}: the process exited with code {code}")


class _Watch:
    """CPU time and memory of a worker's tree during one request, from the first tick (50 ms after it) on."""

    def __init__(self, pid: int, limits: Limits, started: float, doing: str) -> None:
        self._pid, self._limits, self._started, self._doing = pid, limits, started, doing
        self._cpu_start = max(0.0, tree_use(pid)[0] - (time.monotonic() - started))

    def look(self) -> WorkerDied | None:
        cpu_s, rss_mib = tree_use(self._pid)
        limits = self._limits
        if limits.memory_mib and rss_mib > limits.memory_mib:
            return WorkerDied("memout", f"{self._doing}: more than {limits.memory_mib} MiB resident")
        if cpu_s - self._cpu_start > limits.cpu_s + KILL_SLACK_S:
            return WorkerDied("timeout", f"{self._doing}: more than {limits.cpu_s:g} s of CPU time")
        if time.monotonic() - self._started > limits.wall_s:
            return WorkerDied("timeout", f"{self._doing}: more than {limits.wall_s:g} s by the clock", clock="wall")
        return None


def tree_use(pid: int) -> tuple[float, float]:
    """CPU seconds and resident MiB of a process and its living descendants, reaped ones' CPU time included."""
    cpu_s = rss_mib = 0.0
    for process in _tree(pid):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            cpu_s += sum(times[:4])  # user, system, and those of reaped children
            rss_mib += process.memory_info().rss / 2**20
    return cpu_s, rss_mib


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads its own session, and every descendant that can be found; reap it."""
    doomed = _tree(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for member in doomed:
        with contextlib.suppress(psutil.Error):
            member.kill()
    process.wait()


def _tree(pid: int) -> list[psutil.Process]:
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []
