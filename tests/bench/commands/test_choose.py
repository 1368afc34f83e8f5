"""``choose``: an answer for somebody's puzzles within a budget, and one from the rows of a run."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.plan.plan import Plan
from bench.run import choosing
from bench.say import choice as words
from bench.verdicts.choice import choose
from tests.bench.verdicts.simulated_runs import Floats, a_run
from tests.conftest import STRATEGIES, TIERS


@pytest.fixture
def short_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a given size in place of one that fills the budget: the test must not depend on the machine's speed."""
    original = choosing.run_plan

    def run_plan(*arguments: Any) -> Plan:
        planned = original(*arguments)
        short = dataclasses.replace(planned.suite, budget=None, repetitions=3, loops=1)
        return dataclasses.replace(planned, suite=short, puzzles=planned.puzzles[:15])

    monkeypatch.setattr(choosing, "run_plan", run_plan)


@pytest.mark.slow
def test_an_answer_for_a_collection(command, short_run, tmp_path: Path) -> None:
    patterns = ("-s", "sat:{augmented,log,none}@{glucose4,minisat22}", "-s", "local-search:annealing")
    options = ("--task", "unique", "--budget", "60m", "--pin", "off", "--out", tmp_path / "run", "--json")
    code, out, err = command("choose", "size6", *patterns, *options)
    assert code == 0, err
    [answer] = json.loads(out)["answers"]
    assert json.loads(out)["notes"] == [
        f"{patterns[1]} stands for 4 strategies; 2 of its 6 combinations are no strategies"
    ]
    assert (answer["shape"], answer["puzzles"], answer["screened"]) == ("6x6", 15, 4)
    assert answer["excluded"] == {"local-search:annealing": "does not offer the task unique"}
    tried = {f"sat:{encoding}@{engine}" for encoding in ("augmented", "log") for engine in ("glucose4", "minisat22")}
    standings = {row["strategy"]: row["standing"] for row in answer["strategies"]}
    assert standings[answer["best"]] == "best"
    assert {*standings, *answer["dropped"]} == tried


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("size4",), "20 puzzles of 4x4 are too few to choose by"),
        (("size6", "--budget", "soon"), "budget must be a time such as 90s, 10m or 1h"),
        (("size6", "-s", "sat:nothing@*"), "no strategy matches sat:nothing@*"),
        (("size6", "-d", "easy"), "--dataset: applies to a run only"),
    ],
)
def test_what_cannot_be_answered_is_one_line(command, tmp_path: Path, arguments, complaint: str) -> None:
    code, out, err = command("choose", *arguments, "--out", tmp_path / "run")
    assert (code, out) == (2, "")
    assert complaint in err.splitlines()[-1]


# --- from the rows of a run


def test_a_choice_from_a_run_is_a_few_lines(command, small_reference: Path) -> None:
    code, out, err = command("choose", small_reference)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "\nchoose " in out
    assert "regret" in out


def test_a_part_of_a_run_can_be_chosen_from(command, small_reference: Path) -> None:
    def answer(*more: str) -> dict[str, Any]:
        code, out, _ = command("choose", small_reference, "--json", *more)
        assert code == 0
        [answer] = json.loads(out)["answers"]
        return answer

    whole, easy = answer(), answer("-d", "easy")
    assert (whole["puzzles"], easy["puzzles"]) == (20 * len(TIERS), 20)
    assert whole["strategies"][0]["cost_s"] > easy["strategies"][0]["cost_s"]
    costs = {row["strategy"]: row["cost_s"] for row in whole["strategies"] if row["cost_s"] is not None}
    assert whole["best"] == min(costs, key=lambda strategy: costs[strategy])
    assert whole["strategies"][0]["standing"] == "best"
    chosen = sorted(STRATEGIES)[:3]
    some = answer(*(word for name in chosen for word in ("-s", name)))
    assert {row["strategy"] for row in some["strategies"]} == set(chosen)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--task", "unique"], "measure with --task unique"),
        (["--budget", "5m"], "--budget: applies to puzzles only"),
    ],
)
def test_what_a_run_does_not_answer_is_one_line(command, small_reference: Path, arguments, message: str) -> None:
    code, out, err = command("choose", small_reference, *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert message in err


def told(seconds: Floats, limit_s: float) -> str:
    """What is said about a run of two strategies: strategies × puzzles × repetitions."""
    run = a_run(seconds, ["s:a", "s:b"], np.ones(seconds.shape[1]), limit_s)
    return " ".join(words.lines(choose.choose(run)))


def test_without_a_full_solver_the_choice_is_by_par2() -> None:
    seconds = np.stack([np.where(np.arange(20) < 19, 1.0, 99.0), np.where(np.arange(20) < 5, 1.0, 99.0)])
    text = told(seconds[:, :, None].repeat(2, axis=2), 10.0)
    assert "choose s:a: 1.95 s mean PAR-2 per puzzle" in text
    assert "No strategy solved all of these puzzles" in text
    assert "s:a left 2 of 40 solves unfinished" in text
    assert "CPU time" not in text


def test_a_strategy_that_does_not_solve_all_is_excluded_where_another_does() -> None:
    text = told(
        np.stack([np.full(20, 2.0), np.where(np.arange(20) < 19, 1.0, 99.0)])[:, :, None].repeat(2, axis=2), 10.0
    )
    assert "choose s:a: 2 s mean CPU time per puzzle" in text
    assert text.endswith("excluded, left puzzles unsolved that others solved: s:b")


@pytest.mark.parametrize(("spread", "puzzles", "is_said"), [(2.0, 20, True), (0.3, 20, False), (1.0, 100, False)])
def test_costs_that_spread_too_much_are_said(spread: float, puzzles: int, is_said: bool) -> None:
    rng = np.random.default_rng(1)
    base = np.exp(spread * rng.standard_normal(puzzles))
    seconds = np.stack([base, 1.2 * base])[:, :, None] * np.exp(0.3 * rng.standard_normal((2, puzzles, 3)))
    assert (f"costs spread too much for {puzzles} puzzles" in told(seconds, 1e9)) == is_said
