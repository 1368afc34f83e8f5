"""Time budgets: repetitions depend on spread and cost, never on differences between strategies."""

from __future__ import annotations

import dataclasses
import json
import math
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.plan import suite
from bench.plan.plan import Calibration, Plan, PlannedPuzzle, Spending
from bench.plan.reference import Reference
from bench.plan.suite import Suite
from bench.process.strategy_info import StrategyInfo
from bench.run import spending
from bench.run.spending import RESERVE, Forecast, Probe, choose, total_s
from datasets.errors import InputError
from datasets.reading.reader import parse
from solvers.strategy import FIRST
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


def probes(
    plan: Plan, seconds: dict[tuple[str, str], float], spread: float = 0.1, start_s: float = 0.5, limit_s: float = 1e9
) -> list[Probe]:
    """Simulate a pilot with given times by strategy and collection, and a given spread."""
    rng = random.Random(1)
    results = []
    for name, planned_puzzles in spending.pilot_puzzles(plan).items():
        for planned in planned_puzzles:
            wobble = {repetition: math.exp(rng.gauss(0, spread)) for repetition in (1, 2)}  # for all strategies
            for info in plan.strategies:
                for repetition in (1, 2):
                    cpu_s = seconds[info.name, name] * wobble[repetition]
                    late = cpu_s > limit_s
                    first = planned is planned_puzzles[0] and name == next(iter(spending.pilot_puzzles(plan)))
                    place = info.name, name, planned.name, repetition, start_s if first else 0.0, first
                    again = late and repetition == 2
                    wall_s = 0.0 if again else min(cpu_s, limit_s)
                    results.append(Probe(*place, wall_s, None if late else cpu_s, late))
    return results


def test_the_plan_fits_into_the_budget() -> None:
    plan = a_plan({"easy": 20, "hard": 20})
    seconds = {(s, c): t for c, t in (("easy", 0.01), ("hard", 0.5)) for s in ("test:a", "test:b")}
    for budget_s in (60.0, 100.0, 300.0, 3000.0):
        spent = spending.allocation(plan, probes(plan, seconds), budget_s, pilot_s=5.0)
        assert spent.measuring_s <= (1 - RESERVE) * (budget_s - 5)
        rounds = max(spent.repetitions.values())
        truth_s = rounds * 2 * 0.5 + sum(spent.repetitions[c] * 20 * 2 * t for c, t in (("easy", 0.01), ("hard", 0.5)))
        assert truth_s < budget_s
        assert truth_s > 0.4 * (budget_s - 5) or min(spent.repetitions.values()) == 50


@pytest.mark.parametrize(("available_s", "expected"), [(30, (1, 1)), (80, (5, 2)), (100, (5, 3)), (200, (5, 5))])
def test_every_collection_gets_five_repetitions_before_any_gets_more(
    available_s: float, expected: tuple[int, int]
) -> None:
    """The noisy collection would otherwise get all repetitions, and the other one a single one."""
    noisy, costly = Forecast(20, 1.0, 5.0, 5.0), Forecast(20, 0.01, 25.0, 25.0)
    repetitions = choose({"noisy": noisy, "costly": costly}, 0.0, 1, available_s)
    assert repetitions is not None
    assert (min(5, repetitions["noisy"]), min(5, repetitions["costly"])) == expected


def test_a_budget_that_is_too_short_is_one_line_with_the_time_needed() -> None:
    plan = a_plan({"easy": 20}, budget="30s")
    seconds = dict.fromkeys((("test:a", "easy"), ("test:b", "easy")), 1.0)
    with pytest.raises(InputError) as caught:
        spending.allocation(plan, probes(plan, seconds), 30.0, pilot_s=5.0)
    assert "a budget of 30s does not allow one repetition of everything: that takes about" in str(caught.value)
    assert "\n" not in str(caught.value)
    needed_s = float(str(caught.value).partition("about ")[2].partition(" s")[0])
    assert set(spending.allocation(plan, probes(plan, seconds), needed_s, pilot_s=5.0).repetitions.values()) == {1}


@given(st.floats(0.0, 0.999))
def test_the_difference_does_not_matter_for_the_same_total_cost(apart: float) -> None:
    plan = a_plan({"easy": 20, "hard": 10})
    seconds = {
        (s, c): t * (1 + side * apart * far)
        for s, side in (("test:a", 1), ("test:b", -1))
        for c, t, far in (("easy", 0.05, 1.0), ("hard", 0.4, 0.3))
    }
    alike = {(s, c): t for s in ("test:a", "test:b") for c, t in (("easy", 0.05), ("hard", 0.4))}
    one, other = (spending.allocation(plan, probes(plan, t), 300.0, 10.0) for t in (seconds, alike))
    assert one.repetitions == other.repetitions
    assert one.spread == pytest.approx(other.spread)


forecasts = st.builds(Forecast, st.integers(1, 50), st.floats(0.01, 2), st.floats(0.01, 50), st.floats(0, 50))


@given(
    st.dictionaries(st.sampled_from("abcd"), forecasts, min_size=1),
    st.floats(0, 5),
    st.integers(1, 3),
    st.floats(1, 5000),
)
def test_the_chosen_repetitions_use_the_available_time(expected, start_s, launches, available_s) -> None:
    repetitions = choose(expected, start_s, launches, available_s)
    if repetitions is None:
        assert launches * total_s(expected, dict.fromkeys(expected, 1), start_s) > available_s
        return
    assert launches * total_s(expected, repetitions, start_s) <= available_s
    for name, number in repetitions.items():
        more = launches * total_s(expected, {**repetitions, name: number + 1}, start_s)
        assert number == spending.MOST_REPETITIONS or more > available_s
    renamed = choose({name.upper(): forecast for name, forecast in expected.items()}, start_s, launches, available_s)
    assert renamed == {name.upper(): number for name, number in repetitions.items()}


