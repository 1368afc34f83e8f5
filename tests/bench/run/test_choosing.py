"""Screening, and the plan of the run after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from rich.console import Console

from bench.plan import plan, suite
from bench.run import choosing
from bench.run.choosing import Screening
from bench.run.spending import Probe
from bench.say.progress import Progress
from datasets.errors import InputError


def probe(strategy: str, cpu_s: float | None, timed_out: bool = False, first: bool = False, fault: str = "") -> Probe:
    return Probe(strategy, "c", 0.5, first, 1.0, cpu_s, timed_out, fault)


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
    names = [planned_puzzle.name for planned_puzzle in (*for_screening, *for_run)]
    assert len(for_screening) == choosing.SCREENED
    assert sorted(names) == sorted(planned_puzzle.name for planned_puzzle in planned.puzzles)
    assert len(set(names)) == len(names)


def test_too_few_puzzles_are_refused_with_the_numbers() -> None:
    planned = plan.make(suite.Suite().with_settings({"strategies": ("seed:norvig",), "datasets": ("size4",)}))
    with pytest.raises(InputError, match="20 puzzles of 4x4 are too few to choose by: 8 serve to screen"):
        choosing.split(planned, seed=1)


@pytest.fixture
def screened(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], tuple[Screening, list[str]]]:
    """Screen two strategies within a budget, if each solve takes a second of a clock that stands still otherwise."""
    settings = {"strategies": ("seed:norvig", "seed:pycosat"), "datasets": ("size6",), "sample": 30}
    planned = plan.make(suite.Suite().with_settings(settings))
    [(for_screening, _)] = choosing.split(planned, seed=1).values()
    solved: list[str] = []

    def solves(stage: plan.Plan, _clock_cost_s: float) -> Iterator[Probe]:
        for measurement in stage.measurements(1):
            solved.append(measurement.contestant.info.name)
            yield probe(solved[-1], 0.001)

    def screen(budget_s: float) -> tuple[Screening, list[str]]:
        return choosing.screen(planned, for_screening, budget_s, Progress(Console(quiet=True), quiet=True))

    monkeypatch.setattr(choosing, "run_pilot", solves)
    monkeypatch.setattr(choosing, "wall_s", lambda: len(solved))
    return screen


def test_all_stages_fit_into_a_long_budget(screened) -> None:
    screening, kept = screened(1000)
    assert screening.puzzles == choosing.SCREENED
    assert {name: len(costs) for name, costs in screening.costs.items()} == dict.fromkeys(kept, choosing.SCREENED)


def test_a_stage_that_does_not_fit_is_left_out_for_all_strategies(screened) -> None:
    first, second, _ = (number for number, _ in choosing.STAGES)
    screening, kept = screened(2 * (2 * (first + second) + 3))  # half of the budget ends in the third stage
    assert screening.puzzles == first + second
    assert {name: len(costs) for name, costs in screening.costs.items()} == dict.fromkeys(kept, first + second)


def test_a_budget_too_short_for_the_first_stage_is_refused_with_one_that_is_long_enough(screened) -> None:
    with pytest.raises(InputError, match="screening 2 strategies takes more than half of the budget") as refusal:
        screened(1)
    minutes = int(re.search(r"--budget (\d+)m", str(refusal.value))[1])
    screened(60 * minutes)
