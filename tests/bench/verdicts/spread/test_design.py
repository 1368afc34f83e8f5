"""Designs that decide nearly as much as the planned run, checked against simulated pilots with known truths."""

from __future__ import annotations

import numpy as np
import pytest

from bench.verdicts.spread.design import NEARLY, Expected, expected, words
from bench.verdicts.spread.power import FEWEST_PUZZLES
from tests.bench.verdicts.simulated_runs import Spread, a_run, drawn

GUESSES = np.linspace(0, 50, 30)


def pilot(medians: dict[str, float], spread: Spread, seed: int = 1):
    curves = {name: lambda g, c=c: np.full(len(g), c) for name, c in medians.items()}
    return a_run(drawn(curves, GUESSES, 3, np.random.default_rng(seed), spread), list(medians), GUESSES)


def test_clear_differences_need_a_tiny_part_of_a_large_run() -> None:
    run = pilot({"test:a": 1e-3, "test:b": 2e-3, "test:c": 4e-3}, Spread())
    [found] = expected(run, {"own": (49_158, 5)})
    assert (found.strategies, found.pairs, found.decided) == (3, 3, 3)
    assert found.enough_decided == 3
    assert found.enough[0] >= FEWEST_PUZZLES
    assert found.share < 0.002


def test_small_differences_need_more_puzzles_than_large_ones() -> None:
    spread = Spread(taste=0.3, form=0.1, process=0.001)
    needed = []
    for factor in (1.5, 1.15):
        [found] = expected(pilot({"test:a": 1e-3, "test:b": factor * 1e-3}, spread), {"own": (20_000, 5)})
        assert found.decided == found.enough_decided == 1
        needed.append(found.enough[0] * found.enough[1])
    assert needed[1] > 2 * needed[0]


def test_a_run_that_is_too_small_is_not_made_smaller() -> None:
    run = pilot({"test:a": 1e-3, "test:b": 1.1e-3}, Spread(taste=1.0))
    [found] = expected(run, {"own": (20, 3)})
    assert found.enough == found.planned == (20, 3)
    assert words(found).endswith("nothing smaller decides nearly as many")


def test_the_smaller_design_decides_nearly_as_many_pairs() -> None:
    rng = np.random.default_rng(5)
    medians = {f"test:{number}": 1e-3 * float(np.exp(rng.uniform(0, 1))) for number in range(8)}
    [found] = expected(pilot(medians, Spread()), {"own": (5000, 5)})
    assert found.pairs == 28
    assert found.enough_decided >= NEARLY * found.decided
    assert found.share < 0.5


def test_words_name_both_designs_and_the_options() -> None:
    each = Expected("hard", 40, 780, (49_158, 5), 771, (2100, 3), 740)
    assert words(each) == (
        "hard: 49,158 puzzles × 40 strategies × 5 repetitions = 9,831,600 measurements decide about 771 of 780 pairs;"
        " 2,100 puzzles × 3 repetitions = 252,000 measurements (2.56%) decide about 740: --sample 2100 --repetitions 3"
    )


@pytest.mark.parametrize("finished", [0, 1])
def test_pairs_without_two_finished_puzzles_are_left_out(finished: int) -> None:
    run = pilot({"test:a": 1e-3, "test:b": 2e-3}, Spread())
    rows = run.measurements
    late = (rows["strategy"] == "test:b") & (rows["puzzle"] >= f"own-{finished:04d}")
    run = type(run)(run.manifest, rows.assign(status=rows["status"].mask(late, "timeout")), run.puzzles)
    assert expected(run, {"own": (100, 5)}) == []
