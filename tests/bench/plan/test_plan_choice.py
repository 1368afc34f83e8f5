"""Selection of puzzles for a run with --limit, --sample and --skip-bad, and notes about skipped lines."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conftest import FOURS

pytestmark = pytest.mark.slow

Command = Callable[..., tuple[int, str, str]]
DRY = ("run", "-s", "seed:norvig", "--dry-run", "-d")


def many(number: int) -> list[str]:
    """Distinct 4×4 puzzles: the digits of a few renamed."""
    rng = random.Random(1)
    names = [dict(zip("1234", rng.sample("1234", 4), strict=True)) | {".": "."} for _ in range(number)]
    return ["".join(map(name.__getitem__, FOURS[k % len(FOURS)])) for k, name in enumerate(names)]


def test_reading_stops_at_the_limit(command: Command, tmp_path: Path) -> None:
    """Damage after the limit is never read."""
    packed = gzip.compress("\n".join(many(200_000)).encode(), 1)
    (tmp_path / "own.gz").write_bytes(packed[: len(packed) // 2])
    code, out, _ = command(*DRY, tmp_path / "own.gz", "--limit", 10)
    assert code == 0
    assert "collection: own, 10 puzzles" in out
    code, _, err = command(*DRY, tmp_path / "own.gz")
    assert code == 2
    assert "cut short" in err


def test_sampled_puzzles_keep_their_names(run: Any, puzzles: Callable[..., Path]) -> None:
    path = puzzles(*many(60))
    options = ("-s", "seed:norvig", "-d", path, "--sample", 4, "--repetitions", 1, "--loops", 1)
    first, again, other = run(*options), run(*options), run(*options, "--seed", 2)
    names = [sorted(set(result.rows["puzzle"])) for result in (first, again, other)]
    assert len(names[0]) == 4
    assert names[0] == names[1] != names[2]
    assert all(name.startswith("own-00") for name in names[0])
    suite = json.loads((first.folder / "manifest.json").read_text())["suite"]
    assert (suite["sample"], suite["skip_bad"]) == (4, False)


def test_a_bad_line_is_the_error_unless_it_may_be_skipped(command: Command, puzzles: Callable[..., Path]) -> None:
    path = puzzles(FOURS[0], "12345", FOURS[1], "x" * 15 + ".", "123456789012")
    code, _, err = command(*DRY, path)
    assert code == 2
    assert err.startswith(f"sudoku-bench: {path}:2: 5 characters")
    assert len(err.splitlines()) == 1
    code, out, err = command(*DRY, path, "--skip-bad")
    assert code == 0
    assert "collection: own, 2 puzzles" in out
    assert "note: own: skipped 1 × wrong length (line 2)" in err
    assert "note: own: skipped 1 × foreign character (line 4)" in err
    assert "note: own: skipped 1 × grid that is cut off (line 5)" in err


@pytest.mark.parametrize("number", [0, -3])
def test_a_sample_of_nothing_is_refused(command: Command, puzzles: Callable[..., Path], number: int) -> None:
    code, _, err = command(*DRY, puzzles(*FOURS), "--sample", number)
    assert (code, err) == (2, f"sudoku-bench: sample must be more than 0, not {number}\n")


def test_skipped_lines_are_recorded_in_the_manifest(run: Any, puzzles: Callable[..., Path]) -> None:
    path = puzzles(FOURS[0], "12345")
    result = run("-s", "seed:norvig", "-d", path, "--skip-bad", "--repetitions", 1, "--loops", 1)
    (collection,) = json.loads((result.folder / "manifest.json").read_text())["collections"]
    assert collection["skipped"] == ["1 × wrong length (line 2)"]


def test_a_suite_may_sample(command: Command, tmp_path: Path, puzzles: Callable[..., Path]) -> None:
    path = puzzles(*many(30), "12345")
    suite = tmp_path / "mine.toml"
    suite.write_text(f'strategies = ["seed:norvig"]\ndatasets = ["{path}"]\nsample = 3\nskip_bad = true\n')
    code, out, err = command("run", suite, "--dry-run")
    assert (code, "own, 3 puzzles" in out, "skipped 1" in err) == (0, True, True)


def test_a_column_of_a_table_is_named_after_the_file(command: Command, puzzles: Callable[..., Path]) -> None:
    path = puzzles("a,b", *(f"1,{text}" for text in FOURS), name="own.csv")
    assert "own, 5 puzzles" in command(*DRY, f"{path}::b")[1]
    code, out, _ = command("check", f"{path}::b")
    assert (code, "5 puzzles, 5 with exactly one solution" in out) == (0, True)
    assert command("solve", f"{path}::b", "-s", "seed:norvig")[0] == 0
    code, _, err = command(*DRY, path)
    assert code == 2
    assert err.startswith(f"sudoku-bench: {path}:1: no column is known to contain puzzles")


def test_a_line_that_is_too_long_is_a_bad_line(command: Command, puzzles: Callable[..., Path]) -> None:
    path = puzzles(FOURS[0], "1" * 1_000_000, FOURS[1])
    complaint = f"{path}:2: longer than 65536 characters; write one puzzle per line\n"
    for arguments in ((*DRY, path), ("solve", path)):
        assert command(*arguments) == (2, "", "sudoku-bench: " + complaint)
    code, out, err = command("check", path)
    assert (code, err) == (2, complaint)
    assert "2 puzzles, 2 with exactly one solution, 0 bad, 1 unreadable" in out
    assert "own, 2 puzzles" in command(*DRY, path, "--skip-bad")[1]
