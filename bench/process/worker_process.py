"""A worker seen from the runner: start it, send requests, enforce its limits, kill its process tree."""

from __future__ import annotations

import contextlib
import json
import math
import mmap
import os
import resource
import secrets
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.process import memory_group, orphans
from bench.process.charge import Meter, shared
from bench.process.memory_group import MemoryGroup
from bench.process.replies import Reply, is_first_of_two, is_number, is_solved, outcome_of, parse_reply
from bench.process.sample import REPLY_BYTES, Sample, fitting
from bench.process.strategy_info import StrategyInfo
from bench.process.watch import NEAR_LIMIT, TICK_S, TURN_TICK_S, Limits, Watch, WorkerDied, ended_with, oom_kills
from bench.worker import boards, confine, packages, process_tree, sandbox, start
from bench.worker.clocks import wall_s
from bench.worker.stopwatch import PLACE, PROGRESS_BYTES, SOLVED
from datasets.errors import InputError
from datasets.shape import Shape

PREPARE_LIMIT_S = 120.0  # CPU seconds for importing and preparing
ROOM_BYTES = boards.PIPE_BYTES - 4096  # for requests that are sent together, without their numbers and keys
KEY_CHARS = 16
PATIENCE_S = 5.0  # for a worker that has closed its pipe to exit
SHORTLY_S = 0.002  # between two checks whether an exiting worker has ended
KIB_PER_MIB = 1024
NO_PROGRESS = bytes(PROGRESS_BYTES)

_as_json = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True)
class Confinement:
    """How the workers of a run are started.

    Attributes:
        memory_mib: limit for each process's data segment, and for the resident memory of the tree.
        gc: ``on`` or ``off``: Python's garbage collector.
        cores: the cores that a worker is pinned to (None: those of the runner).
        usable: the cores of a worker that uses several.
        mark: of the run; every process of the run carries a mark with this prefix in its environment.
        sandbox: the worker shuts itself in before it imports the strategy.
    """

    memory_mib: int | None = None
    gc: str = "on"
    cores: tuple[int, ...] | None = None
    usable: tuple[int, ...] | None = None
    mark: str = "none"
    sandbox: bool = False
    environ: Mapping[str, str] = field(default_factory=dict)


