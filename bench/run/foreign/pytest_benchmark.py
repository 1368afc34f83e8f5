"""Results of pytest-benchmark, read as timings.

A benchmark says what it solved in ``extra_info``: ``strategy``, ``collection`` and ``puzzle``, and if it has them
``task`` and ``solution``, or the ``fault`` of a wrong answer. The fixture ``sudoku_benchmark`` fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder.method import CPU, WALL
from sudoku_bench.bench.run.foreign.timing import Entry, Imported, Names, Record, Source, imported, moment_of

MEND = "set benchmark.extra_info in the test, or "
CPU_CLOCKS = ("process_time", "thread_time")  # of --benchmark-timer


def is_one(document: Any) -> bool:
    """Is this the content of a file of pytest-benchmark?"""
    benchmarks = document.get("benchmarks") if isinstance(document, dict) else None
    return isinstance(benchmarks, list) and all(isinstance(each, dict) and "stats" in each for each in benchmarks)


def read(path: Path, document: Any, names: Names) -> Imported:
    """Read what ``pytest --benchmark-json`` or ``--benchmark-save`` wrote; ``names`` are keys of ``extra_info``."""
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
        },
        commit.get("id"),
        commit.get("dirty"),
    )
    return imported(source, (_entry(path, benchmark) for benchmark in document["benchmarks"]), names, MEND)


def _entry(path: Path, benchmark: Mapping[str, Any]) -> Entry:
    facts, stats = benchmark.get("extra_info") or {}, benchmark.get("stats") or {}
    is_cpu = str((benchmark.get("options") or {}).get("timer", "")).endswith(CPU_CLOCKS)
    fault = str(facts.get("fault") or "")
    own: dict[str, Any] = {"clock": CPU if is_cpu else WALL, "status": "wrong" if fault else "", "reason": fault}
    own |= {"loops": int(stats.get("iterations") or 1)}
    samples = stats.get("data") or [stats.get("mean")]
    known = {"answer": facts.get("solution")} | facts | own
    records: list[Record] = [known | {"seconds": sample} for sample in samples]
    return f"{path}: benchmark {benchmark.get('fullname') or benchmark.get('name')}", records
