"""What ``--sandbox`` can shut off on this system, tried out in a process of its own."""

from __future__ import annotations

import json
import subprocess
import tempfile
from functools import lru_cache

from bench.worker import start
from datasets.errors import InputError

TRIAL_LIMIT_S = 60


@lru_cache(maxsize=1)
def what_stays_open() -> tuple[str, ...]:
    """Return what a sandbox does not shut off here.

    Raises:
        InputError: no sandbox can be made.
    """
    with tempfile.TemporaryDirectory(prefix="sudoku-bench-") as folder:
        command = start.command("bench.worker.sandbox", folder)
        try:
            trial = subprocess.run(command, capture_output=True, timeout=TRIAL_LIMIT_S, check=False)
            answer = json.loads(trial.stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            answer = {"error": "the trial ended without an answer"}
    if "error" in answer:
        raise InputError(f"--sandbox: {answer['error']}; run without it, or on a system that has it (Linux 5.13)")
    return tuple(answer["open"])
