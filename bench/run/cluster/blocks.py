"""Blocks: the parts of a plan that a cluster measures as a whole, each in one place.

A block holds all measurements of its puzzles in one round of a launch, so that strategies are always compared on one
host. It can be measured again from its beginning, anywhere, and its rows exist only once all of them are there: what a
lost worker had measured is never mixed with what replaces it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sudoku_bench.bench.folder.rows import Attempt
from sudoku_bench.bench.plan.plan import Measurement, Plan
from sudoku_bench.bench.run.timeouts import Timeouts, attempt_of

BLOCK_S = 2.0  # wall time of a block
BLOCKS_PER_SECOND = 50  # that the cluster completes together, at most; with many slots, blocks are longer
GROWTH = 4  # at most, from one block to the next
SHARES = 2  # of what is left of a round, blocks for each slot


@dataclass(frozen=True)
class Head:
    """What all blocks of a run have in common.

    Attributes:
        run: identifies this execution of the run.
        plan: without collections and puzzles.
        software: of the host that the command runs on, and of the files that strategies consist of.
    """

    run: str
    plan: Plan
    software: Mapping[str, str]


@dataclass(frozen=True)
class Block:
    """Measurements of one round, puzzle by puzzle.

    Attributes:
        number: within the run, from 1.
        puzzles: number of its puzzles.
        untried: attempts at these puzzles that are not made, with the reason.
        sent_s: seconds since the run began.
    """

    number: int
    measurements: tuple[Measurement, ...]
    puzzles: int
    untried: Mapping[Attempt, str]
    sent_s: float


@dataclass
class Pace:
    """Estimates how many puzzles a block should hold, so that blocks take about the same time.

    Blocks shrink toward the end of a round (guided self-scheduling, Polychronopoulos & Kuck 1987), because the next
    round begins when all of this one is done: an attempt that timed out is not repeated in later rounds.

    Attributes:
        slots: measurements that the cluster makes at the same time.
        puzzles: of the next block, if enough are left.
    """

    slots: int = 1
    puzzles: int = 1

    def learn(self, puzzles: int, seconds: float) -> None:
        """Take note of a measured block. Small ones of the end of a round do not shrink those of the next."""
        wanted_s = max(BLOCK_S, self.slots / BLOCKS_PER_SECOND)
        fitting = int(puzzles * wanted_s / max(seconds, 1e-6))
        self.puzzles = max(1, min(fitting, max(GROWTH * puzzles, self.puzzles)))

    def size(self, left: int) -> int:
        """Return the number of puzzles of the next block, with so many left in the round."""
        return max(1, min(self.puzzles, math.ceil(left / (SHARES * max(1, self.slots)))))


def cut(
    measurements: Iterable[Measurement],
    puzzles: int,
    numbers: Iterator[int],
    pace: Pace,
    timeouts: Timeouts,
    clock: Callable[[], float],
) -> Iterator[Block]:
    """Cut the measurements of a round into blocks, each as it is asked for: pace and timeouts change meanwhile.

    Args:
        measurements: all of a puzzle in succession.
        puzzles: an upper bound on their number.
        numbers: of the blocks.
        clock: seconds since the run began.
    """
    groups = itertools.groupby(measurements, key=lambda m: id(m.planned))
    while by_puzzle := [tuple(group) for _, group in itertools.islice(groups, pace.size(puzzles))]:
        puzzles -= len(by_puzzle)
        block = tuple(itertools.chain.from_iterable(by_puzzle))
        untried = {a: reason for a in map(attempt_of, block) if (reason := timeouts.reason(a))}
        yield Block(next(numbers), block, len(by_puzzle), untried, clock())


def by_round(measurements: Iterable[Measurement]) -> Iterator[Iterator[Measurement]]:
    """Yield the measurements of each round of each launch."""
    for _, group in itertools.groupby(measurements, key=lambda m: (m.launch, m.round)):
        yield group
