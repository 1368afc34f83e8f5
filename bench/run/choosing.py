"""A choice within a time budget: screening, then a run of the strategies that could still be the best.

Screening probes candidates on a few puzzles, in stages, and drops those that cost many times as much as the cheapest.
It begins with those that the stored screening (``screening.csv``) found fast on such boards, and ends when its share of
the budget is used: the rest is not tried. The puzzles of the run are other ones, so that the selection of strategies
cannot favour the selected ones: all verdicts come from the run, which goes on until the time is used. What screening
says about a dropped strategy is an estimate without a verdict. If there are too few puzzles, or there is too little
time for a run, the leaders solve further puzzles instead (``Undecided``, ``go_on``).
"""

from __future__ import annotations

import bisect
import contextlib
import csv
import dataclasses
import json
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder.store import MANIFEST, PUZZLES, SCREENING, keep_screening, read_manifest
from sudoku_bench.bench.folder.tables import puzzles_in
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
SPARE_SHARE, SPARE_S = 0.05, 4.0  # of the budget, for the tables at its end
LEAST_LIMIT_S, LEAST_COLD_LIMIT_S = 0.2, 5.0
FEWEST_KEPT = 2
LEADERS = 4  # strategies that go on where nothing can be decided
# Launches that the run must leave time for, and the fewest puzzles; it makes up to ``MOST_LAUNCHES``.
LAUNCHES = ((5, 2 * LEAST_PUZZLES), (LEAST_REPETITIONS, LEAST_PUZZLES))
MOST_LAUNCHES = 20
KNOWN = Path(__file__).parent / "screening.csv"
LATE_S = 4.0  # cost of a puzzle that the stored screening did not solve: twice its limit
SIZES = {4: ("size4",), 6: ("size6",), 9: ("easy", "hard", "hardest"), 12: ("size12",), 16: ("size16",)}


class Undecided(Exception):
    """There are too few puzzles, or there is too little time, for a run to compare the candidates.

    Attributes:
        budget_s: one that suffices for the fewest puzzles and strategies, once puzzles are checked; 0: none does.
    """

    def __init__(self, reason: str, run_s: float = 0.0) -> None:
        """The seconds that a run of the fewest puzzles and strategies takes."""
        super().__init__(reason)
        self.budget_s = run_s / RUN_SHARE / (1 - SCREENING_SHARE)


