"""The number of repetitions that fit into a time budget, chosen after a pilot whose solves never become rows.

It is the same for all collections and strategies, and follows from how long a round takes. Which strategy is faster
plays no part: repeating undecided comparisons until they are decided would be optional stopping, which finds
differences that do not exist.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import statistics
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.plan.plan import DECOY_COLLECTION, Plan, PlannedPuzzle
from sudoku_bench.bench.process.warden import guarded
from sudoku_bench.bench.run.lane import Lane
from sudoku_bench.bench.run.runner import confinement
from sudoku_bench.bench.run.timeouts import Timeouts
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError

PROBES = 8  # largest number of puzzles per collection that the pilot solves
PILOT_SHARE = 0.1  # of the budget, after which a pilot ends that has solved a puzzle of each collection
RESERVE = 0.1  # of the remaining budget, kept for costs that the pilot did not foresee
MOST_REPETITIONS = 50
PILOT_FORMS = 1 << 25  # offset of the pilot's form numbers within those of a use


class BudgetError(InputError):
    """A budget does not allow one repetition of everything.

    Attributes:
        needed_s: the wall time that it would take; at least that, if not even the pilot was finished.
    """

    def __init__(self, plan: Plan, reason: str, needed_s: float) -> None:
        super().__init__(
            f"a budget of {plan.suite.budget} does not allow one repetition of everything: {reason}; raise --budget,"
            " or measure less: fewer puzzles (--sample, --limit), strategies or --launches, or a shorter --timeout"
        )
        self.needed_s = needed_s


@dataclass(frozen=True)
class Probe:
    """One measurement of the pilot.

    Attributes:
        start_s: wall time to start a worker; first: the first of its strategy and board.
        wall_s: wall time of the measurement after that; cpu_s: of the solve, None if it was not finished.
        prepare_s: CPU time of preparing its worker, if known.
        fault: why there was no right answer before the limit; empty otherwise.
    """

    strategy: str
    collection: str
    start_s: float
    first: bool
    wall_s: float
    cpu_s: float | None
    timed_out: bool = False
    fault: str = ""
    prepare_s: float | None = None


class RoundCost(NamedTuple):
    """Wall seconds of the first round of a launch, and of each later one, in which timeouts are not repeated."""

    first_s: float
    later_s: float


def affordable_repetitions(plan: Plan, clock_cost_s: float, budget_s: float, pilot_start_s: float) -> int:
    """Solve a few puzzles of each collection; return how many repetitions fit into the budget.

    Args:
        plan: calibrated.
        pilot_start_s: start of the pilot on the monotonic clock.

    Raises:
        BudgetError: the budget does not allow one repetition of everything.
    """

    def used_s() -> float:
        return wall_s() - pilot_start_s

    pilot, probes = pilot_plan(plan, pilot_puzzles(plan)), list[Probe]()
    least = len(plan.strategies) * len({planned.collection for planned in pilot.puzzles})
    with contextlib.closing(run_pilot(pilot, clock_cost_s, used_s)) as results:
        for probe in results:
            probes.append(probe)
            if used_s() > budget_s:
                raise BudgetError(plan, "the pilot alone takes longer", used_s())
            if len(probes) >= least and used_s() > PILOT_SHARE * budget_s:
                break
    return fitting_repetitions(plan, round_cost(plan, probes), budget_s, used_s())


def fitting_repetitions(plan: Plan, cost: RoundCost, budget_s: float, pilot_s: float) -> int:
    """Return the largest number of repetitions that fits into what the pilot has left of the budget.

    Raises:
        BudgetError: not even one fits.
    """
    launches = plan.suite.launches
    left_s = (1 - RESERVE) * (budget_s - pilot_s) / launches - cost.first_s
    if left_s < 0:
        needed_s = math.ceil(pilot_s + launches * cost.first_s / (1 - RESERVE))
        raise BudgetError(plan, f"that takes about {needed_s} s", needed_s)
    return 1 + min(MOST_REPETITIONS - 1, int(left_s / max(cost.later_s, 1e-9)))


def round_cost(plan: Plan, probes: Sequence[Probe]) -> RoundCost:
    """Estimate how long a round takes: starting all workers, and all measurements.

    The floor and the pipe are not in the pilot, and count as the most expensive strategy; a decoy, which each launch
    measures once, counts as an average puzzle of the pilot.
    """
    puzzles = Counter(planned.collection for planned in plan.puzzles)
    sampled = Counter(planned.collection for planned in plan.puzzles if planned.sampled)
    of_strategy: dict[str, list[Probe]] = {}
    for probe in probes:
        of_strategy.setdefault(probe.strategy, []).append(probe)
    most_expensive = max(of_strategy.values(), key=lambda own: statistics.mean(probe.wall_s for probe in own))
    start_s = first_s = later_s = 0.0
    for contestant in plan.contestants:
        own = of_strategy.get(contestant.info.name, most_expensive)
        start_s += len(plan.shapes) * statistics.mean(probe.start_s for probe in own if probe.first)
        for collection, number in (sampled if contestant.role else puzzles).items():
            cost = puzzle_cost([probe for probe in own if probe.collection == collection] or own)
            first_s += number * cost.first_s
            later_s += number * cost.later_s if collection != DECOY_COLLECTION else 0.0
    return RoundCost(start_s + first_s / plan.suite.jobs, start_s + later_s / plan.suite.jobs)


def puzzle_cost(probes: Sequence[Probe]) -> RoundCost:
    """Return the cost of a puzzle. Starting workers is excluded, except for those that a timeout ended."""
    costs_s = [probe.wall_s + (0.0 if probe.first else probe.start_s) for probe in probes]
    repeated_s = (0.0 if probe.timed_out else cost_s for probe, cost_s in zip(probes, costs_s, strict=True))
    return RoundCost(statistics.mean(costs_s), sum(repeated_s) / len(probes))


def pilot_puzzles(plan: Plan) -> list[PlannedPuzzle]:
    """Return the puzzles that a pilot may solve: one of each collection, a second one of each, and so on.

    They are spread evenly over each collection, and begin with its middle.
    """
    by_collection: dict[str, list[PlannedPuzzle]] = {}
    for planned in plan.puzzles:
        if not planned.decoy:
            by_collection.setdefault(planned.collection, []).append(planned)
    chosen = []
    for planned_puzzles in by_collection.values():
        places = dict.fromkeys(int((number + 0.5) * len(planned_puzzles) / PROBES) for number in range(PROBES))
        middle_first = sorted(places, key=lambda place: abs(place - len(planned_puzzles) // 2))
        chosen.append([planned_puzzles[place] for place in middle_first])
    return [planned for layer in itertools.zip_longest(*chosen) for planned in layer if planned is not None]


def pilot_plan(plan: Plan, planned_puzzles: Sequence[PlannedPuzzle]) -> Plan:
    """Return the plan of a pilot: the puzzles once, in forms that are never rows, without placebos."""
    assert plan.calibration is not None
    renumbered = tuple(replace(s, first_form=s.first_form + PILOT_FORMS, sampled=False) for s in planned_puzzles)
    suite = replace(plan.suite, repetitions=1, launches=1, budget=None)
    return replace(plan, suite=suite, puzzles=renumbered, calibration=replace(plan.calibration, placebos=()))


def run_pilot(plan: Plan, clock_cost_s: float, clock: Callable[[], float] = wall_s) -> Generator[Probe, None, None]:
    """Execute the plan of a pilot, puzzle by puzzle in the order of the plan. At the end, no process is left."""
    places = {id(planned): place for place, planned in enumerate(plan.puzzles)}
    measurements = sorted(plan.measurements(1), key=lambda measurement: places[id(measurement.planned)])
    before_s, started = clock(), set()
    with contextlib.ExitStack() as ends:
        confined = confinement(plan, ends.enter_context(guarded()))
        lane = Lane(plan, confined, clock_cost_s, itertools.count(-1, -1), Timeouts(), clock, checks=False)
        rows = ends.enter_context(contextlib.closing(lane.rows(iter(measurements))))
        for measurement, row in zip(measurements, rows, strict=True):
            key = (row.strategy, measurement.planned.puzzle.shape)
            yield _probe(row, before_s, clock(), key not in started)
            started.add(key)
            before_s = clock()


def _probe(row: Row, before_s: float, after_s: float, first: bool) -> Probe:
    start_s, wall_s = max(0.0, row.started_s - before_s), max(0.0, after_s - row.started_s)
    cpu_s = row.cpu_s if row.status == "solved" else None
    fault = "" if row.status in ("solved", "timeout") else row.reason or row.status
    return Probe(
        row.strategy, row.collection, start_s, first, wall_s, cpu_s, row.status == "timeout", fault, row.prepare_cpu_s
    )
