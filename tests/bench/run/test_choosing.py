"""Screening, and the plan of the run after it."""

from __future__ import annotations

import pytest

from bench.plan import plan, suite
from bench.run import choosing
from bench.run.choosing import Screening
from bench.run.spending import Probe
from datasets.errors import InputError
from solvers.sat.encodings import CLUE_HANDLINGS


def probe(strategy: str, cpu_s: float | None, timed_out: bool = False, first: bool = False, fault: str = "") -> Probe:
    return Probe(strategy, "c", "p", 1, 0.5, first, 1.0, cpu_s, timed_out, fault)


@pytest.fixture
def screening() -> Screening:
    result = Screening()
    for strategy, times in {"a": (1.0, 1.0), "b": (3.0, 2.0), "c": (9.0, None), "d": (5.0, 7.0)}.items():
        for number, cpu_s in enumerate(times):
            result.add(probe(strategy, cpu_s, timed_out=cpu_s is None, first=number == 0), limit_s=20.0)
    result.add(probe("wrong", None, fault="two clues clash"), limit_s=20.0)
    return result


def test_strategies_that_cost_many_times_the_lowest_are_dropped(screening: Screening) -> None:
    assert screening.kept(6.0) == ["a", "b", "d"]
    assert screening.kept(20.0) == ["a", "b", "d", "c"]
    assert screening.failed == {"wrong": "two clues clash"}


def test_the_two_cheapest_are_always_kept(screening: Screening) -> None:
    assert screening.kept(1.1) == ["a", "b"]


def test_multiples_use_the_puzzles_that_both_solved(screening: Screening) -> None:
    screening.add(probe("a", 100.0), limit_s=20.0)
    assert screening.multiple("d", "a") == 6.0


def test_an_unfinished_solve_counts_as_the_limit(screening: Screening) -> None:
    assert screening.mean("c") == (9.0 + 20.0) / 2
    assert screening.unfinished["c"] == 1


def test_more_time_allows_more_puzzles_and_more_strategies_fewer(screening: Screening) -> None:
    numbers = [choosing.affordable(screening, ["a", "b"], budget_s) for budget_s in (100, 1000, 10_000)]
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]
    assert choosing.affordable(screening, ["a", "b", "d"], 10_000) < numbers[-1]


def test_screening_and_run_share_no_puzzle_and_keep_all_others() -> None:
    settings = {"strategies": ("seed:norvig",), "datasets": ("size4", "size6"), "sample": 30}
    planned = plan.make(suite.Suite().with_settings({**settings, "datasets": ("size6",)}))
    [(for_screening, for_run)] = choosing.split(planned, seed=1).values()
    names = [subject.name for subject in (*for_screening, *for_run)]
    assert len(for_screening) == choosing.SCREENED
    assert sorted(names) == sorted(subject.name for subject in planned.subjects)
    assert len(set(names)) == len(names)


def test_too_few_puzzles_are_refused_with_the_numbers() -> None:
    planned = plan.make(suite.Suite().with_settings({"strategies": ("seed:norvig",), "datasets": ("size4",)}))
    with pytest.raises(InputError, match="20 puzzles of 4x4 are too few to choose by: 8 serve to screen"):
        choosing.split(planned, seed=1)


def test_parts_of_names_that_vary_are_told_with_their_strategies_by_cost() -> None:
    costs = {"sat:complete+product@a": 3.0, "sat:log@a": 2.0, "sat:log+substituted@a": 1.0}
    assert choosing.factors(costs) == {
        "encoding": {"log": ["sat:log+substituted@a", "sat:log@a"], "complete": ["sat:complete+product@a"]},
        "scheme": {"own": ["sat:log+substituted@a", "sat:log@a"], "product": ["sat:complete+product@a"]},
        "clues": {"substituted": ["sat:log+substituted@a"], "units": ["sat:log@a", "sat:complete+product@a"]},
    }


@pytest.mark.parametrize("handling", CLUE_HANDLINGS[1:])
def test_every_clue_handling_is_a_part_of_a_name(handling: str) -> None:
    parts = {"encoding": "mine", "scheme": "own", "clues": handling, "engine": "a+phase=0"}
    assert choosing.parts_of(f"sat:mine+{handling}@a+phase=0") == parts
    assert choosing.parts_of(f"sat:complete+tree+{handling}@a")["scheme"] == "tree"
