"""Families of strategies beyond the contract: agreement on random boards, counters, giving up, memory."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import search
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from tests.conftest import TOP
from tests.solvers.solving import answer, prepared

IN_PLAIN_PYTHON = (
    "backtracking:plain",
    "backtracking:fewest",
    "propagation:bitmask",
    "exact-cover:algorithm-x",
    "exact-cover:dancing-links",
    "portfolio:probe",
)


@pytest.mark.parametrize("name", IN_PLAIN_PYTHON)
@settings(max_examples=25)
@given(data=st.data())
def test_any_clues_have_as_many_solutions_as_the_search_kernel_finds(name: str, data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([Shape(2, 2), Shape(1, 3), Shape(2, 3), Shape(3, 2)]))
    clues = st.integers(-shape.size, shape.size).map(lambda value: max(value, 0))  # half of the cells are empty
    puzzle = Puzzle(shape, tuple(data.draw(st.lists(clues, min_size=shape.n_cells, max_size=shape.n_cells))))
    solutions = answer(prepared(name, shape), puzzle, "count:4")
    assert answer_fault(puzzle, solutions, len(search.solve(puzzle, 4).solutions)) is None


@pytest.mark.parametrize("name", IN_PLAIN_PYTHON[:-1])  # generating the portfolio's clauses takes long on such boards
def test_large_boards_do_not_exceed_the_recursion_limit(name: str) -> None:
    shape = Shape(5, 7)
    n = shape.size
    rows = [[(r % 5 * 7 + r // 5 + c) % n + 1 for c in range(n)] for r in range(n)]
    cells = [value for row in rows for value in row]
    assert answer_fault(Puzzle(shape, tuple(cells)), [cells], 1) is None
    cells[0] = cells[40] = 0
    assert len(answer(prepared(name, shape), Puzzle(shape, tuple(cells)), "unique")) == 1


def test_the_portfolio_passes_on_puzzles_that_its_probe_cannot_solve(puzzles, monkeypatch) -> None:
    from sudoku_bench.solvers.search import portfolio

    strategy = prepared("portfolio:probe", Shape(3, 3))
    hard, expected = puzzles["9x9"]["hard"], search.solve(puzzles["9x9"]["hard"]).solutions
    assert [tuple(cells) for cells in answer(strategy, hard, "unique")] == list(expected)
    alone = strategy.counters()
    assert alone["picked_sat"] == 0
    monkeypatch.setattr(portfolio, "PROBE", 2)
    assert [tuple(cells) for cells in answer(strategy, hard, "unique")] == list(expected)
    assert strategy.counters()["picked_sat"] == 1
    assert strategy.counters()["guesses"] == 2 < alone["guesses"]
    assert answer(strategy, puzzles["9x9"]["deep_contradiction"], "unique") == []


@pytest.mark.parametrize("name", ["smt:pseudo-boolean", "parity:complete", "asp:choice"])
def test_memory_does_not_grow(name: str) -> None:
    """Strategies that allocate memory not managed by Python; ``make perf`` tests all of them, with 1,000 puzzles."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.solvers.memory", name, "200"]
    process = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True)
    assert float(process.stdout) < 8
