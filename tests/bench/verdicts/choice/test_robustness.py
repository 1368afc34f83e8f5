"""Whether rankings hold under other rules, by hand-computed examples."""

from __future__ import annotations

import numpy as np
import pytest

from bench.verdicts.choice.robustness import CLOCK, COLLECTIONS, LIMIT, PAR_FACTOR, SHIFT, swaps, words
from bench.verdicts.pairs.decision import LEAST_PUZZLES
from bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import a_run, together

LIMIT_S = 10.0


def run_of(seconds: dict[str, list[float]], collection: str = "own", wall: float | None = None) -> Run:
    """One measurement of each puzzle, beyond 10 s unfinished. Each time is that of 15 puzzles, so that ranks count."""
    times = np.repeat(np.array(list(seconds.values())), LEAST_PUZZLES, axis=1)[:, :, None]
    run = a_run(times, list(seconds), np.ones(times.shape[1]), limit_s=LIMIT_S, collection=collection)
    if wall is not None:
        run.measurements["wall_s"] = run.measurements["wall_s"].where(run.measurements["strategy"] == "a", wall)
    return run


def of_rule(run: Run, rule: str) -> list[float]:
    return [swap.apart for swap in swaps(run) if swap.rule == rule]


@pytest.mark.parametrize(
    ("a", "b", "rule", "expected"),
    [
        # PAR-2 of a is (1 + 1 + 20) / 3. At 5 s b finishes nothing: a wins.
        ([1.0, 1.0, 99.0], [6.0, 6.0, 6.0], LIMIT, [22 / 18, 22 / 18]),
        # At 5 s solves of 6 s count as unfinished: (10 + 10 + 0.1) / 3 = 6.7 against 4.9, instead of 4.03.
        ([6.0, 6.0, 0.1], [4.9, 4.9, 4.9], LIMIT, [14.7 / 12.1, 1]),
        ([0.1, 0.1], [0.2, 0.2], LIMIT, [1, 1]),
        # PAR-2 (0 + 0 + 20) / 3 = 6.7 against 8, PAR-10 33 against 8.
        ([1e-9, 1e-9, 99.0], [8.0, 8.0, 8.0], PAR_FACTOR, [8 / (20 / 3)]),
        # Geometric means: a 1 ms, b 3.2 ms; with a shift of 10 ms: a 90.5, b 23.3. The base, a mean, has b first.
        ([1e-6, 1.0], [1e-4, 0.1], SHIFT, [1.000001 / 0.1001, 1, 1]),
    ],
)
def test_a_rule_swaps_two_strategies(a: list[float], b: list[float], rule: str, expected: list[float]) -> None:
    assert of_rule(run_of({"a": a, "b": b}), rule) == pytest.approx(expected)


def test_the_wall_clock_can_change_the_ranking() -> None:
    run = run_of({"a": [1.0, 1.0], "b": [2.0, 2.0]}, wall=0.5)
    assert of_rule(run, CLOCK) == [2]
    assert words(run) == ["Rankings depend on the clock (own)"]


def test_all_collections_together_have_equal_weights() -> None:
    """Scores: a 1, 1, 9; b 2, 2, 1. Geometric means 9 ** (1/3) = 2.1 and 4 ** (1/3) = 1.6; without the third 1, 2."""
    scores = {"x": (1.0, 2.0), "y": (1.0, 2.0), "z": (9.0, 1.0)}
    run = together(*(run_of({"a": [a], "b": [b]}, name) for name, (a, b) in scores.items()))
    assert of_rule(run, COLLECTIONS) == pytest.approx([1, 1, (9 / 4) ** (1 / 3)])
    assert words(run) == ["Rankings depend on the set of collections"]


def test_repetitions_are_averaged_within_puzzles_first() -> None:
    times = np.array([[[1.0, 1.0], [4.0, 6.0]], [[3.0, 3.0], [3.0, 3.0]]]).repeat(LEAST_PUZZLES, axis=1)
    run = a_run(times, ["a", "b"], np.ones(times.shape[1]), limit_s=LIMIT_S)
    assert of_rule(run, PAR_FACTOR) == [1]  # equal means: tied before and after


def test_only_strategies_and_collections_with_enough_times_are_ranked() -> None:
    times = np.array([[1.0], [2.0]]).repeat(LEAST_PUZZLES, axis=1)[:, :, None]
    fewer, enough = (a_run(part, ["a", "b"], np.ones(part.shape[1]), LIMIT_S) for part in (times[:, 1:], times))
    assert words(run_of({"a": [1.0]})) == words(fewer) == []
    assert len(words(enough)) == 1
    enough.measurements.loc[0, "status"] = "wrong"
    assert not swaps(Run(enough.manifest, enough.measurements, enough.puzzles))


def test_swaps_of_nearly_equal_strategies_are_not_reported() -> None:
    run = run_of({"a": [1.0, 1.0], "b": [1.01, 1.01]}, wall=0.5)
    assert of_rule(run, CLOCK) == [pytest.approx(1.01)]
    assert "are the same" in words(run)[0]