def test_repetitions_go_where_spread_is_large_and_time_is_cheap() -> None:
    base = Forecast(20, 0.1, 10.0, 10.0)
    wide, dear = dataclasses.replace(base, spread=0.4), dataclasses.replace(base, first_s=90.0, later_s=90.0)
    repetitions = choose({"base": base, "wide": wide}, 0.0, 1, 300.0)
    assert repetitions is not None
    assert repetitions["wide"] == pytest.approx(4 * repetitions["base"], abs=2)  # as the standard deviation
    repetitions = choose({"base": base, "dear": dear}, 0.0, 1, 600.0)
    assert repetitions is not None
    assert repetitions["base"] == pytest.approx(3 * repetitions["dear"], abs=2)  # as the root of the cost


def test_the_spread_is_that_of_repetitions_not_of_puzzles_or_strategies() -> None:
    plan = a_plan({"easy": 5})
    seconds = {("test:a", "easy"): 0.001, ("test:b", "easy"): 1.0}
    assert spending.spread(probes(plan, seconds, spread=0.0)) == 0
    narrow, wide = (spending.spread(probes(plan, seconds, spread=sd)) for sd in (0.1, 0.3))
    assert narrow is not None
    assert wide == pytest.approx(3 * narrow)
    assert 0.03 < narrow < 0.3
    assert spending.spread(probes(plan, seconds, limit_s=1e-9)) is None


def test_a_puzzle_that_times_out_costs_its_limit_once_a_launch() -> None:
    plan = a_plan({"hard": 10})
    seconds = {("test:a", "hard"): 5.0, ("test:b", "hard"): 1.0}
    forecasts, _ = spending.forecast(plan, probes(plan, seconds, spread=0.0, limit_s=2.0))
    assert forecasts["hard"].first_s == pytest.approx(10 * (2 + 1))
    assert forecasts["hard"].later_s == pytest.approx(10 * 1)


def test_placebos_and_the_floor_are_included_in_the_cost() -> None:
    plan = a_plan({"easy": 10}, mode="cold")
    seconds = {("test:a", "easy"): 2.0, ("test:b", "easy"): 1.0}
    results = probes(plan, seconds, spread=0.0, start_s=0.0)
    sampled = tuple(dataclasses.replace(s, sampled=number < 4) for number, s in enumerate(plan.puzzles))
    alone = spending.forecast(plan, results)[0]["easy"].first_s
    assert alone == pytest.approx(10 * (2 + 1))
    floor = dataclasses.replace(plan, puzzles=sampled)
    assert spending.forecast(floor, results)[0]["easy"].first_s == pytest.approx(alone + 4 * 2)  # as expensive as b
    both = dataclasses.replace(floor, calibration=Calibration({"4x4": 1}, ("test:b",)))
    assert spending.forecast(both, results)[0]["easy"].first_s == pytest.approx(alone + 4 * (2 + 2 * 1))


def test_collections_may_have_different_repetitions() -> None:
    plan = a_plan({"easy": 3, "hard": 2})
    spent = Spending({"easy": 4, "hard": 2}, {}, {}, {}, 0.0, 0.0, 0.0)
    plan = dataclasses.replace(plan, calibration=Calibration({"4x4": 1}, (), spent))
    measurements = list(plan.measurements(1))
    assert len(measurements) == plan.size == 2 * (3 * 4 + 2 * 2)
    assert max(m.round for m in measurements if m.planned.collection == "hard") == 2
    forms = Counter((m.contestant.label, m.planned.name, n) for m in measurements for n in plan.forms(m))
    assert set(forms.values()) == {1}


def test_the_pilot_solves_no_form_that_is_timed() -> None:
    plan = a_plan({"easy": 5}, repetitions=None, launches=3)
    spent = Spending({"easy": 50}, {}, {}, {}, 0.0, 0.0, 0.0)
    timed = dataclasses.replace(plan, calibration=Calibration({"4x4": 1000}, (), spent))
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
    spent = manifest["settled"]["spending"]
    assert manifest["suite"]["budget"] == "10m"
    assert "budget: repetitions by spread and cost: own " in result.err
    assert 0 < spent["measuring_s"] + spent["pilot_s"] <= 600
    assert spent["repetitions"] == {"own": 2}
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


def test_a_budget_exhausted_by_the_pilot_is_refused(run: Any, puzzles: Callable[..., Path]) -> None:
    result = run("-s", "seed:norvig", "-d", puzzles(*FOURS), "--budget", "0.001s")
    assert result.code == 2
    [complaint] = [line for line in result.err.splitlines() if not line.startswith("checking puzzles")]
    assert "does not allow one repetition of everything" in complaint
    assert not (result.folder / "measurements.csv").exists()


def test_a_dry_run_says_that_the_pilot_chooses_the_repetitions(command: Command, puzzles: Callable[..., Path]) -> None:
    code, out, _ = command("run", "-s", "seed:norvig", "-d", puzzles(*FOURS), "--budget", "5m", "--dry-run")
    assert code == 0
    assert "the pilot determines how many repetitions of each collection fit into the budget of 5m" in out
