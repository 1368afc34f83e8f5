"""Blocks: every measurement once, all strategies of a puzzle together, self-contained, of a sensible size."""

from __future__ import annotations

import pickle
from dataclasses import replace

from bench.folder.rows import Attempt, Row
from bench.run.cluster.blocks import BLOCK_S, Block, Cutter, Head, Pace, by_round
from bench.run.cluster.hosts import Software
from bench.run.timeouts import Timeouts
from tests.bench.folder.a_row import a_row
from tests.bench.plan.test_plan import a_plan

SOFTWARE = Software({"Python": "3.11.0"}, "code", {})


def head_of(plan) -> Head:
    return Head.of("run", plan, 1e-6, SOFTWARE)


def blocks_of(plan, pace: Pace, rows=()) -> list[Block]:
    head, blocks, timeouts = head_of(plan), [], Timeouts(plan.suite.set_aside, rows)
    for launch in range(1, plan.suite.launches + 1):
        for measurements in by_round(plan.measurements(launch)):
            cutter = Cutter(head, pickle.dumps(head), measurements, len(plan.subjects))
            while block := cutter.next(len(blocks), pace, timeouts, 0.0):
                blocks.append(block)
    return blocks


def key(m):
    return m.contestant.label, m.subject.name, m.launch, m.round, m.repetition, m.position


def test_blocks_hold_every_measurement_once_in_the_order_of_the_plan() -> None:
    plan = a_plan(strategies=3, puzzles=7, decoys=2, repetitions=2, launches=2)
    head = head_of(plan)
    for pace in (Pace(1, 1.0), Pace(1, 3.7), Pace(4, 100.0)):
        sent = [pickle.loads(pickle.dumps(block)) for block in blocks_of(plan, pace)]
        measured = [m for block in sent for m in block.measurements(head.contestants)]
        assert list(map(key, measured)) == [key(m) for launch in (1, 2) for m in plan.measurements(launch)]
        for block in sent:
            of_block = list(block.measurements(head.contestants))
            assert len({(m.launch, m.round) for m in of_block}) == 1
            assert len(of_block) == 3 * len(block.subjects)


def test_a_measurement_of_a_block_has_the_forms_of_the_plan() -> None:
    """A worker knows the head and the block only."""
    plan = a_plan(strategies=2, puzzles=4, decoys=1, repetitions=2, launches=2)
    forms = {key(m): list(plan.forms(m)) for launch in (1, 2) for m in plan.measurements(launch)}
    for block in blocks_of(plan, Pace(1, 2.0)):
        head = pickle.loads(block.head)
        assert len(head.plan.subjects) < len(plan.subjects)
        for m in block.measurements(head.contestants):
            assert list(head.plan.forms(m)) == forms[key(m)]


def test_a_block_knows_only_the_timeouts_of_its_own_puzzles_and_launch() -> None:
    plan = a_plan(strategies=2, puzzles=3, decoys=0, launches=2)
    timed_out = {("test:0", "own", "p1", 1), ("test:1", "own", "p2", 2), ("test:0", "other", "p1", 1)}
    for block in blocks_of(plan, Pace(1, 1.0), map(a_timeout, timed_out)):
        expected = {a for a in timed_out if a[1:] == ("own", block.subjects[0].name, block.launch)}
        assert block.untried.keys() == expected


def test_a_block_knows_which_strategies_are_set_aside() -> None:
    plan = a_plan(strategies=2, puzzles=3, decoys=0, launches=2)
    plan = replace(plan, suite=replace(plan.suite, set_aside=2))
    for block in blocks_of(plan, Pace(1, 1.0), [a_timeout(("test:0", "own", f"p{n}", 1)) for n in (0, 1)]):
        expected = {("test:0", "own", block.subjects[0].name, 1)} if block.launch == 1 else set()
        assert block.untried.keys() == expected


def a_timeout(attempt: Attempt) -> Row:
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
    assert [pace.size(left) for left in (400, 100, 40, 1)] == [100, 25, 20, 20]  # 0.1 s or more
    pace.learn(3, 3 * 0.005)  # the last block of a round: the next round begins with blocks as long as before
    assert pace.size(left=10_000) == sizes[-1]
    pace.learn(1, 60.0)  # a puzzle on which strategies time out
    assert pace.size(left=10_000) == 1


def test_with_many_slots_blocks_take_longer_so_that_the_scheduler_keeps_up() -> None:
    assert Pace(slots=10).target_s == BLOCK_S
    assert Pace(slots=1000).target_s == 20.0
