"""The steps of a solution, replayed by an independent check."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence

import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.steps.board import Step
from sudoku_bench.datasets.steps.walkthrough import GUESS, walkthrough
from sudoku_bench.datasets.steps.words import line, result, summary
from tests.datasets.all_grids import FURTHER
from tests.datasets.rules import units
from tests.solvers.boards import cases

TIERS = ("easy", "medium", "hard", "expert", "hardest")
OTHERS = {"size4": "box", "size6": "box", "size12": "box", "size16": "box", "x": "diagonal", "windoku": "window"}
OTHERS |= {"jigsaw": "region", "pencilmark": "box"}  # a kind of their units
NUMBER = 40

Solved = tuple[Puzzle, Sequence[int], tuple[Step, ...]]


@functools.cache
def solved(tier: str, number: int = NUMBER) -> list[Solved]:
    puzzles = [item.puzzle for item in load(tier).items[:number]]
    solutions = [solve(puzzle, limit=2).solutions for puzzle in puzzles]
    return [(puzzle, one, walkthrough(puzzle, one)) for puzzle, (one,) in zip(puzzles, solutions, strict=True)]


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


@pytest.mark.parametrize("name", OTHERS)
def test_steps_on_other_boards_are_sound_and_name_their_units(name: str) -> None:
    texts = []
    for puzzle, solution, steps in solved(name, 5):
        replay(puzzle, solution, steps, puzzle.shape.units)
        texts += [line(puzzle.shape, step) for step in steps]
    assert any(f"hidden single in a {OTHERS[name]}" in text for text in texts)


@pytest.mark.parametrize("layout", FURTHER)
@pytest.mark.parametrize("pencilmarks", [False, True])
def test_boards_of_other_layouts_are_solved_by_sound_steps(layout: str, pencilmarks: bool) -> None:
    lines = [[4 * k + j for j in range(4)] for k in range(4)] + [[4 * j + k for j in range(4)] for k in range(4)]
    for puzzle, number in cases(layout, pencilmarks):
        if number == 1:
            [solution] = solve(puzzle, limit=2).solutions
            replay(puzzle, solution, walkthrough(puzzle, solution), [*lines, *FURTHER[layout]])


def test_every_rule_is_used_and_says_why() -> None:
    steps = [(puzzle, step) for tier in TIERS for puzzle, _, found in solved(tier) for step in found]
    used = {step.technique: line(puzzle.shape, step) for puzzle, step in steps}
    assert len(used) >= 18
    assert all(text.endswith(".") for text in used.values())
    assert "is the only place for " in used["hidden single in a box"]
    assert "together hold " in used["naked pair"]
    assert "can only be in column " in used["X-wing"] or "can only be in row " in used["X-wing"]
    assert "could exchange " in used["unique rectangle"]
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
