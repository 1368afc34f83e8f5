"""The work of a lookahead search."""

from __future__ import annotations

import pytest

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty.estimate import UNKNOWN
from sudoku_bench.datasets.difficulty.lookahead import look_aheads
from tests.datasets.difficulty.slow_logic import Logic, State
from tests.datasets.rules import board


class SlowSearch(Logic):
    """The definition, with sets, on the stored form."""

    tries = 0

    def assume(self, state: State, cell: int, kept: set[int]) -> State | None:
        after = self.settle([state[cell] & kept if c == cell else set(left) for c, left in enumerate(state)])
        return None if self.contradicts(after) else after

    def look_ahead(self, state: State) -> State | None:
        before = None
        while before != state:
            before = state
            for cell in range(len(state)):
                for digit in sorted(state[cell]):
                    if digit not in state[cell] or len(state[cell]) == 1:
                        continue
                    self.tries += 1
                    if self.assume(state, cell, {digit}) is None:
                        after = self.assume(state, cell, state[cell] - {digit})
                        if after is None:
                            return None
                        state = after
        return state

    def search(self, state: State | None) -> bool:
        state = self.look_ahead(state) if state else None
        if state is None:
            return False
        cells = self.open_cells(state)
        if not cells:
            return True
        cell = min(cells, key=lambda cell: len(state[cell]))
        digit = min(state[cell])
        return self.search(self.assume(state, cell, {digit})) or self.search(
            self.assume(state, cell, state[cell] - {digit})
        )


def slow_look_aheads(puzzle: Puzzle) -> int:
    search = SlowSearch(puzzle)
    assert search.search(search.settle(search.start()))
    return search.tries


@pytest.mark.parametrize("tier", ["easy", "medium", "hard"])
def test_the_count_follows_the_definition(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the stored form, which each number of a form stands for here."""
    monkeypatch.setattr("sudoku_bench.datasets.difficulty.lookahead.form", lambda puzzle, _symmetry: puzzle)
    puzzle = load(tier).items[0].puzzle
    counted = look_aheads(puzzle, seed=1, forms=2)
    assert (counted.mean, counted.standard_error) == (slow_look_aheads(puzzle), 0)


def test_a_search_that_has_to_branch_follows_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_bench.datasets.difficulty.lookahead.form", lambda puzzle, _symmetry: puzzle)
    for puzzle in (board("." * 16), board("1.....3..4......")):
        counted = look_aheads(puzzle, seed=1, forms=2)
        assert counted.mean == slow_look_aheads(puzzle) > 0


def test_singles_need_no_look_ahead_and_forms_differ() -> None:
    easy, expert = load("easy").items[0].puzzle, load("expert").items[0].puzzle
    assert look_aheads(easy, seed=1).mean == 0
    one, other = look_aheads(expert, seed=1), look_aheads(expert, seed=2)
    assert one == look_aheads(expert, seed=1)
    assert one.mean != other.mean
    assert one.standard_error
    assert one.standard_error > 0


def test_searches_without_solution_or_beyond_the_limit_are_not_known() -> None:
    assert look_aheads(board("11" + "." * 14), seed=1) == UNKNOWN
    assert look_aheads(load("expert").items[0].puzzle, seed=1, max_tries=10) == UNKNOWN
