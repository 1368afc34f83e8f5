"""What a run does not try again after timeouts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.run.timeouts import Timeouts
from tests.bench.folder.a_row import a_row


def row(puzzle: int, status: str = "timeout", **others: object) -> Row:
    return replace(a_row(status=status), puzzle=f"own-{puzzle:04}", **others)


def after(rows: Iterable[Row], patience: int = 0) -> Timeouts:
    timeouts = Timeouts(patience)
    for each in rows:
        timeouts.add(each)
    return timeouts


def test_a_puzzle_that_timed_out_is_not_tried_again_in_its_launch() -> None:
    timeouts = after([row(1)])
    assert timeouts.reason(row(1).attempt) == "not repeated: timed out before in this launch"
    assert timeouts.reason(row(1, launch=2).attempt) is None
    assert timeouts.reason(row(2).attempt) is None


def test_a_strategy_is_set_aside_on_a_collection_whose_first_puzzles_timed_out() -> None:
    timeouts = after([row(1), row(2), row(2, repetition=2)], 3)
    assert timeouts.reason(row(4).attempt) is None  # a puzzle counts once
    timeouts.add(row(3))
    assert (
        timeouts.reason(row(4).attempt) == "not tried: the first 3 puzzles of the collection timed out in this launch"
    )
    for others in ({"launch": 2}, {"collection": "other"}, {"strategy": "other:one"}):
        assert timeouts.reason(row(4, **others).attempt) is None


def test_a_strategy_that_answered_anything_there_is_not_set_aside() -> None:
    timeouts = after([row(1), row(2, "solved"), row(3), row(4), row(5)], 3)
    assert timeouts.reason(row(6).attempt) is None
    assert after(map(row, range(50))).reason(row(50).attempt) is None
