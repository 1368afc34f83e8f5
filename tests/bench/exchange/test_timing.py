"""Samples become repetitions: means of consecutive blocks of nearly equal length."""

from __future__ import annotations

import pytest

from sudoku_bench.bench.exchange.timing import MAX_REPETITIONS, Timing, number_of_repetitions, seconds_of
from sudoku_bench.datasets.errors import InputError


def timing(*wall_s: float, **more) -> Timing:
    return Timing("file", "s", "c", "p", wall_s, **more)


def test_blocks_are_means_of_consecutive_samples() -> None:
    blocks = timing(1, 2, 3, 4, 5, 6, 7, loops=10).in_blocks(3)
    assert blocks == [(1.5, None, 20), (3.5, None, 20), (6, None, 30)]
    assert timing(1, 3, cpu_s=(0.5, 1.5)).in_blocks(1) == [(2, 1, 2)]


def test_all_strategies_get_the_same_number_of_repetitions() -> None:
    many, few = timing(*range(1, 100)), timing(1, 2, 3)
    assert number_of_repetitions([many, few]) == 3
    assert number_of_repetitions([many]) == MAX_REPETITIONS
    assert number_of_repetitions([many, timing(1, status="timeout")]) == MAX_REPETITIONS


@pytest.mark.parametrize("value", [0, -1, True, "1", float("inf"), None])
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"file: .* is not a time in seconds"):
        seconds_of([1.0, value], "file")
