"""Screening, and the plan of the run after it."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from sudoku_bench.bench.plan import plan, suite
from sudoku_bench.bench.run import choosing
from sudoku_bench.bench.run.choosing import Screening, Undecided
from sudoku_bench.bench.run.spending import Probe
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.isomorphs import form, random_isomorph


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


def test_preparing_is_shared_by_the_puzzles_asked_for() -> None:
    """Compiling takes a second and then a microsecond each; ten puzzles are cheaper without."""
    few, many = Screening(10), Screening(10**7)
    for result in (few, many):
        for strategy, prepare_s, cpu_s in (("compiled", 1.0, 1e-6), *((name, 0.0, 1e-3) for name in "abc")):
            result.add(Probe(strategy, "c", 0.5, True, 1.0, cpu_s, prepare_s=prepare_s), limit_s=20.0)
    assert few.kept(4.0) == ["a", "b", "c", "compiled"]  # the fastest once prepared always stays
    assert many.kept(4.0) == ["compiled", "a"]


def test_fewer_puzzles_rather_than_fewer_repetitions(screening: Screening) -> None:
    """A repetition of two strategies takes 3 s to start, and 6 s for each puzzle."""
    for budget_s, puzzles in ((5 * (3 + 6 * 30), 30), (3 * (3 + 6 * 15), 15), (3 * (3 + 6 * 15) - 9, 44)):
        assert choosing.affordable(screening, ["a", "b"], budget_s) == puzzles


def test_a_plan_that_turned_out_too_long_gets_the_puzzles_that_the_time_left_is_enough_for() -> None:
    """A pilot of 8 s showed that 100 puzzles in three launches take 100 s more; another pilot takes 8 s again."""
    settings = {"strategies": ("seed:norvig",), "datasets": ("easy",), "sample": 100, "launches": 3}
    planned = plan.make(suite.Suite().with_settings(settings))
    for left_s, result in ((38, (30, 3)), (90, (50, 3)), (18, (30, 1)), (13.5, (16, 1)), (12, None), (4, None)):
        fewer = choosing.fitting(planned, needed_s=108.0, pilot_s=8.0, left_s=left_s)
        assert (fewer and (len(fewer.puzzles), fewer.suite.launches)) == result
    assert choosing.fitting(planned, needed_s=9.0, pilot_s=9.0, left_s=1.0) is None


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


def test_isomorphs_do_not_make_up_for_puzzles(tmp_path: Path, screening: Screening) -> None:
    path, rng = tmp_path / "own.txt", random.Random(1)
    texts = [
        form(item.puzzle, random_isomorph(item.puzzle.shape, rng)).text
        for item in load("size6").items[:6]
        for _ in range(5)
    ]
    path.write_text("\n".join(texts), encoding="utf-8")
    planned = plan.make(suite.Suite().with_settings({"strategies": ("seed:norvig",), "datasets": (str(path),)}))
    [(_, for_run)] = choosing.split(planned, seed=1).values()
    with pytest.raises(
        Undecided, match=r"needs 15 puzzles beside 8 of screening, and has 22, of which 6 are"
    ) as refusal:
        choosing.run_plan(planned, for_run, screening, ["a", "b"], 1e9)
    assert refusal.value.budget_s == 0


def test_a_run_has_enough_independent_puzzles(screening: Screening) -> None:
    """A repetition of two strategies takes 3 s to start, and 6 s for each puzzle: the budget is for 30 puzzles."""
    settings = {"strategies": ("seed:*",), "datasets": ("size6",), "sample": 30}
    planned = plan.make(suite.Suite().with_settings(settings))

    def grouped(size: int) -> list[plan.PlannedPuzzle]:
        return [dataclasses.replace(one, group=1 + place // size) for place, one in enumerate(planned.puzzles)]

    budget_s = 5 * (3 + 6 * 30)
    chosen = choosing.run_plan(planned, grouped(2), screening, ["a", "b"], budget_s)
    assert len(chosen.puzzles) == 30
    assert choosing.fitting(chosen, needed_s=100.0, pilot_s=0.0, left_s=30.0) is None  # 27 puzzles in 14 groups
    short_s = 3 + 6 * 20
    with pytest.raises(Undecided, match="needs 15 puzzles, and the time allows 10") as refusal:
        choosing.run_plan(planned, grouped(2), screening, ["a", "b"], short_s)
    enough_s = choosing.RUN_SHARE * (1 - choosing.SCREENING_SHARE) * refusal.value.budget_s
    assert len(choosing.run_plan(planned, grouped(1), screening, ["a", "b"], enough_s * 1.001).puzzles) == 15


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
        screening = Screening(40)
        return screening, choosing.screen(
            planned, for_screening, screening, budget_s, Progress(Console(quiet=True), quiet=True)
        )

    monkeypatch.setattr(choosing, "run_pilot", solves)
    monkeypatch.setattr(choosing, "wall_s", lambda: len(solved))
    return screen


def test_all_stages_fit_into_a_long_budget(screened) -> None:
    screening, kept = screened(1000)
    assert screening.puzzles == choosing.SCREENED
    assert {name: len(costs) for name, costs in screening.costs.items()} == dict.fromkeys(kept, choosing.SCREENED)


def test_a_stage_that_does_not_fit_is_left_out_for_all_strategies(screened) -> None:
    first, second, _ = (number for number, _ in choosing.STAGES)
    screening, kept = screened(3 * (2 * (first + second) + 3))  # a third of the budget ends in the third stage
    assert screening.puzzles == first + second
    assert {name: len(costs) for name, costs in screening.costs.items()} == dict.fromkeys(kept, first + second)


def test_a_budget_too_short_for_the_first_stage_says_one_that_is_long_enough(screened) -> None:
    with pytest.raises(Undecided, match="the time was enough to try 1 of 2 candidates") as refusal:
        screened(1)
    screened(refusal.value.budget_s)
