"""``choose``: an answer for somebody's puzzles within a budget."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from bench.plan.plan import Plan
from bench.run import choosing


@pytest.fixture
def short_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a given size in place of one that fills the budget: the test must not depend on the machine's speed."""
    original = choosing.run_plan

    def run_plan(*arguments: Any) -> Plan:
        planned = original(*arguments)
        short = dataclasses.replace(planned.suite, budget=None, repetitions=3, loops=1)
        return dataclasses.replace(planned, suite=short, subjects=planned.subjects[:15])

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
    assert all(row["value"] != row["instead"] for row in answer["parts"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("size4",), "20 puzzles of 4x4 are too few to choose by"),
        (("size6", "--workload", "batch:10"), "choose takes one-cold or stream"),
        (("size6", "--budget", "soon"), "budget must be a time such as 90s, 10m or 1h"),
        (("size6", "-s", "sat:nothing@*"), "no strategy matches sat:nothing@*"),
    ],
)
def test_what_cannot_be_answered_is_one_line(command, tmp_path: Path, arguments, complaint: str) -> None:
    code, out, err = command("choose", *arguments, "--out", tmp_path / "run")
    assert (code, out) == (2, "")
    assert complaint in err.splitlines()[-1]
