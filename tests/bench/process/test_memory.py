"""The memory of a process tree, files in memory included, each page counted once."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator

import pytest

from sudoku_bench.bench.process.memory import MIB, held_files, tree_mib

SIZE_MIB = 64


@pytest.fixture
def memory_file() -> Iterator[int]:
    """A file in memory of ``SIZE_MIB``, which is written and not mapped."""
    fd = os.memfd_create("hog")
    for _ in range(SIZE_MIB):
        os.write(fd, b"x" * MIB)
    yield fd
    os.close(fd)


def test_a_memory_file_counts_where_nothing_maps_it(memory_file: int) -> None:
    pid, about = os.getpid(), os.fstat(memory_file)
    assert held_files([pid])[about.st_dev, about.st_ino] == SIZE_MIB * MIB
    assert tree_mib([pid], 1 << 20) >= tree_mib([pid], None) + SIZE_MIB - 1


def test_a_memory_file_that_is_mapped_counts_once(memory_file: int) -> None:
    pid = os.getpid()
    before = tree_mib([pid], 1)
    with mmap.mmap(memory_file, SIZE_MIB * MIB) as mapped:
        assert sum(mapped[at] for at in range(0, len(mapped), 4096)) > 0  # each page is resident now
        assert tree_mib([pid], 1) == pytest.approx(before, abs=SIZE_MIB / 4)
