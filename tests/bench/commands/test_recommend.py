"""``sudoku-bench recommend`` on the run that the project ships."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import numpy as np
import pytest

import bench
from bench.commands import recommend
from bench.verdicts.choice import choose
from bench.verdicts.choice.workload import Range, Workload
from bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run
from tests.conftest import TOP

REFERENCE = TOP / "results" / "reference"
NINE = 81  # cells


@pytest.fixture(scope="module")
def nines() -> Run:
    """The puzzles and measurements of the reference run on 9×9 boards."""
    run = bench.load(REFERENCE)
    puzzles = run.puzzles[run.puzzles["grid"].str.len() == NINE]
    rows = run.measurements[run.measurements["collection"].isin(puzzles["collection"])]
    return dataclasses.replace(run, puzzles=puzzles, measurements=rows)


@pytest.fixture(scope="module")
def on_nines(nines: Run) -> tuple[str, ...]:
    """Boards of one size can be chosen for; what names them on the command line."""
    return tuple(word for name in nines.collections for word in ("-d", name))


def test_a_recommendation_is_a_few_lines(command, nines, on_nines) -> None:
    code, out, err = command("recommend", REFERENCE, "--workload", "stream", *on_nines)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 14
    assert max(map(len, lines)) <= 80
    assert "\nchoose bitboard:bands: " in out  # compiled, it is far ahead of all others
    assert "regret" in out
    rows = nines.measurements[nines.measurements["placebo"].isna()]
    unfinished = set(rows.loc[rows["status"] != "solved", "strategy"])
    assert 0 < len(unfinished) < rows["strategy"].nunique()
    [names] = re.findall("left puzzles unsolved that others solved: (.*)", " ".join(out.split()))
    assert set(names.split(", ")) == unfinished


def test_the_json_document(command, on_nines) -> None:
    code, out, _ = command("recommend", REFERENCE, "--workload", "stream", "--difficulty", "10..", "--json", *on_nines)
    assert code == 0
    document = json.loads(out)
    costs = {line["strategy"]: line["cost_s"] for line in document["strategies"]}
    known_costs = {strategy: cost for strategy, cost in costs.items() if cost is not None}
    assert document["best"] == min(known_costs, key=lambda strategy: known_costs[strategy])
    assert document["puzzles"] >= 15
    assert document["regret"]["share"] >= 0
    assert document["strategies"][0]["standing"] == "best"


def test_a_collection_and_a_clock_can_be_chosen(command, nines, on_nines) -> None:
    answers = [
        json.loads(command("recommend", REFERENCE, "--workload", "stream", "--json", *more)[1])
        for more in (on_nines, ("-d", "easy"), ("-d", "easy", "--clock", "wall"))
    ]
    easy = (nines.puzzles["collection"] == "easy").sum()
    assert [document["puzzles"] for document in answers] == [len(nines.puzzles), easy, easy]
    costs = [document["strategies"][0]["cost_s"] for document in answers]
    assert len(set(costs)) == 3


def test_without_a_full_solver_the_choice_is_by_par2() -> None:
    seconds = np.stack([np.where(np.arange(20) < 19, 1.0, 99.0), np.where(np.arange(20) < 5, 1.0, 99.0)])
    run = a_run(seconds[:, :, None].repeat(2, axis=2), ["s:a", "s:b"], np.ones(20), 10.0)
    workload = Workload.parse("stream")
    text = " ".join(recommend.lines(choose.choose(run, workload, Range("guesses")), workload, "cpu"))
    assert "choose s:a: 1.95 s mean PAR-2 per puzzle" in text
    assert "No strategy solved all of these puzzles" in text
    assert "s:a left 2 of 40 solves unfinished" in text
    assert "CPU time" not in text


@pytest.mark.parametrize(("spread", "puzzles", "said"), [(2.0, 20, True), (0.3, 20, False), (1.0, 100, False)])
def test_costs_that_spread_too_much_are_said(spread: float, puzzles: int, said: bool) -> None:
    rng = np.random.default_rng(1)
    base = np.exp(spread * rng.standard_normal(puzzles))
    seconds = np.stack([base, 1.2 * base])[:, :, None] * np.exp(0.3 * rng.standard_normal((2, puzzles, 3)))
    run = a_run(seconds, ["s:a", "s:b"], np.ones(puzzles), 1e9)
    workload = Workload.parse("stream")
    choice = choose.choose(run, workload, Range("guesses"))
    text = " ".join(recommend.lines(choice, workload, "cpu"))
    assert (f"costs spread too much for {puzzles} puzzles" in text) == said
    assert choice.is_uncertain == said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workload", "one-cold"], "measure with --mode cold"),
        (["--workload", "batch:10000"], "measure with --mode batch:10000"),
        (["--workload", "stream", "--task", "unique"], "measure with --task unique"),
        (["--workload", "stream", "--difficulty", "2..2.001"], "too few to choose by"),
        (["--workload", "stream", "--difficulty", "2"], "is not a range of difficulty"),
        (["--workload", "stream", "--difficulty", "2..", "--axis", "er"], "has no measure of difficulty"),
        (["--workload", "now"], "is not a workload"),
        ([], "--workload"),
    ],
)
def test_a_workload_without_measurements_is_one_line(command, on_nines, arguments: list[Any], message: str) -> None:
    code, out, err = command("recommend", REFERENCE, *on_nines, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
