"""The pilot estimates speeds before the first measurement. Its solves never become rows.

It chooses the number of forms per sample (so that reading the clocks takes at most 1% of the fastest strategy's sample)
and the strategies with placebos (a fast, a middle and a slow one); with a budget, also the repetitions.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bench.plan.plan import PLACEBO_STRATEGIES, Calibration, Contestant, Plan
from bench.process.warden import guarded
from bench.process.worker_process import Confinement
from bench.run import spending
from bench.run.lane import CLOCK_SHARE, seat_for, warm_up_forms
from bench.worker.clocks import wall_s

MAX_LOOPS = 1000

Costs = Mapping[str, Mapping[str, float]]  # CPU seconds of a solve: shape -> strategy -> seconds, where it succeeded


def calibrate(plan: Plan, confined: Confinement, clock_cost_s: Mapping[str, float]) -> Calibration:
    """Choose loops and placebos for a plan, and repetitions if it has a budget.

    With given loops and no more strategies than placebos, nothing depends on times: the same plan then always yields
    the same rows.

    Raises:
        InputError: the plan has a budget that does not allow one repetition of everything.
    """
    start_s, suite = wall_s(), plan.suite
    capable = [info.name for info in plan.strategies if info.available and plan.task.name in info.tasks]
    fixed = suite.loops or suite.batch or (1 if suite.cold or not suite.isomorphs else None)
    needed = fixed is None or (suite.loops is None and len(capable) > PLACEBO_STRATEGIES)
    costs: Costs = {}
    if needed:
        with guarded() as mark:
            costs = warm_up_costs(plan, replace(confined, mark=mark))
    loops = {shape.name: fixed or loops_for(costs[shape.name], clock_cost_s) for shape in plan.shapes}
    calibration = Calibration(loops, placebo_strategies(capable, costs, suite.seed))
    if suite.budget_s is None:
        return calibration
    with guarded() as mark:
        calibrated = replace(plan, calibration=calibration)
        allocation = spending.allocate(
            calibrated, replace(confined, mark=mark), clock_cost_s["cpu"], suite.budget_s, start_s
        )
    return replace(calibration, spending=allocation)


def warm_up_costs(plan: Plan, confined: Confinement) -> Costs:
    """Solve warm-up forms of each shape with each strategy; return the costs."""
    numbers = itertools.count(-1, -1)
    warm_up = warm_up_forms(plan)
    costs: dict[str, dict[str, float]] = {shape.name: {} for shape in plan.shapes}
    for info in plan.strategies:
        seat = seat_for(plan, Contestant(info.name, info), confined, numbers, warm_up)
        try:
            for shape in plan.shapes:
                if seat.ready(shape) is None and math.isfinite(seat.cost_s(shape)):
                    costs[shape.name][info.name] = seat.cost_s(shape)
        finally:
            seat.close()
    return costs


def loops_for(costs: Mapping[str, float], clock_cost_s: Mapping[str, float]) -> int:
    """Return the forms per sample, the same for all strategies, that keep the cost of clock readings negligible."""
    needed_s = 2 * sum(clock_cost_s.values()) / CLOCK_SHARE
    return min(MAX_LOOPS, max(1, math.ceil(needed_s / min(costs.values())))) if costs else 1


def placebo_strategies(names: Sequence[str], costs: Costs, seed: int) -> tuple[str, ...]:
    """Return the fastest, the median and the slowest strategy of the pilot; without costs, a random choice."""
    if len(names) <= PLACEBO_STRATEGIES:
        return tuple(names)
    totals = {name: sum(shape.get(name, math.inf) for shape in costs.values()) for name in names}
    by_cost = sorted((name for name in names if math.isfinite(totals[name])), key=lambda name: totals[name])
    if costs and len(by_cost) >= PLACEBO_STRATEGIES:
        return by_cost[0], by_cost[len(by_cost) // 2], by_cost[-1]
    return tuple(random.Random(f"{seed}/placebo strategies").sample(list(names), PLACEBO_STRATEGIES))
