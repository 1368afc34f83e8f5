"""Leads on the easiest and on the hardest third, on simulated fields."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.difficulty.fields import AXES, GUESSES, Field
from sudoku_bench.bench.verdicts.difficulty.leads import can_decide, leads, thirds
from sudoku_bench.bench.verdicts.pairs.decision import LEAST_PUZZLES
from tests.bench.verdicts.simulated_difficulty import a_field, flat, rising, spread_out
from tests.bench.verdicts.simulated_runs import Spread

QUIET = Spread(taste=0.05, form=0.02, process=0.001, noise=0.01)


def of(curves: dict[str, object], n: int = 60, seed: int = 1, spread: Spread = QUIET, late: float = 0.0) -> Field:
    rng = np.random.default_rng(seed)
    return a_field(curves, spread_out(n, rng), rng, spread, late)  # type: ignore[arg-type]


def level(seconds: float, above: float) -> object:
    """Return a curve that is steep up to some guesses and equal to 1 ms from there on."""
    return lambda guesses: 1e-3 * np.where(guesses < above, seconds, 1.0)


@pytest.mark.parametrize(
    ("x", "easy", "hard"),
    [
        (range(9), 3, 3),
        ([0] * 6 + [1, 2, 3], 6, 3),  # two thirds at 0: the third stays together
        ([0] * 8 + [5], 8, 1),
        ([0] * 2 + [1] * 5 + [2] * 2, 2, 2),
        ([0] + [9] * 8, 1, 8),
        ([0] + [1] * 6 + [2] * 3, 1, 3),
        ([4] * 9, 0, 0),
        ([], 0, 0),
    ],
)
def test_thirds_keep_equal_difficulties_together(x: list[float], easy: int, hard: int) -> None:
    low, high = thirds(np.array(x, dtype=np.float64))
    assert (low.sum(), high.sum()) == (easy, hard)


def test_opposite_leads_are_a_crossover_with_their_ratios() -> None:
    found = leads(of({"a": rising(1e-3, 12), "b": flat(1e-3)}), GUESSES)
    [p] = found.p
    assert p == pytest.approx(2.0**-19)  # the smallest that 20 puzzles can give
    assert found.a_first.tolist() == [True]
    assert np.exp(found.easy.ratio[0]) < 0.5
    assert np.exp(found.hard.ratio[0]) > 2
    assert found.easy.puzzles.tolist() == found.hard.puzzles.tolist() == [20]


def test_the_weaker_lead_decides() -> None:
    """A large lead on one side does not make up for a missing one on the other: among equals p is uniform."""
    p = np.concatenate([leads(of({"a": level(0.2, 15), "b": flat(1e-3)}, 90, seed), GUESSES).p for seed in range(120)])
    candidates = p[~np.isnan(p)]
    assert 0.4 < len(candidates) / len(p) < 0.6
    assert (candidates < 0.1).mean() == pytest.approx(0.1, abs=0.07)
    assert np.median(candidates) == pytest.approx(0.5, abs=0.12)


def test_a_deviation_of_processes_is_no_lead() -> None:
    """Copies differ by their processes only: without their variance most would lead significantly."""
    copies = Spread(taste=0.005, form=0.0, process=0.04, noise=0.005)
    p = [leads(of({"a": level(0.2, 15), "b": flat(1e-3)}, 90, seed, copies), GUESSES).p[0] for seed in range(120)]
    assert np.mean(np.array(p) < 0.05) < 0.07


def test_a_process_that_is_faster_on_easy_puzzles_and_slower_on_hard_ones_is_no_crossover() -> None:
    copies, p = Spread(taste=0.005, form=0.0, process=0.001, noise=0.005), []
    for seed in range(120):
        field = of({"a": flat(1e-3), "b": flat(1e-3)}, 90, seed, copies)
        x = field.at(GUESSES)[:, None]
        tilt = 0.03 * np.random.default_rng(seed).standard_normal((2, 1, field.log_s.shape[2]))
        tilted = field.log_s + tilt * (2 * (x - x.min()) / np.ptp(x) - 1)
        p.append(leads(dataclasses.replace(field, log_s=tilted), GUESSES).p[0])
    assert np.mean(np.array(p) < 0.05) < 0.08


def test_a_timeout_counts_for_the_strategy_that_finished_and_bounds_the_ratio() -> None:
    field = of({"a": rising(1e-3, 12), "b": flat(1e-3)}, late=0.3)
    unlimited = leads(of({"a": rising(1e-3, 12), "b": flat(1e-3)}), GUESSES)
    found = leads(field, GUESSES)
    assert found.p[0] < 0.001
    assert found.hard.is_bound.tolist() == [True]
    assert found.easy.is_bound.tolist() == [False]
    assert 0 < found.hard.ratio[0] < unlimited.hard.ratio[0]


def test_copies_of_a_puzzle_count_once() -> None:
    field = of({"a": rising(1e-3, 12), "b": flat(1e-3)}, 3 * LEAST_PUZZLES)
    three = np.repeat(np.arange(len(field.clusters)), 3)
    repeated = dataclasses.replace(
        field,
        puzzles=field.puzzles.iloc[three].reset_index(drop=True),
        log_s=field.log_s[:, three],
        censored=field.censored[:, three],
        clusters=field.clusters[three],
        mined=field.mined[three],
    )
    once, thrice = leads(field, GUESSES), leads(repeated, GUESSES)
    assert thrice.p == pytest.approx(once.p)
    assert thrice.easy.puzzles.tolist() == [LEAST_PUZZLES]


@pytest.mark.parametrize(("n", "enough"), [(3 * LEAST_PUZZLES, True), (3 * LEAST_PUZZLES - 3, False)])
def test_each_third_needs_enough_independent_puzzles(n: int, enough: bool) -> None:
    field = of({"a": rising(1e-3, 12), "b": flat(1e-3)}, n)
    assert can_decide(field, GUESSES) is enough
    assert np.isfinite(leads(field, GUESSES).p).all() == enough
    assert not can_decide(field, AXES[1])  # not known


def test_one_repetition_does_not_decide() -> None:
    field = of({"a": rising(1e-3, 12), "b": flat(1e-3)})
    one = dataclasses.replace(field, log_s=field.log_s[:, :, :1], censored=field.censored[:, :, :1])
    assert np.isnan(leads(one, GUESSES).p).all()
