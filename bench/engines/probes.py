"""Capabilities of each SAT engine, determined by tests.

Each engine is tested in a separate process, which may crash or hang: the probe in progress then counts as failed, and
another process continues with the remaining ones. The results are kept until Python, the packages or the code change.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import bench.engines
from bench.engines import trials
from bench.machine import description
from bench.plan import kept
from bench.worker import start
from datasets.errors import InputError
from solvers.sat import engines

LIMIT_S = 60  # wall-clock limit of a process
PYSAT = "python-sat"

Row = dict[str, Any]


def table(again: bool = False, advance: Callable[[str], None] = lambda engine: None) -> list[Row]:
    """Return a row per engine: ``engine``, ``package``, ``aliases``, then the result of each probe and ``reason``.

    A result is ``yes``, ``no``, ``wrong`` (an incorrect answer), ``hangs``, ``crash`` or ``exits``; empty if the engine
    has no such interface or fails to solve at all. ``reason`` explains the failures.

    Args:
        again: repeat all tests instead of using stored results.
        advance: called with the name of each tested engine.
    """
    key = f"engines {conditions()}"
    with contextlib.closing(kept.opened()) as file, ThreadPoolExecutor(max_workers=2) as pool:
        stored: list[Row] | None = None if again else kept.lookup(file, key)
        if stored is not None:
            return stored
        spellings = names()
        rows = []
        for row in pool.map(lambda name: probe(name, spellings[name]), spellings):
            advance(row["engine"])
            rows.append(row)
        kept.keep(file, key, rows)
    return rows


def names() -> dict[str, list[str]]:
    """Return every engine with its alternative spellings, determined in a separate process.

    Raises:
        InputError: python-sat cannot be imported.
    """
    try:
        process = _start("names", environ=os.environ.copy())
        spellings: dict[str, list[str]] = json.loads(process.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        command = "pip install --force-reinstall python-sat"
        raise InputError(f"python-sat cannot be imported; reinstall it ({command})") from None
    return spellings


def probe(engine: str, spellings: list[str], plugin: str = "") -> Row:
    """Test one engine, in as many processes as needed.

    Args:
        plugin: the file or the entry point that registers it; empty for an engine of the project.
    """
    aliases = [name for name in spellings if name != engine]
    row: Row = {"engine": engine, "package": plugin or engines.package_of(engine), "aliases": aliases}
    answers: dict[str, str] = {}
    reasons: list[str] = []
    remaining = list(trials.PROBES)
    while remaining:
        results, failure = _run(engine, remaining, plugin)
        for result in results:
            answers[result["probe"]] = result["answer"]
            reasons += [result["reason"]] * bool(result["reason"])
        remaining = remaining[len(results) :]
        if remaining and failure:
            answers[remaining[0]] = failure.partition(" ")[0]
            reasons.append(f"{remaining.pop(0)}: {failure}")
        if answers[trials.WORKS] != "yes":
            break
    return row | {name: answers.get(name, "") for name in trials.PROBES} | {"reason": "; ".join(reasons)}


def _run(engine: str, names: list[str], plugin: str) -> tuple[list[dict[str, str]], str]:
    """Run probes in a process; return their results in order, and how the process failed, if it did."""
    other = engines.OTHER_ENGINES.get(engine)
    environ = os.environ | dict(other.environ if other else {})
    try:
        process = _start(engine, *names, *([f"{trials.PLUGIN}{plugin}"] if plugin else []), environ=environ)
        out, code = process.stdout, process.returncode
    except subprocess.TimeoutExpired as timeout:
        out, code = timeout.stdout or b"", None
    return [json.loads(line) for line in out.splitlines() if line.endswith(b"}")], _failure(code)


def _start(*arguments: str, environ: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    command = start.command("bench.engines.trials", *arguments)
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ, timeout=LIMIT_S, check=False
    )


def _failure(code: int | None) -> str:
    if code is None:
        return "hangs"
    if code == 0:
        return ""
    if code < 0:
        return f"crash with {signal.Signals(-code).name}"
    return f"exits with code {code}"


def conditions() -> str:
    """Return a hash of the probes and of the packages that the results depend on."""
    packages = {PYSAT, "pycryptosat", *map(engines.package_of, engines.OTHER_ENGINES)}
    return description.code_hash((bench.engines,), packages)
