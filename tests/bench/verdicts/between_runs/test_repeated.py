"""What stood in a second simulated run of known movement, and how much ratios moved."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sudoku_bench.bench.verdicts.between_runs.repeated import (
    CROSSOVER,
    REPEATED_COLUMNS,
    movement,
    repeated,
    require_repeat,
    widened,
)
from sudoku_bench.bench.verdicts.pairs.evidence import turned
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError
from tests.bench.verdicts.simulated_runs import Floats, a_run

PUZZLES, REPETITIONS = 20, 5
NONE = pd.DataFrame(columns=["told"])


def two_runs(seed: int, effects: Floats, seeds: tuple[int, int] = (1, 2), taste: float = 0.3) -> tuple[Run, Run]:
    """Return two runs of the same puzzles.

    Args:
        effects: log time of each strategy in the first and in the second run: 2 × strategies.
        seeds: of the runs; forms are the same if they are.
        taste: standard deviation of the interaction of a puzzle and a strategy, which both runs share.
    """
    rng = np.random.default_rng(seed)
    shape = (effects.shape[1], PUZZLES, REPETITIONS)
    suited = taste * rng.standard_normal((*shape[:2], 1))
    forms = {number: 0.1 * np.random.default_rng((seed, number)).standard_normal(shape) for number in seeds}
    made = []
    for own, number in zip(effects, seeds, strict=True):
        process = 0.01 * rng.standard_normal((shape[0], 1, REPETITIONS)) + 0.01 * rng.standard_normal(shape)
        seconds = 0.01 * np.exp(own[:, None, None] + suited + forms[number] + process)
        run = a_run(seconds, [f"s:{place}" for place in range(shape[0])], np.arange(1.0, PUZZLES + 1))
        run.manifest["suite"]["seed"] = number
        made.append(run)
    return made[0], made[1]


def of_runs(first: Run, second: Run) -> pd.DataFrame:
    return repeated((first.all_pairs, second.all_pairs), (NONE, NONE))


@pytest.mark.parametrize(("deviation", "seeds"), [(0.0, (1, 2)), (0.05, (1, 2)), (0.05, (1, 1))])
def test_the_movement_of_ratios_is_recovered(deviation: float, seeds: tuple[int, int]) -> None:
    """A ratio of two strategies that each move by sd has a variance of 2 sd². What puzzles differ by is in none of it.

    By the intervals of the ratios, of which puzzles are the larger part, no movement would be seen.
    """
    found = []
    for number in range(4):
        effects = deviation * np.random.default_rng((9, number)).standard_normal((2, 12))
        first, second = two_runs(number, effects, seeds)
        moved = movement(first, second, first.all_pairs)
        assert moved.number == 12 * 11 / 2
        assert moved.lo <= moved.deviation <= moved.hi
        found.append(moved.deviation**2)
    assert math.sqrt(np.mean(found)) == pytest.approx(deviation * math.sqrt(2), abs=0.015)


def test_what_stood_whichever_way_a_pair_is_told() -> None:
    effects = np.array([[0.0, 0.5, 1.0], [0.0, 0.5, 0.2]])
    first, second = two_runs(1, effects, taste=0.02)
    table = of_runs(first, second)
    assert tuple(table.columns) == REPEATED_COLUMNS
    stood = {frozenset((row["a"], row["b"])): row["stood"] for row in table.to_dict("records")}
    assert stood[frozenset(("s:0", "s:1"))] == stood[frozenset(("s:0", "s:2"))] == "yes"
    assert stood[frozenset(("s:1", "s:2"))] == "no"
    other_way = pd.DataFrame([turned(row) for row in second.all_pairs.to_dict("records")])
    pd.testing.assert_frame_equal(repeated((first.all_pairs, other_way), (NONE, NONE)), table)
    third = table[table["a"].isin(["s:2"]) | table["b"].isin(["s:2"])].set_index(["a", "b"])
    assert (third["beyond"] == "yes").all()
    assert third["moved"].map(lambda ratio: abs(math.log(ratio))).tolist() == pytest.approx([0.8] * len(third), abs=0.1)
    missing = repeated((first.pairs, second.pairs.iloc[:0]), (NONE, NONE))
    assert (missing["stood"] == "open").all()
    assert missing[["ratio_2", "moved"]].isna().all(axis=None)


def crossover(at: float, lo: float, hi: float, above: str = "s:b") -> pd.DataFrame:
    row = {"shape": "9x9", "axis": "guesses", "faster_below": "s:a", "faster_above": above}
    return pd.DataFrame([row | {"crossover": at, "lo": lo, "hi": hi, "told": "yes"}])


@pytest.mark.parametrize(
    ("again", "stood"),
    [
        (crossover(12, 8, 20), "yes"),
        (crossover(40, 25, 60), "no"),  # the intervals are disjoint
        (crossover(12, 8, 20, above="s:c"), "no"),
        (crossover(12, 8, 20).assign(told=""), "no"),
    ],
)
def test_a_crossover_stands_if_both_tell_it_with_overlapping_intervals(again: pd.DataFrame, stood: str) -> None:
    pairs = two_runs(2, np.zeros((2, 2)))[0].pairs.iloc[:0]
    [row] = repeated((pairs, pairs), (crossover(10, 6, 15), again)).to_dict("records")
    assert (row["kind"], row["collection"], row["clock"], row["stood"]) == (CROSSOVER, "9x9", "guesses", stood)


def test_an_interval_to_quote_adds_the_variation_between_runs_in_quadrature() -> None:
    pairs = two_runs(1, np.array([[0.0, 0.1, 1.0]] * 2), taste=0.02)[0].all_pairs
    wide = widened(pairs, 0.1)
    reach = 0.1 * stats.norm.isf(0.05 / 3 / 2)
    for end in ("ratio_lo", "ratio_hi"):
        expected = np.hypot(np.log(pairs[end] / pairs["ratio"]), reach)
        assert np.abs(np.log(wide[end] / pairs["ratio"])).tolist() == pytest.approx(expected.tolist())
    assert pairs["verdict"].tolist() == ["a_faster"] * 3
    assert wide["verdict"].tolist() == ["indistinguishable", "a_faster", "a_faster"]  # of 10% nothing remains
    pd.testing.assert_frame_equal(widened(pairs, math.nan), pairs)
    table = repeated((pairs, pairs), (NONE, NONE), 0.1)
    assert table["quote_lo"].tolist() == pytest.approx(wide["ratio_lo"].tolist())


def test_runs_of_different_suites_are_refused() -> None:
    first, second = two_runs(4, np.zeros((2, 3)))
    require_repeat(first, second, ("a", "b"))
    rows = second.measurements
    fewer = replace(second, measurements=rows[rows["strategy"] != "s:1"], puzzles=second.puzzles.iloc[1:])
    with pytest.raises(InputError, match="b: is not a second run of a, because their strategies and puzzles differ"):
        require_repeat(first, fewer, ("a", "b"))
    cold = replace(second, manifest=second.manifest | {"suite": second.manifest["suite"] | {"mode": "cold"}})
    with pytest.raises(InputError, match="their modes differ"):
        require_repeat(first, cold, ("a", "b"))
