"""A choice within a time budget: screening, then a run of the strategies that could still be the best.

Screening solves a few puzzles with every candidate, in stages, and drops those that cost many times as much as the
cheapest. It ends early if it has used up its share of the budget. The puzzles of the run are other ones, so that the
selection of strategies cannot favour the selected ones: all verdicts come from the run. What screening says about a
dropped strategy is an estimate without an interval. If there are too few puzzles, or there is too little time for the
run, screening has a best so far (``Undecided``).
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from sudoku_bench.bench.plan.plan import Calibration, Plan, PlannedPuzzle
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.spending import Probe, run_pilot
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.verdicts.pairs.decision import AS_ONE, LEAST_PUZZLES, LEAST_REPETITIONS
from sudoku_bench.bench.worker import clocks
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape

# Puzzles of a stage, and the multiple of the lowest mean cost that drops a strategy: the fewer puzzles, the higher.
STAGES = ((1, 50.0), (2, 10.0), (5, 4.0))
SCREENED = sum(number for number, _ in STAGES)  # puzzles that are set aside for screening
SCREENING_SHARE = 1 / 3  # of the budget, for screening
LIMIT_SHARE = 0.15  # of the budget, if all solves of the first stage take the whole limit
RUN_SHARE = 0.85  # of what is left of the budget after screening; the rest is for references, ratings and tables
LEAST_LIMIT_S, LEAST_COLD_LIMIT_S = 0.2, 5.0
FEWEST_KEPT = 2
REPETITIONS = (5, LEAST_REPETITIONS)  # that the number of puzzles leaves time for, if it can
OVERHEAD = 3.0  # wall time of a run in multiples of its solves: placebos, run-ins, the pilot


class Undecided(Exception):
    """There are too few puzzles, or there is too little time, for a run to compare the candidates.

    Attributes:
        budget_s: one that suffices for the fewest puzzles and strategies, once puzzles are checked; 0: none does.
    """

    def __init__(self, reason: str, screening_s: float = 0.0, run_s: float = 0.0) -> None:
        """The seconds that the first stage of screening takes, or a run of the fewest puzzles and strategies."""
        super().__init__(reason)
        self.budget_s = max(screening_s / SCREENING_SHARE, run_s / RUN_SHARE / (1 - SCREENING_SHARE))


@dataclass
class Screening:
    """What screening has found on the boards of one shape.

    Attributes:
        puzzles_asked: number of puzzles that share a preparation; 0: it is not paid once.
        costs: CPU seconds of each solve, by strategy; the limit in place of an unfinished one.
        prepare_s: CPU seconds of the latest preparation.
        wall_s: wall seconds of each solve; start_s: of each start of a worker.
        unfinished: how many solves of a strategy reached the limit.
        failed: strategies that gave no answer, or a wrong one, before the limit, with the first reason.
        puzzles: how many puzzles the stages that were completed have.
    """

    puzzles_asked: int = 0
    costs: dict[str, list[float]] = field(default_factory=dict)
    prepare_s: dict[str, float] = field(default_factory=dict)
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
        if probe.prepare_s is not None:
            self.prepare_s[name] = probe.prepare_s
        self.wall_s.setdefault(name, []).append(probe.wall_s)
        self.unfinished[name] = self.unfinished.get(name, 0) + probe.timed_out
        if probe.first:
            self.start_s.setdefault(name, []).append(probe.start_s)

    def kept(self, multiple: float) -> list[str]:
        """The strategies whose mean cost is at most so many times the lowest, the cheapest first; at least two.

        The one that costs least once prepared is among them: it is the best for many puzzles.
        """
        ranked = sorted((name for name in self.costs if name not in self.failed), key=self.mean)
        if not ranked:
            return []
        cheap = [name for name in ranked if self.mean(name) <= multiple * self.mean(ranked[0])]
        kept = max(cheap, ranked[:FEWEST_KEPT], key=len)
        fastest = min(ranked, key=lambda name: statistics.mean(self.costs[name]))
        return kept if fastest in kept else [*kept, fastest]

    def mean(self, name: str, number: int | None = None) -> float:
        """The mean cost of a strategy on the first puzzles, with its share of preparing."""
        once_s = self.prepare_s.get(name, 0.0) / self.puzzles_asked if self.puzzles_asked else 0.0
        return once_s + statistics.mean(self.costs[name][:number])

    def multiple(self, name: str, best: str) -> float:
        """The cost of a strategy as a multiple of that of another, on the puzzles that both solved."""
        number = min(len(self.costs[name]), len(self.costs[best]))
        return self.mean(name, number) / self.mean(best, number)


def split(plan: Plan, seed: int) -> dict[Shape, tuple[list[PlannedPuzzle], list[PlannedPuzzle]]]:
    """For each shape the puzzles for screening and, in random order, those for the run."""
    parts = {}
    for shape in plan.shapes:
        planned_puzzles = [s for s in plan.puzzles if s.puzzle.shape == shape and not s.decoy]
        random.Random(f"{seed}/choose/{shape.name}").shuffle(planned_puzzles)
        parts[shape] = (planned_puzzles[:SCREENED], planned_puzzles[SCREENED:])
    return parts


def independent(planned_puzzles: Sequence[PlannedPuzzle]) -> int:
    """The number of puzzles, each group counted once."""
    return len({planned.group for planned in planned_puzzles})


def limit_s(suite: Suite, candidates: int, budget_s: float) -> float:
    """The limit of a solve in screening: all candidates may reach it without using up the budget."""
    least = LEAST_COLD_LIMIT_S if suite.cold else LEAST_LIMIT_S
    first = STAGES[0][0]
    return min(suite.timeout_s, max(least, LIMIT_SHARE * budget_s / (first * max(1, candidates))))


def screen(
    plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, budget_s: float, progress: Progress
) -> list[str]:
    """Solve the puzzles of screening, which adds to what was found; return the strategies that could be the best.

    A stage that the time does not suffice for is left out as a whole, so that all strategies have solved the same
    puzzles; only the first stage is indispensable.

    Raises:
        Undecided: the budget is too short to try all candidates.
        InputError: no candidate solved a puzzle.
    """
    ends_s = wall_s() + SCREENING_SHARE * budget_s
    capable = [info.name for info in plan.strategies if info.available and plan.task.name in info.tasks]
    limit = limit_s(plan.suite, len(capable), budget_s)
    kept, undecided = capable, None
    for number, multiple in STAGES:
        of_stage = planned_puzzles[screening.puzzles : screening.puzzles + number]
        if not of_stage or undecided:
            break
        stage = stage_of(plan, kept, of_stage, limit)
        solves = len(list(stage.measurements(1)))
        progress.begin(f"screening {counted(len(kept), 'candidate')} on {plan.shapes[0].name}", solves)
        began_s = wall_s()
        probes = probed(stage, ends_s, progress)
        if len(probes) < solves:
            if screening.puzzles:
                break
            tried = f"the time was enough to try {len(probes)} of {counted(solves, 'candidate')}"
            undecided = Undecided(tried, screening_s=(wall_s() - began_s) / len(probes) * solves)
        for probe in probes:
            screening.add(probe, limit)
        screening.puzzles += len(of_stage)
        kept = screening.kept(multiple)
        require_solved(screening, kept, limit)
    if undecided:
        raise undecided
    return kept


def probed(stage: Plan, ends_s: float, progress: Progress) -> list[Probe]:
    """Solve the puzzles of a stage until a time on the monotonic clock; return what was solved until then."""
    probes = []
    with contextlib.closing(run_pilot(stage, clocks.costs_s()["cpu"])) as results:
        for probe in results:
            probes.append(probe)
            progress.advance()
            if wall_s() > ends_s:
                break
    return probes


def require_solved(screening: Screening, kept: Sequence[str], limit: float) -> None:
    """Require that a candidate gave a right answer.

    Raises:
        InputError: none did.
    """
    if not kept:
        name, fault = next(iter(screening.failed.items()), ("none", "there is no strategy for the task"))
        raise InputError(f"no strategy gave a right answer in screening ({name}: {fault}); name others with -s")
    if all(screening.unfinished[name] == len(screening.costs[name]) for name in kept):
        raise InputError(
            f"none of {len(screening.costs)} strategies solved a puzzle of screening within {limit:.2g} s of CPU time;"
            " raise --budget, or name fewer candidates with -s"
        )


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
        Undecided: there are not enough puzzles, or the budget does not allow two strategies on the fewest.
    """
    names = list(kept)
    if independent(planned_puzzles) < LEAST_PUZZLES:
        number, of = independent(planned_puzzles), len(planned_puzzles)
        some = f", of which {number} are independent ({AS_ONE})" if number < of else ""
        raise Undecided(
            f"a comparison needs {LEAST_PUZZLES} puzzles beside {SCREENED} of screening, and has {of}{some}"
        )
    while True:
        chosen = tuple(planned_puzzles[: affordable(screening, names, budget_s)])
        number = independent(chosen)
        if number >= LEAST_PUZZLES:
            break
        if len(names) <= FEWEST_KEPT:
            reason = f"a comparison needs {LEAST_PUZZLES} puzzles, and the time allows {number}"
            raise Undecided(reason, run_s=least_run_s(screening, names))
        names.pop()  # the most expensive
    collections = {planned.collection for planned in chosen}
    return dataclasses.replace(
        plan,
        # A budget allows one repetition of each launch or more.
        suite=dataclasses.replace(plan.suite, launches=LEAST_REPETITIONS),
        strategies=tuple(info for info in plan.strategies if info.name in names),
        collections=tuple(c for c in plan.collections if c.name in collections),
        puzzles=chosen + tuple(s for s in plan.puzzles if s.decoy and s.puzzle.shape == chosen[0].puzzle.shape),
    )


