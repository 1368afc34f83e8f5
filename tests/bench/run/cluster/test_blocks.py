"""Blocks: every measurement once, all strategies of a puzzle together, self-contained, of a sensible size."""

from __future__ import annotations

import itertools

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.run.cluster.blocks import BLOCK_S, Block, Pace, by_round, cut
from tests.bench.folder.a_row import a_row
from tests.bench.plan.test_plan import a_plan
from tests.bench.run.test_timeouts import after


def blocks_of(plan, pace: Pace, rows=()) -> list[Block]:
    timeouts, numbers, clock = after(rows, plan.suite.set_aside), itertools.count(), lambda: 0.0
    return [
        block
        for launch in range(1, plan.suite.launches + 1)
        for measurements in by_round(plan.measurements(launch))
        for block in cut(measurements, len(plan.puzzles), numbers, pace, timeouts, clock)
    ]


def place(block: Block) -> tuple[str, int]:
    return block.measurements[0].planned.name, block.measurements[0].launch


def key(m):
    return m.entry.label, m.planned.name, m.launch, m.round, m.repetition, m.position


def test_blocks_hold_every_measurement_once_in_the_order_of_the_plan() -> None:
    plan = a_plan(strategies=3, puzzles=7, decoys=2, repetitions=2, launches=2)
    for pace in (Pace(1, 1), Pace(1, 3), Pace(4, 100)):
        blocks = blocks_of(plan, pace)
        measured = [m for block in blocks for m in block.measurements]
        assert list(map(key, measured)) == [key(m) for launch in (1, 2) for m in plan.measurements(launch)]
        for block in blocks:
            assert len({(m.launch, m.round) for m in block.measurements}) == 1
            assert len(block.measurements) == 3 * block.puzzles


def test_a_block_knows_only_the_timeouts_of_its_own_puzzles_and_launch() -> None:
    plan = a_plan(strategies=2, puzzles=3, decoys=0, launches=2)
    timed_out = {("test:0", "own", "p1", 1), ("test:1", "own", "p2", 2), ("test:0", "other", "p1", 1)}
    for block in blocks_of(plan, Pace(1, 1), map(a_timeout, timed_out)):
        expected = {a for a in timed_out if a[1:] == ("own", *place(block))}
        assert block.untried.keys() == expected


def a_timeout(attempt: tuple[str, str, str, int]) -> Row:
    strategy, collection, puzzle, launch = attempt
    return a_row(status="timeout", strategy=strategy, collection=collection, puzzle=puzzle, launch=launch)


def test_blocks_grow_to_the_intended_time_and_shrink_toward_the_end_of_a_round() -> None:
    pace = Pace(slots=2)
    sizes = [pace.size(left=10_000)]
    for _ in range(8):  # 5 ms for a puzzle
        pace.learn(sizes[-1], sizes[-1] * 0.005)
        sizes.append(pace.size(left=10_000))
    assert sizes[:3] == [1, 4, 16]
    assert sizes[-1] == round(BLOCK_S / 0.005)
    assert [pace.size(left) for left in (400, 100, 40, 1)] == [100, 25, 10, 1]
    pace.learn(3, 3 * 0.005)  # the last block of a round: the next round begins with blocks as long as before
    assert pace.size(left=10_000) == sizes[-1]
    pace.learn(1, 60.0)  # a puzzle on which strategies time out
    assert pace.size(left=10_000) == 1
