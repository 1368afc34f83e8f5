"""Rules that decide pairs: the simulated data are as described, and the rules are those of the project."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from studies.document import region
from studies.rules import ALL, PLAIN, RULES, UNSEEN, UNTIL, count, decided, is_held, markdown, markdown_until
from studies.simulation import PAGE, RESULTS
from sudoku_bench.bench.verdicts.comparable import CPU, Block
from sudoku_bench.bench.verdicts.pairs.decision import interval
from sudoku_bench.bench.verdicts.pairs.pair_blocks import PairBlock
from sudoku_bench.bench.verdicts.pairs.pair_estimates import estimates
from sudoku_bench.bench.verdicts.times import Times


def reports(data: str, number: int = 300, strategies: int = 4) -> np.ndarray:
    truth = np.zeros(strategies)
    return ALL[data].draw(np.random.default_rng(1), (number, strategies, 20, 5), truth)


@pytest.mark.parametrize("data", ALL)
def test_strategies_are_equally_fast_on_average(data: str) -> None:
    means = reports(data).mean(axis=(2, 3))
    differences = means - means.mean(axis=1, keepdims=True)
    errors = differences.std(axis=0) / np.sqrt(len(means))
    assert (np.abs(differences.mean(axis=0)) < 4 * errors).all()


def test_a_drifting_clock_moves_all_strategies_alike_within_a_round() -> None:
    log_s = reports("clock steps by 25% in mid-run", number=50)
    assert log_s[:, :, :, -1].mean() - log_s[:, :, :, 0].mean() == pytest.approx(0.16, abs=0.06)


def test_the_chosen_rule_is_that_of_the_table_of_pairs() -> None:
    log_s = reports("tastes exponential 0.3, every second", number=2)
    a, b = np.triu_indices(4, 1)
    low, high = (ends.reshape(2, -1) for ends in interval(decided(log_s, a, b), 0.01))
    for number, times in enumerate(log_s):
        names = [tuple(map(str, range(size))) for size in times.shape[:2]]
        labels = tuple((1, number) for number in range(5))
        measured = Times(*names, labels, times, np.zeros(times.shape, dtype=bool))
        block = Block("own", CPU, measured, frozenset(), frozenset())
        columns = estimates(PairBlock(block, a, b, np.arange(20)), 0.01)
        assert low[number] == pytest.approx(columns["ratio_lo"])
        assert high[number] == pytest.approx(columns["ratio_hi"])


def test_copies_seldom_differ_and_a_slow_one_is_found() -> None:
    rng = np.random.default_rng(2)
    facts = {"data": "copies: processes 1%, noise 2%", "strategies": 5, **PLAIN}
    [row] = count(rng, 100, **facts)
    assert row["false_best"] <= row["false"] <= 10
    [slow] = count(rng, 50, **facts | {"slower": 0.1})
    assert slow["found"] == 50


def test_the_page_shows_the_committed_results() -> None:
    table = pd.read_csv(RESULTS / RULES.file)
    assert region(PAGE, "rules") == markdown(table).strip()
    assert set(table["data"]) == set(ALL)
    assert is_held(table)
    until = pd.read_csv(RESULTS / UNTIL.file)
    assert region(PAGE, "until") == markdown_until(until).strip()
    assert is_held(until)
    # No rule sees what a sample lacks.
    unseen = table[table["data"].isin(UNSEEN)]
    assert (unseen["false_best"] > 0.4 * unseen["reports"]).any()
