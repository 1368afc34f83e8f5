"""``choose``: an answer for somebody's puzzles within a budget, and one from the rows of a run."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.run import choosing
from sudoku_bench.datasets.collections.catalogue import load
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
    patterns = ("-s", "sat:{augmented,none}@{glucose4,minisat22}", "-s", "csp:alldifferent@min-conflicts")
    options = ("--task", "unique", "--budget", "60m", "--pin", "off", "--out", tmp_path / "run", "--json")
    code, out, err = command("choose", "size6", *patterns, *options)
    assert code == 0, err
    [answer] = json.loads(out)["answers"]
    assert json.loads(out)["notes"] == [
        f"{patterns[1]} stands for 2 strategies; 2 of its 4 combinations are no strategies"
    ]
    assert (answer["shape"], answer["puzzles"], answer["screened"]) == ("6x6", 15, 2)
    assert answer["excluded"] == {"csp:alldifferent@min-conflicts": "does not offer the task unique"}
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
