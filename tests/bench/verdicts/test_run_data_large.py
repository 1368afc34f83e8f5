"""Text of a large run is read as categories, and its tables are the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.folder.store import MANIFEST, MEASUREMENTS, PUZZLES
from sudoku_bench.bench.verdicts import run_files, run_tables
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run, drawn

TABLES = ("summary", "pairs", "noise", "vbs")


def simulated() -> Run:
    rng = np.random.default_rng(1)
    guesses = rng.uniform(0, 50, 40)
    curves = {
        name: lambda g, c=c: c * (1 + g / 20) for name, c in (("test:b", 1e-3), ("test:a", 1.3e-3), ("x:y", 2e-3))
    }
    seconds = drawn(curves, guesses, 3, rng)
    run = a_run(seconds, list(curves), guesses, limit_s=0.006, isomorph=7, position=1, started_s=0.5, host="h1")
    first = run.measurements.iloc[:60]
    placebo = first.assign(strategy="(instrument) test:b", placebo="instrument", cpu_s=first["cpu_s"] * 1.01)
    rows = pd.concat([run.measurements, placebo], ignore_index=True)
    rows = rows.sample(frac=1, random_state=2).astype({"solutions": "Int64"})
    return Run(run.manifest, rows, run.puzzles)


@pytest.fixture
def whole(tmp_path: Path) -> Run:
    run = simulated()
    manifest = {**run.manifest, "planned_rows": len(run.measurements), "started": "2026-01-01T00:00:00+00:00"}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    run.puzzles.assign(grid="1" * 81, group=range(1, 41)).to_csv(tmp_path / PUZZLES, index=False)
    run.measurements.to_csv(tmp_path / MEASUREMENTS, index=False)
    return run_tables.load(tmp_path)


def test_tables_are_the_same(whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "LARGE_BYTES", 0)
    large = run_tables.load(tmp_path)
    assert large.measurements["strategy"].dtype == "category"
    for table in TABLES:
        frames = [getattr(run, table) for run in (whole, large)]
        for frame in frames:
            texts = [name for name in frame.columns if frame[name].dtype in ("category", "str")]
            frame[texts] = frame[texts].astype(object)
        pd.testing.assert_frame_equal(*frames, check_dtype=False)
        assert len(frames[0])
