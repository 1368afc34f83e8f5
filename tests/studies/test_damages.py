"""Damaged files of every kind are read, or refused in one line; whole ones are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from studies import damages


@pytest.mark.parametrize("name", damages.kinds())
def test_a_damaged_file_is_read_or_refused(name: str, tmp_path: Path) -> None:
    kind = damages.kinds()[name]
    path = tmp_path / f"whole{kind.ending}"
    path.write_bytes(kind.whole)
    kind.read(path)
    damaged = damages.read_damaged(kind, range(100), seed=1)
    assert damages.held(damaged.outcomes), damaged.outcomes


def test_whatever_a_reader_raises_is_found() -> None:
    kind = damages.Kind(".txt", b"1", lambda path: int(path.read_bytes()))
    damaged = damages.read_damaged(kind, range(100), seed=1)
    assert not damages.held(damaged.outcomes)
    assert any("ValueError" in outcome and "(number " in outcome for outcome in damaged.outcomes)
