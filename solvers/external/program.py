"""Running programs that are no Python: once with an answer at its end, or as a stream of lines.

Limits and kills are not ours: the harness ends the whole tree of a worker. What is ours is that no answer is taken for
more than it is, and that what a program writes cannot fill the memory of its worker.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Sequence

CHUNK = 1 << 16
LONGEST_OUTPUT = 1 << 26  # bytes of one run
SLACK = 1024  # bytes of a line beyond what the longest honest answer takes
PATIENCE_S = 1.0  # between the end of a program's output and its own


class CommandFault(Exception):
    """A command did not do what was agreed on; the message says what it did."""


def run(words: Sequence[str], data: bytes = b"", most: int = LONGEST_OUTPUT) -> tuple[int, bytes]:
    """Run a program to its end: exit code (negative: ended by that signal) and standard output.

    Args:
        data: for its standard input; no more than a pipe holds.

    Raises:
        CommandFault: it writes more than ``most`` bytes.
        OSError: it cannot be started.
    """
    stdin = subprocess.PIPE if data else subprocess.DEVNULL
    with subprocess.Popen(words, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0) as process:
        assert process.stdout is not None
        if process.stdin:
            with contextlib.suppress(BrokenPipeError):  # it does not want it
                process.stdin.write(data)
            process.stdin.close()
        output = bytearray()
        while chunk := process.stdout.read(CHUNK):
            output += chunk
            if len(output) > most:
                process.kill()
                raise CommandFault(f"the command writes more than {most} bytes")
    return process.returncode, bytes(output)


class Stream:
    """A program that answers each line with a line."""

    def __init__(self, words: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)  # its output is read while it is still given input
        self._either, self._output = select.poll(), select.poll()
        self._either.register(self._in, select.POLLOUT)
        for poll in (self._either, self._output):
            poll.register(self._out, select.POLLIN)

    def exchange(self, lines: Sequence[bytes], longest: int) -> list[bytes]:
        """Its answers to some lines.

        Args:
            lines: without their ends; longest: bytes of an honest answer.

        Raises:
            CommandFault: it ends, or writes more than a line for each.
        """
        if not lines:
            return []
        if self._output.poll(0):
            self._read()  # raises if it has ended
            raise CommandFault("the command writes more than one line for a puzzle")
        waiting = memoryview(b"\n".join((*lines, b"")))
        answers = bytearray()
        ends, most = 0, len(lines) * (longest + SLACK)
        while ends < len(lines):
            if waiting:
                waiting = waiting[self._write(waiting) :]
            if waiting and not self._can_be_read():
                continue
            chunk = self._read(answers)
            ends += chunk.count(b"\n")
            answers += chunk
            if len(answers) > most:
                raise CommandFault(f"the command writes more than {most} bytes for {len(lines)} puzzles")
        if ends > len(lines) or answers[-1:] != b"\n":
            raise CommandFault("the command writes more than one line for a puzzle")
        return bytes(answers).split(b"\n")[:-1]

    def close(self) -> None:
        """Let it end, which it should when its input ends, and wait for that: what it used is counted then."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
        self._process.wait()

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._in, data[:CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(data)  # what it wrote before it closed its input is still to be read

    def _can_be_read(self) -> bool:
        """Wait until it can be read or written; is it the former?"""
        return any(fd == self._out for fd, _ in self._either.poll())

    def _read(self, before: bytes | bytearray = b"") -> bytes:
        chunk = os.read(self._out, CHUNK)
        if not chunk:
            half = " in the middle of a line" if before[-1:] not in (b"", b"\n") else ""
            raise CommandFault(f"the command {self._end()}{half}")
        return chunk

    def _end(self) -> str:
        try:
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            return ended(self._process.wait(PATIENCE_S))
        except ChildProcessError:
            return "has ended"  # and somebody has taken note already: its exit code is lost
        except subprocess.TimeoutExpired:
            return "closed its output"


def ended(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
