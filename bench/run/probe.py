"""The probe: each strategy solves a few puzzles before a run. These solves never become rows.

It finds the strategies that use several cores, those that get placebos, and with a budget the number of repetitions
and, if three do not fit, of puzzles. These are the same for all collections and strategies, and follow from how long a
round takes. Which strategy is faster plays no part: repeating undecided comparisons until they are decided would be
optional stopping, which finds differences that do not exist.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import math
import statistics
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.plan.plan import (
    DECOY_COLLECTION,
    FEWEST_REPETITIONS,
    PLACEBO_STRATEGIES,
    Calibration,
    Measurement,
    Plan,
    PlannedPuzzle,
)
from sudoku_bench.bench.process.warden import guarded
from sudoku_bench.bench.run.runner import confinement
from sudoku_bench.bench.run.slot import Slot
from sudoku_bench.bench.run.timeouts import Timeouts
from sudoku_bench.bench.verdicts.pairs.decision import LEAST_PUZZLES
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError

LIMIT_S = 1.0  # CPU seconds of a solve, without a budget
PUZZLES = 8  # of each collection with a budget, at most
BUDGET_SHARE = 0.1  # of the budget, after which a probe ends that has solved a puzzle of each collection
RESERVE = 0.1  # of the remaining budget, kept for costs that the probe did not foresee
MOST_REPETITIONS = 50
FORMS = 1 << 28  # offset of the probe's form numbers within those of a puzzle
# CPU time beyond the wall time that several cores must have spent: more than the accuracy of the clocks.
NOTICEABLE_S, NOTICEABLE_SHARE = 1e-3, 0.2


@dataclass(frozen=True)
class Probe:
    """One solve of the probe.

    Attributes:
        start_s: wall time to start a worker; first: the first of its strategy and board.
        duration_s: wall time of the measurement after that, lead-in included.
        cpu_s, wall_s: of the solve, None if it was not finished.
        prepare_s: CPU time of preparing its worker, if known.
        fault: why there was no right answer before the limit; empty otherwise.
    """

    strategy: str
    collection: str
    start_s: float
    first: bool
    duration_s: float
    cpu_s: float | None
    wall_s: float | None = None
    timed_out: bool = False
    fault: str = ""
    prepare_s: float | None = None


class RoundCost(NamedTuple):
    """Wall seconds of the first round of a launch, and of each later one, in which timeouts are not repeated."""

    first_s: float
    later_s: float


def calibration(plan: Plan) -> Calibration:
    """Solve a few puzzles of each collection with each strategy; return what follows for the run.

    Raises:
        InputError: the plan has a budget that does not allow one repetition of everything.
    """
    start_s, budget_s, found = wall_s(), plan.suite.budget_s, list[Probe]()
    layers = puzzle_layers(plan)
    puzzles = list(itertools.chain.from_iterable(layers if budget_s else layers[:1]))
    limit_s = plan.suite.timeout_s if budget_s else min(LIMIT_S, plan.suite.timeout_s)
    least = len(plan.strategies) * len(layers[0]) if layers else 0
    with contextlib.closing(probes(plan, puzzles, limit_s)) as solves:
        for probe in solves:
            found.append(probe)
            used_s = wall_s() - start_s
            if budget_s and used_s > budget_s:
                raise too_short(plan, "the probe alone takes longer")
            if budget_s and len(found) >= least and used_s > BUDGET_SHARE * budget_s:
                break
    calibrated = Calibration(placebo_strategies(found), parallel_strategies(found))
    if budget_s is None:
        return calibrated
    used_s, most = wall_s() - start_s, max(len(collection.items) for collection in plan.collections)
    number = fitting_puzzles(replace(plan, calibration=calibrated), found, most, budget_s - used_s)
    fewer = max(number, LEAST_PUZZLES) if max(number, LEAST_PUZZLES) < most else None
    cost = round_cost(replace(plan, calibration=calibrated).fewer(fewer), found)
    return replace(calibrated, repetitions=fitting_repetitions(plan, cost, budget_s, used_s), puzzles=fewer)


def likely(plan: Plan) -> tuple[int, float]:
    """Return the number of rows of a plan without a budget, with controls, and about how many wall seconds it takes.

    Each strategy solves a puzzle of each collection; a solve that takes longer than ``LIMIT_S`` counts as a timeout.
    """
    limit_s = plan.suite.timeout_s
    solves = probes(plan, puzzle_layers(plan)[0], min(LIMIT_S, limit_s))
    found = [replace(probe, duration_s=limit_s) if probe.timed_out else probe for probe in solves]
    calibrated = replace(plan, calibration=Calibration(placebo_strategies(found)))
    cost = round_cost(calibrated, found)
    return calibrated.size, plan.suite.launches * (cost.first_s + (plan.rounds - 1) * cost.later_s)


def puzzle_layers(plan: Plan) -> list[list[PlannedPuzzle]]:
    """Return the puzzles of the probe: one of each collection, a second one of each, and so on.

    They are spread evenly over each collection, and begin with its middle.
    """
    by_collection: dict[str, list[PlannedPuzzle]] = {}
    for planned in plan.puzzles:
        if not planned.decoy:
            by_collection.setdefault(planned.collection, []).append(planned)
    chosen = []
    for puzzles in by_collection.values():
        places = dict.fromkeys(int((number + 0.5) * len(puzzles) / PUZZLES) for number in range(PUZZLES))
        middle_first = sorted(places, key=lambda place: abs(place - len(puzzles) // 2))
        chosen.append([puzzles[place] for place in middle_first])
    layers = itertools.zip_longest(*chosen)
    return [[planned for planned in layer if planned is not None] for layer in layers]


def probes(plan: Plan, puzzles: Sequence[PlannedPuzzle], limit_s: float) -> Generator[Probe, None, None]:
    """Solve each puzzle with each strategy, in their order, in forms that are never rows, not pinned.

    At the end, no process is left.
    """
    suite = replace(plan.suite, repetitions=1, launches=1, budget=None, timeout_s=limit_s)
    renumbered = tuple(replace(s, first_form=s.first_form + FORMS, sampled=False) for s in puzzles)
    alone = replace(plan, suite=suite, puzzles=renumbered, calibration=Calibration())
    places = {id(planned): place for place, planned in enumerate(renumbered)}
    ranks = {info.name: rank for rank, info in enumerate(plan.strategies)}
    measurements = sorted(alone.measurements(1), key=lambda m: (places[id(m.planned)], ranks.get(m.entry.info.name, 0)))
    before_s, started = wall_s(), set()
    with contextlib.ExitStack() as ends:
        confined = confinement(alone, ends.enter_context(guarded()))
        slot = Slot(alone, confined, itertools.count(-1, -1), Timeouts(), checks=False)
        rows = ends.enter_context(contextlib.closing(slot.rows(iter(measurements))))
        for measurement, row in zip(measurements, rows, strict=True):
            key = (row.strategy, measurement.planned.puzzle.shape)
            yield probe_of(measurement, row, before_s, wall_s(), key not in started)
            started.add(key)
            before_s = wall_s()


def probe_of(measurement: Measurement, row: Row, before_s: float, after_s: float, first: bool) -> Probe:
    is_solved = row.status == "solved"
    return Probe(
        row.strategy,
        row.collection,
        start_s=max(0.0, row.started_s - before_s),
        first=first,
        duration_s=max(0.0, after_s - row.started_s),
        cpu_s=row.cpu_s if is_solved else None,
        wall_s=row.wall_s if is_solved else None,
        timed_out=row.status == "timeout",
        fault="" if is_solved or row.status == "timeout" else row.reason or row.status,
        prepare_s=row.prepare_cpu_s,
    )


def grouped(found: Iterable[Probe], by: str = "strategy") -> dict[str, list[Probe]]:
    """Return the solves of each strategy, or of each collection."""
    groups: dict[str, list[Probe]] = {}
    for probe in found:
        groups.setdefault(getattr(probe, by), []).append(probe)
    return groups


def parallel_strategies(found: Sequence[Probe]) -> tuple[str, ...]:
    """Return the strategies whose solves took noticeably more CPU than wall time."""
    names = []
    for name, own in grouped(found).items():
        cpu_s, elapsed_s = sum(probe.cpu_s or 0.0 for probe in own), sum(probe.wall_s or 0.0 for probe in own)
        if cpu_s - elapsed_s > max(NOTICEABLE_S, NOTICEABLE_SHARE * elapsed_s):
            names.append(name)
    return tuple(names)


def placebo_strategies(found: Sequence[Probe]) -> tuple[str, ...]:
    """Return the fastest, the median and the slowest of the strategies that solved every puzzle of the probe.

    The cost of a strategy is the geometric mean, over collections, of its time in relation to the median strategy's.
    """
    unfinished = {probe.strategy for probe in found if probe.cpu_s is None}
    logs: dict[str, list[float]] = {}
    for same in grouped(found, "collection").values():
        finished = {probe.strategy: probe.cpu_s for probe in same if probe.cpu_s and probe.strategy not in unfinished}
        for name, cpu_s in finished.items():
            logs.setdefault(name, []).append(math.log(cpu_s / statistics.median(finished.values())))
    ranked = sorted(logs, key=lambda name: statistics.fmean(logs[name]))
    if len(ranked) <= PLACEBO_STRATEGIES:
        return tuple(ranked)
    return ranked[0], ranked[len(ranked) // 2], ranked[-1]


def fitting_puzzles(plan: Plan, found: Sequence[Probe], most: int, left_s: float) -> int:
    """Return how many puzzles of each collection can be measured so often that pairs can be decided, at most so many.

    Args:
        plan: calibrated.
    """
    rounds = math.ceil(FEWEST_REPETITIONS / plan.suite.launches)

    def cost_s(number: int) -> float:
        cost = round_cost(plan.fewer(number), found)
        return plan.suite.launches * (cost.first_s + (rounds - 1) * cost.later_s) / (1 - RESERVE)

    return bisect.bisect_right(range(1, most + 1), left_s, key=cost_s)


def fitting_repetitions(plan: Plan, cost: RoundCost, budget_s: float, used_s: float) -> int:
    """Return the largest number of repetitions that fits into what the probe has left of the budget.

    Raises:
        InputError: not even one fits.
    """
    launches = plan.suite.launches
    left_s = (1 - RESERVE) * (budget_s - used_s) / launches - cost.first_s
    if left_s < 0:
        needed_s = math.ceil(used_s + launches * cost.first_s / (1 - RESERVE))
        raise too_short(plan, f"that takes about {needed_s} s")
    return 1 + min(MOST_REPETITIONS - 1, int(left_s / max(cost.later_s, 1e-9)))


def too_short(plan: Plan, reason: str) -> InputError:
    return InputError(
        f"a budget of {plan.suite.budget} does not allow one repetition of everything: {reason}; raise --budget,"
        " or measure less: fewer puzzles (--sample, --limit), strategies or --launches, or a shorter --timeout"
    )


def round_cost(plan: Plan, found: Sequence[Probe]) -> RoundCost:
    """Estimate how long a round takes: starting all workers, and all measurements.

    The floor and the pipe are not in the probe, and count as the most expensive strategy; a decoy, which each launch
    measures once, counts as an average puzzle of the probe.

    Args:
        plan: calibrated.
    """
    of_strategy = grouped(found)
    most_expensive = max(of_strategy.values(), key=lambda own: statistics.mean(probe.duration_s for probe in own))
    start_s = first_s = later_s = 0.0
    for entry in plan.entries:
        own = of_strategy.get(entry.info.name, most_expensive)
        start_s += len(plan.shapes) * statistics.mean(probe.start_s for probe in own if probe.first)
        solved = (planned.collection for planned in plan.puzzles if plan.solves(entry, planned))
        for collection, number in Counter(solved).items():
            cost = puzzle_cost([probe for probe in own if probe.collection == collection] or own)
            first_s += number * cost.first_s
            later_s += number * cost.later_s if collection != DECOY_COLLECTION else 0.0
    return RoundCost(start_s + first_s / plan.suite.jobs, start_s + later_s / plan.suite.jobs)


def puzzle_cost(own: Sequence[Probe]) -> RoundCost:
    """Return the cost of a puzzle. Starting workers is excluded, except for those that a timeout ended."""
    costs_s = [probe.duration_s + (0.0 if probe.first else probe.start_s) for probe in own]
    repeated_s = (0.0 if probe.timed_out else cost_s for probe, cost_s in zip(own, costs_s, strict=True))
    return RoundCost(statistics.mean(costs_s), sum(repeated_s) / len(own))
