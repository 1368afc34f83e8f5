"""A run in parts has the same tables as the same rows in one file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench.folder import parts
from bench.folder.store import MANIFEST, MEASUREMENTS, PUZZLES, finished_rows
from bench.verdicts import run_tables
from bench.verdicts.run_tables import Run
from bench.verdicts.selection import select
from tests.bench.verdicts.simulated_runs import a_run, drawn

pytest.importorskip("pyarrow")
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


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same run in one file, and in two parts and a file."""
    run, folders = simulated(), []
    manifest = {**run.manifest, "planned_rows": len(run.measurements), "started": "2026-01-01T00:00:00+00:00"}
    manifest["suite"] = {"name": "simulated", **run.manifest["suite"]}
    for name in ("whole", "parts"):
        folder = tmp_path_factory.mktemp(name)
        (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        run.puzzles.assign(grid="1" * 81).to_csv(folder / PUZZLES, index=False)
        rows = run.measurements
        for share in (rows[:150], rows[150:300]) if name == "parts" else ():
            share.to_csv(folder / MEASUREMENTS, index=False)
            parts.archive(folder / MEASUREMENTS)
        (rows[300:] if name == "parts" else rows).to_csv(folder / MEASUREMENTS, index=False)
        folders.append(folder)
    return folders[0], folders[1]


def test_rows_are_the_same_and_small(folders) -> None:
    whole, large = (run_tables.load(folder) for folder in folders)
    assert len(parts.paths(folders[1])) == 2
    assert list(large.measurements.columns) == list(whole.measurements.columns)
    for column in ("strategy", "puzzle", "status", "placebo", "decoy"):
        assert large.measurements[column].astype(object).where(large.measurements[column].notna(), None).tolist() == (
            whole.measurements[column].astype(object).where(whole.measurements[column].notna(), None).tolist()
        )
    for column in ("cpu_s", "wall_s", "limit_s", "launch", "repetition", "worker"):
        np.testing.assert_array_equal(large.measurements[column], whole.measurements[column])
    assert large.measurements.memory_usage(deep=False).sum() / len(large.measurements) < 200
    assert list(finished_rows(folders[1])) == list(finished_rows(folders[0]))


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_the_same(folders, table: str) -> None:
    whole, large = (getattr(run_tables.load(folder), table) for folder in folders)
    for frame in (whole, large):
        for column in frame.columns:
            if isinstance(frame[column].dtype, pd.CategoricalDtype) or frame[column].dtype == "str":
                frame[column] = frame[column].astype(object)
    pd.testing.assert_frame_equal(large, whole, check_dtype=False)
    assert len(whole)


def test_groups_come_in_the_order_of_text(folders) -> None:
    rows = run_tables.load(folders[1]).measurements
    assert rows["strategy"].iloc[0] != min(rows["strategy"])
    assert [name for name, _ in rows.groupby("strategy")] == sorted(set(rows["strategy"]))


def test_a_selection_has_the_aliases(folders) -> None:
    whole, large = (select(run_tables.load(folder), ["test:*"], {"test:a": "new:name"}) for folder in folders)
    assert large.measurements["strategy"].astype(str).tolist() == whole.measurements["strategy"].tolist()
    assert list(large.summary["strategy"]) == list(whole.summary["strategy"]) == ["new:name", "test:b"]
