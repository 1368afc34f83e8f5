"""Aging: found where processes become slower, not where the machine or the puzzles do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench.folder.rows import COLUMNS
from bench.verdicts.pairs import noise
from bench.verdicts.pairs.aging import Aging, aging

PUZZLES, REPETITIONS, PLACEBO_PUZZLES = 60, 5, 15


def rows_of(seed: int, exponent: float = 0.0, placebo: float = 1.0, drift: float = 0.0) -> pd.DataFrame:
    """Rows of strategies a and b and a placebo of a: a fresh process in each repetition, puzzles in random order.

    Args:
        exponent: of the aging of a; placebo: factor of its times; drift: of the machine over a repetition.
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
                log_s += 0.0 if name == "b" else exponent * np.log1p(age)
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


@pytest.mark.parametrize("exponent", [0.06, -0.1])
def test_aging_is_recovered_and_is_no_disturbance(exponent: float) -> None:
    line = total(rows_of(1, exponent))
    assert line["aging"] == pytest.approx(exponent, abs=0.01)
    assert line["p"] < 0.01
    assert line["disturbed"] == ""


@pytest.mark.parametrize("exponent", [0.0, 0.06])
def test_a_machine_that_treats_both_differently_is_a_disturbance(exponent: float) -> None:
    line = total(rows_of(2, exponent, placebo=1.1))
    assert line["disturbed"] == "yes"
    assert line["aging"] == pytest.approx(exponent, abs=0.01)


def test_a_drift_of_the_machine_is_no_aging() -> None:
    strategies = rows_of(3, drift=0.3)
    strategies = strategies[strategies["placebo"].isna()]
    assert aging(strategies, "a") == Aging()
    assert aging(strategies[strategies["strategy"] == "a"], "a").lo > 0.02  # alone it cannot be told apart


def test_without_positions_or_with_one_repetition_nothing_is_known() -> None:
    rows = rows_of(4, 0.06)
    rows = rows[rows["placebo"].isna()]
    assert aging(rows.assign(stream_position=np.nan), "a") == Aging()
    assert aging(rows[rows["repetition"] == 1], "a") == Aging()
    assert aging(rows.assign(stream_position=3), "a") == Aging()
