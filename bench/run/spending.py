"""How a budget of time is spent: how many repetitions each collection gets, after a pilot whose solves are never rows.

The choice looks at two things only: how much a measurement differs from its repetition (the spread), and how long a
round takes (the cost). It never looks at which strategy is faster, or by how much: repeating what is undecided until it
is decided would be optional stopping, and find differences that are not there. Whatever the labels of the strategies,
the choice is the same.

More repetitions go where they take most off the variance of a collection's mean for their time (Neyman 1934), one by
one, until the budget is spent. All strategies get as many: what is paired must have solved the same forms.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import statistics
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from bench.folder.rows import Row
from bench.plan.plan import PLACEBOS, Entrant, Measurement, Plan, Settled, Spending, Subject
from bench.process.worker_process import Confinement
from bench.run.lane import Lane
from bench.worker.clocks import wall_s
from datasets.errors import InputError

PROBES = 5  # puzzles of each collection, at most, that the pilot solves twice
PILOT_SHARE = 0.1  # of the budget, for more puzzles than the first of each collection
RESERVE = 0.1  # of what is left is kept for what the pilot did not foresee
MOST_REPETITIONS = 50
PILOT_FORMS = 1 << 25  # from here on, within those of a use, forms are the pilot's
SMALLEST_SPREAD, UNKNOWN_SPREAD = 0.01, 1.0


@dataclass(frozen=True)
class Probe:
    """One measurement of the pilot.

    Attributes:
        start_s: wall time until a worker stood; first: it was the first of its strategy and board in its round.
        wall_s: wall time that the measurement took from then on; cpu_s: of the solve, None if it was not finished.
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


@dataclass(frozen=True)
class Outlook:
    """What a collection is expected to take and to gain; times as in ``Spending``.

    Attributes:
        puzzles: how many it has.
    """

    puzzles: int
    spread: float
    first_s: float
    later_s: float


def spend(plan: Plan, confined: Confinement, clock_cost_s: float, budget_s: float, began: float) -> Spending:
    """Solve a few puzzles of each collection twice, and choose the repetitions.

    Args:
        plan: settled but for its spending.
        began: when the pilot began, by the monotonic clock.

    Raises:
        InputError: the budget does not allow one repetition of everything.
    """

    def used_s() -> float:
        return wall_s() - began

    def probe(subjects: Sequence[Subject]) -> list[Probe]:
        found = []
        with contextlib.closing(probed(small_plan(plan, subjects), confined, clock_cost_s, used_s)) as measured:
            for one in measured:
                found.append(one)
                if used_s() > budget_s:
                    raise InputError(too_short(plan, "the pilot alone takes more than that"))
        return found

    by_collection = chosen(plan)
    before_s = used_s()
    probes = probe([subjects[0] for subjects in by_collection.values()])
    one_s = used_s() - before_s
    more = min(PROBES - 1, int((PILOT_SHARE * budget_s - used_s()) / one_s))
    if more > 0:
        probes += probe([s for subjects in by_collection.values() for s in subjects[1 : 1 + more]])
    return spending(plan, probes, budget_s, used_s())


def spending(plan: Plan, probes: Sequence[Probe], budget_s: float, pilot_s: float) -> Spending:
    """The choice from what the pilot found.

    Raises:
        InputError: the budget does not allow one repetition of everything.
    """
    launches = plan.suite.launches
    expected, start_s = outlooks(plan, probes)
    fixed_s = decoys_s(plan, probes)
    available_s = (1 - RESERVE) * (budget_s - pilot_s) - launches * fixed_s
    repetitions = choose(expected, start_s, launches, available_s)
    least_s = launches * (fixed_s + total_s(expected, dict.fromkeys(expected, 1), start_s))
    if repetitions is None:
        needed_s = math.ceil(pilot_s + least_s / (1 - RESERVE))
        raise InputError(too_short(plan, f"it takes about {needed_s} s"))
    return Spending(
        repetitions,
        {name: outlook.spread for name, outlook in expected.items()},
        {name: outlook.first_s for name, outlook in expected.items()},
        {name: outlook.later_s for name, outlook in expected.items()},
        start_s,
        pilot_s,
        launches * (fixed_s + total_s(expected, repetitions, start_s)),
    )


