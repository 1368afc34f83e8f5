"""Selection of puzzles for a run with --limit, --sample and --skip-bad, and notes about skipped lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conftest import FOURS

pytestmark = pytest.mark.slow

Command = Callable[..., tuple[int, str, str]]
DRY = ("run", "-s", "seed:norvig", "--dry-run", "-d")


def test_sampled_puzzles_keep_their_names(run: Any, puzzles: Callable[..., Path]) -> None:
    options = ("-s", "seed:norvig", "-d", puzzles(*FOURS), "--sample", 2, "--repetitions", 1, "--loops", 1)
    results = [run(*options), run(*options), *(run(*options, "--seed", seed) for seed in (2, 3, 4))]
    names = [tuple(sorted(set(result.rows["puzzle"]))) for result in results]
    assert names[0] == names[1]
    assert len(set(names)) > 1
    assert all(len(chosen) == 2 and chosen[0].startswith("own-000") for chosen in names)


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


def test_skipped_lines_are_recorded_in_the_manifest(run: Any, puzzles: Callable[..., Path]) -> None:
    path = puzzles(FOURS[0], "12345")
    result = run("-s", "seed:norvig", "-d", path, "--skip-bad", "--repetitions", 1, "--loops", 1)
    (collection,) = json.loads((result.folder / "manifest.json").read_text())["collections"]
    assert collection["skipped"] == ["1 × wrong length (line 2)"]
