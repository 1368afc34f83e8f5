"""The pilot estimates speeds before the first measurement. Its solves never become rows.

It chooses the strategies that need a run-in because a solve is short against filling the caches again, the number of
forms per measurement (one, unless all solves are short, or one even against reading the clocks), the strategies with
placebos (a fast, a middle and a slow one) and those that are not pinned because they use several cores. With a budget,
it also chooses the repetitions.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sudoku_bench.bench.machine.pinning import parse_pin
from sudoku_bench.bench.plan.plan import PLACEBO_STRATEGIES, RUN_IN_FORMS, Calibration, Contestant, Plan
from sudoku_bench.bench.process import empty_request
from sudoku_bench.bench.process.empty_request import EmptyRequest
from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.warden import guarded
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.workers import Workers
from sudoku_bench.bench.run import spending
from sudoku_bench.bench.run.clock_check import account_of, takes_longer
from sudoku_bench.bench.run.forms import WARM_UP_FORMS, form_of, warm_up_forms
from sudoku_bench.bench.run.lane import CLOCK_SHARE, workers_for
from sudoku_bench.bench.run.runner import confinement
from sudoku_bench.bench.worker.clocks import RESOLUTION_S, wall_s
from sudoku_bench.datasets.shape import Shape

MAX_LOOPS = 1000  # if reading the clocks needs them
# One step only, far from what strategies typically take on 9x9: two runs should choose the same number.
SHORT_SOLVE_S, SHORT_LOOPS = 0.75e-3, 8  # forms of a measurement where all strategies are faster
# Filling the caches again costs a solve 0.06 to 0.3 ms here.
ALWAYS_RUN_IN_S, NEVER_RUN_IN_S = 0.25e-3, 4e-3  # CPU seconds of a solve
SHORT_SOLVES = 5  # puzzles of each shape that the pilot solves to determine how long a short solve takes

Costs = Mapping[str, Mapping[str, float]]  # CPU seconds of a solve: shape -> strategy -> seconds, where it succeeded


@dataclass(frozen=True)
class Trial:
    """What the warm-up of a strategy on one shape has shown.

    Attributes:
        cost_s: CPU seconds of a warm-up solve.
        parallel: whether the solves used more than one core.
        clock_loops: forms of a measurement that takes as long as reading the clocks.
        typical_s: CPU seconds of a solve after a run-in, for short solves; infinite for others.
    """

    cost_s: float
    parallel: bool
    clock_loops: int = 1
    typical_s: float = math.inf


@dataclass(frozen=True)
class Pilot:
    """The pilot of a plan.

    Attributes:
        clock_cost_s: seconds of reading each clock.
    """

    plan: Plan
    clock_cost_s: Mapping[str, float]

    def calibration(self) -> Calibration:
        """Choose run-ins, loops, placebos and what is not pinned for the plan, and repetitions if it has a budget.

        With given loops, the seed alone chooses placebos, so that the same plan always yields the same rows; without
        pinning, nothing is tried then, and there are no run-ins.

        Raises:
            InputError: the plan has a budget that does not allow one repetition of everything.
        """
        plan, start_s, suite = self.plan, wall_s(), self.plan.suite
        capable = [info.name for info in plan.strategies if info.available and plan.task.name in info.tasks]
        fixed = suite.loops or suite.batch or (1 if suite.cold else None)
        loops = {shape.name: fixed or 1 for shape in plan.shapes}
        run_in: Mapping[str, tuple[str, ...]] = {}
        costs: Costs = {}
        parallel: tuple[str, ...] = ()
        many = suite.loops is None and len(capable) > PLACEBO_STRATEGIES
        if fixed is None or many or parse_pin(suite.pin).on:
            with guarded() as mark:
                tried = self.trials(mark, fixed is None)
            costs = {
                shape: finite({name: trial.cost_s for name, trial in each.items()}) for shape, each in tried.items()
            }
            parallel = tuple(name for name in capable if any(name in t and t[name].parallel for t in tried.values()))
            if not suite.cold and not suite.batch:
                run_in = {shape: fast_strategies(each, self.clock_cost_s) for shape, each in costs.items()}
            if fixed is None:
                loops = {
                    shape: forms_per_measurement(list(each.values()), suite.isomorphs) for shape, each in tried.items()
                }
        placebos = placebo_strategies(capable, costs if suite.loops is None else {}, suite.seed)
        calibration = Calibration(loops, placebos, run_in=run_in, parallel=parallel)
        if suite.budget_s is None:
            return calibration
        calibrated = replace(plan, calibration=calibration)
        clock_cost_s = self.clock_cost_s["cpu"]
        fitting = spending.affordable_repetitions(calibrated, clock_cost_s, suite.budget_s, start_s)
        return replace(calibration, repetitions=fitting)

    def trials(self, mark: str, how_short: bool) -> dict[str, dict[str, Trial]]:
        """Solve warm-up forms with each strategy, not pinned; return what they show, by shape and strategy.

        Args:
            mark: of the processes that are started.
            how_short: also time short solves accurately, to choose the forms per measurement.
        """
        plan, confined = self.plan, confinement(self.plan, mark)
        numbers, warm_up = itertools.count(-1, -1), warm_up_forms(plan)
        empty = empty_request.measured(confined) if how_short else None
        tried: dict[str, dict[str, Trial]] = {shape.name: {} for shape in plan.shapes}
        for info in plan.strategies:
            workers = workers_for(plan, Contestant(info.name, info), confined, numbers, warm_up)
            with contextlib.closing(workers):
                for shape in plan.shapes:
                    if workers.ready(shape) is not None:
                        continue
                    shown = workers.warmed_up(shape)
                    trial = Trial(shown.cost_s, shown.parallel)
                    if how_short and trial.cost_s <= 2 * SHORT_SOLVE_S and not info.persistent:
                        trial = with_short_solves(trial, short_solves(plan, workers, shape, empty))
                    tried[shape.name][info.name] = trial
        return tried


def finite(costs: Mapping[str, float]) -> dict[str, float]:
    return {name: cost for name, cost in costs.items() if math.isfinite(cost)}


def fast_strategies(costs: Mapping[str, float], clock_cost_s: Mapping[str, float]) -> tuple[str, ...]:
    """Return the strategies whose measurements need a run-in.

    A solve of less than ``ALWAYS_RUN_IN_S`` (or in which reading the clocks would take more than its share) needs one,
    a solve of more than ``NEVER_RUN_IN_S`` does not. Between them, the boundary is the widest gap between costs, so
    that strategies of similar cost are timed alike.

    Args:
        costs: CPU seconds of a solve, by strategy.
    """
    low = max(ALWAYS_RUN_IN_S, 2 * sum(clock_cost_s.values()) / CLOCK_SHARE)
    between = sorted(cost for cost in costs.values() if low < cost < NEVER_RUN_IN_S)
    gaps = list(itertools.pairwise([low, *between, max(low, NEVER_RUN_IN_S)]))
    boundary = max(gaps, key=lambda gap: gap[1] / gap[0])[0]
    return tuple(name for name, cost in costs.items() if cost <= boundary)


def short_solves(plan: Plan, workers: Workers, shape: Shape, empty: EmptyRequest | None) -> list[Reply]:
    """Solve forms of a few puzzles that are never timed in the run, each after a run-in; return the replies.

    There are none if most of a time is missing or has been moved to run-ins: the loops of all strategies depend on it.
    Nor are there any if a solve does not end. Any other failure costs a reply, and the worker if it has to be replaced.
    """
    puzzles = list(dict.fromkeys(planned.puzzle for planned in plan.puzzles if planned.puzzle.shape == shape))
    chosen = random.Random(f"{plan.suite.seed}/short samples").sample(puzzles, min(SHORT_SOLVES, len(puzzles)))
    first = min(WARM_UP_FORMS) - 1
    replies, solves_s, long = list[Reply](), list[float](), 0
    for puzzle in chosen:
        numbers = range(first, first - RUN_IN_FORMS - 1, -1)
        forms = [form_of(plan.suite.seed, puzzle, number)[0] for number in numbers]
        request = SolveRequest(forms[:1], plan.task, plan.suite.timeout_s, run_in=forms[1:])
        if workers.ready(shape) is not None:
            break
        try:
            reply = workers.solve(request)
        except WorkerDied as death:
            if death.status == "timeout":
                return []
            continue
        if empty and reply["status"] == "ok":
            account = account_of(request, reply, empty)
            if account.missing_s > account.reported_s + account.allowed_s:
                return []
            solves_s.append(reply["cpu_s"])
            long += takes_longer(request, reply, statistics.mean(solves_s), account.allowed_s)
        replies.append(reply)
    return [] if long > len(replies) / 2 else replies


def with_short_solves(trial: Trial, replies: Sequence[Reply]) -> Trial:
    """Add what solves of one form after a run-in have shown."""
    timed = [reply for reply in replies if "clock_cost_s" in reply]
    clock_s = float(statistics.median(reply["clock_cost_s"] for reply in timed)) if timed else 0.0
    if clock_s < RESOLUTION_S:  # no short solve, or a clock that is not the system's
        return trial
    solve_s = float(statistics.median(reply["cpu_s"] for reply in timed))
    loops = min(MAX_LOOPS, max(1, math.ceil(clock_s / max(solve_s, clock_s / MAX_LOOPS))))
    return replace(trial, clock_loops=loops, typical_s=max(solve_s, clock_s / MAX_LOOPS))


def forms_per_measurement(tried: Sequence[Trial], isomorphs: bool) -> int:
    """Return the number of forms of each measurement, the same for all strategies.

    One, unless that is too short to time for one strategy, or all strategies are fast: the speed of a core changes
    within milliseconds, and a measurement of a few solves is less at its mercy.

    Args:
        isomorphs: whether forms differ; a strategy could remember the answer to the same form.
    """
    needed = max((trial.clock_loops for trial in tried), default=1)
    slowest_s = max((trial.typical_s for trial in tried), default=math.inf)
    return max(needed, SHORT_LOOPS if isomorphs and slowest_s <= SHORT_SOLVE_S else 1)


def placebo_strategies(names: Sequence[str], costs: Costs, seed: int) -> tuple[str, ...]:
    """Return the fastest, the median and the slowest strategy of the pilot; without costs, a random choice.

    The cost of a strategy is the geometric mean, over the boards that it supports, of its cost in relation to the
    median of all strategies.
    """
    if len(names) <= PLACEBO_STRATEGIES:
        return tuple(names)
    relative: dict[str, list[float]] = {name: [] for name in names}
    for shape in costs.values():
        for name in shape.keys() & relative.keys():
            relative[name].append(math.log(shape[name] / statistics.median(shape.values())))
    by_cost = sorted((name for name in names if relative[name]), key=lambda name: statistics.mean(relative[name]))
    if len(by_cost) >= PLACEBO_STRATEGIES:
        return by_cost[0], by_cost[len(by_cost) // 2], by_cost[-1]
    return tuple(random.Random(f"{seed}/placebo strategies").sample(list(names), PLACEBO_STRATEGIES))
