"""The rows that the blocks of the guide ship: their tables follow from them, and packing keeps every byte."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from studies.grid import BLOCKS, STORE, STORED_ROWS, TABLES, analyse, pack, unpacked
from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.verdicts.run_tables import load
from tests.studies.test_grid import SMALL, measured

pytestmark = pytest.mark.thorough


def test_tables_of_a_block_follow_from_its_packed_rows(tmp_path: Path) -> None:
    run, place = measured(), tmp_path / "run"
    place.mkdir()
    run.measurements.to_csv(place / "measurements.csv", index=False)
    run.puzzles.assign(grid="1" + "." * 15).to_csv(place / "puzzles.csv", index=False)
    (place / "manifest.json").write_text(json.dumps(seal.sealed(place, run.manifest)), encoding="utf-8")
    pack(place, tmp_path / "rows")
    shipped = unpacked(tmp_path / "rows")
    assert shipped.edited == ()
    expected, again = analyse(SMALL, load(place)), analyse(SMALL, shipped)
    for name in TABLES:
        pd.testing.assert_frame_equal(expected[name], again[name])


@pytest.mark.parametrize(
    "folder", sorted(STORED_ROWS.glob("*/*")), ids=lambda folder: f"{folder.name}-{folder.parent.name}"
)
def test_shipped_rows_give_the_shipped_tables(folder: Path, tmp_path: Path) -> None:
    for name, again in analyse(BLOCKS[folder.name], unpacked(folder)).items():
        again.assign(seed=int(folder.parent.name)).to_csv(tmp_path / name, index=False, float_format="%.4g")
        shipped, again = pd.read_csv(STORE / f"{name}.csv"), pd.read_csv(tmp_path / name)
        here = (shipped["block"] == folder.name) & (shipped["seed"] == int(folder.parent.name))
        shipped = shipped[here].dropna(axis=1, how="all").reset_index(drop=True)
        pd.testing.assert_frame_equal(shipped, again.dropna(axis=1, how="all")[list(shipped)])
