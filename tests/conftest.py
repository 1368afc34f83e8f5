"""What several test files share."""

from __future__ import annotations

import csv
import fcntl
import gc
import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from sudoku_bench.bench.folder import seal

# Without compiled files, every process that a test starts would compile the project again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Examples are the same on every run and on every machine, and no test depends on the machine's speed.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")

TOP = Path(__file__).resolve().parent.parent  # of the checkout

ALL_THOROUGH = re.compile(r"^pytestmark = pytest\.mark\.thorough$", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """``make test`` does not even import files of thorough tests alone: importing is most of what collecting costs."""
    if config.option.markexpr != "not thorough" or collection_path.suffix != ".py":
        return None
    return True if ALL_THOROUGH.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Thousands of tests are made and stay: looking for garbage among them, then and later, takes seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def small_reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some strategies and puzzles of the reference run, as a run folder: its tables take seconds less."""
    return only_once(tmp_path_factory, "small-reference", write_small_reference)


STRATEGIES = {
    *("seed:norvig", "seed:pyeda", "propagation:bitmask"),
    *("exact-cover:dancing-links", "sat:augmented@cadical195"),
}
TIERS = ("easy", "medium", "hard", "expert", "hardest")
PUZZLES = 20  # of each tier


@pytest.fixture
def beside_results(small_reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a run at the place of the reference run."""
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "reference").symlink_to(small_reference)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_small_reference(folder: Path) -> None:
    reference = TOP / "results" / "reference"
    kept: dict[str, set[str]] = {tier: set() for tier in TIERS}
    with (reference / "puzzles.csv").open(encoding="utf-8", newline="") as file:
        puzzles = csv.DictReader(file)
        rows = [row for row in puzzles if row["collection"] in kept and _takes(kept[row["collection"]], row["puzzle"])]
        _write(folder / "puzzles.csv", list(puzzles.fieldnames or ()), rows)
    with (reference / "measurements.csv").open(encoding="utf-8", newline="") as file:
        solves = csv.DictReader(file)
        rows = [r for r in solves if r["strategy"] in STRATEGIES and r["puzzle"] in kept.get(r["collection"], ())]
        _write(folder / "measurements.csv", list(solves.fieldnames or ()), rows)
    manifest = json.loads((reference / "manifest.json").read_text(encoding="utf-8"))
    for key, names in (("strategies", STRATEGIES), ("collections", TIERS)):
        manifest[key] = [entry for entry in manifest[key] if entry["name"] in names]
    manifest |= {"planned_rows": len(rows), "rows_by_status": dict(Counter(row["status"] for row in rows))}
    (folder / "manifest.json").write_text(json.dumps(seal.sealed(folder, manifest)), encoding="utf-8")


def _takes(names: set[str], name: str) -> bool:
    """Add a name, if there is room for it; return whether it is there."""
    if len(names) < PUZZLES:
        names.add(name)
    return name in names


def _write(path: Path, columns: list[str], rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def only_once(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], None]) -> Path:
    """Return a folder that ``fill`` has filled, once for all processes of pytest-xdist."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, unfinished = shared / name, shared / f"{name}-unfinished"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            fill(unfinished)
            unfinished.rename(folder)
    return folder
