"""Blocks: the parts of a plan that a cluster measures as a whole, each in one place.

A block holds all measurements of its puzzles in one round of a launch, so that strategies are always compared on one
host. It contains everything that measuring it needs. It can be measured again from its beginning, anywhere, and its
rows exist only once all of them are there: what a lost worker had measured is never mixed with what replaces it.

Blocks are cut while the run goes on. They take about the same time each, and shrink toward the end of a round (guided
self-scheduling, Polychronopoulos & Kuck 1987), because the next round begins when all of this one is done: an attempt
that timed out is not repeated in later rounds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from bench.folder.rows import Attempt
from bench.plan.plan import Contestant, Measurement, Plan, Subject
from bench.run.cluster.hosts import Software
from bench.run.forms import easiest_puzzles
from bench.run.timeouts import Timeouts

BLOCK_S = 2.0  # wall time of a block
BLOCKS_PER_SECOND = 50  # that the cluster completes together, at most; with many slots, blocks are longer
GROWTH = 4  # at most, from one estimate of a block's size to the next
SHARES = 2  # of what is left of a round, blocks for each slot
LEAST_S = 0.1  # wall time of a block toward the end of a round, which costs the cluster several ms of CPU time

Turn = tuple[int, int, int, int]  # place of the contestant in the head and of the puzzle here, repetition, position


@dataclass(frozen=True)
class Head:
    """What all blocks of a run have in common.

    Attributes:
        run: identifies this execution of the run.
        plan: without collections, and with no puzzles but those that workers warm up with.
        clock_cost_s: CPU seconds of reading the CPU clock.
        software: of the host that the command runs on, and of the files that strategies consist of.
    """

    run: str
    plan: Plan
    clock_cost_s: float
    software: Software

    @classmethod
    def of(cls, run: str, plan: Plan, clock_cost_s: float, software: Software) -> Head:
        warm_up = set(easiest_puzzles(plan).values())
        subjects = {subject.puzzle: subject for subject in plan.subjects if subject.puzzle in warm_up}
        lean = replace(plan, collections=(), subjects=tuple(subjects.values()))
        return cls(run, lean, clock_cost_s, software)

    @property
    def contestants(self) -> tuple[Contestant, ...]:
        return self.plan.contestants


@dataclass(frozen=True)
class Block:
    """Measurements of one round, puzzle by puzzle.

    Attributes:
        number: within the run, from 1.
        run: that of the head.
        head: a pickled ``Head``.
        untried: attempts at these puzzles that are not made, with the reason.
        sent_s: seconds since the run began.
    """

    number: int
    run: str
    head: bytes
    launch: int
    round: int
    subjects: tuple[Subject, ...]
    turns: tuple[Turn, ...]
    untried: Mapping[Attempt, str]
    sent_s: float

    def measurements(self, contestants: tuple[Contestant, ...]) -> Iterator[Measurement]:
        """Yield the measurements in their order; ``contestants`` are those of the head."""
        for contestant, subject, repetition, position in self.turns:
            yield Measurement(
                contestants[contestant], self.subjects[subject], self.launch, repetition, self.round, position
            )


@dataclass
class Pace:
    """Estimates how many puzzles a block should hold.

    Attributes:
        slots: measurements that the cluster makes at the same time.
        puzzles: of the next block, as a real number.
    """

    slots: int = 1
    puzzles: float = 1.0

    @property
    def target_s(self) -> float:
        """The intended wall time of a block."""
        return max(BLOCK_S, self.slots / BLOCKS_PER_SECOND)

    def learn(self, puzzles: int, seconds: float) -> None:
        """Take note of a measured block. Small ones of the end of a round do not shrink those of the next."""
        fitting = puzzles * self.target_s / max(seconds, 1e-6)
        self.puzzles = max(1.0, min(fitting, max(GROWTH * puzzles, self.puzzles)))

    def size(self, left: int) -> int:
        """Return the number of puzzles of the next block, with so many left in the round."""
        share = math.ceil(left / (SHARES * max(1, self.slots)))
        least = math.floor(self.puzzles * LEAST_S / self.target_s)
        return max(1, min(math.floor(self.puzzles), max(share, least)))


class Cutter:
    """Cuts the remaining measurements of a round into blocks.

    Args:
        pickled: the head.
        measurements: of one round, all of a puzzle in succession.
        puzzles: an upper bound on their number.
    """

    def __init__(self, head: Head, pickled: bytes, measurements: Iterable[Measurement], puzzles: int) -> None:
        self._run, self._pickled = head.run, pickled
        self._places = {contestant.label: place for place, contestant in enumerate(head.contestants)}
        self._groups = itertools.groupby(measurements, key=lambda m: id(m.subject))
        self._left = puzzles

    def next(self, number: int, pace: Pace, timeouts: Timeouts, sent_s: float) -> Block | None:
        """Return the next block; None if there are no more measurements in the round."""
        of_puzzles = [list(group) for _, group in itertools.islice(self._groups, pace.size(self._left))]
        if not of_puzzles:
            return None
        self._left -= len(of_puzzles)
        subjects = tuple(turns[0].subject for turns in of_puzzles)
        turns = tuple(
            (self._places[m.contestant.label], place, m.repetition, m.position)
            for place, of_puzzle in enumerate(of_puzzles)
            for m in of_puzzle
        )
        first = of_puzzles[0][0]
        attempts = [(name, s.collection, s.name, first.launch) for s in subjects for name in self._places]
        untried = {attempt: reason for attempt in attempts if (reason := timeouts.reason(attempt))}
        return Block(number, self._run, self._pickled, first.launch, first.round, subjects, turns, untried, sent_s)


def by_round(measurements: Iterable[Measurement]) -> Iterator[Iterator[Measurement]]:
    """Yield the measurements of each round of each launch."""
    for _, group in itertools.groupby(measurements, key=lambda m: (m.launch, m.round)):
        yield group
