"""Locks of cores: one holder at a time, one lock for a physical core, freed with their process."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_bench.bench.machine import pinning
from sudoku_bench.bench.machine.pinning import parse_pin
from sudoku_bench.datasets.errors import InputError
from tests.bench.machine import trees


@pytest.fixture(autouse=True)
def own_names(monkeypatch: pytest.MonkeyPatch) -> str:
    """Names of this test alone: runs that go on at the same time hold cores of this machine."""
    monkeypatch.setattr(pinning, "LOCKS", f"\0{secrets.token_hex(8)}/")
    return pinning.LOCKS


def test_a_process_that_dies_frees_its_names_and_its_children_keep_none(own_names: str) -> None:
    code = (
        f"import subprocess, sys; from sudoku_bench.bench.machine import pinning; pinning.LOCKS = {own_names!r};"
        "held = pinning.lock('a'); child = subprocess.Popen(['sleep', '60']);"
        "print(child.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            assert pinning.lock("a") is None
            process.kill()
            process.wait()
            held = pinning.lock("a")
            assert held is not None
            held.close()
        finally:
            os.kill(child, 9)


def test_each_lock_has_a_physical_core_of_its_own(tmp_path: Path) -> None:
    root = trees.intel(tmp_path)  # 0 and 2 share a physical core, 1 and 3 the other
    assert pinning.lock_core(parse_pin("off"), root, (0, 1)) is None
    held = [pinning.lock_core(parse_pin("on"), root, (0, 1, 2, 3)) for _ in range(2)]
    assert sorted(locked.core % 2 for locked in held if locked) == [0, 1]
    with pytest.raises(InputError, match=r"every physical core .* has a measurement already"):
        pinning.lock_core(parse_pin("on"), root, (0, 1, 2, 3))
    for locked in held:
        assert locked
        locked.held.close()
    locked = pinning.lock_core(parse_pin("1"), root, (0, 1))
    assert locked
    assert locked.core == 1
    with pytest.raises(InputError, match=r"here \(1\) has a measurement already"):
        pinning.lock_core(parse_pin("1"), root, (0, 1))
    locked.held.close()