@dataclass
class Screening:
    """What screening has found on the boards of one shape.

    Attributes:
        limit_s: CPU seconds of a solve.
        puzzles_asked: number of puzzles that share a preparation; 0: it is not paid once.
        puzzles: how many puzzles all strategies that are still kept have tried.
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
        return once_s + statistics.mean(self.costs[name][: number or self.puzzles or None])

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


@cache
def known_costs(size: int) -> dict[str, float]:
    """Mean seconds of each strategy of the stored screening on boards of the size nearest to this one."""
    names = SIZES[min(SIZES, key=lambda other: abs(other - size))]
    costs: dict[str, float] = {}
    with KNOWN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["collection"] in names:
                late = 1 - int(row["solved"]) / int(row["of"])
                cost_s = float(row["median_s"] or LATE_S) * (1 - late) + LATE_S * late
                costs[row["strategy"]] = costs.get(row["strategy"], 0.0) + cost_s / len(names)
    return costs


def expected_s(name: str, size: int) -> float:
    """What a solve is expected to cost: that of the stored screening, or of the strategies most like this one there.

    One of a family that is not known comes first: it is the reader's own.
    """
    costs = known_costs(size)
    if name in costs:
        return costs[name]
    family, (model, _, engine) = name.partition(":")[0], name.partition("@")
    alike = [other for other in costs if other.partition(":")[0] == family]
    near = [other for other in alike if other.startswith(f"{model}@") or (engine and other.endswith(f"@{engine}"))]
    return statistics.median([costs[other] for other in near or alike]) if alike else 0.0


def in_order(plan: Plan) -> list[str]:
    """The candidates that can solve the puzzles, those first that are expected to be fast."""
    size = plan.shapes[0].size
    return sorted(capable(plan), key=lambda name: expected_s(name, size))


def screen(
    plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, ends_s: float, progress: Progress
) -> list[str]:
    """Solve the puzzles of screening, which adds to what was found; return the strategies that could be the best.

    At least two candidates are tried. A later stage that the time does not suffice for does not count: all strategies
    have solved the same puzzles.

    Args:
        ends_s: when to stop, on the monotonic clock.

    Raises:
        InputError: no candidate solved a puzzle.
    """
    kept, until = in_order(plan), 0
    for number, multiple in STAGES:
        first, until = not until, min(until + number, len(planned_puzzles))
        if until <= screening.puzzles and not first:
            kept = screening.kept(multiple)
            continue
        progress.begin(f"screening {counted(len(kept), 'candidate')} on {plan.shapes[0].name}", len(kept) * number)
        for tried in sorted({len(screening.costs.get(name, ())) for name in kept}):
            names = [name for name in kept if len(screening.costs.get(name, ())) == tried]
            least = FEWEST_KEPT if first else 0
            probe_all(plan, planned_puzzles[tried:until], names, screening, ends_s, least, progress)
        costs = screening.costs
        if not first and any(len(costs[name]) < until for name in kept):
            break
        screening.puzzles = max(until, screening.puzzles)
        kept = screening.kept(multiple)
        require_solved(screening, kept)
    return kept


def probe_all(
    plan: Plan,
    puzzles: Sequence[PlannedPuzzle],
    names: Sequence[str],
    screening: Screening,
    ends_s: float,
    least: int = 0,
    progress: Progress | None = None,
) -> None:
    """Let strategies solve puzzles, each puzzle in their order, until a time on the monotonic clock.

    Args:
        least: so many strategies are tried even after that.
    """
    infos = {info.name: info for info in plan.strategies}
    part = replace(plan, strategies=tuple(infos[name] for name in names))
    if not puzzles or (wall_s() > ends_s and len(screening.costs) >= least):
        return
    with contextlib.closing(probes(part, puzzles, screening.limit_s)) as solves:
        for probe in solves:
            screening.found.append(probe)
            if progress:
                progress.advance()
            if wall_s() > ends_s and len(screening.costs) >= least:
                break


def go_on(
    plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, names: Sequence[str], ends_s: float
) -> None:
    """Let the leaders solve further puzzles until a time on the monotonic clock; those that all have tried count."""
    for tried in sorted({len(screening.costs[name]) for name in names}):
        behind = [name for name in names if len(screening.costs[name]) == tried]
        probe_all(plan, planned_puzzles[tried:], behind, screening, ends_s)
    screening.puzzles = min(len(screening.costs[name]) for name in names)


def keep(folder: Path, plan: Plan, screening: Screening) -> None:
    """Keep what screening has found in the folder of the run, for another call."""
    keep_screening(folder, dataclasses.asdict(screening) | {"of": identity(plan)})


def kept_screening(folder: Path, plan: Plan, screening: Screening) -> Screening:
    """What an earlier call has found, for as many puzzles as now; without one, this screening.

    Raises:
        InputError: it was of other puzzles, or cannot be read.
    """
    path = folder / SCREENING
    if not path.exists():
        return screening
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found = [Probe(**probe) for probe in record["found"]]
        earlier = replace(screening, limit_s=record["limit_s"], found=found, puzzles=record["puzzles"])
        if record["of"] == identity(plan):
            return earlier
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: cannot be read: {error}; remove it") from None
    raise InputError(f"{folder}: holds a choice for other puzzles, strategies, limits or tasks; choose another --out")


def identity(plan: Plan) -> list[Any]:
    """What must agree to go on with a screening, as in JSON."""
    limits = [plan.suite.seed, plan.suite.timeout_s, [info.name for info in plan.strategies]]
    return [str(plan.task), *limits, [[one.collection, one.name, one.puzzle.text] for one in plan.puzzles]]


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
            f"a comparison needs {LEAST_PUZZLES} puzzles beside {SCREENED} of screening, and has {of}{some}; give"
            f" {LEAST_PUZZLES - number} more"
        )
    names = list(kept)
    while True:
        whole = plan_of(plan, planned_puzzles, screening, names)
        for launches, least in LAUNCHES:
            number = affordable(whole, planned_puzzles, screening, RUN_SHARE * budget_s / launches)
            if independent(planned_puzzles[:number]) >= least or number >= len(planned_puzzles):
                return with_puzzles(whole, planned_puzzles[:number], MOST_LAUNCHES)
        if len(names) <= FEWEST_KEPT:
            reason = f"a comparison needs {LEAST_PUZZLES} puzzles, and the time allows {number}"
            fewest = with_puzzles(whole, planned_puzzles[:LEAST_PUZZLES], 1)
            raise Undecided(reason, run_s=LEAST_REPETITIONS * round_cost(fewest, screening.found).first_s)
        names.pop()  # the most expensive


def continued(plan: Plan, planned_puzzles: Sequence[PlannedPuzzle], screening: Screening, folder: Path) -> Plan | None:
    """The plan of the run that an earlier call has begun in the folder; None if there is none."""
    if not (folder / MANIFEST).exists() or not (folder / PUZZLES).exists():
        return None
    manifest, rated = read_manifest(folder), puzzles_in(folder / PUZZLES)
    names = [known["name"] for known in manifest["strategies"]]
    measured = [planned for planned in planned_puzzles if (planned.collection, planned.name) in rated]
    return with_puzzles(plan_of(plan, planned_puzzles, screening, names), measured, manifest["suite"]["launches"])


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
