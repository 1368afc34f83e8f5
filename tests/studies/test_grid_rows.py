"""The rows that the grid ships: its tables follow from them, and packing keeps every byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from studies import grid
from studies.grid import BLOCKS, STORE, STORED_ROWS, TABLES, Block, pack, unpacked
from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.verdicts.run_tables import load
from tests.bench.verdicts.simulated_runs import a_run

pytestmark = pytest.mark.thorough

ENCODINGS, ENGINES = ("complete+pairwise", "log"), ("@glucose4", "@minisat22")
SMALL = Block("small", {"encoding": ENCODINGS, "engine": ENGINES}, ("size4",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The run of a small block: 4 strategies, 20 puzzles, 3 repetitions."""
    rng = np.random.default_rng(3)
    seconds = np.array([1.0, 1.5, 2.0, 4.0])[:, None, None] * np.exp(0.1 * rng.standard_normal((4, 20, 3)))
    run, place = a_run(seconds, list(SMALL.cells), np.arange(20.0), collection="size4"), tmp_path / "run"
    place.mkdir()
    run.measurements.to_csv(place / "measurements.csv", index=False)
    run.puzzles.assign(grid="1" + "." * 15).to_csv(place / "puzzles.csv", index=False)
    facts = {"planned_rows": 240, "started": "2026-11-24T10:00:00+00:00", "packages": {"python-sat": "1.9"}}
    manifest = seal.sealed(place, run.manifest | facts)
    (place / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return place


def test_tables_of_a_block_follow_from_its_packed_rows(folder: Path, tmp_path: Path) -> None:
    pack(folder, tmp_path / "rows")
    shipped = unpacked(tmp_path / "rows")
    assert shipped.edited == ()
    expected, again = grid.analyse(SMALL, load(folder)), grid.analyse(SMALL, shipped)
    assert set(expected) == set(again) == set(TABLES)
    for name in TABLES:
        pd.testing.assert_frame_equal(expected[name], again[name])


@pytest.mark.parametrize("name", [name for name in BLOCKS if (STORED_ROWS / name).exists()])
def test_shipped_rows_give_the_shipped_tables(name: str, tmp_path: Path) -> None:
    grid.store(grid.analyse(BLOCKS[name], unpacked(STORED_ROWS / name)), tmp_path)
    for table in TABLES:
        shipped, again = (pd.read_csv(place / f"grid-{table}.csv") for place in (STORE, tmp_path))
        shipped = shipped[shipped["block"] == name].dropna(axis=1, how="all").reset_index(drop=True)
        pd.testing.assert_frame_equal(shipped, again.dropna(axis=1, how="all")[list(shipped)])
