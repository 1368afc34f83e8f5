"""Measuring: the command ``sudoku-bench run`` in a process of its own, so that a notebook does not disturb it.

That process runs this module. It ends with the notebook: a restart of its kernel leaves nothing behind that measures.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from sudoku_bench.bench.worker import start
from sudoku_bench.datasets.errors import InputError

PREFIX = "sudoku-bench: "  # of the line that says why the command could not do its work
INTERRUPTED = 130


def measure(arguments: Sequence[str]) -> Path:
    """Run ``sudoku-bench run`` with these arguments and return the run folder.

    Progress and notes appear on standard error as they come.

    Raises:
        InputError: the arguments cannot be used.
        KeyboardInterrupt: the run was interrupted; its finished rows stay, and it can be resumed.
    """
    command = start.command("sudoku_bench.measuring", "run", *arguments, "--json")
    with tempfile.TemporaryFile() as document:
        # In a session of its own, so that an interrupt reaches it once, through this process.
        with subprocess.Popen(
            command, stdout=document, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True
        ) as process:
            assert process.stderr is not None
            reason = _relay(process.stderr, process)
        if process.returncode == INTERRUPTED:
            raise KeyboardInterrupt
        if process.returncode != 0:
            raise InputError(reason or f"the measuring process ended with exit code {process.returncode}")
        document.seek(0)
        return Path(json.load(document)["folder"])


def _relay(lines: IO[str], process: subprocess.Popen[str]) -> str:
    """Print the lines of a process as they come; return the one that gives the reason why it failed, if any."""
    reason = ""
    while True:
        try:
            for line in lines:
                if line.startswith(PREFIX):
                    reason = line.removeprefix(PREFIX).rstrip()
                else:
                    sys.stderr.write(line)
                    sys.stderr.flush()
            return reason
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    from sudoku_bench.bench import cli
    from sudoku_bench.bench.worker import process_tree

    process_tree.die_with_parent(signal.SIGTERM)
    sys.exit(cli.main())
