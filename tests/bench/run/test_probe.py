"""The probe: what it decides, and that repetitions depend on cost, never on differences between strategies."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.plan.plan import Calibration, Plan, PlannedPuzzle
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run import probe
from sudoku_bench.bench.run.probe import (
    MOST_REPETITIONS,
    RESERVE,
    Probe,
    fitting_puzzles,
    fitting_repetitions,
    parallel_strategies,
    placebo_strategies,
    puzzle_layers,
    round_cost,
)
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

Command = Callable[..., tuple[int, str, str]]


def a_plan(collections: dict[str, int], names: tuple[str, ...] = ("test:a", "test:b"), **settings: Any) -> Plan:
    infos = tuple(StrategyInfo(name, ("first", "unique")) for name in names)
    planned_puzzles = [
        PlannedPuzzle(name, f"{name}-{number}", parse(FOURS[number % len(FOURS)]), Reference(1, None, 2), 1)
        for name, puzzles in collections.items()
        for number in range(puzzles)
    ]
    made = Suite().with_settings({"budget": "1h", **settings})
    return Plan(made, FIRST, infos, (), tuple(planned_puzzles), {}, Calibration())


def a_probe(strategy: str, cpu_s: float | None, collection: str = "easy", **others: Any) -> Probe:
    values = {"start_s": 0.5, "first": False, "duration_s": cpu_s or 0.0, "timed_out": cpu_s is None}
    return Probe(strategy, collection, cpu_s=cpu_s, **(values | others))


def probes(plan: Plan, seconds: dict[str, float], start_s: float = 0.5, limit_s: float = 1e9) -> list[Probe]:
    """Simulate a probe with given times by strategy."""
    chosen = [planned for layer in puzzle_layers(plan) for planned in layer]
    return [
        a_probe(
            name,
            None if cpu_s > limit_s else cpu_s,
            planned.collection,
            start_s=start_s if number == 0 else 0.0,
            first=number == 0,
            duration_s=min(cpu_s, limit_s),
        )
        for number, planned in enumerate(chosen)
        for name, cpu_s in seconds.items()
    ]


def fitting(plan: Plan, seconds: dict[str, float], budget_s: float) -> int:
    return fitting_repetitions(plan, round_cost(plan, probes(plan, seconds)), budget_s, used_s=5.0)


@given(st.floats(0.001, 1.0), st.floats(0.001, 1.0), st.integers(1, 3), st.floats(100, 10_000))
def test_as_many_repetitions_are_chosen_as_fit(a_s: float, b_s: float, launches: int, budget_s: float) -> None:
    plan = a_plan({"easy": 20, "hard": 10}, launches=launches)
    seconds = {"test:a": a_s, "test:b": b_s}
    available_s, round_s = (1 - RESERVE) * (budget_s - 5) / launches, 2 * 0.5 + 30 * (a_s + b_s)
    if round_s > available_s:
        with pytest.raises(InputError) as caught:
            fitting(plan, seconds, budget_s)
        [needed_s] = re.findall(r"that takes about (\d+) s", str(caught.value))
        assert fitting(plan, seconds, float(needed_s)) == 1
    else:
        assert fitting(plan, seconds, budget_s) == min(MOST_REPETITIONS, int(available_s / round_s + 1e-9))


@given(st.floats(0.01, 1.0), st.integers(1, 4), st.floats(20, 300))
def test_as_many_puzzles_are_chosen_as_can_be_measured_three_times(a_s: float, launches: int, left_s: float) -> None:
    plan = a_plan({"easy": 40, "hard": 20}, launches=launches)
    found, rounds = probes(plan, {"test:a": a_s, "test:b": 0.1}), math.ceil(3 / launches)
    number = fitting_puzzles(plan, found, 40, left_s)
    for puzzles, fits in ((number, True), (number + 1, False)):
        if 0 < puzzles <= 40:
            of_round_s = 2 * 0.5 + (puzzles + min(20, puzzles)) * (a_s + 0.1)
            assert (launches * rounds * of_round_s <= (1 - RESERVE) * left_s * (1 + 1e-9)) == fits
            kept = plan.fewer(puzzles).puzzles
            assert len(kept) == puzzles + min(20, puzzles)
            assert plan.fewer(puzzles).puzzles == kept


@given(st.floats(0.0, 0.999))
def test_the_difference_does_not_matter_for_the_same_total_cost(apart: float) -> None:
    plan = a_plan({"easy": 20, "hard": 10})
    different = {"test:a": 0.1 * (1 + apart), "test:b": 0.1 * (1 - apart)}
    assert round_cost(plan, probes(plan, different)) == pytest.approx(
        round_cost(plan, probes(plan, {"test:a": 0.1, "test:b": 0.1}))
    )


def test_a_puzzle_that_times_out_costs_its_limit_once_a_launch() -> None:
    plan = a_plan({"hard": 10})
    results = probes(plan, {"test:a": 5.0, "test:b": 1.0}, start_s=0.0, limit_s=2.0)
    assert round_cost(plan, results) == pytest.approx((10 * (2 + 1), 10 * 1))


def test_placebos_are_for_a_fast_a_middle_and_a_slow_strategy_that_finish() -> None:
    small = {"a": 0.4e-3, "b": 1e-3, "c": 4e-3, "d": 2e-3, "late": 0.1e-3}
    large = {"a": 4e-3, "b": 10e-3, "c": 40e-3, "d": 20e-3, "only here": 4e-6, "late": None}
    found = [a_probe(name, s, board) for board, of in (("4", small), ("9", large)) for name, s in of.items()]
    assert placebo_strategies(found) == ("only here", "b", "c")
    assert set(placebo_strategies([each for each in found if each.strategy in ("a", "c", "late")])) == {"a", "c"}
    assert placebo_strategies([a_probe("late", None)]) == placebo_strategies([]) == ()


def test_several_cores_are_noticed_by_more_cpu_than_wall_time() -> None:
    found = [a_probe("several", 2.0, wall_s=1.0), a_probe("one", 1.0, wall_s=1.1), a_probe("waits", 0.1, wall_s=1.0)]
    found += [a_probe("short", 2e-4, wall_s=1e-4), a_probe("late", None)]
    assert parallel_strategies(found) == ("several",)


def test_a_run_with_a_budget_and_its_resumption(
    measure: Any, command: Command, puzzles: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "MOST_REPETITIONS", 2)  # fits on any machine
    arguments = ("-s", "seed:norvig", "-d", puzzles(*FOURS[:2]), "--task", "unique", "--timeout", 2)
    result = measure(*arguments, "--budget", "10m")
    assert result.code == 0
    manifest = json.loads((result.folder / "manifest.json").read_text())
    assert manifest["suite"]["budget"] == "10m"
    assert "budget: 2 repetitions of everything" in result.err
    assert manifest["calibration"]["repetitions"] == 2
    rows = result.rows[result.rows["decoy"].isna()]
    assert set(rows.groupby("puzzle").size()) == {2}
    assert len(result.all_rows) == manifest["planned_rows"]

    lines = (result.folder / "measurements.csv").read_text().splitlines(keepends=True)
    (result.folder / "measurements.csv").write_text("".join(lines[: len(lines) // 2]))
    (result.folder / "manifest.json").write_text(json.dumps(manifest | {"complete": False}))
    code, _, err = command("run", *arguments, "--budget", "10m", "--pin", "off", "--out", result.folder, "--resume")
    assert code == 0, err
    again = json.loads((result.folder / "manifest.json").read_text())
    assert again["calibration"] == manifest["calibration"]  # as chosen by the first probe
    resumed_s = result.all_rows["started_s"].iloc[len(lines) // 2 - 2]  # of the last remaining row
    assert [part["began_s"] for part in again["disturbance"]] == [0, pytest.approx(resumed_s, abs=1e-3)]
    assert len(result.all_rows) == manifest["planned_rows"]
    code, _, err = command("run", *arguments, "--budget", "8m", "--out", result.folder, "--resume")
    assert (code, "holds a run of another plan" in err) == (2, True)
