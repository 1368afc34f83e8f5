"""``guesses``, the search difficulty: the mean number of guesses against its definition.

``test_rating.py`` tests ``rate``, which gathers all measures of a puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from statistics import mean

import pytest

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.difficulty.rating import UNKNOWN, Estimate, guesses
from tests.datasets.rules import PRINTED, board, units

Grid = tuple[frozenset[int], ...]


def after_singles(groups: list[list[int]], before: Iterable[Iterable[int]]) -> Grid | None:
    """Candidates after all naked and hidden singles; None where a cell or a digit of a unit has nothing left."""
    grid = list(map(frozenset, before))
    while True:
        last = list(grid)
        for group, cell in ((g, c) for g in groups for c in g if len(grid[c]) == 1):
            for other in group:
                grid[other] -= grid[cell] if other != cell else frozenset()
        for group, digit in product(groups, range(1, len(groups[0]) + 1)):
            places = [cell for cell in group if digit in grid[cell]]
            if not places:
                return None
            if len(places) == 1:
                grid[places[0]] &= {digit}
        if not all(grid):
            return None
        if grid == last:
            return tuple(grid)


def expected_guesses(puzzle: Puzzle) -> float:
    """The exact mean over all orders, from the definition.

    A guess is a value tried, right or wrong, at a cell with the fewest candidates when singles make no more progress;
    guesses count until the first solution.
    """
    groups = list(units(puzzle.shape))
    digits = range(1, puzzle.shape.size + 1)

    @cache
    def search(grid: Grid | None) -> tuple[float, bool]:
        """Mean guesses from here, and whether there is a solution."""
        if grid is None or all(len(left) == 1 for left in grid):
            return 0.0, grid is not None
        fewest = min(len(left) for left in grid if len(left) > 1)
        results = [branch(grid, cell) for cell, left in enumerate(grid) if len(left) == fewest]
        return mean(cost for cost, _ in results), results[0][1]

    def branch(grid: Grid, cell: int) -> tuple[float, bool]:
        costs: dict[bool, list[float]] = {True: [], False: []}
        for digit in grid[cell]:
            cost, solved = search(after_singles(groups, (*grid[:cell], {digit}, *grid[cell + 1 :])))
            costs[solved].append(1 + cost)
        # A wrong value is tried if it comes before all right values; exactly one right value is tried.
        wrong, right = sum(costs[False]) / (len(costs[True]) + 1), costs[True]
        return wrong + (mean(right) if right else 0), bool(right)

    return search(after_singles(groups, ([v] if v else digits for v in puzzle.cells)))[0]


@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(board("12" + "." * 14), id="4x4"),
        pytest.param(board("2...1..5.........6...4....6..2.2..3."), id="6x6"),
        pytest.param(board("4..2...1..4..5.4.3....1........36..."), id="6x6 again"),
        pytest.param(board(".51.2.2..........1.6.......4.34....6"), id="6x6 once more"),
        pytest.param(board(PRINTED["002"][0]), id="9x9"),
    ],
)
def test_the_mean_agrees_with_the_definition(puzzle: Puzzle) -> None:
    result = guesses(puzzle, seed=1, orders=4000)
    assert result.mean is not None
    assert result.standard_error is not None
    assert result.mean > 0
    assert abs(result.mean - expected_guesses(puzzle)) < 5 * result.standard_error + 1e-9


def test_a_search_that_gives_up_has_no_known_mean() -> None:
    puzzle = board(PRINTED["001"][0])
    assert guesses(puzzle, seed=1, max_guesses=3) == UNKNOWN
    assert guesses(puzzle, seed=1, max_guesses=100) == UNKNOWN  # some orders need fewer
    assert guesses(board(PRINTED["000a"][0]), seed=1, max_guesses=0) == Estimate(0.0, 0.0)
