"""A worker seen from the runner: start it, send requests, enforce its limits, kill its process tree."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import math
import mmap
import os
import resource
import secrets
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sudoku_bench.bench.machine import sandbox
from sudoku_bench.bench.process import memory_group, orphans
from sudoku_bench.bench.process.charge import Meter
from sudoku_bench.bench.process.memory_group import MemoryGroup
from sudoku_bench.bench.process.replies import Reply, is_number, parse_message, reply_of
from sudoku_bench.bench.process.solve_request import REPLY_BYTES, Solved, SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import NEAR_LIMIT, TICK_S, Limits, Watch, WorkerDied, ended_with, oom_kills
from sudoku_bench.bench.worker import boards, confine, process_tree, start
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.bench.worker.messages import Message
from sudoku_bench.bench.worker.stopwatch import ANSWERED, LEADING_IN, PROGRESS_BYTES
from sudoku_bench.datasets.shape import Shape

PREPARE_LIMIT_S = 120.0  # CPU seconds for importing and preparing
PREPARE_IDLE_S = 30.0  # wall seconds for them, if the worker waits instead of computing: a slow disk needs some
PATIENCE_S = 5.0  # for a worker that has closed its pipe to exit
SHORTLY_S = 0.002  # between two checks whether an exiting worker has ended
SIGNALLED = 128  # exit codes above it are those of processes that a signal ended (bwrap(1))
KIB_PER_MIB = 1024
WIDE_BYTES = 1 << 20  # what a pipe of any user may hold (pipe(7))
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
        sandbox: the worker runs in one (``bench/machine/sandbox``).
    """

    memory_mib: int | None = None
    gc: str = "on"
    cores: tuple[int, ...] | None = None
    usable: tuple[int, ...] | None = None
    mark: str = "none"
    sandbox: bool = False


