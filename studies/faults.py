"""The catalogue of faults: everything that can go wrong is made to happen, and a line says whether the promise held."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from studies import damages, edited_runs
from studies.copies import busy_core, measured
from studies.document import TOP
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError

CATALOGUE = {  # tests, by what they make happen
    "A strategy with a bug": ("bench/run/test_runner_faults.py",),
    "A strategy that misbehaves": (*("bench/run/test_runner_attacks.py", "bench/process/test_watch_limits.py"),),
    "A strategy whose reported time is false": (
        *("bench/run/test_runner_cheats.py", "bench/run/test_clock_check.py"),
        *("bench/process/test_charge.py", "bench/worker/test_stopwatch.py"),
    ),
    "A strategy that takes all the memory or all the time": (
        *("bench/process/test_memory.py", "bench/run/test_slot_workers.py", "bench/run/test_timeouts.py"),
    ),
    "A strategy of a stranger": ("bench/machine/test_sandbox.py",),
    "An external program that misbehaves": ("bench/run/test_runner_external.py",),
    "Interrupts, kill -9 and full disks": ("bench/run/test_runner_crash.py", "bench/folder/test_store.py"),
    "Workers that cannot be started": ("bench/process/test_worker_process.py",),
    "Edited and damaged run folders": (
        *("bench/folder/test_folder_edited.py", "bench/folder/test_manifest.py", "bench/folder/test_seal.py"),
    ),
    "Names and text of others": ("bench/test_bench_text_of_others.py", "datasets/test_errors.py"),
    "Files that are no puzzles": ("datasets/reading/test_reader.py", "datasets/test_files.py"),
}
DAMAGES = 10_000  # of each kind of file
KILLS = 100  # of a run; its test by itself makes do with fewer
HONEST_RUN = ("-s", "*", "-d", "easy", "-d", "medium", "--limit", "4", "--repetitions", "2", "--timeout", "3")


class Outcome(NamedTuple):
    """A line of the catalogue: what was tried, whether the promise held, and how long it took."""

    name: str
    held: bool
    seconds: float


def faults(*parts: str, edits: int = 10_000, resumes: int = 20, seed: int = 1) -> bool:
    """Make everything go wrong that can: single faults, edits, files, and none (an hour; default: all of these).

    The single faults are those of the tests. Run folders are edited at random --edits times and then read, --resumes
    times and then resumed, on all cores; files of each kind are damaged at random; and all strategies, none of which is
    at fault, are measured on a quiet machine and beside a busy core.
    """
    of_parts: dict[str, Callable[[], Iterator[Outcome]]] = {
        "single": single_faults,
        "edits": lambda: random_edits(edits, resumes, seed),
        "files": lambda: damaged_files(DAMAGES, seed),
        "none": no_fault,
    }
    if unknown := [part for part in parts if part not in of_parts]:
        raise InputError(f"{unknown[0]} is no part; choose from {', '.join(of_parts)}")
    held = []
    for part in parts or of_parts:
        for outcome in of_parts[part]():
            held.append(outcome.held)
            print(f"  {'held' if outcome.held else 'FAILED':6}  {outcome.seconds:6.1f} s  {outcome.name}", flush=True)
    print(f"{sum(held)} of {len(held)} held")
    return all(held)


def single_faults() -> Iterator[Outcome]:
    """Run the tests of the catalogue; yield the outcome of each."""
    for title, tests in CATALOGUE.items():
        print(f"{title}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.xml"
            paths = [str(TOP / "tests" / name) for name in tests]
            command = [sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", *paths]
            environ = {**os.environ, "SUDOKU_BENCH_KILLS": str(KILLS)}
            code = subprocess.run(command, cwd=TOP, capture_output=True, check=False, env=environ).returncode
            if code > 1:  # tests neither passed nor failed: a file is not there, for example
                yield Outcome(f"pytest ended with code {code} for {', '.join(tests)}", False, 0.0)
                continue
            for case in ElementTree.parse(report).iter("testcase"):
                if case.find("skipped") is None:
                    failed = case.find("failure") is not None or case.find("error") is not None
                    name = case.get("name", "").removeprefix("test_").replace("_", " ")
                    yield Outcome(name, not failed, float(case.get("time", 0.0)))


def random_edits(reads: int, resumes: int, seed: int) -> Iterator[Outcome]:
    """Edit run folders at random, again and again, in several processes; read and resume them."""
    jobs = len(os.sched_getaffinity(0))
    for action, times in ((edited_runs.read, reads), (edited_runs.resumed, resumes)):
        start_s, outcomes = wall_s(), Counter[str]()
        shares = [range(times * job // jobs, times * (job + 1) // jobs) for job in range(jobs)]
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            for counted in pool.map(edited_runs.edited, repeat(action), shares, repeat(seed)):
                outcomes.update(counted)
        name = f"{times} random edits of a run folder that is then {action.__name__}: {said(outcomes)}"
        yield Outcome(name, outcomes.keys() <= set(edited_runs.FINE), wall_s() - start_s)


def said(outcomes: Counter[str]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())


def damaged_files(number: int, seed: int) -> Iterator[Outcome]:
    """Damage files of all kinds that the readers know, and read them."""
    for name, damaged, seconds in damages.all_kinds(number, seed):
        facts = f"the slowest took {damaged.slowest_s:.1f} s, memory grew by {damaged.grown_mib:.0f} MiB"
        line = f"{name}, {number} times damaged: {said(damaged.outcomes)}; {facts}"
        yield Outcome(line, damages.held(damaged.outcomes), seconds)


def no_fault() -> Iterator[Outcome]:
    """Measure all strategies that this machine has, quiet and busy: none of their times is false."""
    for condition, core in (("quiet", contextlib.nullcontext()), ("with a busy second core", busy_core())):
        start_s = wall_s()
        with tempfile.TemporaryDirectory() as folder, core:
            rows = measured(Path(folder) / "run", *HONEST_RUN).measurements
        solved, mistimed = rows[rows["status"] == "solved"], rows[rows["status"] == "mistimed"]
        accused = [f"; {name}: {reason}" for name, reason in mistimed.groupby("strategy")["reason"].first().items()]
        name = f"{solved['strategy'].nunique()} strategies and placebos, {condition}: {len(solved)} solved"
        yield Outcome(f"{name}, {len(mistimed)} mistimed{''.join(accused)}", not accused, wall_s() - start_s)
