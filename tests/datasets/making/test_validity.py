"""Solutions and redundant clues of many 9×9 puzzles: the same as by searches of the reference kernel."""

from __future__ import annotations

import random

import numpy as np

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.making.generator import is_needed
from sudoku_bench.datasets.making.validity import Boards, validate
from sudoku_bench.datasets.search import solve

NINE = Shape(3, 3)


def boards(puzzles: list[Puzzle]) -> Boards:
    return np.frombuffer(b"".join(puzzle.cell_bytes for puzzle in puzzles), dtype=np.uint8).reshape(-1, 81)


def with_more_clues(puzzle: Puzzle, number: int, seed: int) -> Puzzle:
    solution = solve(puzzle, limit=1).solutions[0]
    more = set(random.Random(seed).sample([cell for cell in range(81) if not puzzle.cells[cell]], number))
    return Puzzle(NINE, tuple(solution[k] if k in more else value for k, value in enumerate(puzzle.cells)))


def without(puzzle: Puzzle, cell: int) -> Puzzle:
    return Puzzle(NINE, (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]))


def needless(puzzle: Puzzle) -> list[int]:
    """The redundant clues, each by searches of the reference kernel."""
    solution = solve(puzzle, limit=1).solutions[0]
    clues = [cell for cell in range(81) if puzzle.cells[cell]]
    return [cell for cell in clues if not is_needed(without(puzzle, cell), solution, cell)]


def test_redundant_clues_are_those_of_the_reference_kernel() -> None:
    puzzles = [item.puzzle for name in ("easy", "expert", "size9") for item in load(name).items[:12]]
    puzzles += [with_more_clues(puzzle, seed % 40, seed) for seed, puzzle in enumerate(puzzles)]
    found = validate(boards(puzzles), 1 << 62)
    assert set(found.solutions.tolist()) == {1}
    assert [np.flatnonzero(row).tolist() for row in found.redundant] == list(map(needless, puzzles))
    assert found.redundant[: 2 * 12].sum() == 0 < found.redundant.sum()


def test_solutions_are_counted_up_to_two() -> None:
    several = [item.puzzle for item in load("multiple").items if item.puzzle.shape == NINE]
    none = [item.puzzle for item in load("contradictory").items if item.puzzle.shape == NINE]
    one = [item.puzzle for item in load("hard").items[:10]]
    clash = Puzzle(NINE, (5, 5, *[0] * 79))
    full = Puzzle(NINE, solve(one[0]).solutions[0])
    found = validate(boards([*several, *none, *one, Puzzle(NINE, (0,) * 81), clash, full]), 1 << 62)
    assert found.solutions.tolist() == [2] * len(several) + [0] * len(none) + [1] * len(one) + [2, 0, 1]
    assert not found.redundant[:-1].any()
    assert found.redundant[-1].all()
