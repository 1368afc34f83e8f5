"""``sudoku-bench run`` from the command line to rows: measuring, verifying, limits and files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.folder.rows import COLUMNS
from sudoku_bench.bench.machine import description
from sudoku_bench.bench.verdicts import run_tables
from tests.bench.conftest import FOURS, Result

SEER = """
    class Seer(Backtracker):
        def encode(self, puzzle):
            self.seen = zlib.crc32(bytes(puzzle.cells))
            return puzzle

        def counters(self):
            return {"seen": self.seen, "guesses": 7}

    for letter in "ab":
        register(type("Seer", (Seer,), {"name": f"test:{letter}"}))
"""


def seen(rows: pd.DataFrame) -> pd.Series:
    return rows["other_counters"].str.removeprefix("seen=")


def test_every_planned_measurement_has_a_row_with_the_stable_columns(measure, plugin, puzzles) -> None:
    """In fresh processes in each round of each launch, on other forms, which are the same for all strategies."""
    arguments = ("--repetitions", 3, "--launches", 2, "--loops", 1)
    result = measure("-s", "test:*", "--plugin", plugin(SEER), "-d", puzzles(*FOURS[:2]), *arguments)
    assert result.code == 0
    rows = result.rows
    assert tuple(rows.columns) == COLUMNS
    keys = rows.groupby(["strategy", "puzzle", "launch", "repetition"]).size()
    assert len(keys) == 2 * 2 * 2 * 3
    assert (keys == 1).all()
    assert (rows["status"] == "solved").all()
    assert (rows["solutions"] == 1).all()
    assert (rows["guesses"] == 7).all()
    assert (rows["cpu_s"] > 0).all()
    assert (rows["limit_clock"] == "cpu").all()
    processes = rows.groupby("worker")
    assert len(processes) == 2 * 2 * 3
    assert processes["launch"].nunique().eq(1).all()
    forms = rows.assign(seen=seen(rows)).groupby(["puzzle", "isomorph"])
    assert len(forms) == 2 * 2 * 3
    assert (forms["seen"].nunique() == 1).all()
    # A 4×4 board has few symmetries that change it, but not that few.
    assert forms["seen"].first().groupby("puzzle").nunique().gt(3).all()


def test_a_persistent_strategy_keeps_its_process_through_a_launch(measure, plugin, puzzles) -> None:
    file = plugin("""
        @register
        class Keeper(Backtracker):
            name = "test:keeper"
            persistent = True
    """)
    arguments = ("--plugin", file, "-d", puzzles(*FOURS), "--repetitions", 3, "--launches", 2, "--loops", 2)
    rows = measure("-s", "test:keeper", *arguments).rows
    assert set(rows["loops"]) == {1}  # it would meet its own traces in the other forms
    assert list(rows.groupby("launch")["worker"].nunique()) == [1, 1]
    assert rows["worker"].nunique() == 2
    for _, stream in rows.groupby("launch"):
        positions = list(stream["stream_position"])
        assert positions == sorted(set(positions))
        assert np.array_equal(np.diff(positions), 1 + stream["lead_in"].iloc[1:])  # lead-ins count


def test_strategies_that_cannot_run_are_unsupported_with_a_reason(measure, plugin, puzzles) -> None:
    file = plugin("""
        @register
        class NoPackage(Backtracker):
            name = "test:no-package"
            requires = ("no-such-distribution",)

        @register
        class NoTask(Backtracker):
            name = "test:no-task"
            tasks = ("first",)

        @register
        class NoShape(Backtracker):
            name = "test:no-shape"

            def prepare(self, shape):
                raise Unsupported("9×9 only")
    """)
    result = measure("-s", "test:*", "--plugin", file, "-d", puzzles(FOURS[0]), "--task", "unique", "--repetitions", 2)
    rows = result.rows[result.rows["decoy"].isna()]
    reasons = dict(zip(rows["strategy"], rows["reason"], strict=True))
    assert result.code == 0
    assert len(rows) == 6
    assert reasons["test:no-package"].startswith("the package no-such-distribution is not installed")
    assert reasons["test:no-task"] == "does not offer the task unique"
    assert reasons["test:no-shape"] == "9×9 only"
    assert (rows["status"] == "unsupported").all()


def test_puzzles_without_exactly_one_solution_are_not_timed_for_first(run, plugin, puzzles) -> None:
    file = puzzles("11..............", "................", FOURS[0])
    result = run("-s", "test:a", "--plugin", plugin(SEER), "-d", file, "--repetitions", 1, "--loops", 1)
    rows = result.rows.set_index("puzzle")
    assert (rows["status"] == "solved").all()
    assert rows["solutions"].to_dict() == {"own-0001": 0, "own-0002": 1, "own-0003": 1}
    assert "2 puzzles do not have exactly one solution" in result.err
    summary = pd.read_csv(result.folder / "summary.csv").iloc[0]
    assert (summary["n_puzzles"], summary["solved"]) == (3, 3)
    assert summary["median_s"] == pytest.approx(rows.loc["own-0003", "cpu_s"], rel=1e-5)


@pytest.mark.thorough
def test_a_worker_imports_only_packages_of_its_strategy(plugin, puzzles, tmp_path: Path) -> None:
    """Through the installed command, as a user starts it."""
    source = """
        @register
        class Nosy(Backtracker):
            name = "test:nosy"

            def counters(self):
                heavy = {"pandas", "matplotlib", "numba", "numpy", "scipy", "rich"}
                heavy |= {"pysat", "pycosat", "pyeda", "constraint"}
                return {name: 1 for name in heavy & set(sys.modules)}
    """
    command = [Path(sys.executable).parent / "sudoku-bench", "run", "-s", "test:nosy", "--plugin", plugin(source)]
    command += ["-d", puzzles(FOURS[0]), "--repetitions", "1", "--figures", "off", "--out", tmp_path / "out"]
    subprocess.run(command, check=True, capture_output=True)
    rows = run_tables.load(tmp_path / "out").measurements
    assert set(rows["status"]) == {"solved"}
    assert rows["other_counters"].isna().all()


def test_the_manifest_records_the_run(measure_all, puzzles) -> None:
    result = measure_all("-s", "seed:norvig", "-d", puzzles(FOURS[0]), "--repetitions", 2, "--timeout", 3)
    manifest = json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["complete"] is True
    assert manifest["planned_rows"] == 2  # a placebo would have half of the rows
    assert manifest["rows_by_status"] == {"solved": 2}
    assert manifest["suite"]["timeout_s"] == 3
    assert manifest["suite"]["seed"] == 1
    assert manifest["machine"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert manifest["references_by_sources"] == {"2": 1}
    assert len(manifest["collections"][0]["sha256"]) == 64
    assert manifest["clock_cost_s"]["cpu"] > 0
    assert manifest["code"] == [description.own_code()]


def test_a_strategy_is_added_to_a_run_beside_its_best(measure, puzzles, tmp_path: Path) -> None:
    old = tmp_path / "old"
    slow, fast, new = "seed:pyeda", "backtracking:fewest", "propagation:bitmask"
    asked = ("-d", puzzles(*FOURS), "--repetitions", 2, "--loops", 1, "--seed", 7)
    assert measure("-s", slow, "-s", fast, *asked, "--out", old).code == 0
    added = measure("--add-to", old, "-s", new)
    assert added.code == 0, added.err
    assert set(added.rows["strategy"]) == {fast, new}
    assert f"beside the best of {old}, measured again: {fast};" in added.err
    of_old = Result(0, "", "", old).rows
    forms = [
        rows[rows["strategy"] == fast].set_index(["puzzle", "repetition"])["isomorph"].sort_index()
        for rows in (of_old, added.rows)
    ]
    assert forms[0].equals(forms[1])
    nothing = measure("--add-to", old)
    assert nothing.code == 2
    assert "name the strategies to add" in nothing.err


def test_packages_that_cannot_be_imported_are_found_before_measuring(run, monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "scipy.py").write_text("raise ImportError('made for\\nanother NumPy')", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    result = run("-s", "propagation:bitmask", "-d", "size4", "--limit", 1)
    assert result.code == 2
    assert (
        "nothing was measured, because scipy.stats cannot be imported: ImportError: made for another NumPy;"
        in result.err
    )
    assert not result.folder.exists()
