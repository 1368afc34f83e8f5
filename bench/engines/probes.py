"""What each SAT engine can do: tried out, not written down.

Each engine is tried in a process of its own, which may crash or hang: what it was at counts as not working, and
another process goes on with what is left. The answer is kept in the user's cache folder for as long as Python, the
packages and the probes are the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.engines import trials
from bench.machine import description
from datasets.collections import fetch
from datasets.errors import InputError
from solvers.sat import cnf_pysat, engines

LIMIT_S = 60  # wall, for a process: an engine that ignores being interrupted takes all of it
FILE = "engines.json"
PYSAT = "python-sat"

Row = dict[str, Any]


def table(again: bool = False, advance: Callable[[str], None] = lambda engine: None) -> list[Row]:
    """A row per engine: ``engine``, ``package``, ``aliases``, then what each probe says.

    That is ``yes``, ``no``, ``wrong`` (an answer that is not right), ``hangs``, ``crash`` or ``exits``; empty where
    an engine has no such interface, or does not solve in the first place. ``reason`` says why not, or what is wrong.

    Args:
        again: try everything out anew.
        advance: is told each engine that has been tried.
    """
    key = conditions()
    kept = None if again else _read(key)
    if kept is not None:
        return kept
    found = names()
    rows = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for row in pool.map(lambda name: probe(name, found[name]), found):
            advance(row["engine"])
            rows.append(row)
    _write(key, rows)
    return rows


def names() -> dict[str, list[str]]:
    """Every engine with its other spellings, asked of a process of its own.

    Raises:
        InputError: python-sat cannot even be imported.
    """
    try:
        done = _start("names", environ=os.environ.copy())
        found: dict[str, list[str]] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        mend = "install it anew (pip install --force-reinstall python-sat)"
        raise InputError(f"python-sat cannot be imported; {mend}") from None
    return found


def probe(engine: str, spellings: list[str]) -> Row:
    """Try one engine out, in as many processes as it takes."""
    aliases = [name for name in spellings if name != engine]
    row: Row = {"engine": engine, "package": engines.package_of(engine), "aliases": aliases}
    answers: dict[str, str] = {}
    reasons: list[str] = []
    waiting = list(trials.PROBES)
    while waiting:
        lines, end = _run(engine, waiting)
        for line in lines:
            answers[line["probe"]] = line["answer"]
            reasons += [line["reason"]] * bool(line["reason"])
        waiting = waiting[len(lines) :]
        if waiting and end:
            answers[waiting[0]] = end.partition(" ")[0]
            reasons.append(f"{waiting.pop(0)}: {end}")
        if answers[trials.WORKS] != "yes":
            break
    return row | {name: answers.get(name, "") for name in trials.PROBES} | {"reason": "; ".join(reasons)}


def _run(engine: str, waiting: list[str]) -> tuple[list[dict[str, str]], str]:
    """What a process says of an engine, in the order asked, and how it ended if not by itself."""
    other = engines.OTHER_ENGINES.get(engine)
    environ = os.environ | dict(other.environ if other else {})
    try:
        done = _start(engine, *waiting, environ=environ)
        out, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        out, code = late.stdout or b"", None
    return [json.loads(line) for line in out.splitlines() if line.endswith(b"}")], _end_of(code)


def _start(*arguments: str, environ: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-P", "-m", "bench.engines.trials", *arguments]
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ, timeout=LIMIT_S, check=False
    )


def _end_of(code: int | None) -> str:
    if code is None:
        return "hangs"
    if code == 0:
        return ""
    if code < 0:
        return f"crash with {signal.Signals(-code).name}"
    return f"exits with code {code}"


def conditions() -> str:
    """What the answers depend on, in short."""
    other = engines.OTHER_ENGINES
    packages = {PYSAT, "pycryptosat", *map(engines.package_of, other)}
    versions = [sys.version, *sorted(description.versions(packages).items())]
    modules = (trials, cnf_pysat, *(sys.modules[strategy.__module__] for strategy in other.values()))
    files = [__file__, *dict.fromkeys(str(module.__file__) for module in modules)]
    sources = [Path(file).read_bytes() for file in files]
    return hashlib.sha256(repr(versions).encode() + b"".join(sources)).hexdigest()


def _read(key: str) -> list[Row] | None:
    try:
        kept = json.loads((fetch.folder() / FILE).read_text(encoding="utf-8"))
        rows: list[Row] | None = kept["engines"] if kept["conditions"] == key else None
    except (OSError, ValueError, KeyError, TypeError):  # not there, or not ours
        return None
    return rows


def _write(key: str, rows: list[Row]) -> None:
    """Keep the answers for next time, where that is possible."""
    path = fetch.folder() / FILE
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps({"conditions": key, "engines": rows}, indent=1), encoding="utf-8")
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