class Worker:
    """One process with one strategy; ``number`` identifies it within the run.

    Attributes:
        led_in: had the last request got beyond its lead-in when the worker was closed?

    Every method that sends a request raises ``WorkerDied`` if the worker ends or is killed; the worker is then closed.
    """

    def __init__(self, info: StrategyInfo, number: int, confined: Confinement = Confinement()) -> None:
        self.info, self.number, self.alive, self.led_in = info, number, True, True
        self._memory_mib = confined.memory_mib
        self._of_preparing = Limits(PREPARE_LIMIT_S, self._memory_mib, PREPARE_IDLE_S)
        self._buffer, self._peak_mib, self._used_s = b"", 0.0, 0.0
        self._requests_sent = 0
        self._oom_kills_before = oom_kills()
        self._inherited_mib = confine.forget_peak()
        self._mark = f"{confined.mark}/{secrets.token_hex(8)}"
        self._group: MemoryGroup | None = None
        environ = sandbox.environ(os.environ) if confined.sandbox else os.environ
        try:
            self._launch({**environ, **info.environ, process_tree.MARK: self._mark}, confined.sandbox)
        except OSError as error:
            raise WorkerDied("error", f"start: the worker process could not be started: {error.strerror}") from None
        self._meter = Meter(self._pid)
        self._poll = select.poll()
        self._poll.register(self._replies, select.POLLIN)
        self._setup = {
            "strategy": info.name,
            **info.source,
            "memory_mib": None if self._group else confined.memory_mib,
            "gc": confined.gc,
            "cores": confined.cores,
        }

    def _launch(self, environ: Mapping[str, str], boxed: bool) -> None:
        """Start the process, its pipes and its memory group; release everything if that fails."""
        with contextlib.ExitStack() as undo, contextlib.ExitStack() as of_worker:
            self._read_bytes = boards.PIPE_BYTES
            read_requests, self._requests = os.pipe()
            of_worker.callback(os.close, read_requests)
            undo.callback(os.close, self._requests)
            os.set_blocking(self._requests, False)
            self._replies, write_replies = os.pipe()
            of_worker.callback(os.close, write_replies)
            undo.callback(os.close, self._replies)
            progress = os.memfd_create("progress")
            of_worker.callback(os.close, progress)
            os.ftruncate(progress, PROGRESS_BYTES)
            self._progress = undo.enter_context(mmap.mmap(progress, PROGRESS_BYTES))
            fds = (read_requests, write_replies, progress)
            if self._memory_mib:
                self._group = MemoryGroup.make(self._memory_mib, memory_group.parent())
            if self._group:
                undo.callback(self._group.close)
            command = start.command("sudoku_bench.bench.worker.server", *map(str, fds))
            self._process = orphans.start(
                sandbox.command(command, self.info.files) if boxed else command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=fds,
                env=environ,
                start_new_session=True,  # Ctrl-C reaches only the runner
            )
            undo.callback(orphans.kill_tree, self._process, self._mark)
            self._pid = self._process.pid if not boxed else only_child(self._process)
            if self._group:
                self._group.add(self._pid)
            undo.pop_all()

    def start(self) -> Message:
        """Import the strategy.

        Raises:
            InputError: the worker runs code of another checkout.
        """
        return self._exchange(_as_json(self._setup), "importing")

    def widen(self) -> None:
        """Let the pipes hold long messages as a whole, so that nobody waits in the middle of one."""
        for pipe in (self._requests, self._replies):
            with contextlib.suppress(OSError):
                self._read_bytes = fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, WIDE_BYTES)

    def prepare(self, shape: Shape, lead_in: Sequence[Solved] = ()) -> Message:
        """Prepare for boards of a shape; ``lead_in``: puzzles with their solutions."""
        message = self._exchange(preparing(shape, lead_in), "prepare")
        self._meter.kept = process_tree.descendants(self._pid)
        if message["status"] == "ok" and not is_number(message.get("prepare_cpu_s")):
            raise self._invalid_reply("prepare")
        return message

    def solve(self, request: SolveRequest) -> Reply:
        """Return the worker's reply."""
        self.ask(request)
        return self.answer(request)

    def ask(self, request: SolveRequest) -> None:
        """Send a request, so that the runner can work until it calls ``answer``."""
        self._used_s = self._meter.start()
        self._send(request.text, "solve")

    def answer(self, request: SolveRequest) -> Reply:
        """Return the reply to the request that was sent last."""
        reply = self._receive_solved(request, Limits(request.solve_limit_s, self._memory_mib), self._used_s)
        charged_s = self._meter.stop()
        left = orphans.end(self._process.pid, self._mark)
        charged_s += left.cpu_s
        return replace(reply, left=reply.left + left.number, charged_s=charged_s, has_kept=bool(self._meter.kept))

    def solve_at_once(self, request: SolveRequest) -> Reply:
        """Import, prepare and solve in one go; the limit applies to the total."""
        limits = Limits(request.limit_s, self._memory_mib)
        self._send(_as_json(self._setup), "starting")
        self._send(preparing(request.shape), "starting")
        self._send(request.text, "starting")
        prepare_cpu_s = None
        for number, doing in enumerate(("importing", "prepare"), self._requests_sent - 2):
            message = self._receive(number, doing, limits, used_s=0.0)
            if message["status"] != "ok":
                return Reply(message["status"], message.get("reason"))
            prepare_cpu_s = message.get("prepare_cpu_s")
        return replace(self._receive_solved(request, limits, used_s=0.0), prepare_cpu_s=prepare_cpu_s)

    def finish(self, limit_s: float) -> resource.struct_rusage:
        """Let the worker exit by itself and return its resource usage over its whole life.

        Args:
            limit_s: CPU seconds over its whole life.
        """
        os.close(self._requests)
        self._requests = -1
        watch = Watch(self._pid, Limits(limit_s, self._memory_mib), "ending", self._progress, used_s=0.0)
        while not self._ended():
            self._look(watch)
            time.sleep(SHORTLY_S)
        usage = self._reap()
        self.close()
        return usage

    def kill(self) -> None:
        """Kill the worker while another thread uses it, which notices that it has died."""
        self._process.kill()

    def close(self) -> None:
        """Kill the worker with all its descendants and reap it."""
        if self.alive:
            self.alive = False
            if self._pid != self._process.pid and not self._ended():
                with contextlib.suppress(OSError):
                    os.kill(self._pid, signal.SIGKILL)  # all of its namespace ends with it, and then bubblewrap
                self._reap()
            orphans.kill_tree(self._process, self._mark)
            for fd in (self._requests, self._replies):
                if fd >= 0:
                    os.close(fd)
            self._meter.close()
            progress = self._progress[:]
            self.led_in = progress == ANSWERED or int.from_bytes(progress, "little") < LEADING_IN
            self._progress.close()
            if self._group:
                self._group.close()

    def _exchange(self, text: str, doing: str) -> Message:
        used_s = self._meter.start()
        self._send(text, doing)
        message = self._receive(self._requests_sent, doing, self._of_preparing, used_s)
        self._meter.stop()
        return message

    def _send(self, text: str, doing: str) -> None:
        """Send a request, a JSON object, with its number."""
        self._requests_sent += 1
        self._progress[:] = NO_PROGRESS
        data = f'{text[:-1]},"number":{self._requests_sent}}}\n'.encode()
        watch = None
        while data:
            try:
                data = data[os.write(self._requests, data) :]
            except BlockingIOError:  # it holds as much as a pipe does, and the worker has not begun to read it
                watch = watch or Watch(self._pid, self._of_preparing, doing, self._progress, self._meter.start())
                select.select([], [self._requests], [], TICK_S)
                self._look(watch)
            except OSError:
                raise self._ended_by_itself(doing) from None

    def _receive_solved(self, request: SolveRequest, limits: Limits, used_s: float) -> Reply:
        reply = reply_of(self._receive(self._requests_sent, "solve", limits, used_s, request), request)
        if reply is None:
            raise self._invalid_reply("solve")
        return reply

    def _receive(
        self, number: int, doing: str, limits: Limits, used_s: float, request: SolveRequest | None = None
    ) -> Message:
        """Return the message that answers a request; skip those to earlier ones.

        Args:
            used_s: CPU seconds of the worker when the request was sent.
            request: a solve request.
        """
        watch = Watch(self._pid, limits, doing, self._progress, used_s, request)
        size = request.reply_bytes if request else REPLY_BYTES
        message = self._next_message(watch, doing, size)
        while message["number"] < number:
            self._look(watch)
            message = self._next_message(watch, doing, size)
        if message.pop("number") != number:
            raise self._invalid_reply(doing)
        return message

    def _next_message(self, watch: Watch, doing: str, size: int) -> Message:
        while b"\n" not in self._buffer:
            if self._poll.poll(TICK_S * 1000):
                data = os.read(self._replies, self._read_bytes)
                if not data:
                    raise self._ended_by_itself(doing)
                self._buffer += data
                if len(self._buffer) > size:
                    raise self._invalid_reply(doing)
                if b"\n" in data:
                    break
            elif self._ended() and not self._poll.poll(0):
                raise self._ended_by_itself(doing)
            self._look(watch)
        line, _, self._buffer = self._buffer.partition(b"\n")
        message = parse_message(line)
        if message is None or message["number"] > self._requests_sent:
            raise self._invalid_reply(doing)
        return message

    def _look(self, watch: Watch) -> None:
        """Kill the worker if it exceeds a limit."""
        death = watch.look()
        self._peak_mib = watch.peak_mib
        if death:
            self.close()
            raise death

    def _invalid_reply(self, doing: str) -> WorkerDied:
        self.close()
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
        code = os.waitstatus_to_exitcode(status)
        is_signal = code > SIGNALLED and self._pid != self._process.pid
        self._process.returncode = SIGNALLED - code if is_signal else code
        return usage


def only_child(process: subprocess.Popen[bytes]) -> int:
    """Return the process that bubblewrap has started, and waits for.

    Raises:
        OSError: it ends without one.
    """
    while not (children := process_tree.children(process.pid)):
        if process.poll() is not None:
            raise OSError(errno.EPERM, "bubblewrap made no sandbox")
        time.sleep(SHORTLY_S)
    return children[0]


def preparing(shape: Shape, lead_in: Sequence[Solved] = ()) -> str:
    """Return the request to prepare for boards of a shape, with the puzzles of the lead-in."""
    puzzles, solutions = boards.text_of(puzzle for puzzle, _ in lead_in), b"".join(solution for _, solution in lead_in)
    return _as_json({"prepare": shape.arguments, "lead_in": puzzles, "solutions": solutions.hex()})
