"""The lower envelope of total costs, against a search over all numbers of puzzles."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.choice.total_cost import Stretch, stretches


def test_by_hand() -> None:
    assert stretches({"a": 1.0, "b": 21.0}, {"a": 3.0, "b": 1.0}) == (
        Stretch("a", 1, 9, 1.0, 3.0),
        Stretch("b", 10, None, 21.0, 1.0),  # a tie at 10: less per puzzle wins
    )
    assert stretches({"a": 1.0}, {"a": 3.0}) == (Stretch("a", 1, None, 1.0, 3.0),)


@pytest.mark.parametrize("seed", range(20))
def test_each_number_has_its_cheapest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    once, each = rng.exponential(50, 6), rng.exponential(1, 6)
    names = [f"s:{number}" for number in range(6)]
    found = stretches(dict(zip(names, once, strict=True)), dict(zip(names, each, strict=True)))
    for number in range(1, 400):
        [own] = [s.strategy for s in found if s.first <= number and (s.last is None or number <= s.last)]
        assert own == names[int(np.argmin(once + number * each))]
