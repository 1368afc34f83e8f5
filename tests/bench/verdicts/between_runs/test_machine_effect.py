"""The effect of the machine between two runs: robust, with an error that includes drift of single strategies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.between_runs.launches import Launches, p_beyond
from sudoku_bench.bench.verdicts.between_runs.machine_effect import (
    AS_MEASURED,
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


def anchors(changes: list[float], noise: float = 0.001, seed: int = 0) -> list[tuple[Launches, ...]]:
    rng = np.random.default_rng(seed)
    return [(known(change + noise * rng.standard_normal(5)),) for change in changes]


def test_without_anchors_the_drift_of_a_whole_machine_remains() -> None:
    own = (known(np.full(5, 0.1)),)
    assert machine_effect([]).corrected(own)[0].error[0] == pytest.approx(DRIFT)
    assert machine_effect([], elsewhere=True).corrected(own)[0].error[0] == pytest.approx(ELSEWHERE)
    assert AS_MEASURED.corrected(own)[0].error[0] == pytest.approx(0.0, abs=1e-12)
    assert subtracted(own, ()) == own


def test_a_minority_of_anchors_that_changed_moves_little() -> None:
    agreed = machine_effect(anchors([0.10, 0.101, 0.099, 0.10, 0.10]))
    odd = machine_effect(anchors([0.10, 0.101, 0.099, 0.10, 0.80]))
    assert odd.shift == pytest.approx(agreed.shift, abs=0.003)
    assert odd.drift < 2 * agreed.drift
    assert machine_effect(anchors([0.1, 0.8])).drift > 0.1  # of two, nobody knows which


@pytest.mark.parametrize("number", [1, 2, 3])
def test_anchors_that_are_no_majority_are_doubted(number: int) -> None:
    """The anchors became slower by 20%: by two of them as measured nothing is known, by three the machine did."""
    own = (known(np.array([-0.001, 0.0, 0.001, 0.0, 0.0])),)
    corrected = machine_effect(anchors([0.2] * number)).corrected(own)
    assert [estimate.middle for estimate in corrected] == pytest.approx([-0.2, 0.0][: 1 + (number < 3)], abs=0.002)
    assert (p_beyond(corrected, 0.05) < 0.05) == (number == 3)
    assert len(machine_effect(anchors([0.2] * number), 1).corrected(own)) == 1


def test_anchors_that_agree_allow_for_less_drift_than_the_prior() -> None:
    drift = [machine_effect(anchors([0.1] * number)).drift for number in (1, 2, 5, 20)]
    assert drift[0] == pytest.approx(DRIFT_APART * math.sqrt(2))
    assert machine_effect(anchors([0.1]), elsewhere=True).drift == pytest.approx(ELSEWHERE_APART * math.sqrt(2))
    assert drift == sorted(drift, reverse=True)
    assert drift[-1] < DRIFT_APART * 0.75
