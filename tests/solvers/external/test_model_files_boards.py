"""Models of every layout, with clues and pencilmarks, read by a few lines of this file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers.external.model_files import flatzinc, minizinc
from tests.datasets.all_grids import FURTHER, grids
from tests.solvers.boards import cases


def boards(layout: str) -> Iterator[Puzzle]:
    for marks in (False, True):
        yield from (puzzle for puzzle, _ in cases(layout, marks))


def right_grids(layout: str, puzzle: Puzzle) -> set[tuple[int, ...]]:
    masks = puzzle.board.candidates
    return {grid for grid in grids(FURTHER[layout]) if all(m >> v - 1 & 1 for m, v in zip(masks, grid, strict=True))}


@pytest.mark.parametrize("layout", FURTHER)
@pytest.mark.parametrize("model", [minizinc, flatzinc])
def test_models_have_the_solutions_of_the_puzzle(model: Callable[..., Iterator[str]], layout: str) -> None:
    for puzzle in boards(layout):
        right = sorted(right_grids(layout, puzzle))
        assert sorted(solutions(list(model(puzzle, [])))) == right, puzzle
        assert sorted(solutions(list(model(puzzle, right[:1])))) == right[1:], puzzle


def solutions(lines: list[str]) -> list[tuple[int, ...]]:
    """The solutions of a 4×4 model in the words that the two languages have for Sudoku."""
    text = "\n".join(lines).replace("[", "").replace("]", "")
    domains = [{1, 2, 3, 4} for _ in range(16)]
    for low, high, cell in re.findall(r"^var (\d)\.\.(\d): x(\d+);", text, re.MULTILINE):
        domains[int(cell) - 1] &= {*range(int(low), int(high) + 1)}
    for values, cell in re.findall(r"^var \{(.+)\}: x(\d+);", text, re.MULTILINE):
        domains[int(cell) - 1] &= {*map(int, values.split(","))}
    for cell, sign, value in re.findall(r"^constraint x(\d+) (!?=) (\d);", text, re.MULTILINE):
        domains[int(cell) - 1] &= {int(value)} if sign == "=" else {1, 2, 3, 4} - {int(value)}
    differ = {tuple(map(int, pair)) for pair in re.findall(r"int_ne\(x(\d+), x(\d+)\)", text)}
    for unit in re.findall(r"alldifferent\((.*)\)", text):
        differ |= set(combinations(map(int, re.findall(r"x(\d+)", unit)), 2))
    excluded = re.findall(r"int_ne_reif\(x\d+, (\d),", text) or re.findall(r"x\d+ != (\d)(?: \\/|;\nsolve)", text)
    found: list[tuple[int, ...]] = [()]
    for cell, domain in enumerate(domains, start=1):
        near = [other - 1 for pair in differ if cell == max(pair) for other in pair if other < cell]
        found = [(*grid, v) for grid in found for v in domain if all(grid[other] != v for other in near)]
    return [grid for grid in found if list(grid) != list(map(int, excluded))]
