"""Allocation of a time budget: repetitions per collection, chosen after a pilot whose solves never become rows.

The choice depends on two quantities only: how much a measurement differs from its repetition (the spread), and how long
a round takes (the cost). It ignores which strategy is faster and by how much: repeating undecided comparisons until
they are decided would be optional stopping, which finds differences that do not exist. Permuting the labels of the
strategies does not change the choice.

All collections first get up to five repetitions, so that the variation between processes can be estimated. Further
ones are added one by one where they reduce the variance of a collection's mean most per unit of time (Neyman 1934),
until the budget is spent. All strategies get the same number, because paired measurements must be of the same
forms.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import statistics
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from bench.folder.rows import Row
from bench.plan.plan import PLACEBOS, Contestant, Measurement, Plan, PlannedPuzzle, Spending
from bench.process.warden import guarded
from bench.run.lane import Lane
from bench.run.runner import confinement
from bench.run.timeouts import Timeouts
from bench.worker.clocks import wall_s
from datasets.errors import InputError

PROBES = 5  # largest number of puzzles per collection that the pilot solves twice
PILOT_SHARE = 0.1  # of the budget, for pilot puzzles beyond the first of each collection
RESERVE = 0.1  # of the remaining budget, kept for costs that the pilot did not foresee
ENOUGH_REPETITIONS, MOST_REPETITIONS = 5, 50  # of each collection, if the budget allows
PILOT_FORMS = 1 << 25  # offset of the pilot's form numbers within those of a use
SMALLEST_SPREAD, UNKNOWN_SPREAD = 0.01, 1.0


class BudgetError(InputError):
    """A budget does not allow one repetition of everything.

    Attributes:
        needed_s: the wall time that it would take; at least that, if not even the pilot was finished.
    """

    def __init__(self, message: str, needed_s: float) -> None:
        super().__init__(message)
        self.needed_s = needed_s


@dataclass(frozen=True)
class Probe:
    """One measurement of the pilot.

    Attributes:
        start_s: wall time to start a worker; first: the first of its strategy and board in its round.
        wall_s: wall time of the measurement after that; cpu_s: of the solve, None if it was not finished.
        fault: why there was no right answer before the limit; empty otherwise.
    """

    strategy: str
    collection: str
    puzzle: str
    repetition: int
    start_s: float
    first: bool
    wall_s: float
    cpu_s: float | None
    timed_out: bool = False
    fault: str = ""


@dataclass(frozen=True)
class Forecast:
    """Expected cost and spread of a collection; times as in ``Spending``.

    Attributes:
        puzzles: number of puzzles.
    """

    puzzles: int
    spread: float
    first_s: float
    later_s: float


def allocate(plan: Plan, clock_cost_s: float, budget_s: float, pilot_start_s: float) -> Spending:
    """Solve a few puzzles of each collection twice, and choose the repetitions.

    Args:
        plan: calibrated, without a spending.
        pilot_start_s: start of the pilot on the monotonic clock.

    Raises:
        InputError: the budget does not allow one repetition of everything.
    """

    def used_s() -> float:
        return wall_s() - pilot_start_s

    def probe(planned_puzzles: Sequence[PlannedPuzzle]) -> list[Probe]:
        results = []
        with contextlib.closing(run_pilot(pilot_plan(plan, planned_puzzles), clock_cost_s, used_s)) as pilot:
            for result in pilot:
                results.append(result)
                if used_s() > budget_s:
                    raise BudgetError(budget_error(plan, "the pilot alone takes longer"), used_s())
        return results

    by_collection = pilot_puzzles(plan)
    before_s = used_s()
    probes = probe([planned_puzzles[0] for planned_puzzles in by_collection.values()])
    one_each_s = used_s() - before_s
    more = min(PROBES - 1, int((PILOT_SHARE * budget_s - used_s()) / one_each_s))
    if more > 0:
        probes += probe([s for planned_puzzles in by_collection.values() for s in planned_puzzles[1 : 1 + more]])
    return allocation(plan, probes, budget_s, used_s())


def allocation(plan: Plan, probes: Sequence[Probe], budget_s: float, pilot_s: float) -> Spending:
    """Choose the repetitions from the results of the pilot.

    Raises:
        InputError: the budget does not allow one repetition of everything.
    """
    launches = plan.suite.launches
    forecasts, start_s = forecast(plan, probes)
    fixed_s = decoys_s(plan, probes) + start_s
    available_s = (1 - RESERVE) * (budget_s - pilot_s) - launches * fixed_s
    repetitions = choose(forecasts, start_s, launches, available_s)
    least_s = launches * (fixed_s + total_s(forecasts, dict.fromkeys(forecasts, 1), start_s))
    if repetitions is None:
        needed_s = math.ceil(pilot_s + least_s / (1 - RESERVE))
        raise BudgetError(budget_error(plan, f"that takes about {needed_s} s"), needed_s)
    return Spending(
        repetitions,
        {name: collection.spread for name, collection in forecasts.items()},
        {name: collection.first_s for name, collection in forecasts.items()},
        {name: collection.later_s for name, collection in forecasts.items()},
        start_s,
        pilot_s,
        launches * (fixed_s + total_s(forecasts, repetitions, start_s)),
    )


def choose(
    forecasts: Mapping[str, Forecast], start_s: float, launches: int, available_s: float
) -> dict[str, int] | None:
    """Choose the repetitions of each collection; None if there is no time for one of each.

    Args:
        start_s: duration of starting the workers of a round; available_s: time for all launches together.
    """
    repetitions = dict.fromkeys(forecasts, 1)
    if launches * total_s(forecasts, repetitions, start_s) > available_s:
        return None
    while True:
        now_s = total_s(forecasts, repetitions, start_s)
        gains = {}
        for name, collection in forecasts.items():
            number = repetitions[name]
            then_s = total_s(forecasts, {**repetitions, name: number + 1}, start_s)
            if number < MOST_REPETITIONS and launches * then_s <= available_s:
                reduction = collection.spread**2 / collection.puzzles * (1 / number - 1 / (number + 1))
                gains[name] = reduction / max(then_s - now_s, 1e-9)
        if not gains:
            return repetitions
        few = [name for name in gains if repetitions[name] < ENOUGH_REPETITIONS]
        fewest = min((repetitions[name] for name in few), default=None)
        candidates = [name for name in gains if fewest in (None, repetitions[name])]
        repetitions[max(candidates, key=lambda name: gains[name])] += 1


def total_s(forecasts: Mapping[str, Forecast], repetitions: Mapping[str, int], start_s: float) -> float:
    """Return the duration of a launch."""
    rounds = max(repetitions.values(), default=0)
    by_collection = (each.first_s + (repetitions[name] - 1) * each.later_s for name, each in forecasts.items())
    return rounds * start_s + sum(by_collection)


def forecast(plan: Plan, probes: Sequence[Probe]) -> tuple[dict[str, Forecast], float]:
    """Return the forecast of each collection, and the duration of starting the workers of a round."""
    spreads = {name: spread([p for p in probes if p.collection == name]) for name in pilot_puzzles(plan)}
    estimates = [value for value in spreads.values() if value is not None]
    forecasts = {}
    for name, value in spreads.items():
        planned_puzzles = [planned for planned in plan.puzzles if planned.collection == name]
        sampled = sum(planned.sampled for planned in planned_puzzles)
        first_s = later_s = 0.0
        for contestant in plan.contestants:
            number = sampled if contestant.role else len(planned_puzzles)
            first, later = cost_s(probes, contestant, name)
            first_s, later_s = first_s + number * first, later_s + number * later
        estimate = max(estimates, default=UNKNOWN_SPREAD) if value is None else value
        jobs = plan.suite.jobs
        forecasts[name] = Forecast(len(planned_puzzles), max(SMALLEST_SPREAD, estimate), first_s / jobs, later_s / jobs)
    starts: dict[str, list[float]] = {}
    for probe in probes:
        if probe.first:
            starts.setdefault(probe.strategy, []).append(probe.start_s)
    boards = len(plan.shapes)
    start_s = sum(boards * statistics.mean(starts.get(strategy_of(e, starts), [0.0])) for e in plan.contestants)
    return forecasts, start_s


def strategy_of(contestant: Contestant, times: Mapping[str, list[float]]) -> str:
    """Return the strategy with the costs of a contestant; for floor and echo, not in the pilot, the most expensive."""
    if contestant.role and contestant.role not in PLACEBOS:
        return max(times, key=lambda name: statistics.mean(times[name]), default="")
    return contestant.info.name


def cost_s(probes: Sequence[Probe], contestant: Contestant, collection: str) -> tuple[float, float]:
    """Return the wall time per puzzle of a contestant in the first round of a launch, and in a later one.

    A puzzle that timed out is not repeated. Starting workers is excluded, except for those that a timeout ended.
    """
    by_strategy: dict[str, list[float]] = {}
    for probe in probes:
        if probe.collection == collection:
            by_strategy.setdefault(probe.strategy, []).append(probe.wall_s)
    name = strategy_of(contestant, by_strategy)
    relevant = [probe for probe in probes if (probe.strategy, probe.collection) == (name, collection)]
    first, later = [], []
    for puzzle in dict.fromkeys(probe.puzzle for probe in relevant):
        solves = sorted((probe for probe in relevant if probe.puzzle == puzzle), key=lambda probe: probe.repetition)
        times = [probe.wall_s + (0.0 if probe.first else probe.start_s) for probe in solves]
        timed_out = solves[0].timed_out
        first.append(times[0] if timed_out else statistics.mean(times))
        later.append(0.0 if timed_out else statistics.mean(times))
    return (statistics.mean(first), statistics.mean(later)) if relevant else (0.0, 0.0)


def decoys_s(plan: Plan, probes: Sequence[Probe]) -> float:
    """Return the duration of the decoys of a launch: each costs as much as a puzzle of an average collection."""
    decoys = sum(bool(planned.decoy) for planned in plan.puzzles)
    if not decoys:
        return 0.0
    costs = [
        statistics.mean(cost_s(probes, contestant, name)[0] for name in pilot_puzzles(plan))
        for contestant in plan.contestants
        if not contestant.role
    ]
    return decoys * sum(costs) / plan.suite.jobs


def spread(probes: Sequence[Probe]) -> float | None:
    """Return the standard deviation of the logarithm of a measurement, from repeated pairs; None if there are none."""
    pairs: dict[tuple[str, str], list[float]] = {}
    for probe in probes:
        if probe.cpu_s:
            pairs.setdefault((probe.strategy, probe.puzzle), []).append(math.log(probe.cpu_s))
    variances = [(logs[0] - logs[1]) ** 2 / 2 for logs in pairs.values() if len(logs) == 2]
    return math.sqrt(statistics.mean(variances)) if variances else None


def pilot_puzzles(plan: Plan) -> dict[str, list[PlannedPuzzle]]:
    """Return the puzzles of each collection that a pilot may solve, spread evenly over it, the middle one first."""
    by_collection: dict[str, list[PlannedPuzzle]] = {}
    for planned in plan.puzzles:
        if not planned.decoy:
            by_collection.setdefault(planned.collection, []).append(planned)
    for name, planned_puzzles in by_collection.items():
        places = [int((number + 0.5) * len(planned_puzzles) / PROBES) for number in range(PROBES)]
        middle_first = sorted(dict.fromkeys(places), key=lambda place: abs(place - len(planned_puzzles) // 2))
        by_collection[name] = [planned_puzzles[place] for place in middle_first]
    return by_collection


def pilot_plan(plan: Plan, planned_puzzles: Sequence[PlannedPuzzle]) -> Plan:
    """Return the plan of a pilot: the planned_puzzles twice, in forms that are never rows, without placebos."""
    assert plan.calibration is not None
    renumbered = tuple(replace(s, first_form=s.first_form + PILOT_FORMS, sampled=False) for s in planned_puzzles)
    suite = replace(plan.suite, repetitions=2, launches=1, budget=None)
    return replace(plan, suite=suite, puzzles=renumbered, calibration=replace(plan.calibration, placebos=()))


def run_pilot(plan: Plan, clock_cost_s: float, clock: Callable[[], float] = wall_s) -> Generator[Probe, None, None]:
    """Execute the plan of a pilot, one measurement after the other. At the end, no process is left."""
    measurements: list[Measurement] = list(plan.measurements(1))
    before_s, started = clock(), set()
    with contextlib.ExitStack() as ends:
        confined = confinement(plan, ends.enter_context(guarded()))
        lane = Lane(plan, confined, clock_cost_s, itertools.count(-1, -1), Timeouts(), clock, checks=False)
        rows = ends.enter_context(contextlib.closing(lane.rows(iter(measurements))))
        for measurement, row in zip(measurements, rows, strict=True):
            key = (row.strategy, measurement.planned.puzzle.shape, row.repetition)
            yield _probe(row, before_s, clock(), key not in started)
            started.add(key)
            before_s = clock()


def _probe(row: Row, before_s: float, after_s: float, first: bool) -> Probe:
    start_s, wall_s = max(0.0, row.started_s - before_s), max(0.0, after_s - row.started_s)
    cpu_s = row.cpu_s if row.status == "solved" else None
    fault = "" if row.status in ("solved", "timeout") else row.reason or row.status
    place = row.strategy, row.collection, row.puzzle, row.repetition
    return Probe(*place, start_s, first, wall_s, cpu_s, row.status == "timeout", fault)


def budget_error(plan: Plan, reason: str) -> str:
    return (
        f"a budget of {plan.suite.budget} does not allow one repetition of everything: {reason}; raise --budget, or"
        " measure less: fewer puzzles (--sample, --limit), strategies or --launches, or a shorter --timeout"
    )


def summary(allocation: Spending | None) -> list[str]:
    """Describe the allocation of a budget in one line."""
    if allocation is None:
        return []
    each = ", ".join(f"{name} {number}" for name, number in allocation.repetitions.items())
    return [f"budget: repetitions by spread and cost: {each}; about {allocation.measuring_s:.0f} s of measurements"]
