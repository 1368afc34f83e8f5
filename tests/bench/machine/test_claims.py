"""Claims: one holder at a time, one claim for a physical core, freed with their process."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_bench.bench.machine import claims
from sudoku_bench.bench.machine.pinning import parse_pin
from sudoku_bench.datasets.errors import InputError
from tests.bench.machine import trees

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores can be chosen on Linux only")


@pytest.fixture(autouse=True)
def own_names(monkeypatch: pytest.MonkeyPatch) -> str:
    """Names of this test alone: runs that go on at the same time hold cores of this machine."""
    monkeypatch.setattr(claims, "PREFIX", f"\0{secrets.token_hex(8)}/")
    return claims.PREFIX


def test_a_name_has_one_holder_until_it_is_freed() -> None:
    first = claims.claim("a")
    assert first is not None
    assert claims.claim("a") is None
    other = claims.claim("b")
    assert other is not None
    first.close()
    again = claims.claim("a")
    assert again is not None
    again.close()
    other.close()


def test_a_process_that_dies_frees_its_names_and_its_children_keep_none(own_names: str) -> None:
    code = (
        f"import subprocess, sys; from sudoku_bench.bench.machine import claims; claims.PREFIX = {own_names!r};"
        "held = claims.claim('a'); child = subprocess.Popen(['sleep', '60']);"
        "print(child.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            assert claims.claim("a") is None
            process.kill()
            process.wait()
            held = claims.claim("a")
            assert held is not None
            held.close()
        finally:
            os.kill(child, 9)


def test_each_claim_gets_a_physical_core_of_its_own(tmp_path: Path) -> None:
    root = trees.intel(tmp_path)  # 0 and 2 share a physical core, 1 and 3 the other
    held = [claims.claim_core(parse_pin("on"), root, (0, 1, 2, 3)) for _ in range(2)]
    cores = [claimed.core for claimed in held if claimed]
    assert sorted(core % 2 for core in cores) == [0, 1]
    with pytest.raises(InputError, match=r"every physical core .* has a measurement already"):
        claims.claim_core(parse_pin("on"), root, (0, 1, 2, 3))
    for claimed in held:
        assert claimed
        claimed.held.close()


def test_named_cores_only_and_none_without_pinning(tmp_path: Path) -> None:
    root = trees.intel(tmp_path)
    assert claims.claim_core(parse_pin("off"), root, (0, 1)) is None
    claimed = claims.claim_core(parse_pin("1"), root, (0, 1))
    assert claimed
    assert claimed.core == 1
    with pytest.raises(InputError, match=r"here \(1\) has a measurement already"):
        claims.claim_core(parse_pin("1"), root, (0, 1))
    claimed.held.close()
