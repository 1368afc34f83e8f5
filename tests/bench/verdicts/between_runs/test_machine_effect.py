"""The effect of the machine between two runs: robust, with an error that includes drift of single strategies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.between_runs.launches import Launches
from sudoku_bench.bench.verdicts.between_runs.machine_effect import (
    DRIFT,
    DRIFT_APART,
    ELSEWHERE,
    ELSEWHERE_APART,
    machine_effect,
    subtracted,
)
from tests.bench.verdicts.simulated_runs import Floats


def known(values: Floats, first: int = 1) -> Launches:
    return Launches(tuple(range(first, first + len(values))), np.stack([values, values]))


def unchanged(changes: list[float], noise: float = 0.001, seed: int = 0) -> list[tuple[Launches, ...]]:
    rng = np.random.default_rng(seed)
    return [(known(change + noise * rng.standard_normal(5)),) for change in changes]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_without_a_majority_the_drift_of_a_whole_machine_remains(number: int) -> None:
    """One of two may have changed, and nobody knows which."""
    own = (known(np.full(5, 0.1)),)
    for elsewhere, drift in ((False, DRIFT), (True, ELSEWHERE)):
        corrected = machine_effect(unchanged([0.2] * number), elsewhere).corrected(own)
        assert corrected.error[0] == pytest.approx(drift)
        assert corrected.middle == pytest.approx(0.1)
    assert subtracted(own, ()) == own


def test_a_minority_that_changed_after_all_moves_little() -> None:
    agreed = machine_effect(unchanged([0.10, 0.101, 0.099]))
    odd = machine_effect(unchanged([0.10, 0.101, 0.80]))
    assert odd.shift == pytest.approx(agreed.shift, abs=0.003)
    own = (known(np.array([-0.001, 0.0, 0.001, 0.0, 0.0])),)
    assert odd.corrected(own).middle == pytest.approx(-0.1, abs=0.003)


def test_more_strategies_leave_less_uncertainty_but_that_of_the_strategy_itself() -> None:
    drift = [machine_effect(unchanged([0.1] * number)).drift for number in (3, 5, 20)]
    assert drift == sorted(drift, reverse=True)
    assert drift[0] == pytest.approx(DRIFT_APART * math.sqrt(1 + math.pi / 6))
    assert DRIFT_APART < drift[-1] < 1.05 * DRIFT_APART
    assert machine_effect(unchanged([0.1] * 3), elsewhere=True).drift > ELSEWHERE_APART
