"""Files in memory (memfd_create(2)) for programs: they belong to the worker and vanish with it, however it ends."""

from __future__ import annotations

import os
from collections.abc import Sequence

from sudoku_bench.solvers.external.command import OUT
from sudoku_bench.solvers.external.program import run


class MemoryFile:
    """A file in memory that other processes can open by its path while this process is alive."""

    def __init__(self, name: str) -> None:
        self._fd = os.memfd_create(name)
        self.path = f"/proc/{os.getpid()}/fd/{self._fd}"

    def write(self, data: bytes) -> None:
        """Replace the contents."""
        os.ftruncate(self._fd, 0)
        written = 0
        while written < len(data):
            written += os.pwrite(self._fd, data[written:], written)

    def read(self) -> bytes:
        return os.pread(self._fd, os.fstat(self._fd).st_size, 0)


class FileProgram:
    """A program that reads a file, and writes its result to another one or to its standard output.

    Args:
        argv: the program and its arguments, with placeholders for files.
        placeholder: of the file that it reads.
    """

    def __init__(self, argv: Sequence[str], placeholder: str) -> None:
        self.input, self.result = MemoryFile("input"), MemoryFile("result")
        self.has_result_file = any(OUT in argument for argument in argv)
        paths = self.input.path, self.result.path
        self.command = [argument.replace(placeholder, paths[0]).replace(OUT, paths[1]) for argument in argv]

    def run(self) -> tuple[int, bytes, bytes]:
        """Run it to its end; return the exit code, the contents of the result file and the standard output."""
        if not self.has_result_file:
            code, output = run(self.command)
            return code, b"", output
        self.result.write(b"")  # so that an earlier answer is not read again
        code, output = run(self.command)
        return code, self.result.read(), output
