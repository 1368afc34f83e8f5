"""Copies of a strategy, alike or slowed by a known share, and a busy core: what runs with a known answer are made of.

A slowed copy does extra work at the end of its search, as a share of the CPU time of that very solve. The work is
either computation, or a stream of memory traffic that evicts the caches, so that the solve itself may become slower
too: its slow-down is at least the share.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sudoku_bench.bench.machine import description
from sudoku_bench.bench.machine.system import usable_cores
from sudoku_bench.bench.verdicts.run_tables import Run, load
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError

SEARCH, MEMORY = "search", "memory"
INTERRUPTED = 130  # exit code

PLUGIN = '''
"""Copies of {base}, alike and slowed."""

import time

from sudoku_bench.solvers import register, registry

registry.load_builtin()
BASE = registry.get({base!r})
HALF, STEP = 1 << 24, 1 << 14  # bytes
buffer = memoryview(bytearray(b"x") * (2 * HALF))


def search(end_s):
    while time.process_time() < end_s:
        pass


def memory(end_s, at=0):
    while time.process_time() < end_s:
        buffer[at : at + STEP] = buffer[HALF + at : HALF + at + STEP]
        at = (at + STEP) % HALF
    return at


def copy(share, kind):
    class Copy(BASE):
        # CPU time of all solves so far until the end of their own search, and after it.
        before_s = after_s = 0.0
        at = 0

        def encode(self, puzzle):
            self.start_s = time.process_time()
            return super().encode(puzzle)

        def search(self, model, task):
            answer = super().search(model, task)
            end_s = time.process_time()
            self.own_s = end_s - self.start_s
            rest = self.after_s / self.before_s if self.before_s else 0.0
            end_s += share * self.own_s * (1 + rest)
            if kind == {memory!r}:
                self.at = memory(end_s, self.at)
            else:
                search(end_s)
            self.burnt_s = time.process_time()
            return answer

        def release(self):
            super().release()
            self.before_s += self.own_s
            self.after_s += time.process_time() - self.burnt_s

    return Copy


for name, (share, kind) in {copies!r}.items():
    register(type("Copy", (copy(share, kind),), {{"name": name}}))
'''

# Ends with the process that started it, however that ends.
BURNER = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(100_000): pass"


@dataclass(frozen=True)
class Slowdown:
    """Extra work of a copy: its share of the CPU time of a solve, and its kind, ``search`` or ``memory``."""

    share: float = 0.0
    kind: str = SEARCH


def write_plugin(folder: Path, base: str, copies: Mapping[str, Slowdown]) -> Path:
    """Write a plug-in that registers copies of a strategy under these names, beside a run folder; return its path."""
    written = {name: (slow.share, slow.kind) for name, slow in copies.items()}
    path = folder.with_name(f"{folder.name}.py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PLUGIN.format(base=base, copies=written, memory=MEMORY).lstrip(), encoding="utf-8")
    return path


def write_puzzles(path: Path, numbers: Mapping[str, int]) -> None:
    """Write the first puzzles of embedded collections to one file, which becomes a collection of its own."""
    grids = [item.puzzle.text for name, number in numbers.items() for item in catalogue.load(name).items[:number]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(grids) + "\n", encoding="utf-8")


@contextlib.contextmanager
def busy_core() -> Iterator[int]:
    """Keep the last usable core busy with a process of its own; yield its process id.

    Raises:
        InputError: there is no second core.
    """
    cores = usable_cores()
    if len(cores) < 2:
        raise InputError("a busy core needs a second core")
    with subprocess.Popen([sys.executable, "-c", BURNER]) as burner:
        try:
            os.sched_setaffinity(burner.pid, {cores[-1]})
            yield burner.pid
        finally:
            burner.kill()


def write_record(path: Path, started: datetime, **facts: Any) -> None:
    """Write the facts of the machine and of the checkout to a JSON file."""
    record = {
        "started": started.isoformat(timespec="seconds"),
        "machine": description.facts(),
        "git": description.git_state(),
    }
    path.write_text(json.dumps(record | facts, indent=2) + "\n", encoding="utf-8")


def measured(folder: Path, *options: object) -> Run:
    """Make a run with the command line, or what is missing of it; return it.

    Raises:
        InputError: the command failed.
        KeyboardInterrupt: the run was interrupted; the same command goes on.
    """
    command = [
        sys.executable,
        "-m",
        "sudoku_bench",
        "run",
        *map(str, options),
        "--out",
        str(folder),
        "--resume",
        "--quiet",
    ]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == INTERRUPTED:
        raise KeyboardInterrupt
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise InputError(f"{folder}: the run ended with exit code {done.returncode}: {last}")
    return load(folder)
