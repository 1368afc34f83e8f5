"""Samples: seeded, spread over difficulty, and with equal probability for every puzzle of the file."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections import sampling
from sudoku_bench.datasets.collections.sampling import Numbered, reservoir, sample
from sudoku_bench.datasets.reading.reader import Entry
from tests.datasets.rules import PRINTED, board, clue_set, seeds

EMPTY = Puzzle(Shape(2, 2), (0,) * 16)
PUZZLES = [board(text) for text, _ in PRINTED.values()]


def rated(ratings: list[float]) -> list[Numbered]:
    return [(n, Entry(EMPTY, n, facts=(("rating", str(r)),))) for n, r in enumerate(ratings, start=1)]


def numbers(chosen: list[Numbered]) -> list[int]:
    return [number for number, _ in chosen]


@given(st.lists(st.floats(0, 10), min_size=1, max_size=60), st.integers(1, 80), seeds)
def test_a_sample_has_the_requested_size_is_in_order_and_depends_on_the_seed_alone(
    ratings: list[float], size: int, seed: int
) -> None:
    entries = rated(ratings)
    chosen = sample(entries, size, seed)
    assert len(chosen) == min(size, len(entries))
    assert numbers(chosen) == sorted(set(numbers(chosen)))
    assert set(chosen) <= set(entries)
    assert sample(iter(entries), size, seed) == chosen


@given(seeds, st.integers(2, 20))
def test_each_stratum_of_difficulty_has_its_share(seed: int, size: int) -> None:
    """Ordered by rating, the sample has one puzzle of each of ``size`` equal parts of the file."""
    ratings = [float(n) for n in range(size * 20)]
    random.Random(seed).shuffle(ratings)
    entries = rated(ratings)
    strata = sorted(int(entry.rating[1]) // 20 for _, entry in sample(entries, size, seed) if entry.rating)
    assert strata == list(range(size))


def test_every_puzzle_has_the_same_probability() -> None:
    """40 puzzles, 10 drawn, 2,000 seeds: each 500 times, with a standard deviation below 20."""
    entries = rated([float(n // 3) for n in range(40)])
    drawn = Counter(n for seed in range(2000) for n in numbers(sample(entries, 10, seed)))
    assert all(400 < drawn[number] < 600 for number, _ in entries)


def test_a_reservoir_is_fair_and_limited_in_size() -> None:
    entries = rated([0.0] * 50)
    samples = [reservoir(entries, 5, random.Random(seed)) for seed in range(2000)]
    assert {len(drawn_entries) for drawn_entries in samples} == {5}
    drawn = Counter(number for drawn_entries in samples for number in numbers(drawn_entries))
    assert all(130 < drawn[number] < 270 for number, _ in entries)


def test_a_long_file_is_read_once() -> None:
    n_read = 0

    def entries() -> Iterator[Numbered]:
        nonlocal n_read
        for number in range(1, 30_001):
            n_read += 1
            yield number, Entry(EMPTY, number, facts=(("ER", str(number % 100 / 10)),))

    chosen = sample(entries(), 10, 1)
    assert n_read == 30_000
    assert max(numbers(chosen)) > 1_000
    ratings = sorted(entry.rating[1] for _, entry in chosen if entry.rating)
    assert all(k - 0.5 <= rating <= k + 1.5 for k, rating in enumerate(ratings))


def test_without_ratings_easy_and_hard_puzzles_both_have_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly solved grids need no guesses; the printed puzzle 004 needs many."""
    easy = [Entry(clue_set(Shape(3, 3), 4), n) for n in range(60)]
    hard = [Entry(PUZZLES[5], n) for n in range(60, 120)]
    entries = list(enumerate([*easy, *hard], start=1))
    random.Random(1).shuffle(entries)
    for seed in range(20):
        chosen = sample(entries, 4, seed)
        assert sum(entry in hard for _, entry in chosen) == 2


def test_ratings_are_used_only_if_all_candidates_have_the_same_kind() -> None:
    mixed = [Entry(PUZZLES[0], 1, facts=(("er", "9.0"),)), Entry(PUZZLES[5], 2, facts=(("difficulty", "1"),))]
    (_, easy), (_, hard) = sampling.difficulties(mixed, seed=1)
    assert easy < hard
    same = [Entry(PUZZLES[0], 1, facts=(("ER", "9.0"),)), Entry(PUZZLES[5], 2, facts=(("ER", "1"),))]
    assert [rank for _, rank in sampling.difficulties(same, seed=1)] == [9.0, 1.0]
