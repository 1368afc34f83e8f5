"""Concurrent measurements: the same rows, each puzzle in one slot, each slot on a separate core."""

from __future__ import annotations

import json
import os
import threading

import pandas as pd
import pytest

from sudoku_bench.bench.machine import system
from sudoku_bench.bench.run import probe
from sudoku_bench.bench.run.runner import merged
from tests.bench.conftest import FOURS

KEY = ["strategy", "collection", "puzzle", "isomorph", "launch", "repetition"]
SAME = [*KEY, "loops", "status", "round", "position", "placebo"]

SOURCE = """
    class Placed(Backtracker):
        def search(self, puzzle, task):
            burn(0.005)
            return super().search(puzzle, task)

        def counters(self):
            cores = sorted(os.sched_getaffinity(0))
            return {"cores": len(cores), "core": cores[0], "process": os.getpid()}

    for letter in "ab":
        register(type("Placed", (Placed,), {"name": f"test:{letter}"}))
"""


LITTLE = ("--limit", 1, "--repetitions", 1)


def counters(rows: pd.DataFrame) -> pd.DataFrame:
    counters = [dict(pair.split("=") for pair in text.split("; ")) for text in rows["other_counters"]]
    return pd.DataFrame(counters, index=rows.index).astype(float).astype(int)


@pytest.fixture
def twice(measure_all, plugin, puzzles):
    """Run each strategy twice on each puzzle, with placebos; no decision of the run depends on times."""

    def call(*arguments: object):
        settings = ("-s", "test:*", "--plugin", plugin(SOURCE), "-d", puzzles(*FOURS), "--repetitions", 2)
        result = measure_all(*settings, *arguments)
        assert result.code == 0, result.err
        assert set(result.all_rows["status"]) == {"solved"}
        return result

    return call


def test_two_jobs_give_the_same_rows_as_one(twice) -> None:
    results = [twice("--jobs", jobs) for jobs in (1, 2)]
    one, two = (result.all_rows[SAME] for result in results)
    assert not two.duplicated(KEY).any()
    pd.testing.assert_frame_equal(*(rows.sort_values(KEY).reset_index(drop=True) for rows in (one, two)))
    check_that_all_strategies_solve_a_puzzle_in_the_same_slot(results[1].all_rows)


def check_that_all_strategies_solve_a_puzzle_in_the_same_slot(rows: pd.DataFrame) -> None:
    """A worker belongs to one slot only; within a slot, measurements do not overlap."""
    for _, of_round in rows.groupby("round"):
        slots = {name: frozenset(group["puzzle"]) for name, group in of_round.groupby("worker")}
        assert len(set(slots.values())) == 2
        first, second = set(slots.values())
        assert not first & second
        assert first | second == set(rows["puzzle"])
        for puzzles in (first, second):
            slot = of_round[of_round["puzzle"].isin(puzzles)].sort_values("started_s")
            # All strategies and placebos solve a puzzle in succession.
            assert slot["puzzle"].ne(slot["puzzle"].shift()).sum() == len(puzzles)
            assert (slot["started_s"].diff().dropna() >= 0.005).all()


@pytest.mark.thorough
def test_all_workers_run_on_one_core_unless_they_may_run_anywhere(twice) -> None:
    cores = system.usable_cores()
    core = max(cores)
    for pin, wanted in (("on", None), (core, {core})):
        pinned = counters(twice("--pin", pin, *LITTLE).all_rows)
        assert set(pinned["cores"]) == {1}
        assert pinned["core"].nunique() == 1
        assert wanted in (None, set(pinned["core"]))
        assert system.usable_cores() == cores  # the runner is not pinned any more
    assert set(counters(twice(*LITTLE).all_rows)["cores"]) == {len(cores)}


@pytest.mark.thorough
def test_a_strategy_that_uses_several_cores_is_not_pinned(twice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "parallel_strategies", lambda found: ("test:a", "test:b"))
    result = twice("--pin", "on", *LITTLE)
    assert set(counters(result.all_rows)["cores"]) == {len(system.usable_cores())}
    manifest = json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["calibration"]["parallel"] == ["test:a", "test:b"]


@pytest.mark.thorough
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core only")
def test_two_pinned_slots_share_no_core(twice) -> None:
    result = twice("--jobs", 2, "--pin", "on")
    rows = result.all_rows.join(counters(result.all_rows))
    assert set(rows["cores"]) == {1}
    assert rows["core"].nunique() == 2
    assert set(rows.groupby("puzzle")["core"].nunique()) == {1}
    manifest = json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["suite"]["jobs"], manifest["suite"]["pin"]) == (2, "on")


def test_slots_run_at_the_same_time() -> None:
    meeting = threading.Barrier(2)

    def slot():
        meeting.wait(timeout=60)  # breaks if the other slot has not begun
        yield 1

    assert list(merged([slot(), slot()])) == [1, 1]


def test_an_error_in_one_source_ends_the_others() -> None:
    closed = []

    def endless():
        try:
            while True:
                yield 1
        finally:
            closed.append("endless")

    def failing():
        yield 2
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        list(merged([endless(), failing()]))
    assert closed == ["endless"]
    items = merged([endless(), endless()])
    next(items)
    items.close()
    assert closed == ["endless"] * 3
