"""The stopwatch: how long a lead-in lasts and what its answers mean, and that times leave nothing out."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import Any

import pytest

from sudoku_bench import Strategy
from sudoku_bench.bench.plan import lead_in
from sudoku_bench.bench.worker import stopwatch
from sudoku_bench.bench.worker.stopwatch import (
    LEAD_IN_S,
    LEAD_IN_WALL_S,
    PROGRESS_BYTES,
    LeadIn,
    LeadInFault,
    Times,
    at_once,
    read,
    solve,
    timed,
)
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import FIRST, GaveUp, Task

SHAPE = Shape(2, 2)
SOLVED = lead_in.make(SHAPE)
KNOWN = {puzzle.cell_bytes: list(solution) for puzzle, solution in SOLVED}


class Clock:
    """Stands still unless a strategy moves it."""

    def __init__(self) -> None:
        self.cpu = self.wall = 0.0

    def pass_by(self, cpu: float, wall: float) -> None:
        self.cpu, self.wall = self.cpu + cpu, self.wall + wall


class Honest(Strategy):
    """Knows the solutions of the lead-in, and takes a given time for each."""

    name = "test:honest"

    def __init__(self, clock: Clock, cpu: float = 0.0, wall: float = 0.0) -> None:
        self.clock, self.takes = clock, (cpu, wall)
        self.seen, self.released = list[Puzzle](), 0

    def search(self, puzzle: Puzzle, task: Task) -> Any:
        self.seen.append(puzzle)
        self.clock.pass_by(*self.takes)
        return [KNOWN[puzzle.cell_bytes]]

    def release(self) -> None:
        self.released += 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stands_still = Clock()
    for name, which in (("cpu_s", "cpu"), ("cpu_end_s", "cpu"), ("wall_s", "wall")):
        monkeypatch.setattr(stopwatch, name, lambda which=which: getattr(stands_still, which))
    return stands_still


@pytest.fixture
def progress() -> Iterator[mmap.mmap]:
    with mmap.mmap(-1, PROGRESS_BYTES) as shared:
        yield shared


def a_lead_in() -> LeadIn:
    return LeadIn(SHAPE, [puzzle.cell_bytes for puzzle, _ in SOLVED], [list(solution) for _, solution in SOLVED])


@pytest.mark.parametrize("how", [solve, at_once])
@pytest.mark.parametrize(
    ("cpu", "wall", "solves"),
    [
        (0.3 * LEAD_IN_S, 0.3 * LEAD_IN_S, 4),
        (0.3 * LEAD_IN_S, 0.2 * LEAD_IN_WALL_S, 4),  # other programs have the processor meanwhile
        (9 * LEAD_IN_S, 9 * LEAD_IN_S, 1),
        (0.0, 0.3 * LEAD_IN_WALL_S, 4),  # it waits
    ],
)
def test_a_lead_in_lasts_by_cpu_time_and_at_least_one_solve(clock, progress, how, cpu, wall, solves) -> None:
    strategy = Honest(clock, cpu, wall)
    assert a_lead_in().solve(strategy, FIRST, how, progress) == len(strategy.seen) == solves


def test_its_puzzles_are_solved_in_turn_and_each_is_a_new_object(clock, progress) -> None:
    strategy, leads = Honest(clock, 0.3 * LEAD_IN_S), a_lead_in()
    numbers = [leads.solve(strategy, FIRST, solve, progress) for _ in range(9)]
    assert strategy.seen == [SOLVED[place % len(SOLVED)][0] for place in range(sum(numbers))]
    assert len(set(map(id, strategy.seen))) == sum(numbers) > 2 * len(SOLVED)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda right: [right[::-1]],
        lambda right: [],
        lambda right: [right, right],
        lambda right: [right[:-1]],
        lambda right: [[*right[:-1], "4"]],
        lambda right: [[None, *right[1:]]],
        lambda right: [[]],
    ],
)
def test_a_wrong_answer_of_the_lead_in_is_a_fault(clock, progress, wrong) -> None:
    class Wrong(Honest):
        def search(self, puzzle: Puzzle, task: Task) -> Any:
            return wrong(super().search(puzzle, task)[0])

    with pytest.raises(LeadInFault):
        a_lead_in().solve(Wrong(clock, LEAD_IN_S), FIRST, solve, progress)


def test_to_give_up_is_no_fault_and_releases(clock, progress) -> None:
    class GivesUp(Honest):
        def search(self, puzzle: Puzzle, task: Task) -> Any:
            super().search(puzzle, task)
            raise GaveUp

    strategy = GivesUp(clock, 0.6 * LEAD_IN_S)
    assert a_lead_in().solve(strategy, FIRST, solve, progress) == strategy.released == 2


class Phased(Honest):
    """Takes 1, 2, 4, 8 and 16 s for its phases, of which it computes in half."""

    def encode(self, puzzle: Puzzle) -> Any:
        self.clock.pass_by(0.5, 1)
        return puzzle

    def load(self, model: Any) -> Any:
        self.clock.pass_by(1, 2)
        return model

    def search(self, puzzle: Puzzle, task: Task) -> Any:
        self.clock.pass_by(2, 4)
        return [KNOWN[puzzle.cell_bytes]]

    def decode(self, answer: Any) -> Any:
        self.clock.pass_by(4, 8)
        return answer

    def release(self) -> None:
        self.clock.pass_by(8, 16)


def test_phases_share_the_cpu_time_of_their_solve(clock, progress) -> None:
    puzzles = [puzzle for puzzle, _ in SOLVED[:3]]
    times, answers = timed(Phased(clock), puzzles, FIRST, progress, solve)
    assert answers == [[list(solution)] for _, solution in SOLVED[:3]]
    assert (times.wall_s, times.cpu_s, times.longest_wall_s) == pytest.approx((31, 15.5, 31))
    assert times.phases_cpu_s == pytest.approx((0.5, 1, 2, 4, 8))
    less = times.less(Times(1.0, 1.5))
    assert (less.wall_s, less.cpu_s) == pytest.approx((30, 14))
    assert sum(less.phases_cpu_s) == pytest.approx(14)


def test_reading_an_answer_belongs_to_decoding(clock) -> None:
    class Lazy:
        def __index__(self) -> int:
            clock.pass_by(1, 1)
            return 1

    before = Times(3.0, 3.0, 3.0, (0.0, 0.0, 2.0, 1.0, 0.0))
    answers, times = read([[[Lazy(), Lazy()]]], before)
    assert {type(value) for value in answers[0][0]} == {int}
    assert (times.wall_s, times.cpu_s, times.phases_cpu_s) == (5.0, 5.0, (0.0, 0.0, 2.0, 3.0, 0.0))
    assert read([[[1, 2]]], before)[1] is before
