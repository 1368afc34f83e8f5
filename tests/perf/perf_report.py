"""What `report` costs on a million rows, pictures and pages included: ``make perf``. Nothing here passes on a time.

Two shapes: many strategies on thousands of puzzles, and four on as many puzzles as there are with 17 clues. A process
of its own on one core writes the report; its CPU time, its peak of memory and the size of the page are told.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.bench.figures.cases import simulated

ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SHAPES = {  # strategies, puzzles of each of five collections, repetitions: a million rows
    "40 strategies, 5,000 puzzles": (40, 1000, 5),
    "4 strategies, 50,000 puzzles": (4, 10_000, 5),
}

CHILD = """
import json, os, resource, sys
from bench import cli

os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
code = cli.main(["report", sys.argv[1]])
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"code": code, "cpu_s": used.ru_utime + used.ru_stime, "peak_mib": used.ru_maxrss / 1024}))
"""


def write(folder: Path, strategies: int, puzzles: int, replicates: int) -> int:
    """A run of that size, as a folder; how many rows it has."""
    run = simulated(strategies, puzzles, replicates, limit_s=0.5, collections=5)
    rows = run.measurements.iloc[np.random.default_rng(1).permutation(len(run.measurements))]
    rows.to_csv(folder / "measurements.csv", index=False, float_format="%.9g")
    run.puzzles.to_csv(folder / "puzzles.csv", index=False)
    (folder / "manifest.json").write_text(json.dumps(run.manifest), encoding="utf-8")
    return len(rows)


@pytest.mark.parametrize("shape", SHAPES)
def test_report(benchmark, tmp_path: Path, shape: str) -> None:
    rows = write(tmp_path, *SHAPES[shape])

    def report() -> dict[str, float]:
        done = subprocess.run(
            [sys.executable, "-c", CHILD, str(tmp_path)], env=os.environ | ONE_CORE, capture_output=True, text=True
        )
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        assert found["code"] == 0, done.stderr
        return found

    found = benchmark.pedantic(report, rounds=1)
    page = tmp_path / "report.html"
    found |= {"rows": rows, "page_mb": page.stat().st_size / 1e6 if page.exists() else float("nan")}
    benchmark.extra_info |= found
    sizes = {path.name: path.stat().st_size // 1000 for path in (tmp_path / "plots").iterdir()}
    cost = f"{found['cpu_s']:.1f} CPU s, {found['peak_mib']:.0f} MiB, page {found['page_mb']:.1f} MB"
    print(f"\n{shape}: {rows} rows: {cost}")
    print(f"kB of each picture: {sizes}")
