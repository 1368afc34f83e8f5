"""Superseded rows leave the results and are kept beside them."""

from __future__ import annotations

from pathlib import Path

from bench.folder.store import MEASUREMENTS, Store, finished_rows
from bench.folder.superseded import SUPERSEDED
from tests.bench.folder.a_row import a_row

ROWS = [
    a_row(
        **{"strategy": f"test:{letter}", "puzzle": f'a "{puzzle}", b', "launch": launch, "repetition": repetition},
        **{"wall_s": 0.5, "cpu_s": 0.25},
    )
    for launch in (1, 2)
    for repetition in (1, 2)
    for puzzle in range(3)
    for letter in "ab"
]


def test_rows_of_the_replicates_are_moved_and_no_others(tmp_path: Path) -> None:
    store = Store.create(tmp_path)
    for row in ROWS:
        store.append(row)
    store.close()
    store = Store.resume(tmp_path)
    for replicates in ({("own", 'a "1", b', 1, 2), ("own", 'a "2", b', 2, 1)}, {("own", 'a "0", b', 1, 1)}):
        assert store.supersede(replicates) == 2 * len(replicates)
    gone = [r for r in ROWS if (r.puzzle[3], r.launch, r.repetition) in {("1", 1, 2), ("2", 2, 1), ("0", 1, 1)}]
    assert list(finished_rows(tmp_path)) == [row for row in ROWS if row not in gone]
    store.append(gone[0])  # the run goes on in the new file
    store.close()
    assert list(finished_rows(tmp_path))[-1] == gone[0]
    lines = (tmp_path / SUPERSEDED).read_text(encoding="utf-8").splitlines()
    assert lines[0] == (tmp_path / MEASUREMENTS).read_text(encoding="utf-8").splitlines()[0]
    assert len(lines) == 1 + len(gone)


def test_a_run_without_rows_has_nothing_to_supersede(tmp_path: Path) -> None:
    store = Store.create(tmp_path)
    assert store.supersede({("own", "p", 1, 1)}) == 0
    store.close()
    assert not (tmp_path / SUPERSEDED).exists()
