"""Time budgets: repetitions depend on cost, never on differences between strategies."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.plan import suite
from sudoku_bench.bench.plan.plan import DECOY_COLLECTION, Calibration, Plan, PlannedPuzzle
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run import spending
from sudoku_bench.bench.run.spending import MOST_REPETITIONS, RESERVE, BudgetError, Probe, round_cost
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
    return Plan(made, FIRST, infos, (), tuple(planned_puzzles), Calibration({"4x4": 1}, ()))


def probes(plan: Plan, seconds: dict[str, float], start_s: float = 0.5, limit_s: float = 1e9) -> list[Probe]:
    """Simulate a pilot with given times by strategy."""
    results = []
    for number, planned in enumerate(spending.pilot_puzzles(plan)):
        for name, cpu_s in seconds.items():
            late, first = cpu_s > limit_s, number == 0
            wall_s, solved_s = min(cpu_s, limit_s), None if late else cpu_s
            results.append(Probe(name, planned.collection, start_s if first else 0.0, first, wall_s, solved_s, late))
    return results


def fitting(plan: Plan, seconds: dict[str, float], budget_s: float) -> int:
    return spending.fitting_repetitions(plan, round_cost(plan, probes(plan, seconds)), budget_s, pilot_s=5.0)


@given(st.floats(0.001, 1.0), st.floats(0.001, 1.0), st.integers(1, 3), st.floats(100, 10_000))
def test_as_many_repetitions_are_chosen_as_fit(a_s: float, b_s: float, launches: int, budget_s: float) -> None:
    plan = a_plan({"easy": 20, "hard": 10}, launches=launches)
    seconds = {"test:a": a_s, "test:b": b_s}
    available_s, round_s = (1 - RESERVE) * (budget_s - 5) / launches, 2 * 0.5 + 30 * (a_s + b_s)
    if round_s > available_s:
        with pytest.raises(BudgetError) as caught:
            fitting(plan, seconds, budget_s)
        assert fitting(plan, seconds, caught.value.needed_s) == 1
    else:
        assert fitting(plan, seconds, budget_s) == min(MOST_REPETITIONS, int(available_s / round_s + 1e-9))


def test_a_budget_that_is_too_short_is_one_line_with_the_time_needed() -> None:
    plan = a_plan({"easy": 20}, budget="30s")
    with pytest.raises(BudgetError) as caught:
        fitting(plan, {"test:a": 1.0, "test:b": 1.0}, 30.0)
    assert "a budget of 30s does not allow one repetition of everything: that takes about" in str(caught.value)
    assert "\n" not in str(caught.value)


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


def test_each_round_starts_the_workers_of_every_contestant_and_board() -> None:
    plan = a_plan({"easy": 10})
    assert round_cost(plan, probes(plan, {"test:a": 0.0, "test:b": 0.0}, start_s=3.0)) == pytest.approx((6, 6))


def test_placebos_the_floor_and_decoys_are_included_in_the_cost() -> None:
    plan = a_plan({"easy": 10}, mode="cold")
    results = probes(plan, {"test:a": 2.0, "test:b": 1.0}, start_s=0.0)
    sampled = tuple(dataclasses.replace(s, sampled=number < 4) for number, s in enumerate(plan.puzzles))
    alone = 10 * (2 + 1)
    assert round_cost(plan, results).first_s == pytest.approx(alone)
    floor = dataclasses.replace(plan, puzzles=sampled)
    assert round_cost(floor, results).first_s == pytest.approx(alone + 4 * 2)  # as expensive as a
    both = dataclasses.replace(floor, calibration=Calibration({"4x4": 1}, ("test:b",)))
    assert round_cost(both, results).first_s == pytest.approx(alone + 4 * (2 + 2 * 1))
    decoy = dataclasses.replace(plan.puzzles[0], collection=DECOY_COLLECTION, decoy="several")
    with_decoy = dataclasses.replace(plan, puzzles=(*plan.puzzles, decoy))
    assert round_cost(with_decoy, results) == pytest.approx((alone + 3, alone))


def test_the_pilot_spreads_over_each_collection_and_begins_with_one_puzzle_of_each() -> None:
    chosen = spending.pilot_puzzles(a_plan({"easy": 80, "hard": 3}))
    assert [planned.name for planned in chosen[:4]] == ["easy-35", "hard-1", "easy-45", "hard-0"]
    assert Counter(planned.collection for planned in chosen) == {"easy": spending.PROBES, "hard": 3}
    assert len(set(chosen)) == len(chosen)


def test_the_pilot_solves_no_form_that_is_timed() -> None:
    plan = a_plan({"easy": 5}, repetitions=None, launches=3)
    timed = dataclasses.replace(plan, calibration=Calibration({"4x4": 1000}, (), MOST_REPETITIONS))
    used = {n for launch in (1, 2, 3) for m in timed.measurements(launch) for n in timed.forms(m)}
    pilot = spending.pilot_plan(timed, timed.puzzles)
    for m in pilot.measurements(1):
        assert not used & set(pilot.forms(m))
        assert not used & set(pilot.forms(m, for_phases=True))


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1h", 3600), ("1.5h", 5400)])
def test_times_are_parsed(text: str, seconds: float) -> None:
    assert Suite().with_settings({"budget": text}).budget_s == seconds


@pytest.mark.parametrize("text", ["", "90", "0s", "-5m", "1d", "m", "1e3s", "nan s", "١s"])
def test_an_invalid_time_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="budget must be a time such as 90s, 10m or 1h"):
        Suite().with_settings({"budget": text})


def test_repetitions_are_given_or_chosen_not_both(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exclude each other"):
        Suite().with_settings({"budget": "1m", "repetitions": 3})
    assert Suite(budget="1m").with_settings({"repetitions": 3}).budget is None
    assert Suite(repetitions=3).with_settings({"budget": "1m"}).budget_s == 60
    path = tmp_path / "mine.toml"
    path.write_text('budget = "2m"\n', encoding="utf-8")
    assert suite.load(str(path)).budget_s == 120
    path.write_text("budget = 2\n", encoding="utf-8")
    with pytest.raises(InputError, match="budget must be of type str"):
        suite.load(str(path))


def test_a_run_with_a_budget_and_its_resumption(
    measure: Any, command: Command, puzzles: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spending, "MOST_REPETITIONS", 2)  # fits on any machine
    arguments = ("-s", "seed:norvig", "-d", puzzles(*FOURS[:2]), "--task", "unique", "--timeout", 2, "--loops", 1)
    result = measure(*arguments, "--budget", "10m")
    assert result.code == 0
    manifest = json.loads((result.folder / "manifest.json").read_text())
    assert manifest["suite"]["budget"] == "10m"
    assert "budget: 2 repetitions of everything" in result.err
    assert manifest["settled"]["repetitions"] == 2
    rows = result.rows[result.rows["decoy"].isna()]
    assert set(rows.groupby("puzzle").size()) == {2}
    assert len(result.all_rows) == manifest["planned_rows"]

    lines = (result.folder / "measurements.csv").read_text().splitlines(keepends=True)
    (result.folder / "measurements.csv").write_text("".join(lines[: len(lines) // 2]))
    (result.folder / "manifest.json").write_text(json.dumps(manifest | {"complete": False}))
    code, _, err = command("run", *arguments, "--budget", "10m", "--pin", "off", "--out", result.folder, "--resume")
    assert code == 0, err
    again = json.loads((result.folder / "manifest.json").read_text())
    assert again["settled"] == manifest["settled"]  # as chosen by the first pilot
    resumed_s = result.all_rows["started_s"].iloc[len(lines) // 2 - 2]  # of the last remaining row
    assert [part["began_s"] for part in again["disturbance"]] == [0, pytest.approx(resumed_s, abs=1e-3)]
    assert len(result.all_rows) == manifest["planned_rows"]
    code, _, err = command("run", *arguments, "--budget", "8m", "--out", result.folder, "--resume")
    assert (code, "holds a run of another plan" in err) == (2, True)
    earlier = manifest["settled"] | {"spending": {"repetitions": {"own": 2}}}
    (result.folder / "manifest.json").write_text(json.dumps(manifest | {"complete": False, "settled": earlier}))
    code, _, err = command("run", *arguments, "--budget", "10m", "--pin", "off", "--out", result.folder, "--resume")
    assert (code, "an earlier version chose repetitions for each collection" in err) == (2, True)


def test_a_budget_exhausted_by_the_pilot_is_refused(run: Any, puzzles: Callable[..., Path]) -> None:
    result = run("-s", "seed:norvig", "-d", puzzles(*FOURS), "--budget", "0.001s")
    assert result.code == 2
    [complaint] = [line for line in result.err.splitlines() if not line.startswith("checking puzzles")]
    assert "does not allow one repetition of everything" in complaint
    assert not (result.folder / "measurements.csv").exists()


def test_a_dry_run_says_that_the_pilot_chooses_the_repetitions(command: Command, puzzles: Callable[..., Path]) -> None:
    code, out, _ = command("run", "-s", "seed:norvig", "-d", puzzles(*FOURS), "--budget", "5m", "--dry-run")
    assert code == 0
    assert "the pilot determines how many repetitions fit into the budget of 5m" in out