def choose(expected: Mapping[str, Outlook], start_s: float, launches: int, available_s: float) -> dict[str, int] | None:
    """Repetitions of each collection; None if there is no time for one of each.

    Args:
        start_s: what starting the workers of a round takes; available_s: what all launches together may take.
    """
    repetitions = dict.fromkeys(expected, 1)
    if launches * total_s(expected, repetitions, start_s) > available_s:
        return None
    while True:
        now_s = total_s(expected, repetitions, start_s)
        gains = {}
        for name, outlook in expected.items():
            number = repetitions[name]
            then_s = total_s(expected, {**repetitions, name: number + 1}, start_s)
            if number < MOST_REPETITIONS and launches * then_s <= available_s:
                less = outlook.spread**2 / outlook.puzzles * (1 / number - 1 / (number + 1))
                gains[name] = less / max(then_s - now_s, 1e-9)
        if not gains:
            return repetitions
        repetitions[max(gains, key=lambda name: gains[name])] += 1


def total_s(expected: Mapping[str, Outlook], repetitions: Mapping[str, int], start_s: float) -> float:
    """What a launch takes."""
    rounds = max(repetitions.values(), default=0)
    each = (o.first_s + (repetitions[name] - 1) * o.later_s for name, o in expected.items())
    return rounds * start_s + sum(each)


def outlooks(plan: Plan, probes: Sequence[Probe]) -> tuple[dict[str, Outlook], float]:
    """What each collection takes and gains, and what starting the workers of a round takes."""
    spreads = {name: spread([p for p in probes if p.collection == name]) for name in chosen(plan)}
    known = [value for value in spreads.values() if value is not None]
    expected = {}
    for name, value in spreads.items():
        own = [subject for subject in plan.subjects if subject.collection == name]
        sampled = sum(subject.sampled for subject in own)
        first_s = later_s = 0.0
        for entrant in plan.entrants:
            number = sampled if entrant.role else len(own)
            first, later = cost_s(probes, entrant, name)
            first_s, later_s = first_s + number * first, later_s + number * later
        rough = max(known, default=UNKNOWN_SPREAD) if value is None else value
        jobs = plan.suite.jobs
        expected[name] = Outlook(len(own), max(SMALLEST_SPREAD, rough), first_s / jobs, later_s / jobs)
    starts: dict[str, list[float]] = {}
    for probe in probes:
        if probe.first:
            starts.setdefault(probe.strategy, []).append(probe.start_s)
    boards = len(plan.shapes)
    start_s = sum(boards * statistics.mean(starts.get(strategy_of(e, starts), [0.0])) for e in plan.entrants)
    return expected, start_s


def strategy_of(entrant: Entrant, known: Mapping[str, list[float]]) -> str:
    """The strategy whose costs an entrant has; the floor and the echo, which no pilot measures, have the dearest's."""
    if entrant.role and entrant.role not in PLACEBOS:
        return max(known, key=lambda name: statistics.mean(known[name]), default="")
    return entrant.info.name


def cost_s(probes: Sequence[Probe], entrant: Entrant, collection: str) -> tuple[float, float]:
    """Wall time of a puzzle of a collection for an entrant in the first round of a launch, and in a later one: a puzzle
    that timed out is not tried again. Starting workers is not in it, but for those that a timeout ended.
    """
    by_strategy: dict[str, list[float]] = {}
    for probe in probes:
        if probe.collection == collection:
            by_strategy.setdefault(probe.strategy, []).append(probe.wall_s)
    name = strategy_of(entrant, by_strategy)
    own = [probe for probe in probes if (probe.strategy, probe.collection) == (name, collection)]
    first, later = [], []
    for puzzle in dict.fromkeys(probe.puzzle for probe in own):
        turns = sorted((probe for probe in own if probe.puzzle == puzzle), key=lambda probe: probe.repetition)
        times = [probe.wall_s + (0.0 if probe.first else probe.start_s) for probe in turns]
        late = turns[0].timed_out
        first.append(times[0] if late else statistics.mean(times))
        later.append(0.0 if late else statistics.mean(times))
    return (statistics.mean(first), statistics.mean(later)) if own else (0.0, 0.0)