def within(plan: Plan, budget_s: float) -> Plan:
    """A plan with the budget that is left."""
    return dataclasses.replace(plan, suite=dataclasses.replace(plan.suite, budget=f"{max(1, int(budget_s))}s"))


def fitting(plan: Plan, needed_s: float, pilot_s: float, left_s: float) -> Plan | None:
    """A plan of fewer puzzles, at most half of them, or of a single launch, for a budget that turned out too short.

    A single launch gives an answer that claims nothing, which is better than none. None if there is no time for it.

    Args:
        needed_s: what the plan needs, with its pilot; pilot_s: what that pilot took; left_s: what is left now.
    """
    planned_puzzles, launches = [planned for planned in plan.puzzles if not planned.decoy], plan.suite.launches
    share = (left_s - pilot_s) / max(needed_s - pilot_s, 1e-6)
    for fewer, most in ((launches, len(planned_puzzles) // 2), *([(1, len(planned_puzzles))] if launches > 1 else [])):
        chosen = planned_puzzles[: max(0, min(most, int(share * launches / fewer * len(planned_puzzles))))]
        if independent(chosen) >= LEAST_PUZZLES:
            kept = {id(planned) for planned in chosen}
            puzzles = tuple(planned for planned in plan.puzzles if planned.decoy or id(planned) in kept)
            return dataclasses.replace(plan, puzzles=puzzles, suite=dataclasses.replace(plan.suite, launches=fewer))
    return None


def least_run_s(screening: Screening, names: Sequence[str]) -> float:
    """The wall time of a run of these strategies on the fewest puzzles, as often as a verdict needs."""
    start_s, solve_s = round_s(screening, names)
    return LEAST_REPETITIONS * (start_s + LEAST_PUZZLES * solve_s)


def affordable(screening: Screening, names: Sequence[str], budget_s: float) -> int:
    """How many puzzles the time allows: with as many repetitions as leave enough puzzles, else with one."""
    start_s, solve_s = round_s(screening, names)
    for repetitions, least in zip((*REPETITIONS, 1), (2 * LEAST_PUZZLES, LEAST_PUZZLES, 0), strict=True):
        number = max(0, int((budget_s / repetitions - start_s) / max(solve_s, 1e-6)))
        if number >= least:
            break
    return number


def round_s(screening: Screening, names: Sequence[str]) -> tuple[float, float]:
    """The wall time of a repetition: of starting these strategies, and of a puzzle."""
    start_s = OVERHEAD * sum(statistics.mean(screening.start_s.get(name, [0.0])) for name in names)
    return start_s, OVERHEAD * sum(statistics.mean(screening.wall_s[name]) for name in names)
