"""The runner: carries out a plan, one measurement at a time, and yields each finished row, its answer verified."""

from __future__ import annotations

import hashlib
import itertools
import math
import platform
import time
from collections.abc import Iterator, Sequence
from typing import Any

from bench import clocks
from bench.plan import Measurement, Plan, Subject
from bench.process import WorkerDied
from bench.rows import counter_fields
from bench.seat import Reply, Seat
from bench.worker import PHASES
from datasets.isomorphs import Isomorph, form, isomorph
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from datasets.verify import answer_fault

WARM_UP_FORMS = (-1, -2)
CLOCK_SHARE = 0.01  # of a sample, at most, goes into reading clocks
MAX_LOOPS = 1000

Row = dict[str, Any]


class Runner:
    """Carries out a plan.

    Attributes:
        loops: forms per measurement; 0 until it is calibrated.
        clock_cost_s: what one reading of each clock costs here, in seconds.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.clock_cost_s = {"cpu": clocks.cost_s(clocks.cpu_s), "wall": clocks.cost_s(clocks.wall_s)}
        self.loops = plan.suite.loops or 0
        self._host = "host-" + hashlib.sha256(platform.node().encode()).hexdigest()[:8]
        self._numbers = itertools.count(1)
        self._warm_up = warm_up_forms(plan)

    def rows(self) -> Iterator[Row]:
        """Measure everything in the plan's order. Closing the generator stops it; no worker is left behind."""
        started = time.monotonic()
        for launch in range(1, self.plan.suite.launches + 1):
            seats = {info.name: self._seat(info.name) for info in self.plan.strategies}
            timed_out: set[tuple[str, int]] = set()
            try:
                self.loops = self.loops or self._calibrate(seats.values())
                for measurement in self.plan.measurements(launch):
                    pair = measurement.strategy.name, id(measurement.subject)
                    row = self._describe(measurement)
                    row |= self._outcome(seats[measurement.strategy.name], measurement, started, pair in timed_out)
                    if row["status"] == "timeout":
                        timed_out.add(pair)
                    yield row
            finally:
                for seat in seats.values():
                    seat.close()

    def _seat(self, name: str) -> Seat:
        suite = self.plan.suite
        info = next(info for info in self.plan.strategies if info.name == name)
        return Seat(info, self.plan.task, suite.timeout_s, suite.memory_mib, suite.gc, self._numbers, self._warm_up)

    def _calibrate(self, seats: Any) -> int:
        """So many forms per sample, the same for all, that the fastest strategy's sample dwarfs its clock readings."""
        if not self.plan.suite.isomorphs or any(info.persistent for info in self.plan.strategies):
            return 1
        fastest = math.inf
        for shape, seat in itertools.product(self._warm_up, seats):
            if seat.obstacle(shape) is None:
                fastest = min(fastest, seat.warm_cpu_s[shape])
        needed = 2 * sum(self.clock_cost_s.values()) / CLOCK_SHARE
        return 1 if math.isinf(fastest) else min(MAX_LOOPS, max(1, math.ceil(needed / fastest)))

    def _describe(self, measurement: Measurement) -> Row:
        subject, suite = measurement.subject, self.plan.suite
        return {
            "strategy": measurement.strategy.name,
            "collection": subject.collection,
            "puzzle": subject.name,
            "isomorph": self.plan.forms(measurement, self.loops)[0],
            "task": str(self.plan.task),
            "mode": suite.mode,
            "launch": measurement.launch,
            "repetition": measurement.repetition,
            "loops": self.loops,
            "limit_s": suite.timeout_s,
            "limit_clock": "cpu",
            "round": measurement.round,
            "position": measurement.position,
            "host": self._host,
            "decoy": subject.decoy,
        }

    def _outcome(self, seat: Seat, measurement: Measurement, started: float, timed_out: bool) -> Row:
        subject = measurement.subject
        shape = subject.puzzle.shape
        if timed_out:
            obstacle: tuple[str, str] | None = ("timeout", "not repeated: timed out before in this launch")
        else:
            obstacle = seat.obstacle(shape)
        row: Row = {"started_s": round(time.monotonic() - started, 6)}
        if obstacle:
            row["status"], row["reason"] = obstacle
            return row
        row["worker"], row["prepare_cpu_s"] = seat.worker_number, seat.prepare_cpu_s[shape]
        symmetries = [
            isomorph(self.plan.suite.seed, subject.puzzle, n) for n in self.plan.forms(measurement, self.loops)
        ]
        # Phases are left out where reading the clock between them would be a noticeable part of a solve.
        marks_s = (len(PHASES) + 1) * self.clock_cost_s["cpu"]
        try:
            reply = seat.solve(
                [form(subject.puzzle, symmetry) for symmetry in symmetries],
                phases=seat.warm_cpu_s[shape] * CLOCK_SHARE >= marks_s,
            )
        except WorkerDied as death:
            return row | {"status": death.status, "reason": death.reason, "limit_clock": death.clock}
        return row | self._judge(subject, symmetries, reply)

    def _judge(self, subject: Subject, symmetries: Sequence[Isomorph], reply: Reply) -> Row:
        """The fields of a row from the worker's reply."""
        if reply["status"] != "ok":
            return {"status": reply["status"], "reason": reply["reason"]}
        limit_s = self.plan.suite.timeout_s
        # One form of several was too slow if its wall time and the CPU time of the whole sample are beyond the limit.
        one_late = reply["longest_wall_s"] > limit_s and reply["cpu_s"] * len(symmetries) > limit_s
        if reply["cpu_s"] > limit_s or one_late:
            return {"status": "timeout", "reason": f"solve: more than {limit_s:g} s of CPU time"}
        times = ("wall_s", "cpu_s", "peak_rss_mib", *(f"{phase}_cpu_s" for phase in PHASES))
        row: Row = {key: reply[key] for key in times if key in reply}
        if "malformed" in reply:
            return row | {"status": "wrong", "reason": f"malformed answer: {reply['malformed']}"}
        row |= counter_fields(reply["counters"])
        row["solutions"] = len(reply["answers"][0])
        for symmetry, answer in zip(symmetries, reply["answers"], strict=True):
            fault = judge(subject, self.plan.task.limit, symmetry, answer)
            if fault:
                return row | {"status": "wrong", "reason": fault, "solutions": len(answer)}
        return row | {"status": "solved", "reason": reply.get("reason")}


def judge(subject: Subject, limit: int, symmetry: Isomorph, answer: Sequence[Sequence[int]]) -> str | None:
    """What is wrong with an answer for a form of a subject, in words; None if it is right."""
    known = subject.reference
    fault = answer_fault(form(subject.puzzle, symmetry), answer, expected=min(limit, known.solutions))
    if fault is None and known.solution and symmetry.undo(answer[0]) != known.solution:
        return "a valid grid, but not the known solution mapped to this form"
    return fault


def warm_up_forms(plan: Plan) -> dict[Shape, Sequence[Puzzle]]:
    """For each shape of the plan, forms that are never timed, of the puzzle with the most clues (often an easy one)."""
    easiest: dict[Shape, Puzzle] = {}
    for subject in plan.subjects:
        shape = subject.puzzle.shape
        if shape not in easiest or subject.puzzle.clues > easiest[shape].clues:
            easiest[shape] = subject.puzzle
    return {
        shape: [form(puzzle, isomorph(plan.suite.seed, puzzle, number)) for number in WARM_UP_FORMS]
        for shape, puzzle in easiest.items()
    }
