"""A choice within a time budget: screening, then a run of the strategies that could still be the best.

Screening probes every candidate on a few puzzles, in stages, and drops those that cost many times as much as the
cheapest. It ends early if it has used up its share of the budget. The puzzles of the run are other ones, so that the
selection of strategies cannot favour the selected ones: all verdicts come from the run. What screening says about a
dropped strategy is an estimate without an interval. If there are too few puzzles, or there is too little time for the
run, screening has a best so far (``Undecided``).
"""

from __future__ import annotations

import bisect
import contextlib
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sudoku_bench.bench.plan.plan import Calibration, Plan, PlannedPuzzle
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.probe import Probe, grouped, parallel_strategies, placebo_strategies, probes, round_cost
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.verdicts.pairs.decision import AS_ONE, LEAST_PUZZLES, LEAST_REPETITIONS
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape

# Puzzles of a stage, and the multiple of the lowest mean cost that drops a strategy: the fewer puzzles, the higher.
STAGES = ((1, 50.0), (2, 10.0), (5, 4.0))
SCREENED = sum(number for number, _ in STAGES)  # puzzles that are set aside for screening
SCREENING_SHARE = 1 / 3  # of the budget, for screening
LIMIT_SHARE = 0.15  # of the budget, if all solves of the first stage take the whole limit
RUN_SHARE = 0.75  # of what is left after screening; the rest is for references, ratings, tables and wrong estimates
LEAST_LIMIT_S, LEAST_COLD_LIMIT_S = 0.2, 5.0
FEWEST_KEPT = 2
# Launches of the run, and the fewest puzzles that they must leave time for.
LAUNCHES = ((5, 2 * LEAST_PUZZLES), (LEAST_REPETITIONS, LEAST_PUZZLES))


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
        limit_s: CPU seconds of a solve.
        puzzles_asked: number of puzzles that share a preparation; 0: it is not paid once.
        puzzles: how many puzzles the stages that were completed have.
    """

    limit_s: float
    puzzles_asked: int = 0
    found: list[Probe] = field(default_factory=list)
    puzzles: int = 0

    @property
    def costs(self) -> dict[str, list[float]]:
        """CPU seconds of each solve, by strategy; the limit in place of an unfinished one."""
        return {
            name: [self.limit_s if probe.cpu_s is None else probe.cpu_s for probe in own]
            for name, own in grouped(self.found).items()
        }

    @property
    def failed(self) -> dict[str, str]:
        """Strategies that gave no answer, or a wrong one, before the limit, with the first reason."""
        faults: dict[str, str] = {}
        for probe in self.found:
            if probe.fault:
                faults.setdefault(probe.strategy, probe.fault)
        return faults

    def kept(self, multiple: float) -> list[str]:
        """The strategies whose mean cost is at most so many times the lowest, the cheapest first; at least two.

        The one that costs least once prepared is among them: it is the best for many puzzles.
        """
        costs = self.costs
        ranked = sorted(costs.keys() - self.failed.keys(), key=self.mean)
        if not ranked:
            return []
        cheap = [name for name in ranked if self.mean(name) <= multiple * self.mean(ranked[0])]
        kept = max(cheap, ranked[:FEWEST_KEPT], key=len)
        fastest = min(ranked, key=lambda name: statistics.mean(costs[name]))
        return kept if fastest in kept else [*kept, fastest]

    def mean(self, name: str, number: int | None = None) -> float:
        """The mean cost of a strategy on the first puzzles, with its share of preparing."""
        prepared = [probe.prepare_s for probe in self.found if probe.strategy == name and probe.prepare_s is not None]
        once_s = prepared[-1] / self.puzzles_asked if self.puzzles_asked and prepared else 0.0
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


def capable(plan: Plan) -> list[str]:
    return [info.name for info in plan.strategies if info.available and plan.task.name in info.tasks]


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
    kept, undecided = capable(plan), None
    for number, multiple in STAGES:
        of_stage = planned_puzzles[screening.puzzles : screening.puzzles + number]
        if not of_stage or undecided:
            break
        infos = tuple(info for info in plan.strategies if info.name in kept)
        solves = len(infos) * len(of_stage)
        progress.begin(f"screening {counted(len(kept), 'candidate')} on {plan.shapes[0].name}", solves)
        began_s = wall_s()
        found = probed(replace(plan, strategies=infos), of_stage, screening.limit_s, ends_s, progress)
        if len(found) < solves:
            if screening.puzzles:
                break
            tried = f"the time allowed only {len(found)} of {counted(solves, 'candidate')}"
            undecided = Undecided(tried, screening_s=(wall_s() - began_s) / len(found) * solves)
        screening.found += found
        screening.puzzles += len(of_stage)
        kept = screening.kept(multiple)
        require_solved(screening, kept)
    if undecided:
        raise undecided
    return kept


def probed(
    plan: Plan, puzzles: Sequence[PlannedPuzzle], limit_s: float, ends_s: float, progress: Progress
) -> list[Probe]:
    """Solve the puzzles of a stage until a time on the monotonic clock; return what was solved until then."""
    found = []
    with contextlib.closing(probes(plan, puzzles, limit_s)) as solves:
        for probe in solves:
            found.append(probe)
            progress.advance()
            if wall_s() > ends_s:
                break
    return found


def require_solved(screening: Screening, kept: Sequence[str]) -> None:
    """Require that a candidate gave a right answer.

    Raises:
        InputError: none did.
    """
    if not kept:
        name, fault = next(iter(screening.failed.items()), ("none", "there is no strategy for the task"))
        raise InputError(f"no strategy gave a right answer in screening ({name}: {fault}); name others with -s")
    if all(probe.cpu_s is None for probe in screening.found if probe.strategy in kept):
        raise InputError(
            f"none of {len(screening.costs)} strategies solved a puzzle of screening within {screening.limit_s:.2g} s"
            " of CPU time; raise --budget, or name fewer candidates with -s"
        )


def run_plan(
    plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, kept: Sequence[str], budget_s: float
) -> Plan:
    """The plan of the run: as many puzzles as the rest of the budget allows, and as many of the strategies kept.

    Raises:
        Undecided: there are not enough puzzles, or the budget does not allow two strategies on the fewest.
    """
    if independent(planned_puzzles) < LEAST_PUZZLES:
        number, of = independent(planned_puzzles), len(planned_puzzles)
        some = f", of which {number} are independent ({AS_ONE})" if number < of else ""
        raise Undecided(
            f"a comparison needs {LEAST_PUZZLES} puzzles beside {SCREENED} of screening, and has {of}{some}"
        )
    names = list(kept)
    while True:
        whole = plan_of(plan, planned_puzzles, screening, names)
        for launches, least in LAUNCHES:
            number = affordable(whole, planned_puzzles, screening, RUN_SHARE * budget_s / launches)
            if independent(planned_puzzles[:number]) >= least or number >= len(planned_puzzles):
                return with_puzzles(whole, planned_puzzles[:number], launches)
        if len(names) <= FEWEST_KEPT:
            reason = f"a comparison needs {LEAST_PUZZLES} puzzles, and the time allows {number}"
            fewest = with_puzzles(whole, planned_puzzles[:LEAST_PUZZLES], 1)
            raise Undecided(reason, run_s=LEAST_REPETITIONS * round_cost(fewest, screening.found).first_s)
        names.pop()  # the most expensive


def plan_of(plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, names: Sequence[str]) -> Plan:
    """The plan of a run of some strategies on all puzzles that were not screened, with the decoys."""
    found = [probe for probe in screening.found if probe.strategy in names]
    calibration = Calibration(placebo_strategies(found), parallel_strategies(found))
    infos = tuple(info for info in plan.strategies if info.name in names)
    puzzles = (*planned_puzzles, *(planned for planned in plan.puzzles if planned.decoy))
    return replace(plan, strategies=infos, puzzles=puzzles, calibration=calibration)


def with_puzzles(plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], launches: int) -> Plan:
    """A plan of some puzzles, each measured once in each launch, and the decoys."""
    collections = {planned.collection for planned in planned_puzzles}
    return replace(
        plan,
        suite=replace(plan.suite, launches=launches, repetitions=1),
        collections=tuple(c for c in plan.collections if c.name in collections),
        puzzles=(*planned_puzzles, *(s for s in plan.puzzles if s.decoy)),
    )


def affordable(plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, budget_s: float) -> int:
    """How many of the puzzles a launch has time for, with everything that a launch of so many contains."""

    def cost_s(number: int) -> float:
        return round_cost(with_puzzles(plan, planned_puzzles[:number], 1), screening.found).first_s

    return bisect.bisect_right(range(1, len(planned_puzzles) + 1), budget_s, key=cost_s)
