"""The first answers of a run that is measuring, from simulated rows with a known answer and from a small run."""

from __future__ import annotations

import dataclasses
import random
from itertools import product
from typing import Any

import pytest

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.run.so_far import SoFar
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


def test_an_unfinished_solve_counts_as_its_limit() -> None:
    rows = changed(solves(), "test:b", status="timeout", cpu_s=None, limit_s=0.018)
    assert said(rows) == [EASY.replace("18 times", "at least 18 times"), HARD]
    assert said(changed(solves(), "test:a", status="timeout", cpu_s=None, limit_s=0.001)) == [HARD]
    assert said(changed(solves(), "test:c", status="gave_up", cpu_s=None)) == [EASY, HARD]


@pytest.mark.parametrize("status", ["wrong", "mistimed"])
def test_a_strategy_with_a_false_answer_or_time_is_left_out_everywhere(status: str) -> None:
    line = "lowest mean time so far on easy and hard: test:b, 28 to 30 times as fast as test:c (40 puzzles)"
    assert said(changed(solves(), "test:a", status=status, cpu_s=None)) == [line]
