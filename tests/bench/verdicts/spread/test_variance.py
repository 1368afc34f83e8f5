"""Components of variance, on simulated times with known components."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.verdicts.run_tables import Run
from bench.verdicts.spread.variance import VARIANCE_COLUMNS, components, variance
from tests.bench.verdicts.simulated_runs import Floats, a_run

PUZZLE, LAUNCH, REPETITION, FORM, NOISE = 0.5, 0.04, 0.03, 0.12, 0.05
PUZZLES, LAUNCHES, REPETITIONS = 60, 6, 6


def tables(number: int, seed: int = 1, puzzles: int = PUZZLES) -> tuple[Floats, Floats]:
    """Return logarithms of times of a strategy and of its instrument placebo: tables × puzzles × replicates.

    Both have the same puzzles and forms, but different processes and noise.
    """
    rng = np.random.default_rng(seed)
    replicates = LAUNCHES * REPETITIONS
    shared = PUZZLE * rng.standard_normal((number, puzzles, 1))
    shared = shared + FORM * rng.standard_normal((number, puzzles, replicates))

    def measured() -> Floats:
        launches = np.repeat(LAUNCH * rng.standard_normal((number, 1, LAUNCHES)), REPETITIONS, axis=2)
        repetitions = REPETITION * rng.standard_normal((number, 1, replicates))
        return shared + launches + repetitions + NOISE * rng.standard_normal(shared.shape)

    return measured(), measured()


def run_of(logs: Floats, placebo: Floats | None = None, limit_s: float = 1e9, launches: int = LAUNCHES) -> Run:
    run = a_run(np.exp(logs)[None], ["s"], np.ones(len(logs)), limit_s, launches)
    if placebo is None:
        return run
    again = a_run(np.exp(placebo)[None], ["(instrument) s"], np.ones(len(placebo)), limit_s, launches).measurements
    rows = pd.concat([run.measurements, again.assign(placebo="instrument")], ignore_index=True)
    return Run(run.manifest, rows, run.puzzles)


def test_estimates_of_components_are_unbiased() -> None:
    """Estimates by moments are unbiased: their mean over many tables is the true value (except those set to 0)."""
    result = [components(table, LAUNCHES) for table in tables(300)[0]]
    for name, truth in (("puzzle", PUZZLE**2), ("launch", LAUNCH**2), ("repetition", REPETITION**2)):
        estimates = np.array([getattr(one, name) for one in result])
        assert estimates.mean() == pytest.approx(
            truth, abs=4 * estimates.std() / math.sqrt(len(estimates)) + 0.02 * truth
        )
        assert estimates.mean() == pytest.approx(truth, rel=0.12)
    assert np.mean([one.single for one in result]) == pytest.approx(FORM**2 + NOISE**2, rel=0.01)


def test_the_instrument_placebo_separates_form_and_noise() -> None:
    logs, placebo = tables(20, puzzles=30)
    lines = pd.concat([variance(run_of(*pair)) for pair in zip(logs, placebo, strict=True)])
    assert tuple(lines.columns) == VARIANCE_COLUMNS
    assert math.sqrt((lines["noise_sd"] ** 2).mean()) == pytest.approx(NOISE, rel=0.05)
    assert math.sqrt((lines["form_sd"] ** 2).mean()) == pytest.approx(FORM, rel=0.05)
    assert (lines["form_sd"] ** 2 + lines["noise_sd"] ** 2).to_numpy() == pytest.approx(
        lines["single_sd"].to_numpy() ** 2
    )
    shares = lines[["puzzle_share", "launch_share", "repetition_share", "single_share"]]
    assert shares.sum(axis=1).to_numpy() == pytest.approx(np.ones(20))
    assert (shares["puzzle_share"] > 0.8).all()


def test_without_a_placebo_form_and_noise_are_not_separated() -> None:
    line = variance(run_of(tables(1)[0][0])).iloc[0]
    assert line[["form_sd", "noise_sd"]].isna().all()
    assert line["single_sd"] == pytest.approx(math.hypot(FORM, NOISE), rel=0.1)


def test_without_isomorphs_the_single_component_is_noise() -> None:
    run = run_of(tables(1)[0][0])
    run.manifest["suite"]["isomorphs"] = False
    line = variance(run).iloc[0]
    assert line["noise_sd"] == pytest.approx(line["single_sd"])
    assert line["form_sd"] == 0


@pytest.mark.parametrize("launches", [1, LAUNCHES * REPETITIONS])
def test_launches_and_repetitions_are_separable_with_two_of_each(launches: int) -> None:
    result = components(tables(1)[0][0], launches)
    assert result.launch is None
    assert result.repetition == pytest.approx(REPETITION**2 + LAUNCH**2, rel=0.6)


def test_one_replicate_identifies_no_component() -> None:
    line = variance(run_of(tables(1)[0][0][:, :1], launches=1)).iloc[0]
    assert line[["launch_sd", "repetition_sd", "single_sd", "puzzle_share"]].isna().all()


def test_an_unfinished_solve_excludes_its_puzzle_and_leaves_the_puzzle_component_unknown() -> None:
    logs = tables(1)[0][0]
    unlimited = variance(run_of(logs)).iloc[0]
    late = variance(run_of(logs, limit_s=math.exp(float(np.sort(logs.max(axis=1))[-4])))).iloc[0]
    assert (unlimited["n_unfinished"], late["n_unfinished"]) == (0, 3)
    assert late["n_puzzles"] == PUZZLES - 3
    assert late[["puzzle_sd", "puzzle_share", "single_share"]].isna().all()
    assert late["single_sd"] == pytest.approx(unlimited["single_sd"], rel=0.1)


def test_by_hand() -> None:
    result = components(np.array([[0.0, 2.0], [4.0, 8.0]]))
    # Means of rows 1 and 6, of columns 2 and 5, of all 3.5; the rest is ±0.5.
    assert result.single == pytest.approx(1.0)
    assert result.puzzle == pytest.approx((2 * 12.5 - 1) / 2)
    assert result.repetition == pytest.approx((2 * 4.5 - 1) / 2)


def test_an_interrupted_run_uses_its_complete_rounds() -> None:
    run = run_of(tables(1)[0][0], launches=1)
    last = run.measurements["repetition"] == LAUNCHES * REPETITIONS
    few = run.measurements["puzzle"].isin(["own-0000", "own-0001"])
    cut = variance(Run(run.manifest, run.measurements[~last | few], run.puzzles)).iloc[0]
    assert (cut["n_puzzles"], cut["repetitions"]) == (PUZZLES, LAUNCHES * REPETITIONS - 1)


@given(st.integers(2, 8), st.integers(1, 3), st.integers(1, 3), st.floats(-3, 3), st.integers(0, 999))
def test_neither_the_unit_nor_the_order_of_puzzles_matters(puzzles, launches, repetitions, shift, seed) -> None:
    logs = np.random.default_rng(seed).standard_normal((puzzles, launches * repetitions))
    one, other = components(logs, launches), components(logs[::-1] + shift, launches)
    for name in ("puzzle", "launch", "repetition", "single"):
        assert getattr(other, name) == (
            None if getattr(one, name) is None else pytest.approx(getattr(one, name), abs=1e-9)
        )
        assert getattr(one, name) is None or getattr(one, name) >= 0


def test_gaps_and_unequal_launches_are_rejected() -> None:
    with pytest.raises(ValueError, match="complete"):
        components(np.array([[1.0, math.nan], [1.0, 2.0]]))
    with pytest.raises(ValueError, match="complete"):
        components(np.ones((2, 3)), launches=2)
