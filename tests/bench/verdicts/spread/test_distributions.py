"""Distributions of times over puzzles, and medians with their intervals."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from bench.verdicts import lineages
from bench.verdicts.spread.distributions import effective_size, median_interval, medians
from bench.verdicts.summary import summarize
from datasets.collections import catalogue
from tests.bench.verdicts.simulated_runs import a_run
from tests.bench.verdicts.test_matrix import two_collections, with_grids


@pytest.mark.parametrize(
    ("n", "place"),  # of the lower end: Conover 1999, table A3, binomial with p = 1/2
    [(6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8), (30, 10)],
)
def test_the_interval_of_a_median_is_that_of_the_sign_test(n: int, place: int) -> None:
    times = np.random.default_rng(n).permutation(np.arange(1.0, n + 1))
    assert median_interval(times) == (place, n + 1 - place)


def test_too_few_values_give_no_interval() -> None:
    assert median_interval(np.arange(1.0, 6)) == (-math.inf, math.inf)


@given(some.lists(some.floats(1e-6, 1e3), min_size=1, max_size=40), some.floats(1, 40))
def test_a_smaller_effective_size_never_narrows_the_interval(values: list[float], witnesses: float) -> None:
    times = np.array(values)
    low, high = median_interval(times)
    wider_low, wider_high = median_interval(times, min(witnesses, float(len(values))))
    assert wider_low <= low <= float(np.median(times)) <= high <= wider_high


def test_the_effective_size_of_copies() -> None:
    assert effective_size(np.arange(7)) == 7
    assert effective_size(np.array([0, 0, 1, 1, 2, 2])) == 3
    assert effective_size(np.array([0, 0, 0, 1])) == pytest.approx(16 / 10)


def test_medians_are_those_of_the_summary() -> None:
    run = two_collections()
    known = summarize(run).set_index(["strategy", "collection"])["median_s"]
    result = medians(run).set_index(["strategy", "collection"])
    assert result["median_s"].to_dict() == pytest.approx(known.to_dict())
    assert result["finished"].to_dict() == {("a", "one"): 2, ("a", "two"): 3, ("b", "one"): 2, ("b", "two"): 2}
    assert result[["lo_s", "hi_s"]].isna().all(axis=None)  # of three puzzles at most


def test_puzzles_of_one_lineage_widen_intervals() -> None:
    grids = [item.puzzle.text for item in catalogue.load("hardest").items]
    times = np.arange(1.0, len(grids) + 1)[None, :, None]
    run = a_run(times, ["s"], np.zeros(len(grids)), collection="hardest")
    related = medians(dataclasses.replace(run, puzzles=run.puzzles.assign(grid=grids)))
    alone = medians(with_grids(run))
    names = tuple(run.puzzles["puzzle"])
    worth = effective_size(lineages.clusters_in("hardest", names, run.puzzles.assign(grid=grids)))
    assert worth < len(grids)
    assert related["lo_s"].item() <= alone["lo_s"].item()
    assert (related["lo_s"].item(), related["hi_s"].item()) == median_interval(times[0, :, 0], worth)


def test_unfinished_values_rank_above_all_others() -> None:
    times = np.array([1.0, 2, 3, 4, 5, 6, 7, math.inf, math.inf, math.inf])
    assert median_interval(times) == (2.0, math.inf)
