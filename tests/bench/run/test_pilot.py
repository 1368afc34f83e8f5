"""The pilot: which strategies get a run-in, and how many forms a measurement has."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.run.pilot import (
    ALWAYS_RUN_IN_S,
    NEVER_RUN_IN_S,
    SHORT_LOOPS,
    SHORT_SOLVE_S,
    Trial,
    fast_strategies,
    forms_per_measurement,
    placebo_strategies,
    with_short_solves,
)

NO_CLOCK = {"cpu": 0.0, "wall": 0.0}


@given(st.lists(st.floats(1e-6, 0.1), min_size=1, max_size=12))
def test_fast_strategies_are_those_below_one_boundary(costs: list[float]) -> None:
    by_name = {str(number): cost for number, cost in enumerate(costs)}
    fast = set(fast_strategies(by_name, NO_CLOCK))
    for name, cost in by_name.items():
        if cost <= ALWAYS_RUN_IN_S:
            assert name in fast
        if cost >= NEVER_RUN_IN_S:
            assert name not in fast
        assert all(by_name[other] > cost for other in by_name.keys() - fast if name in fast)


@given(st.lists(st.floats(0.3e-3, 3e-3), min_size=1, max_size=5), st.floats(0.95, 1.05))
def test_two_copies_of_a_strategy_are_timed_alike(costs: list[float], luck: float) -> None:
    """At most 10 costs divide a range of a factor of 16, so the widest gap is wider than that between two copies."""
    by_name = {f"{number}": cost for number, cost in enumerate(costs)}
    fast = fast_strategies(by_name | {f"copy of {name}": cost * luck for name, cost in by_name.items()}, NO_CLOCK)
    assert all((name in fast) == (f"copy of {name}" in fast) for name in by_name)


def test_a_solve_that_reading_the_clocks_would_change_needs_a_run_in() -> None:
    costs = {"a": 1e-3, "b": 3e-3}
    assert fast_strategies(costs, NO_CLOCK) == ()
    assert fast_strategies(costs, {"cpu": 4e-6, "wall": 0.0}) == ("a",)
    assert fast_strategies({}, NO_CLOCK) == ()


@pytest.mark.parametrize(
    ("solve_s", "loops"), [(1e-3, 1), (4e-6, 1), (2.1e-6, 1), (1.9e-6, 2), (0.5e-6, 4), (0.0, 1000), (-1e-7, 1000)]
)
def test_a_measurement_is_at_least_as_long_as_reading_the_clocks(solve_s: float, loops: int) -> None:
    reply, trial = {"cpu_s": solve_s, "clock_cost_s": 2e-6}, Trial(1e-3, False)
    assert with_short_solves(trial, [reply, reply, {"status": "error"}]).clock_loops == loops
    assert with_short_solves(trial, [{"status": "error"}]) == trial


@given(st.lists(st.floats(0, 1.5e-3), min_size=1, max_size=4), st.booleans())
def test_only_where_all_strategies_are_fast_has_a_measurement_several_forms(
    times_s: list[float], isomorphs: bool
) -> None:
    replies = [[{"cpu_s": time_s, "clock_cost_s": 1e-9}] for time_s in times_s]
    tried = [with_short_solves(Trial(time_s, False), reply) for time_s, reply in zip(times_s, replies, strict=True)]
    number = forms_per_measurement(tried, isomorphs)
    needed = max(trial.clock_loops for trial in tried)
    assert number == max(needed, SHORT_LOOPS if isomorphs and max(times_s) <= SHORT_SOLVE_S else 1)
    assert forms_per_measurement([*tried, Trial(math.inf, False)], isomorphs) == needed
    assert forms_per_measurement([], isomorphs) == 1


def test_placebos_are_for_a_fast_a_middle_and_a_slow_strategy_whatever_boards_they_support() -> None:
    small = {"a": 0.4e-3, "b": 1e-3, "c": 4e-3, "d": 2e-3}
    large = {"a": 4e-3, "b": 10e-3, "c": 40e-3, "d": 20e-3, "only here": 4e-6}
    names = [*large, "nowhere"]
    assert placebo_strategies(names, {"4x4": small, "9x9": large}, 1) == ("only here", "b", "c")
    assert placebo_strategies(names, {"4x4": small}, 1) == ("a", "d", "c")
    assert set(placebo_strategies(names, {}, 1)) < set(names)
