"""Crossovers of simulated pairs with known curves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.difficulty.crossovers import (
    CROSSOVER_COLUMNS,
    crossovers,
    of_fields,
    sentences,
)
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.collections.catalogue import load
from tests.bench.verdicts import simulated_difficulty as simulation
from tests.bench.verdicts.simulated_difficulty import flat, rated, rising, simulated, spread_out

TRUE = 12.0
CURVES = {"a": rising(1e-3, TRUE), "b": flat(1e-3)}  # b is faster than a above 12 guesses


def of(run: Run, axis: str = "guesses") -> pd.DataFrame:
    table = crossovers(run)
    return table[table["axis"] == axis].reset_index(drop=True)


def a_run(seed: int = 1, n: int = 120, sign: tuple[int, int] = (1, 1)) -> Run:
    rng = np.random.default_rng(seed)
    return rated(simulated(CURVES, spread_out(n, rng), rng), rng, sign)


@pytest.mark.parametrize("ratio", [1.0, 1.2])
def test_constant_ratios_give_false_crossovers_at_the_nominal_rate(ratio: float) -> None:
    """15 pairs in each of 40 runs, every second one with timeouts: at most 5% of the runs may claim any."""
    rng = np.random.default_rng(2)
    claims = 0
    for number in range(40):
        curves = {f"s{i}": rising(1e-3 * ratio**i, 10, 0.8) for i in range(6)}
        field = simulation.a_field(curves, spread_out(80, rng), rng, late=0.3 * (number % 2), error=0.12)
        claims += bool((of_fields([field])["told"] == "yes").any())
    assert claims <= 7  # exceeded less than once in a thousand times


def test_order_of_rows_and_names_do_not_matter() -> None:
    run = a_run()
    one = crossovers(run)
    assert tuple(one.columns) == CROSSOVER_COLUMNS
    assert set(one["axis"]) == {"guesses", "te_rounds", "unsolved_locked"}
    pd.testing.assert_frame_equal(one, crossovers(simulation.shuffled(run, 3)))
    names = {"a": "z", "b": "b"}
    swapped = dataclasses.replace(run, measurements=run.measurements.replace({"strategy": names}))
    other = crossovers(swapped)
    assert set(other["a"]) == {"b"}
    assert set(other["faster_below"]) == {"z"}
    pd.testing.assert_frame_equal(other[["crossover", "lo", "hi", "p_holm"]], one[["crossover", "lo", "hi", "p_holm"]])


def test_a_crossover_is_told_with_its_place_and_both_ratios() -> None:
    found = of(a_run())
    assert found[["told", "note"]].values.tolist() == [["yes", ""]]
    row = found.iloc[0]
    assert row["lo"] <= TRUE <= row["hi"]
    assert row["ratio_easiest"] < 1 < row["ratio_hardest"]
    text = sentences(found)[0]
    assert text == (
        f"Above {row['crossover']:#.3g} guesses [{row['lo']:#.3g}, {row['hi']:#.3g}] ({row['within']}),"
        " b is faster than a"
        f" ({row['ratio_hardest']:#.3g} times as fast in the hardest third,"
        f" {1 / row['ratio_easiest']:#.3g} times as slow in the easiest)"
    )


@pytest.mark.parametrize(("sign", "against"), [((-1, 1), "te_rounds"), ((-1, -1), "te_rounds and unsolved_locked")])
def test_another_axis_that_disagrees_is_noted(sign: tuple[int, int], against: str) -> None:
    found = of(a_run(sign=sign))
    assert found["told"].tolist() == ["yes"]
    assert found["note"].tolist() == [f"the other way along {against}"]
    assert sentences(found)[0].endswith(f"; the other way along {against}")


def with_hard_ones_from(collection: str) -> Run:
    """Return a run whose hard puzzles are those of the mined collection, or of another one."""
    rng = np.random.default_rng(4)
    easy, hard = spread_out(120, rng, 10), 60 * np.exp(0.5 * rng.standard_normal(150))
    run = rated(simulated(CURVES, np.concatenate([easy, hard]), rng), rng)
    names = [*run.puzzles["puzzle"][:120], *(item.name for item in load("hardest").items[:150])]
    moved = dict(zip(run.puzzles["puzzle"], names, strict=True))
    puzzles = run.puzzles.assign(puzzle=names, collection=["own"] * 120 + [collection] * 150)
    rows = run.measurements.assign(puzzle=run.measurements["puzzle"].map(moved))
    rows["collection"] = rows["puzzle"].map(dict(zip(names, puzzles["collection"], strict=True)))
    return dataclasses.replace(run, measurements=rows, puzzles=puzzles)


def test_a_crossover_that_rests_on_mined_puzzles_says_so() -> None:
    found, others = of(with_hard_ones_from("hardest")), of(with_hard_ones_from("other"))
    assert others[["told", "note"]].values.tolist() == [["yes", ""]]
    note = "not significant without the puzzles of hardest"
    assert found[["told", "note"]].values.tolist() == [["yes", note]]
    assert sentences(found)[0].endswith(f"; {note}")


def test_a_ratio_with_timeouts_is_a_bound_in_words() -> None:
    run = a_run(n=150)
    late = run.measurements["cpu_s"] > 2e-3
    cut = run.measurements.assign(limit_s=2e-3, status=run.measurements["status"].mask(late, "timeout"))
    found = of(dataclasses.replace(run, measurements=cut.assign(cpu_s=cut["cpu_s"].mask(late))))
    assert found["bounds"].tolist() == ["hardest"]
    assert "(at least " in sentences(found)[0]
