"""Placebos, on measurements with known times."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.verdicts.pairs import noise
from tests.bench.verdicts.simulated_runs import a_run

PUZZLES, REPETITIONS = 8, 4


def frame(times: dict[str, np.ndarray], collections: int = 1) -> pd.DataFrame:
    """Measurements of strategies and placebos, given as tables of puzzles × repetitions."""
    rows = a_run(np.stack(list(times.values())), list(times), np.ones(PUZZLES)).measurements
    number = rows["puzzle"].str[-1].astype(int)
    kinds = rows["strategy"].str.extract(r"^\((\w+)\)", expand=False)
    collection = "c" + (number % collections).astype(str)
    return rows.assign(placebo=kinds, collection=collection, puzzle="p" + number.astype(str))


def times(seed: int = 1, spread: float = 0.01) -> np.ndarray:
    """Puzzles differ by orders of magnitude, repetitions by little."""
    rng = np.random.default_rng(seed)
    return np.exp(rng.standard_normal((PUZZLES, 1)) * 2 + spread * rng.standard_normal((PUZZLES, REPETITIONS)))


@pytest.mark.parametrize("factor", [1, 2])
def test_a_placebo_that_takes_twice_as_long_has_the_ratio_two(factor: int) -> None:
    seconds = times()
    table = noise.table(frame({"s": seconds, "(instrument) s": factor * seconds, "(presentation) s": 3 * seconds}))
    assert tuple(table.columns) == noise.NOISE_COLUMNS
    [total] = table[table["collection"] == noise.ALL].to_dict("records")
    assert [total[name] for name in ("ratio", "ratio_lo", "ratio_hi", "resolvable")] == pytest.approx([factor] * 4)
    assert set(table["n_puzzles"]) == {PUZZLES}
    assert set(table["placebo"] + " " + table["strategy"]) == {"instrument s"}
    assert (total["differs"] == "yes") == (factor > 1)


def test_only_a_slowed_placebo_differs() -> None:
    rng = np.random.default_rng(7)
    seconds = {name: times(seed) for seed, name in enumerate("abc")}

    def run(slowed: float) -> pd.DataFrame:
        wobble = {name: np.exp(0.01 * rng.standard_normal((PUZZLES, REPETITIONS))) for name in seconds}
        placebos = {
            f"(instrument) {name}": table * wobble[name] * (slowed if name == "b" else 1)
            for name, table in seconds.items()
        }
        return noise.table(frame(seconds | placebos))

    calm, slowed = run(1.0), run(1.05)
    assert set(calm["differs"]) == {""}
    assert list(slowed.loc[slowed["differs"] == "yes", "strategy"]) == ["b"]
    assert not any("PLACEBO DIFFERS" in line for line in terminal.noise_lines(calm))
    [alarm] = [line for line in terminal.noise_lines(slowed) if "PLACEBO DIFFERS" in line]
    assert "(b)" in alarm


def test_puzzles_with_an_unfinished_solve_are_left_out_on_both_sides() -> None:
    seconds = times()
    rows = frame({"s": seconds, "(instrument) s": seconds * 2})
    rows.loc[(rows["puzzle"] == "p0") & (rows["repetition"] == 2) & rows["placebo"].isna(), "status"] = "timeout"
    broken = (rows["puzzle"] == "p1") & (rows["repetition"] == 3) & rows["placebo"].notna()
    rows.loc[broken, ["status", "cpu_s"]] = "memout", math.nan
    line = noise.table(rows).iloc[0]
    assert line["n_puzzles"] == PUZZLES - 2
    assert line["ratio"] == pytest.approx(2)


@pytest.mark.parametrize("factor", [1.0, 1.3])
def test_a_round_in_which_all_strategies_were_slower_is_told(factor: float) -> None:
    seconds = np.stack([times(seed) for seed in (1, 2, 3)])
    seconds[:, :, 0] *= factor
    run = a_run(seconds, ["s:a", "s:b", "s:c"], np.ones(PUZZLES))
    odd = noise.odd_rounds(run.cpu.values())
    assert list(odd) == ([(1, 1)] if factor > 1 else [])
    assert odd.get((1, 1), 1.0) == pytest.approx(factor, rel=0.03)
    assert ["in round 1, all strategies took" in line for line in terminal.disturbed(run)] == [True] * len(odd)
