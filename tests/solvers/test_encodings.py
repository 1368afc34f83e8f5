"""Encodings: exact sizes, and that they say what the rules of Sudoku say."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from datasets import search
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from datasets.verify import solution_fault
from solvers.encodings import ENCODINGS, Size, clue_units, size, solution_of, variable

SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3)]
NINE = Shape(3, 3)


def named(shape: Shape) -> str:
    return shape.name


@pytest.mark.parametrize(
    ("encoding", "exact"),
    [
        ("minimal", Size(variables=729, clauses=8829, literals=18225)),
        ("natural", Size(variables=729, clauses=11745, literals=24057)),
        ("complete", Size(variables=729, clauses=11988, literals=26244)),
    ],
)
def test_sizes_at_9x9(encoding, exact):
    assert size(ENCODINGS[encoding](NINE)) == exact


@pytest.mark.parametrize(("encoding", "exact"), [("minimal", 7371), ("natural", 10287), ("complete", 10530)])
def test_distinct_clauses_at_9x9(encoding, exact):
    assert len(set(map(frozenset, ENCODINGS[encoding](NINE)))) == exact


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_sizes_follow_the_general_formulas(n):
    shape = Shape(n, n)
    rows = n * n
    cells, pairs = rows**2, comb(rows, 2)
    formulas = {
        "minimal": Size(rows**3, cells + 3 * cells * pairs, cells * rows + 2 * 3 * cells * pairs),
        "natural": Size(rows**3, cells + 4 * cells * pairs, cells * rows + 2 * 4 * cells * pairs),
        "complete": Size(rows**3, 4 * cells * (1 + pairs), 4 * cells * (rows + 2 * pairs)),
    }
    assert {name: size(ENCODINGS[name](shape)) for name in formulas} == formulas


@pytest.mark.parametrize("n", [2, 3, 4])
def test_complete_repeats_the_pairs_that_a_box_shares_with_a_line(n):
    clauses = ENCODINGS["complete"](Shape(n, n))
    assert len(clauses) - len(set(map(frozenset, clauses))) == (n * n) ** 3 * (n - 1)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_empty_4x4_board_has_288_solutions(encoding):
    shape = Shape(2, 2)
    assert len(solutions_of_clauses(shape, ENCODINGS[encoding](shape), limit=300)) == 288


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 2)], ids=named)
def test_a_6x6_board_has_the_solutions_that_the_search_kernel_finds(encoding, shape):
    puzzle = Puzzle(shape, (1, 2, 3, 4, 5, 6, *(0,) * 18, 0, 5, 0, 0, 0, 1, 6, *(0,) * 5))
    found = search.solve(puzzle, limit=1000).solutions
    clauses = ENCODINGS[encoding](shape) + clue_units(shape, puzzle.cells)
    assert 1 < len(found) < 1000
    assert solutions_of_clauses(shape, clauses, limit=1000) == set(found)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("shape", SHAPES, ids=named)
def test_a_right_grid_obeys_the_clauses_and_a_wrong_one_does_not(encoding, shape):
    clauses = ENCODINGS[encoding](shape)

    @given(seed=st.integers(0, 2**63), cell=st.integers(0, shape.n_cells - 1), step=st.integers(1, shape.size - 1))
    def check(seed, cell, step):
        [right] = search.solve(Puzzle(shape, (0,) * shape.n_cells), limit=1, seed=seed).solutions
        wrong = list(right)
        wrong[cell] = (wrong[cell] - 1 + step) % shape.size + 1
        with Solver(name="glucose4", bootstrap_with=clauses) as solver:
            assert solver.solve(assumptions=[clause[0] for clause in clue_units(shape, right)])
            assert not solver.solve(assumptions=[clause[0] for clause in clue_units(shape, wrong)])

    check()


@pytest.mark.parametrize("shape", SHAPES, ids=named)
def test_cell_variables_are_1_to_n_cubed_without_gaps(shape):
    values = range(1, shape.size + 1)
    numbers = [variable(shape, cell, value) for cell in range(shape.n_cells) for value in values]
    assert numbers == list(range(1, shape.size**3 + 1))


@pytest.mark.parametrize("shape", SHAPES, ids=named)
def test_a_grid_survives_the_way_to_variables_and_back(shape):
    @given(st.lists(st.integers(0, shape.size), min_size=shape.n_cells, max_size=shape.n_cells))
    def check(cells):
        true = {clause[0] for clause in clue_units(shape, cells)}
        model = [v if v in true else -v for v in range(1, shape.size**3 + 1)]
        assert solution_of(shape, model) == cells
        assert solution_of(shape, sorted(true)) == cells

    check()


def test_auxiliary_variables_are_no_cells():
    shape = Shape(2, 2)
    assert solution_of(shape, [64, 65, 66, 1000]) == [0] * 15 + [4]


def test_a_clue_is_a_unit_clause():
    shape = Shape(2, 2)
    assert clue_units(shape, [0, 3, *[0] * 13, 1]) == [[7], [61]]


def solutions_of_clauses(shape: Shape, clauses: list[list[int]], limit: int) -> set[tuple[int, ...]]:
    """Up to ``limit`` solutions, projected on the cell variables."""
    found = set()
    values = range(1, shape.size + 1)
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        while len(found) < limit and solver.solve():
            true = set(solver.get_model())
            cells = tuple(next(v for v in values if cell * shape.size + v in true) for cell in range(shape.n_cells))
            assert solution_fault(Puzzle(shape, (0,) * shape.n_cells), cells) is None
            assert cells not in found
            found.add(cells)
            solver.add_clause([-(cell * shape.size + value) for cell, value in enumerate(cells)])
    return found
