"""The choice of a strategy, on simulated runs with known true costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.choice import choose
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError
from tests.bench.verdicts.simulated_runs import Floats, a_run


def run_of(seconds: Floats, limit_s: float = 10.0, **columns: Any) -> Run:
    """A run of ``s:0``, ``s:1``, ... with these times, strategies × puzzles × repetitions."""
    names = [f"s:{number}" for number in range(len(seconds))]
    return a_run(seconds, names, np.arange(1.0, seconds.shape[1] + 1), limit_s, **columns)


def noisy(means: Floats, repetitions: int = 3, seed: int = 0, noise: float = 0.02) -> Floats:
    """Strategies × puzzles as measurements."""
    rng = np.random.default_rng(seed)
    return means[:, :, None] * np.exp(noise * rng.standard_normal((*means.shape, repetitions)))


def standing(result: choose.Choice, strategy: str) -> str:
    return str(result.table.set_index("strategy")["standing"][strategy])


def test_the_lowest_total_cost_is_chosen_not_the_fastest_on_most_puzzles() -> None:
    often = np.where(np.arange(40) < 36, 0.01, 2.0)
    result = choose.choose(run_of(noisy(np.stack([often, np.full(40, 0.05)]))))
    assert result.best == "s:1"
    assert result.criterion == "mean"
    assert result.table["cost_s"].iloc[0] == pytest.approx(0.05, rel=0.02)


def test_a_slower_strategy_is_slower_and_a_copy_is_tied() -> None:
    rng = np.random.default_rng(1)
    base = np.exp(rng.standard_normal(40))
    missed = decided = 0
    for number in range(12):
        means = np.stack([base, base, base * 1.5])
        result = choose.choose(run_of(noisy(means, seed=number, noise=0.1), 1e3))
        assert standing(result, result.best) == "best"
        assert result.best in ("s:0", "s:1")
        missed += sorted(result.table["standing"]) != ["best", "not_apart", "slower"]
        decided += standing(result, "s:2") == "slower"
    assert decided == 12
    assert missed <= 3  # 5% of 12, and luck


def test_a_strategy_with_unsolved_puzzles_is_not_chosen() -> None:
    fast = np.where(np.arange(20) < 19, 0.001, 99.0)
    result = choose.choose(run_of(noisy(np.stack([fast, np.full(20, 5.0)]))))
    assert result.best == "s:1"
    assert standing(result, "s:0") == "left_out"
    line = result.table.set_index("strategy").loc["s:0"]
    assert (line["unfinished"], line["reason"]) == (3, "left puzzles unsolved that others solved")
    assert pd.isna(line["cost_s"])  # no number that looks measured


def test_if_no_strategy_solves_all_the_criterion_is_par2() -> None:
    few = np.where(np.arange(20) < 19, 1.0, 99.0)
    many = np.where(np.arange(20) < 10, 0.001, 99.0)
    result = choose.choose(run_of(noisy(np.stack([many, few]), noise=0.0)))
    assert (result.best, result.criterion) == ("s:1", "par2")
    assert result.table["cost_s"].tolist() == pytest.approx([(19 + 20) / 20, (10 * 0.001 + 10 * 20) / 20])


def test_the_answer_depends_on_the_number_of_puzzles() -> None:
    """Preparing takes 1 s against 10 ms, a puzzle 10 µs against 1 ms: the change is at 1,001 puzzles."""
    run = run_of(noisy(np.stack([np.full(20, 1e-5), np.full(20, 1e-3)]), noise=1e-6))
    rows = run.measurements
    run = replace(run, measurements=rows.assign(prepare_cpu_s=np.where(rows["strategy"] == "s:0", 1.0, 0.01)))
    for asked, best, total_s in ((None, "s:1", 0.03), (990, "s:1", 1.0), (1010, "s:0", 1.0101), (10_000, "s:0", 1.1)):
        result = choose.choose(run, asked=asked)
        assert (result.best, result.asked) == (best, asked or 20)
        assert result.table["total_s"].iloc[0] == pytest.approx(total_s, rel=1e-4)
        assert standing(result, {"s:0": "s:1", "s:1": "s:0"}[best]) == "slower"
    assert [stretch.strategy for stretch in result.stretches] == ["s:1", "s:0"]
    assert result.stretches[1].first == pytest.approx(1001, abs=1)


@pytest.mark.parametrize(("fault", "words"), [("wrong", "gave wrong answers"), ("mistimed", "reported false times")])
def test_wrong_and_unsupported_strategies_are_left_out_and_named(fault: str, words: str) -> None:
    run = run_of(noisy(np.stack([np.full(20, 0.1), np.full(20, 0.2), np.full(20, 0.3)])))
    rows = run.measurements
    status = rows["status"].mask((rows["strategy"] == "s:0") & (rows.index == 0), fault)
    status = status.mask((rows["strategy"] == "s:1") & (rows["puzzle"] == "own-0003"), "unsupported")
    result = choose.choose(replace(run, measurements=rows.assign(status=status)))
    assert result.best == "s:2"
    reasons = result.table.set_index("strategy")["reason"]
    assert reasons["s:0"] == words
    assert reasons["s:1"] == "unsupported on some of these puzzles"


def test_too_few_independent_puzzles_are_rejected() -> None:
    run = plain()
    with pytest.raises(InputError, match="20 puzzles of which 10 are independent"):
        choose.choose(replace(run, puzzles=run.puzzles.assign(group=np.arange(20) // 2)))


def plain() -> Run:
    return run_of(noisy(np.stack([np.full(20, 0.1), np.full(20, 0.2)])))


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: choose.choose(plain(), task="unique"), "measured the task first, not unique"),
        (lambda: choose.choose(few()), "has too few puzzles to choose by"),
        (lambda: choose.choose(plain(), collections=("x",)), "no collection x; it has own"),
        (lambda: choose.choose(mixed()), "boards of several sizes"),
        (lambda: choose.choose(stopped()), "is not complete"),
        (lambda: choose.choose(all_wrong()), "no strategy is left"),
    ],
)
def test_requests_that_the_run_cannot_answer_are_rejected(action: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        action()


def few() -> Run:
    return run_of(noisy(np.stack([np.full(14, 0.1), np.full(14, 0.2)])))


def mixed() -> Run:
    run = plain()
    grids = ["1" * (16 if number else 81) for number in range(20)]
    return replace(run, puzzles=run.puzzles.assign(grid=grids))


def stopped() -> Run:
    run = plain()
    return replace(run, manifest=run.manifest | {"complete": False})


def all_wrong() -> Run:
    run = plain()
    return replace(run, measurements=run.measurements.assign(status="wrong"))
