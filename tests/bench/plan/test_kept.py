"""What is kept from run to run."""

from __future__ import annotations

import contextlib
import gzip
import itertools
from pathlib import Path

import pytest

from sudoku_bench.bench.plan import kept
from sudoku_bench.datasets import sources
from sudoku_bench.datasets.difficulty.rating import SOURCES
from sudoku_bench.datasets.errors import InputError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "folder", lambda: tmp_path / "results")
    return tmp_path / "results"


def squares(keys: list[str], asked: list[int]) -> list[int]:
    def compute(place: int) -> int:
        asked.append(place)
        return int(keys[place]) ** 2

    return list(kept.results(keys, compute))


def test_results_come_in_order_and_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    assert squares(["3", "1", "2"], asked) == [9, 1, 4]
    assert sorted(asked) == [0, 1, 2]
    assert squares(["1", "5", "3", "4"], asked) == [1, 25, 9, 16]
    assert sorted(asked[3:]) == [1, 3]


def test_another_version_of_the_code_computes_again_and_old_files_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    for number in range(10):
        monkeypatch.setattr(kept, "version", lambda number=number: f"version {number}")
        assert squares(["7"], asked) == [49]
    assert len(asked) == 10
    assert len(list(folder.iterdir())) == 1 + kept.VERSIONS


def test_what_may_change_is_not_kept() -> None:
    count = itertools.count(1)
    for due in (1, 2, 3, 3):
        assert list(kept.results(["a"], lambda _: next(count), final=lambda number: number == 3)) == [due]


def test_a_result_that_was_changed_is_as_good_as_none(folder: Path) -> None:
    asked: list[int] = []
    squares(["2", "3"], asked)
    with contextlib.closing(kept.opened()) as file:
        file.execute("UPDATE results SET result = '99999' WHERE key = '3'")
    assert squares(["2", "3"], asked) == [4, 9]
    assert sorted(asked) == [0, 1, 1]


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100])
def test_a_damaged_file_is_as_good_as_none(folder: Path, damage: bytes) -> None:
    asked: list[int] = []
    squares(["2"], asked)
    [file] = folder.iterdir()
    file.write_bytes(damage)
    for _ in range(3):
        assert squares(["2"], asked) == [4]
    assert 2 <= len(asked) < 4


def test_what_is_shipped_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(kept, "shipped", lambda: {"3": 10, "5": None})
    assert squares(["2", "3", "5"], asked) == [4, 10, 25]
    assert sorted(asked) == [0, 2]


def test_shipped_results_that_are_damaged_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = gzip.decompress(kept.SHIPPED.read_bytes())
    monkeypatch.setattr(kept, "SHIPPED", tmp_path / "known.json.gz")
    for damaged in (b"", gzip.compress(b""), gzip.compress(content)[:-100], gzip.compress(content[:-9] + content[-8:])):
        kept.SHIPPED.write_bytes(damaged)
        kept.shipped.cache_clear()
        with pytest.raises(InputError, match="install sudoku-bench again"):
            kept.shipped()


def test_a_measure_is_computed_again_when_a_module_changes_that_computes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(module: str) -> set[str]:
        monkeypatch.setattr(
            Path, "read_bytes", lambda path: original(path) + path.match(f"datasets/{module}.py") * b"#"
        )
        sources._read.cache_clear()
        return {name for name in SOURCES if kept.digest(name) != digests[name]}

    original, digests = Path.read_bytes, {name: kept.digest(name) for name in SOURCES}
    try:
        assert changed("bits") == changed("difficulty/rating") == changed("isomorphs") == set(SOURCES)
        assert changed("difficulty/board") == set(SOURCES) - {"guesses"}
        assert changed("difficulty/singles") == {"unsolved"}
        assert changed("difficulty/explainer/links") == changed("steps/placements") == {"explained"}
        assert changed("making/bands") == set()
    finally:
        sources._read.cache_clear()
