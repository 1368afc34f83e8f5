"""Results of pytest-benchmark: read as timings, and written from a run.

A benchmark says what it solved in ``extra_info``: ``strategy``, ``collection`` and ``puzzle``, and if it has them
``task`` and ``solution``. The fixture ``sudoku_benchmark`` fills them in.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.exchange.timing import Imported, Source, Timing, json_of, moment_of, seconds_of
from bench.folder.rows import FINISHED
from datasets.errors import InputError

if TYPE_CHECKING:
    from bench.verdicts.run_data import RunData

NEEDED = ("strategy", "puzzle")
FORMAT = "4.0.0"  # of the files that `pytest-benchmark compare` reads


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
    timings = tuple(_timing(path, benchmark) for benchmark in document["benchmarks"])
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
    return Imported(source, timings)


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
        solution=str(facts["solution"]) if facts.get("solution") else None,
        loops=int(stats.get("iterations") or 1),
    )


def document(run: RunData) -> dict[str, Any]:
    """Return a run as the JSON document of pytest-benchmark: a benchmark per strategy and puzzle, wall seconds.

    Benchmarks of a puzzle form a group. Only finished solves have times, so what was not finished is left out, and so
    is a strategy with a wrong answer or a false time.
    """
    machine, git = run.manifest["machine"], run.manifest.get("git") or {}
    return {
        "machine_info": {
            "node": machine.get("host", ""),
            "processor": machine.get("architecture", ""),
            "machine": machine.get("architecture", ""),
            "python_version": machine.get("python", ""),
            "system": "Linux",
            "release": machine.get("kernel", ""),
            "cpu": {"brand_raw": machine.get("cpu"), "count": machine.get("cores_logical")},
        },
        "commit_info": {"id": git.get("commit"), "dirty": git.get("dirty"), "project": "sudoku-bench"},
        "benchmarks": list(_benchmarks(run)),
        "datetime": run.manifest["started"],
        "version": FORMAT,
    }


def _benchmarks(run: RunData) -> Iterator[dict[str, Any]]:
    from bench.verdicts.run_data import disqualified  # imports pandas

    rows = run.measurements
    rows = rows[rows["placebo"].isna() & rows["decoy"].isna() & rows["wall_s"].notna()]
    rows = rows[rows["status"].isin(FINISHED) & ~rows["strategy"].isin(list(disqualified(run.measurements)))]
    puzzles = {(line["collection"], line["puzzle"]): line for line in run.puzzles.to_dict("records")}
    for (collection, puzzle, strategy), group in rows.groupby(["collection", "puzzle", "strategy"], sort=False):
        facts = puzzles[collection, puzzle]
        solution = facts.get("solution") if (group["status"] == "solved").all() else None
        yield {
            "group": f"{collection} {puzzle}",
            "name": f"{strategy}[{puzzle}]",
            "fullname": f"{collection}::{strategy}[{puzzle}]",
            "params": {"strategy": strategy, "puzzle": puzzle},
            "param": puzzle,
            "extra_info": {
                "strategy": strategy,
                "collection": collection,
                "puzzle": facts["grid"],
                "task": group["task"].iloc[0],
                **({"solution": solution} if isinstance(solution, str) else {}),
            },
            "options": {"timer": "wall clock", "min_rounds": len(group), "warmup": True},
            "stats": stats_of(list(map(float, group["wall_s"])), int(group["loops"].min())),
        }


def stats_of(samples: list[float], iterations: int) -> dict[str, Any]:
    """Return the statistics that pytest-benchmark has for the samples of a benchmark, in seconds."""
    ordered = sorted(samples)
    mean, median = statistics.fmean(samples), statistics.median(samples)
    stddev = statistics.stdev(samples) if len(samples) > 1 else 0.0
    q1, _, q3 = statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else (ordered[0],) * 3
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    outside = sum(not low <= sample <= high for sample in samples)
    far = sum(abs(sample - mean) > stddev for sample in samples)
    return {
        "min": ordered[0],
        "max": ordered[-1],
        "mean": mean,
        "stddev": stddev,
        "rounds": len(samples),
        "median": median,
        "iqr": q3 - q1,
        "q1": q1,
        "q3": q3,
        "iqr_outliers": outside,
        "stddev_outliers": far,
        "outliers": f"{far};{outside}",
        "ld15iqr": min(sample for sample in ordered if sample >= low),
        "hd15iqr": max(sample for sample in ordered if sample <= high),
        "ops": 1 / mean,
        "total": sum(samples),
        "data": samples,
        "iterations": iterations,
    }
