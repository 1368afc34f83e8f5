"""Running external programs: to their end, or as a stream of lines.

Limits are not enforced here: the harness kills the whole process tree of a worker. This module accepts only
well-formed answers, and limits their length, so that a program cannot fill the memory of its worker.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

MORE_LINES = "the command writes more than one line for a puzzle"
CHUNK = 1 << 16
LONGEST_OUTPUT = 1 << 26  # bytes of one run
SLACK = 4096  # bytes of an answer beyond the longest valid one: borders and headings
SILENT_S = 2.0  # of an idle program before its input is closed, to see whether it holds its answer back
PAUSE_S = 0.3  # of an idle program in the middle of an answer before what it wrote is all of it
SHOWN = 60  # characters of output in a message
HOW_TO_FLUSH = "write each answer at once (stdbuf -oL COMMAND; fflush(stdout); print(..., flush=True))"
LOST = "has ended"
HOW_TO_END = "; if it solves one puzzle and ends, put {puzzle} into the command"
EXIT_WAIT_S = 1.0  # for a program to exit after its output has ended
ERROR_LIMIT_S = 1.0  # for a program that failed to fail again
_CELL = re.compile(rb"[0-9A-Za-z]")


class CommandFault(Exception):
    """A command violated the protocol; the message says how."""


def run(argv: Sequence[str], data: bytes = b"", most: int = LONGEST_OUTPUT) -> tuple[int, bytes]:
    """Run a program to its end; return the exit code (negative: killed by that signal) and the standard output.

    Args:
        data: for the standard input; no more than fits into a pipe.

    Raises:
        CommandFault: the program writes more than ``most`` bytes.
        OSError: the program cannot be started.
    """
    stdin = subprocess.PIPE if data else subprocess.DEVNULL
    with subprocess.Popen(argv, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0) as process:
        assert process.stdout is not None
        if process.stdin:
            with contextlib.suppress(BrokenPipeError):  # the program does not read it
                process.stdin.write(data)
            process.stdin.close()
        output = bytearray()
        while chunk := process.stdout.read(CHUNK):
            output += chunk
            if len(output) > most:
                process.kill()
                raise CommandFault(f"the command writes more than {most} bytes")
    return process.returncode, bytes(output)


def got(output: bytes | bytearray) -> str:
    """Show the beginning of what a program wrote."""
    text = bytes(output[: 4 * SHOWN]).decode(errors="replace")
    return f"got: {text[:SHOWN]!r}{' ...' if len(text) > SHOWN else ''}" if text else "got: nothing"


class Stream:
    """A program that answers each line, with a line or, if it is asked for one answer, with several."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = argv
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)  # output is read while input is still being written
        self.decorates = False  # whether an answer took several lines
        self._any_ready, self._output_ready = select.poll(), select.poll()
        self._any_ready.register(self._in, select.POLLOUT)
        for poll in (self._any_ready, self._output_ready):
            poll.register(self._out, select.POLLIN)

    def answer(self, line: bytes, longest: int, is_whole: Callable[[bytes], bool]) -> bytes:
        """Send a line and return the lines of its answer, which is whole when ``is_whole`` says so.

        An answer that is not whole is returned as it is when the program is idle.

        Args:
            line: without its end.
            longest: the maximum number of bytes of a valid answer without decoration.

        Raises:
            CommandFault: the program ends, holds its answer back, or writes too much.
        """
        self._require_end(lambda rest: bool(rest.strip()) and is_whole(rest))
        text = self._exchange([line], longest, is_whole)
        self.decorates = self.decorates or text.find(b"\n", 0, -1) >= 0
        return text

    def exchange(self, lines: Sequence[bytes], longest: int) -> list[bytes]:
        """Send some lines and return the answers, one line for each.

        Args:
            lines: without line ends.
            longest: the maximum number of bytes of a valid answer.

        Raises:
            CommandFault: the program ends, holds its answers back, or writes more than one line for each.
        """
        if not lines:
            return []
        self._require_end(lambda rest: _CELL.search(rest) is not None)
        text = self._exchange(lines, longest, lambda _: True)
        if text.count(b"\n") != len(lines) or text[-1:] != b"\n":
            raise CommandFault(f"{MORE_LINES}; {got(text)}")
        return text.split(b"\n")[:-1]

    def _require_end(self, is_more: Callable[[bytes], bool]) -> None:
        """Require that no more follows the last answer, such as another grid; borders and statistics may."""
        while self._output_ready.poll(0):
            rest = self._read()  # raises if the program has ended
            self.decorates = True
            if is_more(rest):
                raise CommandFault(f"{MORE_LINES}; after the answer it wrote: {got(rest)}")

    def _exchange(self, lines: Sequence[bytes], longest: int, is_whole: Callable[[bytes], bool]) -> bytes:
        waiting = memoryview(b"\n".join((*lines, b"")))
        answers = bytearray()
        ends, most = 0, len(lines) * (longest + SLACK)
        while ends < len(lines) or not is_whole(bytes(answers)):
            if waiting:
                waiting = waiting[self._write(waiting) :]
            if waiting and not self._can_be_read():
                continue
            if not waiting and not self._goes_on(answers, ends >= len(lines)):
                break
            chunk = self._read(answers)
            ends += chunk.count(b"\n")
            answers += chunk
            if len(answers) > most:
                raise CommandFault(f"the command writes more than {most} bytes for {len(lines)} puzzles")
        return bytes(answers)

    def _goes_on(self, answers: bytearray, may_be_whole: bool) -> bool:
        """Wait for output; return False if the answers may be all that an idle program writes.

        Raises:
            CommandFault: a silent program answers as soon as its input ends.
        """
        before = -1
        quiet_ms = int(500 * (PAUSE_S if may_be_whole else SILENT_S))
        while not self._output_ready.poll(quiet_ms):
            now = cpu_ticks_if_idle(self._process.pid)
            if now >= 0 and now == before:
                if may_be_whole:
                    return False
                if self._process.stdin and not self._process.stdin.closed:
                    self._any_ready.unregister(self._in)
                    self._process.stdin.close()
                    if self._output_ready.poll(quiet_ms) and (chunk := os.read(self._out, CHUNK)):
                        raise CommandFault(
                            f"the command answers only when its input ends: {HOW_TO_FLUSH}; {got(chunk)}"
                        )
            before = now
        return True

    def close(self) -> None:
        """Close the pipes, on which the program should end, and wait for it, so that its CPU time is counted."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
        self._process.wait()

    def restarted(self) -> Stream:
        """End the program, and return another process of it."""
        self._process.kill()
        self.close()
        return Stream(self._argv)

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._in, data[:CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(data)  # output written before the input was closed is still read

    def _can_be_read(self) -> bool:
        """Wait until the program can be read or written; return whether it can be read."""
        return any(fd == self._out for fd, _ in self._any_ready.poll())

    def _read(self, before: bytes | bytearray = b"") -> bytes:
        chunk = os.read(self._out, CHUNK)
        if not chunk:
            where = " in the middle of a line" if before[-1:] not in (b"", b"\n") else ""
            end = self._end()
            hint = HOW_TO_END if end in (LOST, end_text(0)) and not where else ""
            raise CommandFault(f"the command {end}{where}{hint}")
        return chunk

    def _end(self) -> str:
        try:
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            return failure(self._argv, self._process.wait(EXIT_WAIT_S))
        except ChildProcessError:
            return LOST  # something else has already waited for the process, so the exit code is lost
        except subprocess.TimeoutExpired:
            return "closed its output"


def cpu_ticks_if_idle(pid: int) -> int:
    """The CPU time of a program and its descendants in clock ticks; -1 if one of them is running."""
    waiting, ticks = [pid], 0
    while waiting:
        try:
            folder = Path(f"/proc/{waiting.pop()}")
            state, *fields = (folder / "stat").read_text().rpartition(")")[2].split()
            for task in folder.glob("task/*/children"):
                waiting += map(int, task.read_text().split())
        except OSError:
            return -1  # it has just ended
        if state in "RD":
            return -1
        ticks += sum(map(int, fields[10:14]))
    return ticks


def failure(argv: Sequence[str], code: int) -> str:
    """Describe an exit code, with what a failed program writes to standard error.

    Measured solves do not read standard error, which would cost time, so the program is started once more.
    """
    reason = first_error(argv, code) if code > 0 else ""
    return f"{end_text(code)}: {reason}" if reason else end_text(code)


def first_error(argv: Sequence[str], code: int) -> str:
    """Start a program without input; return the first line of its standard error if it fails with the same code.

    A program that does not fail again, or not soon, gives no reason. Of a Python traceback the last line is returned.
    """
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            timeout=ERROR_LIMIT_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines() or [""]
    if done.returncode != code:
        return ""
    return lines[-1 if lines[0].startswith("Traceback") else 0].strip()


def end_text(code: int) -> str:
    """Describe an exit code."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"
