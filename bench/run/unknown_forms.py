"""Forms that no strategy can know before it is asked: the check for work done beforehand.

All forms of a run follow from its seed, so a strategy could solve them while it is prepared or warmed up and keep the
solutions. Once in each launch, a fresh process therefore solves forms that nothing but chance determines, of puzzles
whose rows are there already. They never become rows. They may be harder or easier than the forms of the rows; that
nearly all of them take many times as long or are not solved, and nearly all of others again, shows that the rows do not
time the solving.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bench.plan.plan import Contestant
from bench.plan.suite import BATCH
from bench.process.sample import Sample
from bench.process.seat import Seat
from bench.process.watch import WorkerDied
from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
from datasets.verify import answer_fault

TRIALS = 7  # rows of a launch that are tried again with other forms
NEEDED = 6  # of these that must be slower, in both attempts
ATTEMPTS = 2  # with forms of their own; the second only if the first shows the fault
SLOWER = 10  # times as long as the row
SLACK_S = 5e-4  # and this much longer


@dataclass(frozen=True)
class Trial:
    """A measured sample.

    Attributes:
        cpu_s: CPU seconds per solve that it was reported to take; solutions: the number that each form requires.
    """

    sample: Sample
    cpu_s: float
    solutions: int


@dataclass
class UnknownForms:
    """Collects the first samples that a strategy solved in a launch, and tries them again with other forms."""

    trials: list[Trial] = field(default_factory=list)

    @property
    def full(self) -> bool:
        return len(self.trials) == TRIALS

    def add(self, trial: Trial) -> bool:
        """Add a solved sample; return whether it is the last one, so that it is time for ``fault``."""
        self.trials.append(trial)
        return self.full

    def fault(self, seat: Seat, solves_all: bool) -> str | None:
        """Solve unknown forms in a seat of its own, which is then closed; describe what they show, None if nothing.

        Args:
            solves_all: the strategy has solved all rows of the launch so far. One that has not, such as an incomplete
                one, may also fail here.
        """
        failed = 0
        with contextlib.closing(seat):
            for _ in range(ATTEMPTS):
                now = sum(fails(seat, trial, solves_all) for trial in self.trials)
                if now < NEEDED:
                    return None
                failed += now
        tried = ATTEMPTS * TRIALS
        return f"{failed} of {tried} forms that it could not know were not solved, or took {SLOWER} times as long"


def fails(seat: Seat, trial: Trial, solves_all: bool) -> bool:
    """Do unknown forms take many times as long as the row, or have no right answer?

    No if the time limit is too short to see it, or no process can be prepared.
    """
    enough_s = limit_for(trial.cpu_s)
    if enough_s > trial.sample.limit_s or seat.ready(trial.sample.shape):
        return False
    sample = unknown(trial, enough_s)
    try:
        reply = seat.solve(sample)
    except WorkerDied as death:
        return solves_all or death.status == "timeout"
    if reply["status"] != "ok" or not are_right(sample, reply.get("answers", ()), trial.solutions):
        return solves_all
    return bool(reply["cpu_s"] > enough_s)


def are_right(sample: Sample, answers: Sequence[Sequence[Sequence[int]]], solutions: int) -> bool:
    """Are these right answers to all forms of a sample?"""
    faults = (answer_fault(puzzle, answer, solutions) for puzzle, answer in zip(sample.forms, answers, strict=False))
    return len(answers) == len(sample.forms) and not any(faults)


def limit_for(cpu_s: float) -> float:
    """Return the CPU seconds beyond which a form takes many times as long as a row."""
    return SLOWER * cpu_s + SLACK_S


def tries_unknown_forms(contestant: Contestant, cold: bool) -> bool:
    """Is it a strategy that must be as fast on forms that it cannot know?

    A persistent one may keep what it has learnt, and a cold process has nothing to keep; controls are no strategies.
    """
    return not (cold or contestant.role or contestant.info.persistent)


def unknown(trial: Trial, limit_s: float) -> Sample:
    """Return the sample with random forms of its puzzles in place of its own.

    Args:
        limit_s: CPU seconds of a solve on average; a single one may take as long as all together.
    """
    seed = secrets.randbits(64)

    def others(forms: Sequence[Puzzle]) -> list[Puzzle]:
        return [form(puzzle, isomorph(seed, puzzle, number)) for number, puzzle in enumerate(forms, 1)]

    sample = trial.sample
    limit_s *= 1 if sample.how == BATCH else len(sample.forms)  # that of a batch is for all forms already
    return replace(sample, forms=others(sample.forms), run_in=others(sample.run_in), phase_forms=(), limit_s=limit_s)
