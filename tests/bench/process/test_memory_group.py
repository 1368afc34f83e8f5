"""Control groups with a memory limit, in a folder that simulates the control group file system."""

from __future__ import annotations

from pathlib import Path

from sudoku_bench.bench.process.memory_group import MemoryGroup


def test_a_group_limits_memory_and_swap_and_takes_a_process(tmp_path: Path) -> None:
    group = MemoryGroup.make(64, tmp_path)
    assert group is not None
    [folder] = tmp_path.iterdir()
    group.add(4711)
    written = {path.name: path.read_text(encoding="ascii") for path in folder.iterdir()}
    assert written == {"memory.max": str(64 * 2**20), "memory.swap.max": "0", "cgroup.procs": "4711"}


def test_a_group_counts_kernel_kills(tmp_path: Path) -> None:
    group = MemoryGroup.make(64, tmp_path)
    assert group is not None
    assert group.killed() == 0
    [folder] = tmp_path.iterdir()
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\n", encoding="ascii")
    assert group.killed() == 2


def test_without_a_delegating_parent_there_is_no_group(tmp_path: Path) -> None:
    assert MemoryGroup.make(64, None) is None
    assert MemoryGroup.make(64, tmp_path / "not there") is None
