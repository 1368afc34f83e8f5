"""Cost of verdicts on a hundred thousand and on a million rows: ``make perf``. No test depends on a time.

Each size is simulated, written as a run, and analysed by a separate process on one core, whose peak memory is therefore
that of the verdicts alone. Times are CPU seconds.
"""

from __future__ import annotations

import functools
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.bench.verdicts.simulated_runs import a_run, drawn, together

COLLECTIONS, STRATEGIES, REPLICATES = 5, 40, 5
PUZZLES = {100_000: 100, 1_000_000: 1000}  # rows -> puzzles of each collection
ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

CHILD = """
import json, resource, sys, time
from bench.verdicts import run_tables

costs, start = {}, time.process_time()
def lap(name):
    global start
    costs[name], start = time.process_time() - start, time.process_time()

run = run_tables.load(sys.argv[1])
lap("load_s")
for name in sys.argv[2:]:
    getattr(run, name)
    lap(f"{name}_s")
costs["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps(costs))
"""

TABLES = ("summary", "pairs", "curves", "vbs")


def write(folder: Path, rows: int) -> None:
    """Write a run with that many rows, in tiers of overlapping difficulty; about one in thirty solves is unfinished."""
    rng = np.random.default_rng(1)
    names = [f"sat:complete+scheme{number}@solver" for number in range(STRATEGIES)]
    curves = {
        name: functools.partial(lambda x, k: 1e-3 * (1 + k / 10) * (1 + x) ** (0.5 + k / 80), k=k)
        for k, name in enumerate(names)
    }
    runs = []
    for tier in range(COLLECTIONS):
        guesses = np.exp(rng.uniform(tier / 2, 2 + tier / 2, PUZZLES[rows]))
        seconds = drawn(curves, guesses, REPLICATES, rng)
        runs.append(a_run(seconds, names, guesses, limit_s=0.3, collection=f"tier{tier}"))
    run = together(*runs)
    assert len(run.measurements) == rows
    numbers = (
        "encode_cpu_s",
        "load_cpu_s",
        "search_cpu_s",
        "decode_cpu_s",
        "release_cpu_s",
        "peak_rss_mib",
        "started_s",
    )
    filled = run.measurements.assign(**{name: rng.uniform(0, 100, rows) for name in numbers}, host="host-12345678")
    shuffled = filled.iloc[rng.permutation(rows)]
    shuffled.to_csv(folder / "measurements.csv", index=False, float_format="%.9g")
    run.puzzles.to_csv(folder / "puzzles.csv", index=False)
    manifest = run.manifest | {"planned_rows": rows, "started": "2000-01-01"}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


@functools.cache
def seconds_by_rows() -> dict[int, float]:
    """Seconds of each size measured so far."""
    return {}


@pytest.mark.parametrize("rows", PUZZLES)
def test_verdicts(benchmark, tmp_path: Path, rows: int) -> None:
    write(tmp_path, rows)

    def judge() -> dict[str, float]:
        command = [sys.executable, "-c", CHILD, str(tmp_path), *TABLES]
        process = subprocess.run(command, env=os.environ | ONE_CORE, capture_output=True, text=True, check=True)
        costs: dict[str, float] = json.loads(process.stdout)
        return costs

    costs = benchmark.pedantic(judge, rounds=1)
    seconds_by_rows()[rows] = sum(value for name, value in costs.items() if name.endswith("_s"))
    benchmark.extra_info |= costs | {"rows": rows, "all_s": seconds_by_rows()[rows]}
    summary = f"{seconds_by_rows()[rows]:.1f} s, {costs['peak_mib']:.0f} MiB; {pd.Series(costs).round(2).to_dict()}"
    print(f"\n{rows} rows: {summary}")
    if len(seconds_by_rows()) > 1:
        (few, short), (many, long) = sorted(seconds_by_rows().items())
        benchmark.extra_info["growth"] = math.log(long / short) / math.log(many / few)
        print(f"time grows as rows to the power of {benchmark.extra_info['growth']:.2f}")
