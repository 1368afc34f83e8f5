"""Run a module of the project that imports code of plug-ins in a process of its own."""

from __future__ import annotations

import os
import secrets
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sudoku_bench.bench.machine import sandbox
from sudoku_bench.bench.worker import process_tree


class Ended(NamedTuple):
    """How such a process has ended: its exit code, and what it wrote to standard output."""

    code: int
    output: bytes


def run(command: Sequence[str], limit_s: float, boxed: bool = False, files: Iterable[str] = ()) -> Ended:
    """Run a command and end the processes that it leaves behind.

    Args:
        limit_s: wall seconds.
        boxed: run it in a sandbox, where it may read the files.

    Raises:
        subprocess.TimeoutExpired: it takes longer; with what it wrote until then.
    """
    mark = secrets.token_hex(8)
    if boxed:
        command = sandbox.command(command, files)
    environ = {**(sandbox.environ(os.environ) if boxed else os.environ), process_tree.MARK: mark}
    with tempfile.TemporaryFile() as output:  # not a pipe, which a process that is left behind would keep open
        try:
            process = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                timeout=limit_s,
                check=False,
                env=environ,
            )
        except subprocess.TimeoutExpired as late:
            output.seek(0)
            late.output = output.read()
            raise
        finally:
            process_tree.kill_run(mark)
        output.seek(0)
        return Ended(process.returncode, output.read())
