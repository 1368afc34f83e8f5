"""Growth of simulated strategies with known powers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.difficulty.scaling import over_guesses, scaling
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts import simulated_difficulty as simulation
from tests.bench.verdicts.simulated_difficulty import Floats, flat, simulated
from tests.bench.verdicts.simulated_runs import Spread, together

SKEW = Spread(draw=lambda rng, shape: rng.exponential(1, shape) - np.log(2))


def power_of_guesses(guesses: Floats) -> Floats:
    return 1e-4 * guesses**0.8


@pytest.mark.parametrize(
    ("n", "spread", "late", "error"),
    [(40, Spread(), 0.0, 0.0), (100, SKEW, 0.2, 0.12), (100, Spread(), 0.4, 0.2)],
    ids=["40", "100 skew, 20% late", "100, 40% late"],
)
def test_the_interval_of_a_power_of_guesses_has_its_nominal_coverage(
    n: int, spread: Spread, late: float, error: float
) -> None:
    rng = np.random.default_rng(1)
    held, powers = [], []
    for _ in range(80):
        guesses = np.exp(rng.uniform(0.5, 5, n))
        [line] = over_guesses(simulation.a_field({"a": power_of_guesses}, guesses, rng, spread, late, error))
        held.append(line["power_lo"] <= 0.8 <= line["power_hi"])
        powers.append(line["power"])
        assert line["per_doubling"] == pytest.approx(2 ** line["power"])
    assert 0.92 <= np.mean(held) <= 0.99
    assert np.median(powers) == pytest.approx(0.8, abs=0.03)


def sizes(powers: dict[str, float], rng: np.random.Generator, limit_s: float = 1e9) -> Run:
    """Boards of four sizes, 40 each; a strategy's time is a power of the number of cells."""
    runs = []
    for number, size in enumerate((4, 6, 9, 16)):
        cells = size * size
        curves = {name: flat(1e-4 * cells**power) for name, power in powers.items()}
        one = simulated(curves, np.full(40, number + 1.0), rng, collection=f"size{size}")
        late = one.measurements["cpu_s"] > limit_s
        rows = one.measurements.assign(limit_s=limit_s, status=one.measurements["status"].mask(late, "timeout"))
        rows["cpu_s"] = rows["cpu_s"].mask(late)
        grids = [f"{puzzle:0{cells}}" for puzzle in range(40)]
        runs.append(simulation.with_puzzles(dataclasses.replace(one, measurements=rows), grid=grids))
    return together(*runs)


def over_cells(run: Run) -> pd.DataFrame:
    table = scaling(run)
    return table[table["over"] == "cells"].set_index("strategy")


def test_the_interval_of_a_power_of_cells_has_its_nominal_coverage() -> None:
    rng = np.random.default_rng(2)
    result = pd.concat([over_cells(sizes({"slow": 2.5, "fast": 1.0}, rng)) for _ in range(8)])
    truth = result.index.map({"slow": 2.5, "fast": 1.0})
    assert ((result["power_lo"] <= truth) & (truth <= result["power_hi"])).mean() >= 0.85
    assert result.groupby(level=0)["power"].median().tolist() == pytest.approx([1.0, 2.5], abs=0.03)
    assert (result["power_hi"] - result["power_lo"]).max() < 0.3


def test_sizes_beyond_the_limit_are_left_out() -> None:
    result = over_cells(sizes({"steep": 3.0}, np.random.default_rng(3), limit_s=1e-4 * 100**3)).loc["steep"]
    assert result["n_puzzles"] == 120
    assert result["power_lo"] <= 3.0 <= result["power_hi"]
