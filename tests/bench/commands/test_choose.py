"""``choose``: an answer for somebody's puzzles within a budget, and one from the rows of a run."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.run import choosing
from sudoku_bench.bench.say import choice as words
from sudoku_bench.bench.verdicts.choice import choose
from sudoku_bench.datasets.collections.catalogue import load
from tests.bench.verdicts.simulated_runs import Floats, a_run
from tests.conftest import STRATEGIES, TIERS


@pytest.fixture
def short_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a given size in place of one that fills the budget: the test must not depend on the machine's speed."""
    original = choosing.run_plan

    def run_plan(*arguments: Any) -> Plan:
        planned = original(*arguments)
        short = dataclasses.replace(planned.suite, repetitions=3, launches=1)
        return dataclasses.replace(planned, suite=short, puzzles=planned.puzzles[:15])

    monkeypatch.setattr(choosing, "run_plan", run_plan)


def test_an_answer_for_a_collection(command, short_run, tmp_path: Path) -> None:
    patterns = ("-s", "sat:{augmented,none}@{glucose4,minisat22}", "-s", "local-search:annealing")
    options = ("--task", "unique", "--budget", "60m", "--pin", "off", "--out", tmp_path / "run", "--json")
    code, out, err = command("choose", "size6", *patterns, *options)
    assert code == 0, err
    [answer] = json.loads(out)["answers"]
    assert json.loads(out)["notes"] == [
        f"{patterns[1]} stands for 2 strategies; 2 of its 4 combinations are no strategies"
    ]
    assert (answer["shape"], answer["puzzles"], answer["screened"]) == ("6x6", 15, 2)
    assert answer["excluded"] == {"local-search:annealing": "does not offer the task unique"}
    tried = {f"sat:augmented@{engine}" for engine in ("glucose4", "minisat22")}
    standings = {row["strategy"]: row["standing"] for row in answer["strategies"]}
    assert standings[answer["best"]] == "best"
    assert {*standings, *answer["dropped"]} == tried


@pytest.mark.parametrize(
    ("limit", "budget", "reason", "advice"),
    [
        (12, "60m", "a comparison needs 15 puzzles beside 8 of screening, and has 4", ""),
        (40, "1s", "the time", "--budget 1m would be enough"),
    ],
)
def test_there_is_always_a_best_so_far(command, tmp_path: Path, limit: int, budget: str, reason, advice) -> None:
    path = tmp_path / "own.txt"
    path.write_text("\n".join(item.puzzle.text for item in load("size6").items[:limit]), encoding="utf-8")
    candidates = ("-s", "propagation:bitmask", "-s", "seed:norvig", "-s", "sat:minimal+pairwise@minisat22")
    code, out, err = command("choose", path, *candidates, "--budget", budget, "--out", tmp_path / "run")
    assert code == 0, err
    assert "\nbest so far: " in out
    assert reason in out
    assert advice in out
    assert "significantly" not in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
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


def test_a_choice_from_a_run_is_a_few_lines_that_fit_a_terminal(
    command, small_reference: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")  # as at a terminal
    code, out, err = command("choose", small_reference)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "\nchoose " in out


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


def test_fewer_than_three_repetitions_claim_nothing() -> None:
    seconds = np.stack([np.full(20, 1.0), np.full(20, 1.5)])[:, :, None] * np.linspace(1, 1.01, 3)
    assert "significantly more expensive" in told(seconds, 10.0)
    text = told(seconds[:, :, :2], 10.0)
    assert "significantly" not in text
    assert "best so far: 2 repetitions per puzzle cannot show that a strategy is more expensive; measure 3" in text
    assert "not shown to be more expensive: s:b" in text


def test_a_tail_is_named_and_what_may_be_missing_too() -> None:
    seconds = np.stack([np.where(np.arange(20) == 3, 30.0, 1.0), np.full(20, 9.0)])[:, :, None].repeat(3, axis=2)
    text = told(seconds, 1e9)
    assert "1 of 20 puzzles makes up 61% of the cost of s:a" in text
    assert "significantly" not in text
    assert "kinds rarer than 13.9% of puzzles may be missing" in text


def test_puzzles_that_are_not_independent_are_counted_as_one() -> None:
    seconds = np.stack([np.full(40, 1.0), np.full(40, 1.5)])[:, :, None] * np.linspace(1, 1.01, 3)
    run = a_run(seconds, ["s:a", "s:b"], np.ones(40))
    grouped = dataclasses.replace(run, puzzles=run.puzzles.assign(group=np.arange(40) // 2))
    choice = choose.choose(grouped)
    text = " ".join(words.lines(choice))
    assert "20 of 40 puzzles are independent: isomorphs, and puzzles of one lineage, count as one" in text
    assert (words.as_json(choice, "own")["puzzles"], words.as_json(choice, "own")["independent"]) == (40, 20)


def test_without_a_full_solver_the_choice_is_by_par2() -> None:
    seconds = np.stack([np.where(np.arange(20) < 19, 1.0, 99.0), np.where(np.arange(20) < 5, 1.0, 99.0)])
    text = told(seconds[:, :, None].repeat(2, axis=2), 10.0)
    assert "choose s:a for 20 puzzles: 39.5 s in total: 500 ms once to prepare, then 1.95 s mean PAR-2" in text
    assert "No strategy solved all of these puzzles" in text
    assert "s:a left 2 of 40 solves unfinished" in text
    assert "CPU time" not in text


def test_a_strategy_that_does_not_solve_all_is_excluded_where_another_does() -> None:
    text = told(
        np.stack([np.full(20, 2.0), np.where(np.arange(20) < 19, 1.0, 99.0)])[:, :, None].repeat(2, axis=2), 10.0
    )
    assert "choose s:a for 20 puzzles: 40.5 s in total: 500 ms once to prepare, then 2 s mean CPU time" in text
    assert text.endswith("excluded, left puzzles unsolved that others solved: s:b")


@pytest.mark.parametrize(("spread", "puzzles", "is_said"), [(2.0, 20, True), (0.3, 20, False), (1.0, 100, False)])
def test_costs_that_spread_too_much_are_said(spread: float, puzzles: int, is_said: bool) -> None:
    rng = np.random.default_rng(1)
    base = np.exp(spread * rng.standard_normal(puzzles))
    seconds = np.stack([base, 1.2 * base])[:, :, None] * np.exp(0.3 * rng.standard_normal((2, puzzles, 3)))
    assert (f"costs spread too much for {puzzles} puzzles" in told(seconds, 1e9)) == is_said
