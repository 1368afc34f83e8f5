"""Screening, and the plan of the run after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from sudoku_bench.bench.plan import plan, suite
from sudoku_bench.bench.plan.plan import PLACEBO_SHARE, Plan, PlannedPuzzle
from sudoku_bench.bench.run import choosing
from sudoku_bench.bench.run.choosing import RUN_SHARE, Screening, Undecided
from sudoku_bench.bench.run.probe import Probe, round_cost
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.verdicts.pairs.decision import LEAST_PUZZLES
from sudoku_bench.datasets.errors import InputError

SOME = ("seed:norvig", "seed:pycosat", "propagation:bitmask")


def probe(strategy: str, cpu_s: float | None, **others: Any) -> Probe:
    values = {"start_s": 0.5, "first": False, "duration_s": 1.0, "wall_s": cpu_s, "timed_out": cpu_s is None}
    return Probe(strategy, "size6", cpu_s=cpu_s, **(values | others))


def a_plan(**settings: Any) -> Plan:
    wanted = {"strategies": SOME, "datasets": ("size6",), "sample": 60}
    return plan.make(suite.Suite().with_settings({**wanted, **settings}))


@pytest.fixture
def screening() -> Screening:
    found = [
        probe(strategy, cpu_s, first=number == 0)
        for strategy, times in {"a": (1.0, 1.0), "b": (3.0, 2.0), "c": (9.0, None), "d": (5.0, 7.0)}.items()
        for number, cpu_s in enumerate(times)
    ]
    wrong = probe("wrong", None, timed_out=False, fault="two clues clash")
    return Screening(limit_s=20.0, found=[*found, wrong])


@pytest.fixture
def real() -> Screening:
    """Of three strategies that take half a second to start and one for each puzzle."""
    found = [probe(name, 1.0, first=number == 0) for name in SOME for number in range(2)]
    return Screening(limit_s=20.0, found=found, puzzles=2)


def test_strategies_that_cost_many_times_the_lowest_are_dropped(screening: Screening) -> None:
    assert screening.kept(6.0) == ["a", "b", "d"]
    assert screening.kept(20.0) == ["a", "b", "d", "c"]
    assert screening.kept(1.1) == ["a", "b"]  # two, always
    assert screening.failed == {"wrong": "two clues clash"}
    assert screening.mean("c") == (9.0 + 20.0) / 2  # an unfinished solve counts as the limit


@pytest.mark.parametrize("task", ["first", "unique"])
@pytest.mark.parametrize("budget_s", [300, 500, 1000, 3000, 10**5])
def test_the_run_fits_its_share_of_the_budget_and_no_more_would(real: Screening, budget_s: float, task: str) -> None:
    """With starts, placebos and decoys, which hide in it if the task asks for more than one solution."""
    planned = a_plan(task=task)
    [(_, for_run)] = choosing.split(planned, seed=1).values()
    chosen = choosing.run_plan(planned, for_run, real, SOME, budget_s)
    number, room_s = sum(not each.decoy for each in chosen.puzzles), RUN_SHARE * budget_s
    assert chosen.suite.repetitions == 1
    assert {each.decoy for each in chosen.puzzles} == ({"", "several", "none"} if task == "unique" else {""})
    cost_s, more_s = (
        round_cost(choosing.with_puzzles(chosen, for_run[:some], 1), real.found).first_s
        for some in (number, number + 1)
    )
    fits = [launches for launches, _ in choosing.LAUNCHES if launches * cost_s <= room_s]
    assert fits
    assert number == len(for_run) or any(launches * more_s > room_s for launches in fits)
    roles = Counter(m.entry.role for m in chosen.measurements(1))
    assert roles["instrument"] <= PLACEBO_SHARE * roles.total()


def test_screening_and_run_share_no_puzzle_and_keep_all_others() -> None:
    planned = a_plan()
    [(for_screening, for_run)] = choosing.split(planned, seed=1).values()
    names = [planned_puzzle.name for planned_puzzle in (*for_screening, *for_run)]
    assert len(for_screening) == choosing.SCREENED
    assert sorted(names) == sorted(planned_puzzle.name for planned_puzzle in planned.puzzles)
    assert len(set(names)) == len(names)


def test_a_run_has_enough_independent_puzzles(real: Screening) -> None:
    planned = a_plan()

    def grouped(size: int) -> list[PlannedPuzzle]:
        return [replace(one, group=1 + place // size) for place, one in enumerate(planned.puzzles)]

    assert choosing.independent(choosing.run_plan(planned, grouped(2), real, SOME, 1e9).puzzles) >= LEAST_PUZZLES
    with pytest.raises(Undecided, match=r"needs 15 puzzles, and the time allows \d") as refusal:
        choosing.run_plan(planned, grouped(1), real, SOME, 30.0)
    enough_s = (1 - choosing.SCREENING_SHARE) * refusal.value.budget_s
    assert len(choosing.run_plan(planned, grouped(1), real, SOME, enough_s * 1.001).puzzles) >= LEAST_PUZZLES


@pytest.fixture
def screened(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], tuple[Screening, list[str]]]:
    """Screen two strategies within a budget, if each solve takes a second of a clock that stands still otherwise."""
    planned = a_plan(strategies=SOME[:2], sample=30)
    [(for_screening, _)] = choosing.split(planned, seed=1).values()
    solved: list[str] = []

    def solves(stage: Plan, puzzles: Sequence[PlannedPuzzle], _limit_s: float) -> Iterator[Probe]:
        for info in (info for _ in puzzles for info in stage.strategies):
            solved.append(info.name)
            yield probe(info.name, 0.001)

    def screen(budget_s: float) -> tuple[Screening, list[str]]:
        screening, quiet = Screening(20.0, 40), Progress(Console(quiet=True), quiet=True)
        return screening, choosing.screen(planned, for_screening, screening, budget_s / 3, quiet)

    monkeypatch.setattr(choosing, "probes", solves)
    monkeypatch.setattr(choosing, "wall_s", lambda: len(solved))
    return screen


def test_a_stage_that_does_not_fit_is_left_out_for_all_strategies(screened) -> None:
    first, second, _ = (number for number, _ in choosing.STAGES)
    screening, kept = screened(3 * (2 * (first + second) + 3))  # a third of the budget ends in the third stage
    assert screening.puzzles == first + second
    assert kept == screening.kept(choosing.STAGES[1][1])


def test_two_candidates_are_tried_whatever_the_budget(screened) -> None:
    screening, kept = screened(0)
    assert set(screening.costs) == set(kept) == set(SOME[:2])


def test_candidates_come_in_the_order_of_what_is_known() -> None:
    planned = a_plan(
        strategies=("seed:python-constraint", "bitboard:cells", "sat:complete+pairwise@minicard"), sample=5
    )
    assert choosing.in_order(planned)[0] == "bitboard:cells"
    assert choosing.expected_s("mine:search", 9) == 0
    assert choosing.expected_s("sat:complete+native@other", 9) > 0


def test_another_call_goes_on_with_what_was_screened_of_the_same_puzzles(screened, tmp_path: Path) -> None:
    planned, other = a_plan(strategies=SOME[:2], sample=30), a_plan(strategies=SOME[:2], sample=29)
    screening, _ = screened(1000)
    assert choosing.kept_screening(tmp_path, planned, screening) is screening
    choosing.keep(tmp_path, planned, screening)
    assert choosing.kept_screening(tmp_path, planned, Screening(9.0, 40)) == screening
    for another in (other, a_plan(strategies=SOME[:3], sample=30)):
        with pytest.raises(InputError, match="holds a choice for other puzzles"):
            choosing.kept_screening(tmp_path, another, screening)
