"""A run from its settings to its rows, for the command and for a script: checks, the plan, the run folder."""

from __future__ import annotations

import contextlib
import math
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from sudoku_bench.bench.machine import description, pinning, sandbox
from sudoku_bench.bench.plan import kept, plan, strategies
from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.plan.reference import ANY
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run import experiment
from sudoku_bench.bench.run.cluster.connection import Cluster, ClusterError, require_usable
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.layouts import LATIN

ENDING_S = 5.0  # after an interrupt, in which a second one would only disturb the end of workers
PACKAGES = ("numpy", "pandas", "scipy.stats", "matplotlib.figure")
IMPORTING = f"""
import importlib, sys
for name in {PACKAGES}:
    try:
        importlib.import_module(name)
    except Exception as error:  # a package for another NumPy raises whatever it hits
        print(f"{{name}} cannot be imported: {{type(error).__name__}}: {{' '.join(str(error).split())}}")
        sys.exit(1)
"""

_measures = threading.Lock()


class Interrupted(KeyboardInterrupt):
    """The run was interrupted. Its finished rows are in the folder, and it can be resumed."""

    def __init__(self, folder: Path) -> None:
        again = f"resume with the same arguments and out={str(folder)!r}, resume=True"
        super().__init__(f"finished rows are in {folder}; {again}")


def planned(requested: Suite, plugins: Sequence[str], progress: Progress) -> Plan:
    """Return the plan of a suite, and print what a reader of its numbers needs to know.

    Raises:
        InputError: there can be no sandbox, or a strategy or a collection cannot be used.
    """
    if requested.sandbox:
        sandbox.require()
    progress.begin("checking puzzles")
    made = plan.make(requested, plugins, progress.advance)
    progress.end()
    for note in notes_on(made):
        progress.warn(f"note: {note}")
    return made


def folder_of(requested: Suite, out: str | Path | None, resume: bool = False) -> Path:
    """Return the folder of a run; by default ``results/TIME-SUITE`` in the current one.

    Raises:
        InputError: a run is to be resumed that is not named.
    """
    if resume and not out:
        raise InputError("resume: needs out, the folder of the run")
    return Path(out or f"results/{datetime.now(UTC):%Y%m%d-%H%M%S}-{requested.name}")


def measured(
    made: Plan, folder: Path, command: str, progress: Progress, resume: bool = False, cluster: Cluster | None = None
) -> None:
    """Measure a plan into a run folder. All settings of this process are then as they were.

    Args:
        command: what asked for the run, for its manifest.
        resume: continue the run in the folder, if there is one.
        cluster: where to measure (None: on this machine).

    Raises:
        InputError: the folder cannot be used, a package of the report is missing, the cluster is gone, or another
            thread measures.
        Interrupted: by Ctrl-C.
    """
    require_packages()
    try:
        with alone(), interrupted_once():
            if not experiment.conduct(made, folder, command, datetime.now(UTC), progress, resume, cluster):
                raise Interrupted(folder)
    except ClusterError as error:
        raise InputError(
            f"{error}; finished rows are in {folder}; start it again and resume the run there (--out"
            f" {shlex.quote(str(folder))} --resume)"
        ) from None
    progress.end()


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Refuse a second run in this process at the same time: each would disturb the other."""
    if not _measures.acquire(blocking=False):
        raise InputError("another thread of this process measures a run; wait for its end")
    try:
        yield
    finally:
        _measures.release()


@contextlib.contextmanager
def interrupted_once() -> Iterator[None]:
    """Ignore Ctrl-C shortly after another one, while workers are ended."""
    handler, heard_s = signal.getsignal(signal.SIGINT), -math.inf

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal heard_s
        if callable(handler) and wall_s() - heard_s > ENDING_S:
            heard_s = wall_s()
            handler(number, frame)

    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C does not interrupt this thread
        return
    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def require_packages() -> None:
    """Import the packages of the report before anything is measured, in another process: the runner stays small.

    It takes seconds, so it is done once for the versions that are installed.

    Raises:
        InputError: one cannot be imported, such as after another package has changed the version of NumPy.
    """
    versions = description.code_hash((), [name.partition(".")[0] for name in PACKAGES])
    key = f"imports {versions} {sys.executable} {os.environ.get('PYTHONPATH', '')}"
    [reason] = kept.results([key], lambda _: _fault_of_imports(), final=lambda reason: not reason)
    if reason:
        raise InputError(
            f"nothing was measured, because {reason}; install sudoku-bench again, and solvers with packages of their"
            " own into another environment (docs/external.md)"
        )


def _fault_of_imports() -> str:
    process = subprocess.run([sys.executable, "-c", IMPORTING], capture_output=True, text=True, check=False)
    ended = f"the packages of the report end their process ({process.returncode})" if process.returncode else ""
    return process.stdout.strip() or ended


def cluster_of(engine: str, scheduler: str | None, requested: Suite, wait_s: float | None = None) -> Cluster | None:
    """Return where to measure; None for this machine without a cluster.

    Raises:
        InputError: there is no such engine, there are fewer physical cores than jobs, or a package is missing.
    """
    if engine not in ("local", "dask"):
        raise InputError(f"engine must be local or dask, not {engine!r}")
    for option, value in (("--scheduler", scheduler), ("--wait", wait_s)):
        if value and engine != "dask":
            raise InputError(f"{option}: needs --engine dask")
    if scheduler and requested.jobs > 1:
        raise InputError("--jobs: the workers of a scheduler decide how many puzzles are measured at a time; remove it")
    if not scheduler:
        pinning.require_cores(pinning.parse_pin(requested.pin), requested.jobs)
    if engine != "dask":
        return None
    cluster = Cluster(scheduler, requested.jobs, **({"wait_s": wait_s} if wait_s else {}))
    require_usable(cluster)
    return cluster


def notes_on(made: Plan) -> Iterator[str]:
    """Yield what a reader of the numbers needs to know about the plan."""
    for collection in made.collections:
        yield from collection.notes()
    odd = sum(1 for s in made.puzzles if not s.decoy and s.reference.solutions != 1)
    if odd and made.task.name == "first":
        verb = "does" if odd == 1 else "do"
        yield (
            f"{counted(odd, 'puzzle')} {verb} not have exactly one solution; they are solved, but the task first is not"
            " compared on them (use --task unique)"
        )
    several = sum(1 for s in made.puzzles if s.reference == ANY and s.puzzle.shape.layout != LATIN)
    if several:
        yield f"{counted(several, 'puzzle')} with several solutions, of which the file gives one: any is an answer"
    single = sum(1 for s in made.puzzles if s.reference.sources == 1)
    if single:
        yield f"the number of solutions of {counted(single, 'puzzle')} was established by a single strategy only"
    if not made.suite.budget and (few := made.few_repetitions):
        yield few
    for command in made.suite.commands:
        if not any(info.command == command for info in made.strategies):
            yield f"the external program {command.name} is not measured: no strategy pattern matches it"
    yield from strategies.notes_on(made.suite.strategies, made.strategies)
    for info in made.strategies:
        if not info.available:
            yield f"{info.name} is unsupported here: {info.reason}"