class Worker:
    """One process with one strategy; ``number`` identifies it within the run.

    Attributes:
        completed: forms of the last request that were solved before the worker was closed.

    Every method that sends a request raises ``WorkerDied`` if the worker ends or is killed; the worker is then closed.
    """

    def __init__(self, info: StrategyInfo, number: int, confined: Confinement = Confinement()) -> None:
        self.info, self.number, self.alive, self.completed = info, number, True, 0
        self._reached: int | None = None  # place in a turn of the sample in which the worker ended
        self._memory_mib = confined.memory_mib
        self._buffer, self._longest_bytes, self._peak_mib = b"", 0, 0.0  # the length of a reply
        self._keys: list[str] = []  # of the requests so far: a reply must repeat the key of its request
        self._kept_pids: Sequence[int] = ()
        self._oom_kills_before = oom_kills()
        self._inherited_mib = confine.forget_peak()
        self._mark = f"{confined.mark}/{secrets.token_hex(8)}"
        self._group: MemoryGroup | None = None
        self._private: tempfile.TemporaryDirectory[str] | None = None
        environ = {**os.environ, **info.environ, **confined.environ, process_tree.MARK: self._mark}
        try:
            if confined.sandbox:
                self._private = tempfile.TemporaryDirectory(prefix="sudoku-bench-", ignore_cleanup_errors=True)
                environ |= sandbox.environ(self._private.name)
            self._launch(environ)
        except OSError as error:
            if self._private:
                self._private.cleanup()
            raise WorkerDied("error", f"start: the worker process could not be started: {error.strerror}") from None
        self._meter = Meter(self._process.pid)
        self._poll, self._wakes, self._in_turn = select.poll(), select.poll(), False
        self._poll.register(self._replies, select.POLLIN)
        self._wakes.register(self._wake, select.POLLIN)
        self._setup = {
            "strategy": info.name,
            **info.source,
            "memory_mib": None if self._group else confined.memory_mib,
            "gc": confined.gc,
            "cores": confined.cores,
        }

    def _launch(self, environ: Mapping[str, str]) -> None:
        """Start the process, its pipes and its memory group; release everything if that fails."""
        with contextlib.ExitStack() as undo, contextlib.ExitStack() as of_worker, tempfile.TemporaryFile() as progress:
            read_requests, self._requests = os.pipe()
            of_worker.callback(os.close, read_requests)
            undo.callback(os.close, self._requests)
            self._replies, write_replies = os.pipe()
            of_worker.callback(os.close, write_replies)
            undo.callback(os.close, self._replies)
            self._wake, write_wake = os.pipe()
            of_worker.callback(os.close, write_wake)
            undo.callback(os.close, self._wake)
            progress.truncate(PROGRESS_BYTES)
            self._progress = undo.enter_context(mmap.mmap(progress.fileno(), PROGRESS_BYTES))
            fds = (read_requests, write_replies, write_wake, progress.fileno())
            if self._memory_mib:
                self._group = MemoryGroup.make(self._memory_mib, memory_group.parent())
            if self._group:
                undo.callback(self._group.close)
            self._process = orphans.start(
                start.command("bench.worker.server", *map(str, fds)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=fds,
                env=environ,
                start_new_session=True,  # Ctrl-C reaches only the runner
            )
            undo.callback(orphans.kill_tree, self._process, self._mark)
            if self._group:
                self._group.add(self._process.pid)
            undo.pop_all()

    def start(self) -> Reply:
        """Import the strategy.

        Raises:
            InputError: the worker runs code of another checkout.
        """
        return self._exchange(_as_json(self._setup), "importing")

    def prepare(self, shape: Shape) -> Reply:
        reply = self._exchange(_as_json({"prepare": [shape.box_rows, shape.box_cols]}), "prepare")
        self._kept_pids = [pid for pid in reply.get("standing", ()) if type(pid) is int]
        if reply.get("status") == "ok" and not is_number(reply.get("prepare_cpu_s")):
            raise self._invalid_reply("prepare")
        return reply

    def solve(self, sample: Sample) -> Reply:
        """Return the worker's reply to a sample (``bench.worker.server``), with its ``charge`` if it was solved."""
        [outcome] = self.solve_in_turn((sample,))
        if isinstance(outcome, WorkerDied):
            raise outcome
        assert outcome is not None  # it is of the only sample
        return outcome

    def solve_in_turn(self, samples: Sequence[Sample]) -> list[Reply | WorkerDied | None]:
        """Send samples together; return their outcomes in order, as ``solve`` returns or raises them.

        Outcomes are missing of samples that the worker did not live to solve, and of those that the pipes have no room
        for: neither side may have to wait for the other. They are None if the worker solved them and died before it
        replied, and all of them that are left if a reply is invalid and it is not known in which sample it was written.
        The worker wakes the runner up when it has solved all; until then, the runner only watches the limits.
        """
        requests = fitting(samples, ROOM_BYTES, self._longest_bytes)
        first, used_s = len(self._keys) + 1, self._meter.start(self._kept_pids)
        replies, death, reached = list[list[bytes]](), list[WorkerDied](), None
        try:
            self._send_requests(requests, "solve", in_turn=len(requests) > 1)
            for number, sample in enumerate(samples[: len(requests)], first):
                times = len(sample.forms) if sample.how == "batch" else 1
                limits = Limits(sample.limit_s * times, self._memory_mib)
                replies.append(self._lines(number, sample, limits, used_s if number == first else None))
        except WorkerDied as error:
            death, reached = [error], self._reached
        outcomes: list[Reply] = []
        try:
            for lines, sample in zip(replies, samples, strict=False):
                outcomes.append(self._outcome(lines, sample))
        except WorkerDied as error:
            death, reached = [error], len(outcomes)
        charged, left = self._charged(outcomes, samples), len(requests) - len(outcomes)
        if death and reached is None and left > 1:
            return [*charged, *[None] * left]
        lost = min(reached or 0, len(requests) - 1) - len(outcomes)
        return [*charged, *[None] * lost, *death]

    def solve_at_once(self, sample: Sample) -> Reply:
        """Import, prepare and solve in one go; the limit applies to the total."""
        shape = sample.shape
        limits = Limits(sample.limit_s, self._memory_mib)
        first = len(self._keys) + 1
        setup, prepare = map(_as_json, (self._setup, {"prepare": [shape.box_rows, shape.box_cols]}))
        self._send_requests((setup, prepare, sample.request), "starting")
        reply: Reply = {}
        for number, doing in enumerate(("importing", "prepare"), first):
            reply = reply | self._receive(number, limits, doing, used_s=0.0)
            if reply.get("status") != "ok":
                return reply
        outcome = self._outcome(self._lines(first + 2, sample, limits, used_s=0.0), sample)
        return reply | self._charged([outcome], (sample,))[0]

    def _lines(self, number: int, sample: Sample, limits: Limits, used_s: float | None) -> list[bytes]:
        """Return the lines of the reply to a sample: one, or two after a long one (``bench.worker.server``)."""
        size = sample.reply_bytes
        start = f'{{"number":{number},"key":"{self._key(number)}",'.encode()
        line = self._next_line(limits, "solve", used_s, size)
        while not line.startswith(start) and (found := self._parsed(line, "solve")["number"]) != number:
            if found > number:
                raise self._invalid_reply("solve")
            line = self._next_line(limits, "solve", used_s, size)
        lines, self._longest_bytes = [line], max(self._longest_bytes, len(line))
        if is_first_of_two(line):
            limits = Limits(sample.transfer_limit_s, self._memory_mib)
            lines.append(self._next_line(limits, "handing over the answer", None, size))
        return lines

    def _outcome(self, lines: Sequence[bytes], sample: Sample) -> Reply:
        reply = outcome_of([self._parsed(line, "solve") for line in lines], sample)
        if reply is None:
            raise self._invalid_reply("solve")
        return reply

    def _charged(self, replies: Sequence[Reply], samples: Sequence[Sample]) -> Sequence[Reply]:
        """Add what the system charged to the replies to solved samples."""
        pairs = list(zip(replies, samples, strict=False))
        accounted = [sample.accounted_s(reply) if is_solved(reply) else 0.0 for reply, sample in pairs]
        left = any("left" in reply for reply in replies)
        charge = self._meter.stop(self._kept_pids, sum(accounted), left)
        reported = [reply["wall_s"] * len(sample.forms) if is_solved(reply) else 0.0 for reply, sample in pairs]
        for reply, part in zip(replies, shared(charge, accounted, reported), strict=True):
            if is_solved(reply):
                reply["charge"] = part
        return replies

    def finish(self, limit_s: float) -> resource.struct_rusage:
        """Let the worker exit by itself and return its resource usage over its whole life.

        Args:
            limit_s: CPU seconds over its whole life.
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
            orphans.kill_tree(self._process, self._mark)
            for fd in (self._requests, self._replies, self._wake):
                if fd >= 0:
                    os.close(fd)
            self._meter.close()
            self.completed, self._reached = (int.from_bytes(self._progress[part], "little") for part in (SOLVED, PLACE))
            self._progress.close()
            if self._group:
                self._group.close()
            if self._private:
                self._private.cleanup()

    def _exchange(self, request: str, doing: str) -> Reply:
        used_s = self._meter.start(self._kept_pids)
        self._send_requests((request,), doing)
        reply = self._receive(len(self._keys), Limits(PREPARE_LIMIT_S, self._memory_mib), doing, used_s)
        self._meter.stop(self._kept_pids)
        return reply

    def _send_requests(self, requests: Sequence[str], doing: str, in_turn: bool = False) -> None:
        """Send requests, JSON objects, each with its number and key.

        Args:
            in_turn: the worker wakes the runner up only when it has answered all.
        """
        self._in_turn = in_turn
        lines, keys = [], secrets.token_hex(KEY_CHARS // 2 * len(requests))
        for place, request in enumerate(requests):
            key = keys[KEY_CHARS * place : KEY_CHARS * (place + 1)]
            self._keys.append(key)
            turn = f',"turn":{place}' if in_turn else ""
            lines.append(f'{request[:-1]}{turn},"number":{len(self._keys)},"key":"{key}"}}\n')
        self._progress[:], data = NO_PROGRESS, "".join(lines).encode()
        try:
            while data:
                data = data[os.write(self._requests, data) :]
        except OSError:
            raise self._ended_by_itself(doing) from None

    def _receive(self, number: int, limits: Limits, doing: str, used_s: float | None, size: int = REPLY_BYTES) -> Reply:
        """Return the reply to a request other than to solve; skip replies to earlier ones.

        Args:
            used_s: CPU seconds of the worker when the request was sent; None: the limit counts from the first look.
        """
        reply = self._parsed(self._next_line(limits, doing, used_s, size), doing)
        while reply["number"] < number:
            reply = self._parsed(self._next_line(limits, doing, used_s, size), doing)
        if reply.pop("number") != number:
            raise self._invalid_reply(doing)
        if reported := reply.pop("packages", None):
            self._require_same_code(reported)
        return reply

    def _require_same_code(self, reported: Mapping[str, str]) -> None:
        try:
            packages.require_same(reported, sys.executable)
        except InputError:
            self.close()
            raise

    def _next_line(self, limits: Limits, doing: str, used_s: float | None, size: int = REPLY_BYTES) -> bytes:
        watch: Watch | None = None
        wait_s = TURN_TICK_S if self._in_turn and not limits.memory_mib else TICK_S
        while b"\n" not in self._buffer:
            if self._wait(wait_s if watch is None else TICK_S):
                data = os.read(self._replies, boards.PIPE_BYTES)
                if not data:
                    raise self._ended_by_itself(doing)
                self._buffer += data
                if len(self._buffer) > size:
                    raise self._invalid_reply(doing)
                continue
            if self._ended() and not self._poll.poll(0):
                raise self._ended_by_itself(doing)
            watch = watch or Watch(self._process.pid, limits, doing, self._progress, used_s)
            death = watch.look()
            self._peak_mib = watch.peak_mib
            if death:
                self.close()
                raise death
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _wait(self, seconds: float) -> bool:
        """Wait for replies, but only so long; return whether there are any, or the worker has closed its pipe."""
        woken = self._in_turn and self._wakes.poll(seconds * 1000)
        if woken and not os.read(self._wake, boards.PIPE_BYTES):
            self._wakes = self._poll  # the strategy has closed it
        return bool(self._poll.poll(0 if self._in_turn else seconds * 1000))

    def _parsed(self, line: bytes, doing: str) -> Reply:
        reply = parse_reply(line)
        if reply is None or reply.pop("key", None) != self._key(reply["number"]):  # the strategy wrote to the pipe
            raise self._invalid_reply(doing)
        return reply

    def _key(self, number: int) -> str:
        return self._keys[number - 1] if 0 < number <= len(self._keys) else "none"

    def _invalid_reply(self, doing: str) -> WorkerDied:
        self.close()
        self._reached = None  # whatever the worker is doing now
        return WorkerDied("error", f"{doing}: the worker sent an invalid reply")

    def _ended_by_itself(self, doing: str) -> WorkerDied:
        """Return the error for a worker that ended by itself."""
        deadline = wall_s() + PATIENCE_S
        while not self._ended():
            if wall_s() > deadline:
                self.close()
                return WorkerDied("error", f"{doing}: the worker closed its pipe")
            time.sleep(SHORTLY_S)
        lifetime_mib = self._reap().ru_maxrss / KIB_PER_MIB
        # A peak no higher than the inherited one is that of this process, not the worker's.
        peak_mib = lifetime_mib if lifetime_mib > self._inherited_mib else self._peak_mib
        killed = self._group and self._group.killed()
        self.close()
        if killed:
            return WorkerDied("memout", f"{doing}: more than {self._memory_mib} MiB in its control group")
        near_limit = peak_mib >= NEAR_LIMIT * (self._memory_mib or math.inf)
        out_of_memory = oom_kills() > self._oom_kills_before
        return ended_with(self._process.returncode, doing, peak_mib, near_limit, out_of_memory)

    def _ended(self) -> bool:
        """Has the process ended? Checking does not reap it."""
        exited = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self._process.returncode is not None or os.waitid(os.P_PID, self._process.pid, exited) is not None

    def _reap(self) -> resource.struct_rusage:
        """Reap the ended worker; return its resource usage, with that of the children it waited for."""
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return usage
