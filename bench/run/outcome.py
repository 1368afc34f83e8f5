"""The outcome of a measurement, determined from a worker's reply after the clock has stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.worker.clocks import RESOLUTION_S
from sudoku_bench.datasets.isomorphs import Isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.verify import answer_fault, in_short

TIMED = ("solved", "unsupported")  # statuses of an answer whose time is in the row, or too short to time

Form = tuple[Puzzle, Isomorph]  # a form and the symmetry that produced it


@dataclass(frozen=True)
class Outcome:
    """How a measurement ended.

    Attributes:
        status, reason: as in its row.
        reply: of the worker, if it sent one; has_times: are its times those of the solves?
        limit_s, limit_clock: the limit that ended it, if it is not that of the run.
    """

    status: str
    reason: str | None = None
    reply: Reply | None = None
    has_times: bool = False
    solutions: int | None = None
    limit_s: float | None = None
    limit_clock: str = "cpu"

    @classmethod
    def of_death(cls, death: WorkerDied) -> Outcome:
        limit_s = death.limit_s if death.clock == "wall" else None
        return cls(death.status, death.reason, limit_s=limit_s, limit_clock=death.clock)

    def mistimed(self, fault: str) -> Outcome:
        """Return the outcome of a solve whose reported times are not those that the system charged."""
        return replace(self, status="mistimed", reason=fault, has_times=False)


def outcome_of(plan: Plan, reference: Reference, forms: Sequence[Form], reply: Reply) -> Outcome:
    """Return the outcome of a measurement that a worker replied to.

    Args:
        reference: the established solutions of the puzzle.
        forms: those that were solved.
    """
    if reply.status != "ok":
        return Outcome(reply.status, reply.reason, reply)
    limit_s = plan.suite.timeout_s
    # One of several forms was too slow if its wall time and the CPU time of all both exceed the limit.
    one_too_slow = reply.cpu_s * len(forms) > limit_s and reply.longest_wall_s > limit_s
    if reply.cpu_s > limit_s or one_too_slow:
        return Outcome("timeout", f"solve: more than {limit_s:g} s of CPU time", reply)
    if min(reply.cpu_s, reply.wall_s) < RESOLUTION_S:
        return Outcome("unsupported", "too short to time; measure more forms at once with --loops", reply)
    if reply.malformed:
        return Outcome("wrong", f"malformed answer: {reply.malformed}", reply, has_times=True)
    for (puzzle, symmetry), answer in zip(forms, reply.answers, strict=True):
        fault = fault_of(puzzle, symmetry, reference, plan.task.limit, answer)
        if fault:
            return Outcome("wrong", f"{fault}{in_short(answer)}", reply, has_times=True, solutions=len(answer))
    return Outcome("solved", reply.reason, reply, has_times=True, solutions=len(reply.answers[0]))


def fault_of(
    puzzle: Puzzle, symmetry: Isomorph, reference: Reference, limit: int, answer: Sequence[Sequence[int]]
) -> str | None:
    """Describe the fault of an answer to a form; None if it is correct."""
    solution = reference.cell_bytes and symmetry.apply_to_bytes(reference.cell_bytes)
    if solution and answer == [solution]:
        return None  # the known solution has been checked against the rules and the clues
    fault = answer_fault(puzzle, answer, expected=min(limit, reference.solutions))
    if fault is None and solution:
        return "a valid grid, but not the known solution mapped to this form"
    return fault
