"""Cost of `report` on long runs, including figures and the page: ``make perf``. No test depends on a time.

Many strategies on thousands of puzzles, and four on about as many puzzles as are known with 17 clues. A
separate process on one core writes the report; its CPU time, peak memory and the size of the page are printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sudoku_bench.bench.folder import seal
from tests.bench.figures.cases import simulated

ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SHAPES = {  # strategies, puzzles of each of five collections, repetitions: a hundred thousand or a million rows
    "40 strategies, 500 puzzles": (40, 100, 5),
    "40 strategies, 5,000 puzzles": (40, 1000, 5),
    "4 strategies, 50,000 puzzles": (4, 10_000, 5),
}

CHILD = """
import json, os, resource, sys
from sudoku_bench.bench.commands import cli

os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
code = cli.main(["report", sys.argv[1]])
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"code": code, "cpu_s": used.ru_utime + used.ru_stime, "peak_mib": used.ru_maxrss / 1024}))
"""


def write(folder: Path, strategies: int, puzzles: int, repetitions: int) -> int:
    """Write a run of that size to a folder; return the number of rows."""
    run = simulated(strategies, puzzles, repetitions, limit_s=0.5, collections=5)
    rows = run.measurements.iloc[np.random.default_rng(1).permutation(len(run.measurements))]
    rows.to_csv(folder / "measurements.csv", index=False, float_format="%.9g")
    run.puzzles.assign(group=range(len(run.puzzles))).to_csv(folder / "puzzles.csv", index=False)
    (folder / "manifest.json").write_text(json.dumps(seal.sealed(folder, run.manifest)), encoding="utf-8")
    return len(rows)


@pytest.mark.parametrize("shape", SHAPES)
def test_report(benchmark, tmp_path: Path, shape: str) -> None:
    rows = write(tmp_path, *SHAPES[shape])

    def report() -> dict[str, float]:
        process = subprocess.run(
            [sys.executable, "-c", CHILD, str(tmp_path)], env=os.environ | ONE_CORE, capture_output=True, text=True
        )
        costs: dict[str, float] = json.loads(process.stdout.splitlines()[-1])
        assert costs["code"] == 0, process.stderr
        return costs

    costs = benchmark.pedantic(report, rounds=1)
    page = tmp_path / "report.html"
    costs |= {"rows": rows, "page_mb": page.stat().st_size / 1e6 if page.exists() else float("nan")}
    benchmark.extra_info |= costs
    sizes = {path.name: path.stat().st_size // 1000 for path in (tmp_path / "plots").iterdir()}
    cost = f"{costs['cpu_s']:.1f} CPU s, {costs['peak_mib']:.0f} MiB, page {costs['page_mb']:.1f} MB"
    print(f"\n{shape}: {rows} rows: {cost}")
    print(f"kB of each figure: {sizes}")
