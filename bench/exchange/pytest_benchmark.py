"""Results of pytest-benchmark, read as timings.

A benchmark says what it solved in ``extra_info``: ``strategy``, ``collection`` and ``puzzle``, and if it has them
``task`` and ``solution``, or the ``fault`` of a wrong answer. The fixture ``sudoku_benchmark`` fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sudoku_bench.bench.exchange.timing import Imported, Source, Timing, json_of, moment_of, seconds_of, usable
from sudoku_bench.datasets.errors import InputError

NEEDED = ("strategy", "puzzle")


def is_one(document: Any) -> bool:
    """Is this the content of a file of pytest-benchmark?"""
    benchmarks = document.get("benchmarks") if isinstance(document, dict) else None
    return isinstance(benchmarks, list) and all(isinstance(each, dict) for each in benchmarks)


def read(path: Path) -> Imported:
    """Read a file that ``pytest --benchmark-json`` or ``--benchmark-save`` wrote.

    Raises:
        InputError: it is not such a file, or a benchmark does not say what it solved.
    """
    document = json_of(path)
    timings, skipped = usable(document["benchmarks"], partial(_timing, path))
    if not timings:
        raise InputError(f"{path}: has no benchmarks")
    machine, commit = document.get("machine_info") or {}, document.get("commit_info") or {}
    source = Source(
        path,
        f"pytest-benchmark {document.get('version', '')}".strip(),
        moment_of(str(document.get("datetime", "")), path),
        None,
        {
            "cpu": (machine.get("cpu") or {}).get("brand_raw"),
            "cores_logical": (machine.get("cpu") or {}).get("count"),
            "python": machine.get("python_version"),
            "kernel": f"{machine.get('system', '')} {machine.get('release', '')}".strip(),
        },
        commit.get("id"),
        commit.get("dirty"),
    )
    return Imported(source, tuple(timings), skipped)


def _timing(path: Path, benchmark: Mapping[str, Any]) -> Timing:
    where = f"{path}: benchmark {benchmark.get('fullname') or benchmark.get('name')}"
    facts, stats = benchmark.get("extra_info") or {}, benchmark.get("stats") or {}
    for key in NEEDED:
        if not isinstance(facts.get(key), str) or not facts[key]:
            raise InputError(f"{where}: its extra_info has no {key}; set benchmark.extra_info[{key!r}] in the test")
    samples = stats.get("data") or ([stats["mean"]] if "mean" in stats else [])
    return Timing(
        where,
        facts["strategy"],
        str(facts.get("collection") or "tests"),
        facts["puzzle"],
        seconds_of(samples, where),
        task=str(facts.get("task", "first")),
        status="wrong" if facts.get("fault") else "",
        reason=str(facts.get("fault") or ""),
        solution=str(facts["solution"]) if facts.get("solution") else None,
        loops=int(stats.get("iterations") or 1),
    )
