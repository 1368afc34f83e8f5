"""A choice within a time budget: screening, then a run of the strategies that could still be the best.

Screening solves a few puzzles with every candidate, in stages, and drops those that cost many times as much as the
cheapest. It ends early if it has used up its share of the budget. The puzzles of the run are other ones, so that the
selection of strategies cannot favour the selected ones: all verdicts come from the run. What screening says about a
dropped strategy is an estimate without an interval.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.plan.plan import Calibration, Plan, PlannedPuzzle
from bench.plan.suite import Suite
from bench.run.spending import Probe, run_pilot
from bench.say.progress import Progress
from bench.verdicts.pairs.decision import LEAST_PUZZLES
from bench.worker import clocks
from bench.worker.clocks import wall_s
from datasets.errors import InputError
from datasets.shape import Shape

# Puzzles of a stage, and the multiple of the lowest mean cost that drops a strategy: the fewer puzzles, the higher.
STAGES = ((1, 50.0), (2, 10.0), (5, 4.0))
SCREENED = sum(number for number, _ in STAGES)  # puzzles that are set aside for screening
SCREENING_SHARE = 0.5  # of the budget, for screening
LIMIT_SHARE = 0.25  # of the budget, if all solves of the first stage take the whole limit
LEAST_LIMIT_S, LEAST_COLD_LIMIT_S = 0.2, 5.0
FEWEST_KEPT = 2
REPETITIONS = 5  # that the number of puzzles leaves time for
OVERHEAD = 3.0  # wall time of a run in multiples of its solves: placebos, run-ins, the pilot


@dataclass
class Screening:
    """What screening has found on the boards of one shape.

    Attributes:
        costs: CPU seconds of each solve, by strategy; the limit in place of an unfinished one.
        wall_s: wall seconds of each solve; start_s: of each start of a worker.
        unfinished: how many solves of a strategy reached the limit.
        failed: strategies that gave no answer, or a wrong one, before the limit, with the first reason.
        puzzles: how many puzzles the stages that were completed have.
    """

    costs: dict[str, list[float]] = field(default_factory=dict)
    wall_s: dict[str, list[float]] = field(default_factory=dict)
    start_s: dict[str, list[float]] = field(default_factory=dict)
    unfinished: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    puzzles: int = 0

    def add(self, probe: Probe, limit_s: float) -> None:
        name = probe.strategy
        if probe.cpu_s is None and not probe.timed_out:
            self.failed.setdefault(name, probe.fault)
        self.costs.setdefault(name, []).append(limit_s if probe.cpu_s is None else probe.cpu_s)
        self.wall_s.setdefault(name, []).append(probe.wall_s)
        self.unfinished[name] = self.unfinished.get(name, 0) + probe.timed_out
        if probe.first:
            self.start_s.setdefault(name, []).append(probe.start_s)

    def kept(self, multiple: float) -> list[str]:
        """The strategies whose mean cost is at most so many times the lowest, the cheapest first; at least two."""
        ranked = sorted((name for name in self.costs if name not in self.failed), key=self.mean)
        cheap = [name for name in ranked if self.mean(name) <= multiple * self.mean(ranked[0])]
        return max(cheap, ranked[:FEWEST_KEPT], key=len)

    def mean(self, name: str) -> float:
        return statistics.mean(self.costs[name])

    def multiple(self, name: str, best: str) -> float:
        """The cost of a strategy as a multiple of that of another, on the puzzles that both solved."""
        number = min(len(self.costs[name]), len(self.costs[best]))
        return sum(self.costs[name][:number]) / sum(self.costs[best][:number])


def split(plan: Plan, seed: int) -> dict[Shape, tuple[list[PlannedPuzzle], list[PlannedPuzzle]]]:
    """For each shape the puzzles for screening and, in random order, those for the run.

    Raises:
        InputError: there are too few puzzles of a shape to choose by.
    """
    parts = {}
    for shape in plan.shapes:
        planned_puzzles = [s for s in plan.puzzles if s.puzzle.shape == shape and not s.decoy]
        if len(planned_puzzles) < LEAST_PUZZLES + SCREENED:
            raise InputError(
                f"{len(planned_puzzles)} puzzles of {shape.name} are too few to choose by: {SCREENED} serve to screen"
                f" the candidates, and the comparison needs {LEAST_PUZZLES}; give a file with more puzzles"
            )
        random.Random(f"{seed}/choose/{shape.name}").shuffle(planned_puzzles)
        parts[shape] = (planned_puzzles[:SCREENED], planned_puzzles[SCREENED:])
    return parts


def limit_s(suite: Suite, candidates: int, budget_s: float) -> float:
    """The limit of a solve in screening: all candidates may reach it without using up the budget."""
    least = LEAST_COLD_LIMIT_S if suite.cold else LEAST_LIMIT_S
    first = STAGES[0][0]
    return min(suite.timeout_s, max(least, LIMIT_SHARE * budget_s / (first * max(1, candidates))))


def screen(
    plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], budget_s: float, progress: Progress
) -> tuple[Screening, list[str]]:
    """Solve the puzzles of screening; return what was found, and the strategies that could be the best.

    A stage that the time does not suffice for is left out as a whole, so that all strategies have solved the same
    puzzles; only the first stage is indispensable.

    Raises:
        InputError: no candidate solved a puzzle, or the budget is too short to try them all.
    """
    ends_s = wall_s() + SCREENING_SHARE * budget_s
    capable = [info.name for info in plan.strategies if info.available and plan.task.name in info.tasks]
    limit = limit_s(plan.suite, len(capable), budget_s)
    screening, kept = Screening(), capable
    for number, multiple in STAGES:
        stage = stage_of(plan, kept, planned_puzzles[screening.puzzles : screening.puzzles + number], limit)
        solves = len(list(stage.measurements(1)))
        progress.begin(f"screening {plan.shapes[0].name}", solves)
        began_s, probes = wall_s(), []
        with contextlib.closing(run_pilot(stage, clocks.costs_s()["cpu"])) as results:
            for probe in results:
                probes.append(probe)
                progress.advance()
                if wall_s() > ends_s:
                    break
        if len(probes) < solves:
            if screening.puzzles:
                break
            needed_s = (wall_s() - began_s) / len(probes) * solves / SCREENING_SHARE
            raise InputError(
                f"screening {len(capable)} strategies takes more than half of the budget; raise it to about"
                f" --budget {math.ceil(needed_s / 60)}m, or name fewer candidates with -s"
            )
        for probe in probes:
            screening.add(probe, limit)
        screening.puzzles += number
        kept = screening.kept(multiple)
    if all(screening.unfinished[name] == len(screening.costs[name]) for name in kept):
        raise InputError(
            f"none of {len(capable)} strategies solved a puzzle of screening within {limit:.2g} s of CPU time; raise"
            " --budget, or name fewer candidates with -s"
        )
    return screening, kept


def stage_of(plan: Plan, names: Sequence[str], planned_puzzles: Sequence[PlannedPuzzle], limit: float) -> Plan:
    """The plan of a stage of screening: each puzzle once with each strategy, and a limit of its own."""
    return dataclasses.replace(
        plan,
        suite=dataclasses.replace(plan.suite, timeout_s=limit, repetitions=1, launches=1, budget=None),
        strategies=tuple(info for info in plan.strategies if info.name in names),
        puzzles=tuple(dataclasses.replace(planned, sampled=False) for planned in planned_puzzles),
        calibration=Calibration({shape.name: 1 for shape in plan.shapes}, ()),
    )


def run_plan(
    plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, kept: Sequence[str], budget_s: float
) -> Plan:
    """The plan of the run: as many puzzles as the rest of the budget allows, and as many of the strategies kept.

    Raises:
        InputError: the budget does not allow two strategies on the fewest puzzles.
    """
    names = list(kept)
    while (number := affordable(screening, names, budget_s)) < LEAST_PUZZLES and len(names) > FEWEST_KEPT:
        names.pop()  # the most expensive
    if number < LEAST_PUZZLES:
        each = 1 / max(number, 1)
        raise InputError(
            f"the budget allows {number} puzzles with {' and '.join(names)}, and the comparison needs {LEAST_PUZZLES};"
            f" raise --budget about {math.ceil(LEAST_PUZZLES * each)} times"
        )
    chosen = tuple(planned_puzzles[:number])
    collections = {planned.collection for planned in chosen}
    return dataclasses.replace(
        plan,
        suite=dataclasses.replace(plan.suite, budget=f"{max(1, int(budget_s))}s"),
        strategies=tuple(info for info in plan.strategies if info.name in names),
        collections=tuple(c for c in plan.collections if c.name in collections),
        puzzles=chosen + tuple(s for s in plan.puzzles if s.decoy and s.puzzle.shape == chosen[0].puzzle.shape),
    )


def smaller(plan: Plan) -> Plan | None:
    """A plan of half of the puzzles, for a budget that turned out too short; None if they would be too few."""
    planned_puzzles = [planned for planned in plan.puzzles if not planned.decoy]
    number = len(planned_puzzles) // 2
    if number < LEAST_PUZZLES:
        return None
    kept = {id(planned) for planned in planned_puzzles[:number]}
    return dataclasses.replace(plan, puzzles=tuple(s for s in plan.puzzles if s.decoy or id(s) in kept))


def affordable(screening: Screening, names: Sequence[str], budget_s: float) -> int:
    """How many puzzles the time allows, with ``REPETITIONS`` of each if there are enough, else with one."""
    solve_s = OVERHEAD * sum(statistics.mean(screening.wall_s[name]) for name in names)
    start_s = OVERHEAD * sum(statistics.mean(screening.start_s.get(name, [0.0])) for name in names)
    for repetitions in range(REPETITIONS, 0, -1):
        number = int((budget_s / repetitions - start_s) / max(solve_s, 1e-6))
        if number >= 2 * LEAST_PUZZLES or repetitions == 1:
            return max(0, number)
    return 0
