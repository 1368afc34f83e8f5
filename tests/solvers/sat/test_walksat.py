"""WalkSAT: finds solutions under several encodings, is deterministic, and gives up on contradictions."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_bench.datasets.bits import random_state
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import GaveUp, registry
from sudoku_bench.solvers.sat import walksat
from sudoku_bench.solvers.sat.packed import pack
from sudoku_bench.solvers.sat.walk import walk
from sudoku_bench.solvers.strategy import FIRST
from tests.solvers.solving import answer, prepared


@pytest.mark.parametrize("model", ["complete+pairwise+substituted", "minimal+pairwise", "complete+product+reduced"])
def test_solutions_are_found_under_several_encodings(model: str, puzzles) -> None:
    flips, puzzle = [], puzzles["6x6"]["hard"]
    for _ in range(2):
        strategy = prepared(f"walksat:{model}", puzzle.shape)
        assert answer_fault(puzzle, answer(strategy, puzzle, FIRST), 1) is None
        flips.append(strategy.counters()["flips"])
    assert flips[0] == flips[1]


def test_a_contradiction_is_given_up(puzzles, monkeypatch) -> None:
    monkeypatch.setattr(walksat, "FLIPS", 1000)
    puzzle = puzzles["4x4"]["same_clue_in_a_row"]
    strategy = prepared("walksat:complete+pairwise", puzzle.shape)
    with pytest.raises(GaveUp, match="after 1000 flips"):
        answer(strategy, puzzle, FIRST)
    assert strategy.counters()["flips"] == 1000


@pytest.mark.parametrize("name", ["walksat:complete+native", "walksat:log+assumptions", "walksat:nothing"])
def test_a_name_that_makes_no_strategy_is_an_input_error(name: str) -> None:
    registry.load_builtin()
    with pytest.raises(InputError):
        registry.get(name)


def test_a_walk_ends_with_an_assignment_that_satisfies_every_clause() -> None:
    clauses = [[1, 2], [-1, 3], [-3, -2], [2, -3], [-1, 2, 3], [4, -4]]
    true = np.array([False, False] + [False, True] * 4)
    assert walk(pack(clauses, 4), true, 50, 1000, random_state(1)) >= 0
    assert all(any(true[2 * x] if x > 0 else true[-2 * x + 1] for x in clause) for clause in clauses)
    assert all(true[2 * x] != true[2 * x + 1] for x in range(1, 5))
    contradiction = pack([[1], [-1]], 1)
    assert walk(contradiction, np.array([False, False, False, True]), 50, 100, random_state(1)) == -1
