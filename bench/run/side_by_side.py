"""What measuring side by side does to times: a lane solves the same forms alone, and while all other lanes are at work.

Cores share caches, memory and power, so that a core is slower while its neighbours compute. A run with several jobs
measures by how much before it begins, and reports it. The order (alone, together, together, alone) cancels a steady
drift of the machine. These solves never become rows.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import statistics
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from bench.folder.rows import Row
from bench.plan.plan import Measurement, Plan
from bench.run.lane import Lane
from bench.run.runner import Runner, merged
from bench.run.spending import pilot_plan, pilot_puzzles

PUZZLES = 8  # at most
ORDER = (False, True, True, False)  # together?
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Effect:
    """Times with all lanes at work in relation to those of a lane alone.

    Attributes:
        jobs: number of lanes; puzzles: that the ratios are means over.
        cpu, wall: geometric mean of the ratio of times, with its 95% interval (None: unknown, for a single puzzle).
    """

    jobs: int
    puzzles: int
    cpu: tuple[float, float | None, float | None]
    wall: tuple[float, float | None, float | None]


def effect(runner: Runner) -> Effect | None:
    """Measure a few puzzles with the strategies that have placebos; None if no solve was finished both times."""
    plan = part_of(runner.plan)
    measurements = list(plan.measurements(1))
    rows: dict[bool, list[Row]] = {True: [], False: []}
    with runner.lanes(pilot=plan) as lanes:
        for together in ORDER:
            rows[together] += rows_of_first(lanes if together else lanes[:1], measurements)
    return estimate(rows[False], rows[True], len(runner.cores))


def part_of(plan: Plan) -> Plan:
    """Return a plan of one round of a few puzzles and a fast, a middle and a slow strategy, in forms of its own."""
    assert plan.calibration is not None
    chosen = tuple(info for info in plan.strategies if info.name in plan.calibration.placebos)
    return pilot_plan(replace(plan, strategies=chosen or plan.strategies[:1]), pilot_puzzles(plan)[:PUZZLES])


def rows_of_first(lanes: Sequence[Lane], measurements: Sequence[Measurement]) -> list[Row]:
    """Return the rows of the first lane, measured while the others, if any, measure the same again and again."""
    sources = [numbered(lane, number, measurements) for number, lane in enumerate(lanes)]
    with contextlib.closing(merged(sources)) as rows:
        return list(itertools.islice((row for number, row in rows if number == 0), len(measurements)))


def numbered(lane: Lane, number: int, measurements: Sequence[Measurement]) -> Generator[tuple[int, Row], None, None]:
    endless: Iterator[Measurement] = iter(measurements) if number == 0 else itertools.cycle(measurements)
    with contextlib.closing(lane.rows(endless)) as rows:
        for row in rows:
            yield number, row


def estimate(alone: Sequence[Row], together: Sequence[Row], jobs: int) -> Effect | None:
    """Compare the times of the same measurements; the puzzle is the statistical unit."""
    cpu, wall = (log_ratios(alone, together, clock) for clock in ("cpu_s", "wall_s"))
    return Effect(jobs, len(cpu), mean_ratio(cpu), mean_ratio(wall)) if cpu else None


def log_ratios(alone: Sequence[Row], together: Sequence[Row], clock: str) -> list[float]:
    """Return the logarithm of the ratio of each puzzle, the mean over its strategies; only solved rows count."""
    times: dict[tuple[str, str, str], tuple[list[float], list[float]]] = {}
    for place, rows in enumerate((alone, together)):
        for row in rows:
            if row.status == "solved":
                key = (row.collection, row.puzzle, row.strategy)
                times.setdefault(key, ([], []))[place].append(math.log(getattr(row, clock)))
    by_puzzle: dict[tuple[str, str], list[float]] = {}
    for (collection, puzzle, _), both in times.items():
        if all(both):
            before, beside = map(statistics.mean, both)
            by_puzzle.setdefault((collection, puzzle), []).append(beside - before)
    return [statistics.mean(logs) for logs in by_puzzle.values()]


def mean_ratio(logs: Sequence[float]) -> tuple[float, float | None, float | None]:
    """Return the geometric mean of ratios with its interval: Student's t on logarithms (Gosset 1908)."""
    from scipy import stats

    mean = statistics.mean(logs)
    if len(logs) < 2:
        return math.exp(mean), None, None
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1)) * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)
