"""Selection of puzzles for a run with --sample and --skip-bad, and notes about skipped lines."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

from sudoku_bench.bench.plan import plan
from sudoku_bench.bench.plan.suite import Suite
from tests.bench.conftest import FOURS

Command = Callable[..., tuple[int, str, str]]
DRY = ("run", "-s", "seed:norvig", "--dry-run", "-d")


def test_sampled_puzzles_keep_their_names(puzzles: Callable[..., Path]) -> None:
    suite = Suite(strategies=("seed:norvig",), datasets=(str(puzzles(*FOURS)),), sample=2)
    names = [
        [planned.name for planned in plan.make(dataclasses.replace(suite, seed=seed)).puzzles]
        for seed in (1, 1, 2, 3, 4)
    ]
    assert names[0] == names[1]
    assert len(set(map(tuple, names))) > 1
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
