"""Winners by difficulty: who wins where, and nobody where nothing tells two strategies apart."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES, fields
from sudoku_bench.bench.verdicts.difficulty.winners import MOST, PUZZLES, Stretch, cut, stretches
from tests.bench.verdicts.simulated_runs import a_run, drawn

FLAT, STEEP = "sat:flat", "search:steep"


def along(curves: dict, puzzles: int = 240, seed: int = 1) -> list[Stretch]:
    rng = np.random.default_rng(seed)
    guesses = np.exp(rng.uniform(0, 6, puzzles)) - 1
    seconds = drawn(dict(curves.items()), guesses, 4, rng)
    run = a_run(seconds, list(curves), guesses, limit_s=100.0)
    [field] = fields(run)
    return stretches(field, GUESSES)


def power(x, factor: float, exponent: float):
    return factor * (1 + x) ** exponent


def test_the_winner_changes_where_the_curves_cross() -> None:
    """A flat and a steep curve cross at 20 guesses."""
    curves = {FLAT: functools.partial(power, factor=1e-2, exponent=0.0)}
    curves[STEEP] = functools.partial(power, factor=1e-2 / 21, exponent=1.0)
    found = along(curves)
    winners = [stretch.winner([0, 1]) for stretch in found]
    assert winners[0] == 1
    assert winners[-1] == 0
    decided = [winner for winner in winners if winner is not None]
    assert decided == sorted(decided, reverse=True)
    for stretch, winner in zip(found, winners, strict=True):
        if winner == 0:
            assert stretch.hi > 20
        if winner == 1:
            assert stretch.lo < 20


@pytest.mark.parametrize("seed", range(3))
def test_equal_strategies_have_no_winner(seed: int) -> None:
    same = functools.partial(power, factor=1e-2, exponent=0.3)
    found = along({FLAT: same, STEEP: same, "other:same": same}, seed=seed)
    assert [stretch.winner([0, 1, 2]) for stretch in found] == [None] * len(found)


def test_stretches_cover_all_puzzles_once_and_keep_equal_difficulties_together() -> None:
    rng = np.random.default_rng(2)
    x = np.concatenate([np.zeros(100), rng.uniform(1, 5, 300)])
    parts = cut(x)
    assert 3 <= len(parts) <= MOST
    assert np.array_equal(np.sum(parts, axis=0), np.ones(len(x)))
    assert all(part.sum() >= PUZZLES for part in parts)
    assert parts[0][:100].all()
    for one, other in itertools.pairwise(parts):
        assert x[one].max() < x[other].min()
    assert [int(part.sum()) for part in cut(np.zeros(50))] == [50]
    assert [int(part.sum()) for part in cut(rng.uniform(size=20))] == [20]