def decoys_s(plan: Plan, probes: Sequence[Probe]) -> float:
    """What the decoys of a launch take: as a puzzle of any collection, for each strategy."""
    decoys = sum(bool(subject.decoy) for subject in plan.subjects)
    if not decoys:
        return 0.0
    costs = [
        statistics.mean(cost_s(probes, entrant, name)[0] for name in chosen(plan))
        for entrant in plan.entrants
        if not entrant.role
    ]
    return decoys * sum(costs) / plan.suite.jobs


def spread(probes: Sequence[Probe]) -> float | None:
    """Standard deviation of the logarithm of a measurement, from pairs of repetitions; None if none was finished."""
    pairs: dict[tuple[str, str], list[float]] = {}
    for probe in probes:
        if probe.cpu_s:
            pairs.setdefault((probe.strategy, probe.puzzle), []).append(math.log(probe.cpu_s))
    halves = [(logs[0] - logs[1]) ** 2 / 2 for logs in pairs.values() if len(logs) == 2]
    return math.sqrt(statistics.mean(halves)) if halves else None


def chosen(plan: Plan) -> dict[str, list[Subject]]:
    """The puzzles of each collection that a pilot may solve, spread evenly over it, the middle one first."""
    found: dict[str, list[Subject]] = {}
    for subject in plan.subjects:
        if not subject.decoy:
            found.setdefault(subject.collection, []).append(subject)
    for name, own in found.items():
        places = [int((number + 0.5) * len(own) / PROBES) for number in range(PROBES)]
        middle_first = sorted(dict.fromkeys(places), key=lambda place: abs(place - len(own) // 2))
        found[name] = [own[place] for place in middle_first]
    return found


def small_plan(plan: Plan, subjects: Sequence[Subject]) -> Plan:
    """The plan of a pilot: these subjects twice, in forms that are never timed, without placebos."""
    assert plan.settled is not None
    own = tuple(replace(s, first_form=s.first_form + PILOT_FORMS, sampled=False) for s in subjects)
    suite = replace(plan.suite, repetitions=2, launches=1, budget=None)
    return replace(plan, suite=suite, subjects=own, settled=Settled(plan.settled.loops, ()))


def probed(
    plan: Plan, confined: Confinement, clock_cost_s: float, clock: Callable[[], float]
) -> Generator[Probe, None, None]:
    """Carry out the plan of a pilot, one measurement after the other."""
    measurements: list[Measurement] = list(plan.measurements(1))
    lane = Lane(plan, confined, clock_cost_s, itertools.count(-1, -1), set(), clock)
    before_s, begun = clock(), set()
    with contextlib.closing(lane.rows(iter(measurements))) as rows:  # however this ends, no worker is left
        for measurement, row in zip(measurements, rows, strict=True):
            key = (row.strategy, measurement.subject.puzzle.shape, row.repetition)
            yield _probe(row, before_s, clock(), key not in begun)
            begun.add(key)
            before_s = clock()


def _probe(row: Row, before_s: float, after_s: float, first: bool) -> Probe:
    return Probe(
        row.strategy,
        row.collection,
        row.puzzle,
        row.repetition,
        max(0.0, row.started_s - before_s),
        first,
        max(0.0, after_s - row.started_s),
        row.cpu_s if row.status == "solved" else None,
        row.status == "timeout",
    )


def too_short(plan: Plan, why: str) -> str:
    return (
        f"a budget of {plan.suite.budget} does not allow one repetition of everything: {why}; raise --budget, or"
        " measure less: fewer puzzles (--sample, --limit), strategies or --launches, or a shorter --timeout"
    )


def words(spent: Spending | None) -> list[str]:
    """How a budget is spent, in one line."""
    if spent is None:
        return []
    each = ", ".join(f"{name} {number}" for name, number in spent.repetitions.items())
    return [f"budget: repetitions by spread and cost: {each}; about {spent.measuring_s:.0f} s of measuring"]
