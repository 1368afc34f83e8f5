"""The plan: every measurement once, interleaved, in an order determined by the seed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.plan.plan import (
    FLOOR,
    PIPE,
    PLACEBO,
    PLACEBO_SHARE,
    Calibration,
    Measurement,
    Plan,
    PlannedPuzzle,
)
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.external.command import Command
from sudoku_bench.solvers.strategy import UNIQUE
from tests.bench.conftest import FOURS

ONE = Reference(1, None, 2)


def a_plan(strategies: int = 3, puzzles: int = 4, decoys: int = 2, placebos: int = 0, **settings: Any) -> Plan:
    infos = tuple(StrategyInfo(f"test:{i}", ("first", "unique")) for i in range(strategies))
    texts = [FOURS[i % len(FOURS)] for i in range(puzzles)]
    real = [PlannedPuzzle("own", f"p{i}", parse(text), ONE, 1 + i * 1000, sampled=True) for i, text in enumerate(texts)]
    hidden = [PlannedPuzzle("(decoys)", f"d{i}", parse(FOURS[i]), ONE, 1, decoy="several") for i in range(decoys)]
    calibration = Calibration(tuple(info.name for info in infos[:placebos]))
    return Plan(Suite().with_settings(settings), UNIQUE, infos, (), (*real, *hidden), {}, calibration)


def key(m: Measurement) -> tuple[str, str, int]:
    return m.entry.label, m.planned.name, m.repetition


@given(
    st.integers(1, 5), st.integers(1, 6), st.integers(0, 3), st.integers(1, 4), st.integers(1, 3), st.integers(0, 99)
)
def test_every_measurement_is_planned_once(strategies, puzzles, decoys, repetitions, launches, seed) -> None:
    plan = a_plan(strategies, puzzles, decoys, repetitions=repetitions, launches=launches, seed=seed)
    for launch in range(1, launches + 1):
        measurements = list(plan.measurements(launch))
        counts = Counter(map(key, measurements))
        assert set(counts.values()) == {1}
        assert len(counts) == strategies * (puzzles * repetitions + decoys)
        assert {m.launch for m in measurements} == {launch}
    assert plan.size == launches * strategies * (puzzles * repetitions + decoys)


def test_rounds_are_interleaved_over_all_strategies() -> None:
    plan = a_plan(strategies=4, puzzles=5, decoys=0, repetitions=3)
    measurements = list(plan.measurements(1))
    assert [m.round for m in measurements] == sorted(m.round for m in measurements)
    for number in (1, 2, 3):
        turn = [m for m in measurements if m.round == number]
        assert [m.position for m in turn] == list(range(1, 21))
        for start in range(0, 20, 4):  # the strategies solve each puzzle in succession
            block = turn[start : start + 4]
            assert len({m.planned.name for m in block}) == 1
            assert len({m.entry.label for m in block}) == 4


def test_the_order_is_determined_by_seed_launch_and_round() -> None:
    def order(launch: int, **settings: int) -> list[tuple[str, str, int]]:
        return [key(m) for m in a_plan(repetitions=2, **settings).measurements(launch)]

    assert order(1) == order(1)
    assert order(1) != order(1, seed=2)
    assert order(1) != order(2)
    plan = a_plan(repetitions=2, decoys=0)
    rounds = defaultdict(list)
    for m in plan.measurements(1):
        rounds[m.round].append(key(m)[:2])
    assert rounds[1] != rounds[2]


def test_no_strategy_always_goes_first() -> None:
    plan = a_plan(strategies=2, puzzles=40, decoys=0, repetitions=1)
    firsts = Counter(m.entry.label for m in plan.measurements(1) if m.position % 2 == 1)
    assert min(firsts["test:0"], firsts["test:1"]) >= 8  # of 40 tosses of a fair coin


@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 7))
def test_no_form_is_solved_twice(repetitions, launches, loops) -> None:
    plan = a_plan(decoys=0, repetitions=repetitions, launches=launches, loops=loops)
    forms = defaultdict(list)
    for launch in range(1, launches + 1):
        for m in plan.measurements(launch):
            forms[m.entry.label, m.planned.name] += m.forms
    for numbers in forms.values():
        assert len(set(numbers)) == len(numbers) == repetitions * launches * loops
        assert min(numbers) > 0  # 0 is the stored form
    assert len({tuple(sorted(f)) for (_, puzzle), f in forms.items() if puzzle == "p0"}) == 1


@given(st.integers(1, 9), st.integers(1, 60), st.integers(0, 3), st.integers(1, 3))
def test_placebos_have_at_most_their_share_of_the_rows(
    strategies: int, puzzles: int, placebos: int, rounds: int
) -> None:
    plan = a_plan(strategies, puzzles, 2, placebos, repetitions=rounds)
    labels = Counter(m.entry.role for m in plan.measurements(1))
    assert labels[PLACEBO] <= PLACEBO_SHARE * labels.total()
    assert labels[PLACEBO] == 0 or labels[PLACEBO] % (rounds * min(placebos, strategies)) == 0
    if placebos and puzzles >= 20 * min(placebos, strategies):
        assert labels[PLACEBO] > 0


def test_a_placebo_solves_the_forms_of_its_strategy() -> None:
    forms = defaultdict(dict)
    for m in a_plan(3, 40, placebos=2).measurements(1):
        forms[m.entry.label][m.planned.name, m.repetition] = m.forms
    for name in ("test:0", "test:1"):
        assert forms[f"({PLACEBO}) {name}"].items() <= forms[name].items()


def test_placebos_and_their_strategies_have_solved_and_waited_alike() -> None:
    before: dict[tuple[int, str], list[int]] = defaultdict(list)  # position of each solve, counted in puzzles
    puzzles: dict[int, list[str]] = defaultdict(list)
    for m in a_plan(3, 40, decoys=0, placebos=2, repetitions=5).measurements(1):
        if m.planned.name not in puzzles[m.round]:
            puzzles[m.round].append(m.planned.name)
        before[m.round, m.entry.label].append(puzzles[m.round].index(m.planned.name))
    for number in puzzles:
        own = before[number, f"({PLACEBO}) test:0"]
        assert own == list(range(len(own))) == before[number, "test:0"][: len(own)]
        assert len(own) > 1
    assert len({tuple(order[:3]) for order in puzzles.values()}) > 1


@pytest.mark.parametrize("settings", [{"mode": "cold"}, {}])
def test_the_floor_and_the_pipe_are_measured_however_few_puzzles_there_are(settings: dict[str, str]) -> None:
    plan = a_plan(1, 2, decoys=0, placebos=1, **settings)
    if not settings:
        plan = replace(plan, strategies=(replace(plan.strategies[0], command=Command("x", "x")),))
    role = FLOOR if settings else PIPE
    assert {m.planned.name for m in plan.measurements(1) if m.entry.role == role} == {"p0", "p1"}
