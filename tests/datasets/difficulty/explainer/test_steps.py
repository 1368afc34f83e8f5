"""The steps of a solution: sound, complete, in line with the rating, and explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from datasets import Puzzle
from datasets.collections.catalogue import load
from datasets.difficulty.explainer import explain
from datasets.difficulty.explainer.steps import Step, steps
from datasets.search import solve
from tests.datasets.difficulty.slow_logic import Logic
from tests.datasets.rules import PRINTED, board

pytestmark = pytest.mark.slow


def puzzles() -> Iterator[Puzzle]:
    for tier in ("easy", "medium", "hard", "expert"):
        yield from (item.puzzle for item in load(tier).items[12:20])


@pytest.fixture(scope="module")
def explained() -> list[tuple[Puzzle, tuple[Step, ...]]]:
    return [(puzzle, steps(puzzle)) for puzzle in puzzles()]


def test_every_step_agrees_with_the_solution(explained) -> None:
    """It fills the right digit, or eliminates candidates that are there and false; at the end, all cells are full."""
    for puzzle, path in explained:
        solution = solve(puzzle).solutions[0]
        logic = Logic(puzzle)
        left = [set() if value else set(range(1, 10)) for value in puzzle.cells]

        def fill(cell: int, digit: int, left=left, logic=logic) -> None:
            left[cell] = set()
            for peer in logic.peers[cell]:
                left[peer].discard(digit)

        for cell, value in enumerate(puzzle.cells):
            if value:
                fill(cell, value)
        for step in path:
            if step.placed:
                cell, digit = step.placed
                assert digit == solution[cell]
                assert digit in left[cell]
                fill(cell, digit)
            else:
                assert step.eliminated
            for cell, digit in step.eliminated:
                assert digit != solution[cell], step.text
                assert digit in left[cell], step.text
                left[cell].discard(digit)
        assert not any(left)


def test_steps_have_the_ratings_of_the_puzzle(explained) -> None:
    for puzzle, path in explained:
        first = next(number for number, step in enumerate(path) if step.placed)
        ratings = [step.rating for step in path]
        rated = explain(puzzle)
        assert (rated.er, rated.ep, rated.ed) == (max(ratings), max(ratings[: first + 1]), ratings[0])


def test_many_techniques_are_used_and_explained(explained) -> None:
    used = Counter(step.technique for _, path in explained for step in path)
    assert len(used) >= 15
    for _, path in explained:
        for step in path:
            assert step.text.startswith(f"{step.rating:.1f} {step.technique}: r")
            assert all(reason.endswith(".") for reason in step.reasons)
            assert step.reasons


def test_an_explanation_names_cells_digits_and_units() -> None:
    path = steps(board(PRINTED["004"][0]))
    texts = {step.technique: step.text for step in path}
    assert " is the only place for " in texts["hidden single in a box"]
    assert "all places for" in texts["pointing"]
    assert any(f"box {number}" in texts["pointing"] for number in range(1, 10))


def test_the_limit_of_work_ends_the_steps() -> None:
    monster = board(PRINTED["001"][0])
    assert steps(monster, work=0) == ()


def test_only_puzzles_with_one_solution_are_explained() -> None:
    with pytest.raises(ValueError, match="exactly one solution"):
        steps(board("." * 81))
    with pytest.raises(ValueError, match="9×9"):
        steps(board("." * 16))
