"""numpy's files: arrays of boards in all usual forms, and arrays that are none."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_bench.datasets import InputError
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.reading.reader import BadLine, load_file, read_file

NINES = [item.puzzle for item in load("easy").items[:5]]
SIXTEENS = [item.puzzle for item in load("size16").items[:2]]
CELLS = np.array([puzzle.cells for puzzle in NINES])


def saved(folder: Path, array: Any) -> Path:
    np.save(folder / "mine.npy", array)
    return folder / "mine.npy"


@pytest.mark.parametrize(
    "array",
    [
        CELLS,
        CELLS.astype("u1").reshape(5, 9, 9),
        CELLS.astype(">i2"),
        CELLS.astype(float).reshape(5, 1, 81),
        np.array([puzzle.text for puzzle in NINES]),
        np.array([puzzle.text.replace(".", "0").encode() for puzzle in NINES]),
    ],
)
def test_arrays_of_boards_are_read(tmp_path: Path, array: Any) -> None:
    entries = load_file(saved(tmp_path, array))
    assert [entry.puzzle for entry in entries] == NINES
    assert [entry.line for entry in entries] == [1, 2, 3, 4, 5]


def test_one_board_is_read(tmp_path: Path) -> None:
    assert load_file(saved(tmp_path, CELLS[0]))[0].puzzle == NINES[0]
    assert load_file(saved(tmp_path, CELLS[0].reshape(9, 9)))[0].puzzle == NINES[0]
    assert load_file(saved(tmp_path, np.array(SIXTEENS[0].cells).reshape(16, 16)))[0].puzzle == SIXTEENS[0]
    path = saved(tmp_path, CELLS[0])
    path.write_bytes(path.read_bytes().replace(b"(81,), ", b"(81L,),"))  # as Python 2 wrote it
    assert load_file(path)[0].puzzle == NINES[0]


def test_large_boards_are_read(tmp_path: Path) -> None:
    entries = load_file(saved(tmp_path, np.array([puzzle.cells for puzzle in SIXTEENS])))
    assert [entry.puzzle for entry in entries] == SIXTEENS


def test_more_boards_than_are_read_at_once(tmp_path: Path) -> None:
    entries = load_file(saved(tmp_path, np.tile(CELLS, (500, 1))))
    assert [entry.puzzle for entry in entries] == NINES * 500


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.npy.gz"
    path.write_bytes(gzip.compress(saved(tmp_path, CELLS).read_bytes()))
    assert [entry.puzzle for entry in load_file(path)] == NINES


def test_a_board_with_a_foreign_number_is_a_fault_of_its_own(tmp_path: Path) -> None:
    cells = CELLS.copy()
    cells[1, 4], cells[3, 0] = 12, -2
    items = list(read_file(saved(tmp_path, cells)))
    assert [item.line for item in items if isinstance(item, BadLine)] == [2, 4]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((3, 80), dtype=int), "an array of 3x80"),
        (np.zeros((), dtype=int), "an array of one value"),
        (np.zeros((5, 81), dtype=bool), "an array of bool"),
        (np.array([{}]), "an array of object"),
        (np.asfortranarray(CELLS), "Fortran"),
    ],
)
def test_other_arrays_are_refused(tmp_path: Path, array: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_file(saved(tmp_path, array))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, CELLS)
    data = path.read_bytes()
    path.write_bytes(data[:-300])
    with pytest.raises(InputError, match=r"mine.npy:1: is cut short"):
        load_file(path)
    path.write_bytes(data[:10])
    with pytest.raises(InputError, match="is damaged"):
        load_file(path)
