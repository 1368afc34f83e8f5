"""Isomorphs, and puzzles of one lineage, are one puzzle from the file to the verdict."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.isomorphs import form, random_isomorph

STRATEGIES = ("-s", "propagation:bitmask", "-s", "seed:norvig")
AS_ONE = "isomorphs, and puzzles of one lineage, count as one"


@pytest.fixture
def isomorphs() -> list[str]:
    """Five isomorphs of each of three puzzles."""
    rng = random.Random(1)
    puzzles = [item.puzzle for item in load("hard").items[:3]]
    return [form(puzzle, random_isomorph(puzzle.shape, rng)).text for puzzle in puzzles for _ in range(5)]


def test_isomorphs_of_three_puzzles_are_three_puzzles(run, puzzles, isomorphs: list[str], command) -> None:
    result = run(*STRATEGIES, "-d", puzzles(*isomorphs), "--repetitions", 3)
    note = f"Independent puzzles: own 3 of 15; {AS_ONE}"
    assert note in " ".join(result.out.split())
    table = run_tables.load(result.folder)
    assert list(table.puzzles["group"]) == [1] * 5 + [2] * 5 + [3] * 5
    [pair] = table.pairs.to_dict("records")
    assert (pair["n_puzzles"], pair["n_independent"], pair["verdict"]) == (15, 3, "too_few")
    code, out, _ = command("report", result.folder, "--json")
    assert code == 0
    assert note in json.loads(out)["words"]
    code, _, err = command("choose", result.folder)
    assert code == 2
    assert f"has 15 puzzles of which 3 are independent ({AS_ONE}), too few to choose by" in err


def test_a_table_of_mined_puzzles_is_measured_by_lineage(measure, tmp_path: Path) -> None:
    """A table with the start of each puzzle, which another file holds itself."""
    start, *others = (item.puzzle.text for item in load("easy").items[:4])
    (tmp_path / "near.csv").write_text(
        "\n".join(["puzzle,lineage", *(f"{text},{start}" for text in others[:2])]) + "\n"
    )
    (tmp_path / "start.txt").write_text(f"{start}\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text(f"puzzle,lineage\n{others[2]},1\n")
    files = [word for name in ("near.csv", "start.txt", "other.csv") for word in ("-d", tmp_path / name)]
    result = measure(*STRATEGIES, *files, "--repetitions", 1)
    assert list(run_tables.load(result.folder).puzzles["group"]) == [1, 1, 1, 2]
