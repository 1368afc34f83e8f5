"""The first answers of a run that is measuring, from simulated rows with a known answer and from a small run."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from sudoku_bench.bench.folder.live import Pace
from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.run import so_far
from sudoku_bench.bench.run.so_far import SoFar
from tests.bench.conftest import FOURS, SLOW
from tests.bench.folder.a_row import a_row
from tests.bench.run.test_probe import a_plan

Seconds = dict[str, dict[str, float]]  # of a solve: collection -> strategy -> seconds
SECONDS: Seconds = {
    "easy": {"test:a": 0.001, "test:b": 0.018, "test:c": 0.5},
    "hard": {"test:a": 0.05, "test:b": 0.02, "test:c": 0.6},
}
NAMES = ("test:a", "test:b", "test:c")


def solves(seconds: Seconds = SECONDS, puzzles: int = 20, repetitions: int = 1) -> list[Row]:
    """Simulate puzzles of very different difficulty; on every other one ``test:a`` is 9 times as fast as elsewhere."""
    return [
        a_row(
            strategy=name,
            collection=collection,
            puzzle=f"{collection}-{number}",
            repetition=repetition,
            cpu_s=cpu_s * 1.5**number * (3.0 if number % 2 else 1 / 3.0) ** (name == "test:a"),
        )
        for repetition, collection, number in product(range(1, 1 + repetitions), seconds, range(puzzles))
        for name, cpu_s in seconds[collection].items()
    ]


def said(rows: list[Row], plan: Any = None) -> list[str]:
    answers = SoFar(plan or a_plan({"easy": 20, "hard": 20}, NAMES))
    for row in rows:
        answers.add(row)
    return list(answers.lines())


def changed(rows: list[Row], strategy: str, **changes: Any) -> list[Row]:
    """Change the first row of a strategy on easy puzzles."""
    place = next(n for n, row in enumerate(rows) if (row.strategy, row.collection) == (strategy, "easy"))
    return [*rows[:place], dataclasses.replace(rows[place], **changes), *rows[place + 1 :]]


EASY = "lowest mean time so far on easy: test:a, 18 times as fast as test:b (20 puzzles)"
HARD = "lowest mean time so far on hard: test:b, 2.5 times as fast as test:a (20 puzzles)"


def test_the_ratio_is_the_geometric_mean_in_whatever_order_rows_come() -> None:
    rows = solves(repetitions=2)
    assert said(rows) == [EASY, HARD]
    assert said(random.Random(1).sample(rows, len(rows))) == [EASY, HARD]


def test_only_puzzles_that_all_strategies_have_count() -> None:
    rows = solves(repetitions=2)
    lost = ("easy-3", "easy-4", "hard-0", "hard-19")
    missing = [row for row in rows if not (row.strategy == "test:b" and row.puzzle in lost)]
    assert said(missing) == [line.replace("20 puzzles", "18 puzzles") for line in (EASY, HARD)]
    assert said(solves(puzzles=2)) == []
    assert len(said(solves(puzzles=3))) == 2


def test_collections_with_the_same_answer_share_a_line() -> None:
    rows = solves({"easy": SECONDS["easy"], "hard": {"test:a": 0.1, "test:b": 0.2, "test:c": 0.3}})
    line = "lowest mean time so far on easy and hard: test:a, 2.0 to 18 times as fast as test:b (40 puzzles)"
    assert said(rows) == [line]


def test_a_ratio_of_one_is_not_printed_as_a_multiple() -> None:
    rows = solves({"easy": {"test:a": 0.1, "test:b": 0.102, "test:c": 0.3}})
    assert said(rows) == ["lowest mean time so far on easy: test:a, closely followed by test:b (20 puzzles)"]


def test_an_unfinished_solve_counts_as_its_limit() -> None:
    rows = changed(solves(), "test:b", status="timeout", cpu_s=None, limit_s=0.018)
    assert said(rows) == [EASY.replace("18 times", "at least 18 times"), HARD]
    assert said(changed(solves(), "test:a", status="timeout", cpu_s=None, limit_s=0.001)) == [HARD]
    assert said(changed(solves(), "test:c", status="gave_up", cpu_s=None)) == [EASY, HARD]


@pytest.mark.parametrize("status", ["wrong", "mistimed"])
def test_a_strategy_with_a_false_answer_or_time_is_left_out_everywhere(status: str) -> None:
    line = "lowest mean time so far on easy and hard: test:b, 28 to 30 times as fast as test:c (40 puzzles)"
    assert said(changed(solves(), "test:a", status=status, cpu_s=None)) == [line]


def test_a_strategy_that_does_not_support_a_collection_is_left_out_there() -> None:
    lines = said(changed(solves(), "test:a", status="unsupported", cpu_s=None))
    assert lines == ["lowest mean time so far on easy: test:b, 28 times as fast as test:c (20 puzzles)", HARD]


def test_controls_decoys_and_puzzles_with_several_solutions_do_not_count() -> None:
    plan = a_plan({"easy": 20, "hard": 20}, NAMES)
    several = [dataclasses.replace(planned, reference=Reference(2, None, 2)) for planned in plan.puzzles[:2]]
    plan = dataclasses.replace(plan, puzzles=(*several, *plan.puzzles[2:]))
    more = [a_row(strategy=name, collection="(decoys)", puzzle="several-1", decoy="several", cpu_s=9) for name in NAMES]
    more += [a_row(strategy="(instrument) test:a", collection="easy", puzzle="easy-1", placebo="instrument", cpu_s=9)]
    assert said([*more, *solves()], plan) == [EASY.replace("20 puzzles", "18 puzzles"), HARD]


def test_answers_come_less_and_less_often() -> None:
    answers = SoFar(a_plan({"easy": 20, "hard": 20}, NAMES))
    for row in solves():
        answers.add(row)
    assert [second for second in range(100) if list(answers.due(second))] == [10, 20, 40, 80]


@pytest.mark.thorough
def test_a_run_says_what_it_knows_and_when_all_have_started(
    measure_all: Callable[..., Any], plugin, puzzles, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[object] = []
    add = Pace.add

    def recorded(pace: Pace, now_s: float, total: int, kind: object = None) -> None:
        kinds.append(kind)
        add(pace, now_s, total, kind)

    monkeypatch.setattr(Pace, "add", recorded)
    monkeypatch.setattr(so_far, "FIRST_S", 1e-9)
    file = plugin(SLOW.replace("burn(0.2)", "burn(0.05)"))  # a hundred times as long as the other one takes
    settings = ("-s", "test:slow", "-s", "seed:norvig", "--plugin", file, "-d", puzzles(*FOURS * 2))
    finished = measure_all(*settings, "--repetitions", 2)
    lines = [line for line in finished.err.splitlines() if line.startswith("lowest mean time so far")]
    pattern = r"lowest mean time so far on own: seed:norvig, [\d,]+ times as fast as test:slow \(\d+ puzzles\)"
    assert lines
    assert all(re.fullmatch(pattern, line) for line in lines)
    rows = finished.all_rows
    assert len(set(rows["strategy"])) > 2  # with placebos
    places = list(rows[["strategy", "collection", "launch"]].itertuples(index=False, name=None))
    assert [kind for kind in kinds if kind] == places  # of the first of each, the time left hears nothing
    quiet = measure_all(*settings, "--repetitions", 1, "--quiet")
    assert "so far" not in quiet.err
