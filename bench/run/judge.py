"""The judge determines the outcome of a measurement from a worker's reply, after the clock has stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sudoku_bench.bench.folder.rows import counter_columns
from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.worker.clocks import RESOLUTION_S
from sudoku_bench.bench.worker.stopwatch import PHASES
from sudoku_bench.datasets.isomorphs import Isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.verify import answer_fault

TIMED = ("solved", "unsupported")  # statuses of an answer whose time is in the row, or too short to time
TIMES = ("wall_s", "cpu_s", "prepare_cpu_s", "peak_rss_mib", *(f"{phase}_cpu_s" for phase in PHASES))

Form = tuple[Puzzle, Isomorph]  # a form and the symmetry that produced it


def outcome_of(
    plan: Plan, reference: Reference, forms: Sequence[Form], timed: int, reply: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns of a row that a worker's reply determines: the outcome of the measurement.

    Args:
        reference: the established solutions of the puzzle.
        forms: the forms that were solved; the first ``timed`` of them are those of the row.
    """
    if reply["status"] != "ok":
        return {"status": reply["status"], "reason": reply["reason"]}
    limit_s, cpu_s = plan.suite.timeout_s, reply["cpu_s"]
    # One of several forms was too slow if its wall time and the CPU time of all both exceed the limit.
    one_too_slow = cpu_s * timed > limit_s and reply.get("longest_wall_s", 0.0) > limit_s
    if cpu_s > limit_s or one_too_slow:
        return {"status": "timeout", "reason": f"solve: more than {limit_s:g} s of CPU time"}
    if min(cpu_s, reply["wall_s"]) < RESOLUTION_S:
        return {"status": "unsupported", "reason": "too short to time; measure more forms at once with --loops"}
    times = {key: reply[key] for key in TIMES if key in reply}
    if "malformed" in reply:
        return times | {"status": "wrong", "reason": f"malformed answer: {reply['malformed']}"}
    outcome = times | counter_columns(reply["counters"])
    for (puzzle, symmetry), answer in zip(forms, reply["answers"], strict=True):
        fault = fault_of(puzzle, symmetry, reference, plan.task.limit, answer)
        if fault:
            return outcome | {"status": "wrong", "reason": fault, "solutions": len(answer)}
    return outcome | {"status": "solved", "reason": reply.get("reason"), "solutions": len(reply["answers"][0])}


def without_times(outcome: Mapping[str, Any], fault: str) -> dict[str, Any]:
    """Return the outcome of a solve whose reported times are not those that the system charged."""
    others = {key: value for key, value in outcome.items() if key not in (*TIMES, "run_in", "clock_cost_s")}
    return others | {"status": "mistimed", "reason": fault}


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
