"""The pilot: what must be known of speeds before the first measurement. Its solves are never timed rows.

It chooses how many forms make a sample (so many that reading the clocks takes at most 1% of the fastest strategy's)
and which strategies have placebos (a fast, a middle and a slow one); with a budget, also the repetitions.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bench.plan.plan import PLACEBO_STRATEGIES, Entrant, Plan, Settled
from bench.process.warden import guarded
from bench.process.worker_process import Confinement
from bench.run import spending
from bench.run.lane import CLOCK_SHARE, seat_for, warm_up_forms
from bench.worker.clocks import wall_s

MAX_LOOPS = 1000

Costs = Mapping[str, Mapping[str, float]]  # CPU seconds of a solve: shape -> strategy -> seconds, where it succeeded


def settle(plan: Plan, confined: Confinement, clock_cost_s: Mapping[str, float]) -> Settled:
    """Decide loops and placebos for a plan.

    With as few strategies as there are placebos to have, and with loops given, nothing depends on times: the same plan
    then always gives the same rows.

    Raises:
        InputError: the plan has a budget that does not allow one repetition of everything.
    """
    began, suite = wall_s(), plan.suite
    able = [info.name for info in plan.strategies if info.available and plan.task.name in info.tasks]
    fixed = suite.loops or suite.batch or (1 if suite.cold or not suite.isomorphs else None)
    needed = fixed is None or (suite.loops is None and len(able) > PLACEBO_STRATEGIES)
    costs: Costs = {}
    if needed:
        with guarded() as mark:
            costs = run(plan, replace(confined, mark=mark))
    loops = {shape.name: fixed or loops_for(costs[shape.name], clock_cost_s) for shape in plan.shapes}
    settled = Settled(loops, placebo_strategies(able, costs, suite.seed))
    if suite.budget_s is None:
        return settled
    with guarded() as mark:
        allowed = replace(plan, settled=settled)
        spent = spending.spend(allowed, replace(confined, mark=mark), clock_cost_s["cpu"], suite.budget_s, began)
    return replace(settled, spending=spent)


def run(plan: Plan, confined: Confinement) -> Costs:
    """Let each strategy solve warm-up forms of each shape."""
    numbers = itertools.count(-1, -1)
    warm_up = warm_up_forms(plan)
    costs: dict[str, dict[str, float]] = {shape.name: {} for shape in plan.shapes}
    for info in plan.strategies:
        seat = seat_for(plan, Entrant(info.name, info), confined, numbers, warm_up)
        try:
            for shape in plan.shapes:
                if seat.ready(shape) is None and math.isfinite(seat.cost_s(shape)):
                    costs[shape.name][info.name] = seat.cost_s(shape)
        finally:
            seat.close()
    return costs


def loops_for(costs: Mapping[str, float], clock_cost_s: Mapping[str, float]) -> int:
    """So many forms per sample, the same for all, that the fastest strategy's sample dwarfs its clock readings."""
    needed_s = 2 * sum(clock_cost_s.values()) / CLOCK_SHARE
    return min(MAX_LOOPS, max(1, math.ceil(needed_s / min(costs.values())))) if costs else 1


def placebo_strategies(names: Sequence[str], costs: Costs, seed: int) -> tuple[str, ...]:
    """The fastest, the middle and the slowest strategy by a pilot; without one, as many by lot."""
    if len(names) <= PLACEBO_STRATEGIES:
        return tuple(names)
    totals = {name: sum(shape.get(name, math.inf) for shape in costs.values()) for name in names}
    known = sorted((name for name in names if math.isfinite(totals[name])), key=lambda name: totals[name])
    if costs and len(known) >= PLACEBO_STRATEGIES:
        return known[0], known[len(known) // 2], known[-1]
    return tuple(random.Random(f"{seed}/placebo strategies").sample(list(names), PLACEBO_STRATEGIES))
