"""Aging: found where processes become slower, not where the machine or the puzzles do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.folder.rows import COLUMNS
from sudoku_bench.bench.say.terminal import aging_lines
from sudoku_bench.bench.verdicts.aging import aging
from sudoku_bench.bench.verdicts.pairs import noise
from tests.bench.verdicts.simulated_runs import a_run

PUZZLES, REPETITIONS, PLACEBO_PUZZLES = 60, 5, 15


def rows_of(seed: int, rate: float = 0.0, placebo: float = 1.0, drift: float = 0.0) -> pd.DataFrame:
    """Rows of strategies a and b and a placebo of a: a fresh process in each repetition, puzzles in random order.

    Args:
        rate: of the aging of a; placebo: factor of its times; drift: of the machine over a repetition.
    """
    rng = np.random.default_rng(seed)
    hardness, rows = 2 * rng.standard_normal(PUZZLES), []
    for repetition in range(1, REPETITIONS + 1):
        ages = dict.fromkeys(("a", "b", "(instrument) a"), 3)
        for turn, puzzle in enumerate(rng.permutation(PUZZLES)):
            for name, age in ages.items():
                if name not in ("a", "b") and puzzle >= PLACEBO_PUZZLES:
                    continue
                log_s = hardness[puzzle] + drift * turn / PUZZLES + 0.02 * rng.standard_normal()
                log_s += 0.0 if name == "b" else rate * age
                log_s += 0.0 if name in ("a", "b") else np.log(placebo)
                facts = {"strategy": name, "collection": "c", "puzzle": f"p{puzzle}", "launch": 1, "status": "solved"}
                role = None if name in ("a", "b") else "instrument"
                facts |= {"repetition": repetition, "cpu_s": np.exp(log_s), "stream_position": age, "placebo": role}
                rows.append(facts)
                ages[name] += 1
    return pd.DataFrame(rows).reindex(columns=list(COLUMNS))


def total(rows: pd.DataFrame) -> pd.Series:
    table = noise.table(rows)
    return table[table["collection"] == noise.ALL].iloc[0]


@pytest.mark.parametrize("rate", [0.004, -0.006])
def test_aging_is_recovered_and_is_no_difference(rate: float) -> None:
    line = total(rows_of(1, rate))
    assert line["aging"] == pytest.approx(rate, abs=0.0004)
    assert line["p"] < 0.01
    assert line["differs"] == ""


@pytest.mark.parametrize("rate", [0.0, 0.004])
def test_a_machine_that_treats_both_differently_is_a_difference(rate: float) -> None:
    line = total(rows_of(2, rate, placebo=1.1))
    assert line["differs"] == "yes"
    assert line["aging"] == pytest.approx(rate, abs=0.0004)


def test_a_drift_of_the_machine_is_no_aging() -> None:
    strategies = rows_of(3, drift=0.3)
    strategies = strategies[strategies["placebo"].isna()]
    assert aging(strategies)["a"].seen == (0.0, 0.0, 0.0)
    [alone] = aging(strategies[strategies["strategy"] == "a"]).values()
    assert alone.seen[1] > 0.002  # alone it cannot be told apart


@pytest.mark.parametrize("strategies", [3, 4])
def test_the_summary_has_it_where_the_others_are_a_majority(strategies: int) -> None:
    """One of four gets slower, by a quarter in the course of a repetition; of three, nobody knows which does."""
    rng = np.random.default_rng(6)
    age = np.array([rng.permutation(60) for _ in range(5)]).T
    seconds = 0.01 * np.exp(0.01 * rng.standard_normal((strategies, 60, 5)))
    seconds[0] *= np.exp(0.004 * age)
    position = np.broadcast_to(age, seconds.shape).ravel()
    run = a_run(seconds, list("abcd")[:strategies], np.ones(60), stream_position=position)
    assert run.summary["aging"].isna().all() == (strategies == 3)
    assert len(aging_lines(run.summary)) == strategies - 3
