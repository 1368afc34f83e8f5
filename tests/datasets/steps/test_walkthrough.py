"""The steps of a solution, replayed by an independent check, and compared with the compiled explainer scale."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty.explainer import explain
from sudoku_bench.datasets.difficulty.explainer.scale import climb, start
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.steps.board import Step
from sudoku_bench.datasets.steps.walkthrough import GUESS, walkthrough
from sudoku_bench.datasets.steps.words import line, result, summary
from tests.datasets.all_grids import FURTHER
from tests.datasets.rules import units
from tests.solvers.boards import cases

TIERS = ("easy", "medium", "hard", "expert", "hardest")
OTHERS = ("size4", "size6", "size12", "size16")
NUMBER = 40
TOP = 4.4  # the rating of an XYZ-wing, the hardest rule here

Solved = tuple[Puzzle, Sequence[int], tuple[Step, ...]]


@functools.cache
def solved(tier: str, number: int = NUMBER) -> list[Solved]:
    found = []
    for item in load(tier).items[:number]:
        [solution] = solve(item.puzzle, limit=2).solutions
        found.append((item.puzzle, solution, walkthrough(item.puzzle, solution)))
    return found


class Replay:
    """A board as sets of candidates only, on which steps are checked."""

    def __init__(self, puzzle: Puzzle, every: Sequence[Sequence[int]] = ()) -> None:
        every = every or list(units(puzzle.shape))
        self.groups = [unit for unit in every if len(unit) == puzzle.shape.size]
        self.peers = [
            {peer for unit in every if cell in unit for peer in unit} - {cell} for cell in range(len(puzzle.cells))
        ]
        digits = set(range(1, puzzle.shape.size + 1))
        self.left = [set() if value else set(digits) for value in puzzle.cells]
        for cell, digit in puzzle.forbidden:
            self.left[cell].discard(digit)
        self.values = list(puzzle.cells)
        for cell, value in enumerate(puzzle.cells):
            if value:
                self.fill(cell, value)

    def fill(self, cell: int, digit: int) -> None:
        self.values[cell], self.left[cell] = digit, set()
        for peer in self.peers[cell]:
            self.left[peer].discard(digit)

    def has_single(self) -> bool:
        """Return whether a cell has one candidate, or a digit one place in a unit."""
        if any(len(digits) == 1 for digits in self.left):
            return True
        return any(1 in Counter(d for cell in unit for d in self.left[cell]).values() for unit in self.groups)

    def is_hidden_single(self, cell: int, digit: int) -> bool:
        return any(cell in unit and [c for c in unit if digit in self.left[c]] == [cell] for unit in self.groups)

    def take(self, step: Step, solution: Sequence[int]) -> None:
        """Check that a step is sound and does something, and apply it."""
        assert bool(step.placed) != bool(step.eliminated), step
        assert step.because
        for cell, digit in (*step.eliminated, *([step.placed] if step.placed else [])):
            assert digit in self.left[cell], step
            assert (digit == solution[cell]) == bool(step.placed), step
        if step.placed:
            if step.technique == GUESS:
                assert not self.has_single()
            elif step.technique == "naked single":
                assert len(self.left[step.placed[0]]) == 1, step
            elif not step.technique.startswith("direct"):
                assert self.is_hidden_single(*step.placed), step
        self.apply(step)

    def apply(self, step: Step) -> None:
        if step.placed:
            self.fill(*step.placed)
        for cell, digit in step.eliminated:
            self.left[cell].discard(digit)


def replay(puzzle: Puzzle, solution: Sequence[int], steps: Sequence[Step], every: Sequence[Sequence[int]] = ()) -> None:
    """Check every step, and that they end at the solution."""
    board = Replay(puzzle, every)
    for step in steps:
        board.take(step, solution)
    assert board.values == list(solution)


@pytest.mark.parametrize("tier", TIERS)
def test_puzzles_of_each_tier_are_solved_by_sound_steps(tier: str) -> None:
    assert len(solved(tier)) == NUMBER
    for puzzle, solution, steps in solved(tier):
        replay(puzzle, solution, steps)


@pytest.mark.parametrize("tier", TIERS)
def test_the_hardest_step_is_the_rating_and_a_guess_means_beyond_it(tier: str) -> None:
    for puzzle, _, steps in solved(tier):
        rated = explain(puzzle, work=0)
        guesses = sum(step.technique == GUESS for step in steps)
        assert bool(guesses) == (rated.er > TOP), puzzle.text
        if not guesses:
            first = next(number for number, step in enumerate(steps) if step.placed)
            ratings = [step.rating for step in steps]
            assert (rated.er, rated.ep, rated.ed) == (max(ratings), max(ratings[: first + 1]), ratings[0]), puzzle.text


@pytest.mark.parametrize("tier", TIERS)
def test_steps_before_a_guess_are_those_of_the_explainer(tier: str) -> None:
    """Each has the same rating and effect, in the same order."""
    for puzzle, _, steps in solved(tier):
        ours, board = Replay(puzzle), start(puzzle)
        easy = takewhile(lambda step: step[0] >= 0 and step[1] <= 10 * TOP, climb(board, work=0))
        for step, (_, rating, places) in zip(takewhile(lambda s: s.technique != GUESS, steps), easy, strict=True):
            ours.apply(step)
            assert (round(10 * step.rating), bool(step.placed)) == (rating, places), step
            assert [sum(1 << digit - 1 for digit in left) for left in ours.left] == board.cand.tolist(), step


@pytest.mark.parametrize("tier", OTHERS)
def test_boards_of_other_shapes_are_solved_by_sound_steps(tier: str) -> None:
    for puzzle, solution, steps in solved(tier, 5):
        replay(puzzle, solution, steps)


@pytest.mark.parametrize("layout", FURTHER)
@pytest.mark.parametrize("pencilmarks", [False, True])
def test_boards_of_other_layouts_are_solved_by_sound_steps(layout: str, pencilmarks: bool) -> None:
    lines = [[4 * k + j for j in range(4)] for k in range(4)] + [[4 * j + k for j in range(4)] for k in range(4)]
    for puzzle, number in cases(layout, pencilmarks):
        if number == 1:
            [solution] = solve(puzzle, limit=2).solutions
            replay(puzzle, solution, walkthrough(puzzle, solution), [*lines, *FURTHER[layout]])


@pytest.mark.parametrize("name", ["x", "windoku", "jigsaw", "pencilmark"])
def test_steps_of_collections_on_other_boards_are_sound_and_name_their_units(name: str) -> None:
    texts = []
    for puzzle, solution, steps in solved(name, 5):
        replay(puzzle, solution, steps, puzzle.shape.units)
        texts += [line(puzzle.shape, step) for step in steps]
    kind = {"x": "diagonal", "windoku": "window", "jigsaw": "region", "pencilmark": "box"}[name]
    assert any(f"hidden single in a {kind}" in text for text in texts)


def test_every_rule_is_used_and_says_why() -> None:
    steps = [(puzzle, step) for tier in TIERS for puzzle, _, found in solved(tier) for step in found]
    used = {step.technique: line(puzzle.shape, step) for puzzle, step in steps}
    assert len(used) >= 17
    assert all(text.endswith(".") for text in used.values())
    assert "is the only place for " in used["hidden single in a box"]
    assert "together hold " in used["naked pair"]
    assert "can only be in column " in used["X-wing"] or "can only be in row " in used["X-wing"]
    assert used[GUESS].startswith("guess: r")


EASY = "..4.87.9..8...95.2..65.4..8.6.........9163.8...74.....91......5...37.2....2......"


def test_steps_read_as_sentences() -> None:
    puzzle = parse(EASY)
    [solution] = solve(puzzle, limit=2).solutions
    steps = walkthrough(puzzle, solution)
    first = steps[0]
    assert line(puzzle.shape, first).startswith(f"{first.rating:.1f} {first.technique}: r")
    assert summary(steps).startswith(f"{len(steps)} steps, hardest ")
    assert summary(steps).endswith("no guess")
    several = Step(2.6, "pointing", None, ((0, 3), (1, 3), (9, 4)), (2,), "in box 1, ...")
    assert result(Shape(3, 3), several) == "r1c1 and r1c2 are not 3, r2c1 is not 4"


def test_an_empty_board_is_guessed_to_the_given_solution() -> None:
    puzzle = Puzzle(Shape(2, 2), (0,) * 16)
    solution = solve(puzzle, limit=1).solutions[0]
    steps = walkthrough(puzzle, solution)
    replay(puzzle, solution, steps)
    assert steps[0].technique == GUESS
    assert steps[0].reason == "no rule applies; r1c1 could be 1, 2, 3 or 4."


def test_a_full_board_needs_no_step() -> None:
    puzzle = Puzzle(Shape(2, 2), (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    assert walkthrough(puzzle, puzzle.cells) == ()
    assert summary(()) == "0 steps, no guess"
