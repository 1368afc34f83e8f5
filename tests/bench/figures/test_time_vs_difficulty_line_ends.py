"""Names at the ends of lines: none covers another, and they stay near their lines."""

from __future__ import annotations

import numpy as np
import pytest

from bench.figures.time_vs_difficulty import spread


def test_names_with_enough_room_stay_where_they_are() -> None:
    wanted = np.array([0.9, 0.1, 0.5])
    assert spread(wanted, np.full(3, 0.1)) == pytest.approx(wanted)


def test_names_that_would_overlap_move_up() -> None:
    assert spread(np.array([0.5, 0.5]), np.array([0.2, 0.2])) == pytest.approx([0.5, 0.7])
    assert spread(np.array([0.2, 0.5, 0.5, 0.5]), np.full(4, 0.1)) == pytest.approx([0.2, 0.5, 0.6, 0.7])


@pytest.mark.parametrize("seed", range(5))
def test_no_two_names_overlap_and_the_order_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wanted, heights = rng.uniform(0, 1, 12), rng.uniform(0.02, 0.08, 12)
    result = spread(wanted, heights)
    order = np.argsort(wanted)
    gaps = np.diff(result[order]) - (heights[order][1:] + heights[order][:-1]) / 2
    assert gaps.min() > -1e-9
    assert (result - heights / 2).min() > -1e-9
    assert (result + heights / 2).max() < 1 + 1e-9


def test_names_leave_the_axes_at_no_end() -> None:
    result = spread(np.array([0.99, 1.0]), np.array([0.1, 0.1]))
    assert result == pytest.approx([0.85, 0.95])
