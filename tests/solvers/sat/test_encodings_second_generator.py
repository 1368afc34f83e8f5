"""The newer encodings and schemes against a second generator: sizes, solutions, and what propagation derives."""

from __future__ import annotations

from functools import cache

import pytest
from pysat.solvers import Solver

from bench.run.strength import random_states
from datasets import search
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.sat.encodings import build, every_name
from solvers.sat.strength.prober import Prober, State
from tests.solvers.sat import second_generator
from tests.solvers.sat.second_generator import Formula

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

MAKERS = {
    "irredundant": second_generator.irredundant,
    "order-hints": second_generator.order_hints,
    "hall-pairs": second_generator.hall_pairs,
    "diagrams": second_generator.diagrams,
    "complete+heule": second_generator.complete_heule,
    "complete+tree": second_generator.complete_tree,
}
LARGEST = {"diagrams": 12}  # no larger boards are encoded
SHAPES = [Shape.of_size(n) for n in (4, 6, 9, 12, 16)]
CASES = [(name, shape) for name in MAKERS for shape in SHAPES if shape.size <= LARGEST.get(name, 16)]


@cache
def second(name: str, shape: Shape) -> Formula:
    return MAKERS[name](shape.box_rows, shape.box_cols)


def of_cases(test):
    ids = [f"{name}-{shape.name}" for name, shape in CASES]
    return pytest.mark.parametrize(("name", "shape"), CASES, ids=ids)(test)


@of_cases
def test_sizes(name: str, shape: Shape) -> None:
    size = build(name, shape).size
    assert (size.variables, size.clauses, size.literals) == second(name, shape).size


@of_cases
def test_unit_propagation_derives_the_same(name: str, shape: Shape) -> None:
    prober, formula = Prober(build(name, shape)), second(name, shape)
    states = [
        State(state.cells, state.excluded if prober.one_hot else frozenset())
        for state in random_states(shape, 8 if shape.size < 12 else 3, seed=5)
    ]
    with Solver(name="minisat22", bootstrap_with=formula.clauses) as solver:
        expected = [left_of(formula, solver, shape, state) for state in states]
    assert [prober.unit_propagation(state) for state in states] == expected
    assert len(set(expected)) > 1


def left_of(formula: Formula, solver: Solver, shape: Shape, state: State) -> int:
    """The candidates that MiniSat's propagation leaves, as bits."""
    assumed = [literal for cell, v in enumerate(state.cells) if v for literal in stated(formula, shape, cell, v)]
    assumed += [-literal for cell, v in state.excluded for literal in stated(formula, shape, cell, v)]
    consistent, implied = solver.propagate(assumptions=assumed)
    false = {-literal for literal in implied}
    candidates = ((cell, v) for cell in range(shape.n_cells) for v in range(1, shape.size + 1))
    possible = (not false.intersection(stated(formula, shape, *candidate)) for candidate in candidates)
    return sum(1 << place for place, one in enumerate(possible) if one) if consistent else 0


def stated(formula: Formula, shape: Shape, cell: int, value: int) -> list[int]:
    """The literals that state a value: its own variable, or more than the value before and not more than itself."""
    place, v = divmod(cell, shape.size), value - 1
    if ("x", 0, 0, 0) in formula.numbers:
        return [formula.number(("x", *place, v))]
    more = [formula.number(("more", *place, k)) for k in range(shape.size - 1)]
    return [*more[max(0, v - 1) : v], *(-one for one in more[v : v + 1])]


@of_cases
def test_both_have_the_same_solutions(name: str, shape: Shape) -> None:
    """Of a board with as many clues as leave a few solutions, projected on the cells."""
    puzzle = with_few_solutions(shape)
    expected = {tuple(cells) for cells in search.solve(puzzle, limit=50).solutions}
    assert 1 < len(expected) < 50
    formula = second(name, shape)
    with Solver(name="cadical195", bootstrap_with=formula.clauses) as solver:
        assert grids(formula, solver, puzzle) == expected
    encoding = build(name, shape)
    with Solver(name="cadical195", bootstrap_with=encoding.clauses()) as solver:
        clues = [x for cell, v in enumerate(puzzle.cells) if v for x in encoding.value_literals(cell, v)]
        found = set()
        while solver.solve(assumptions=clues):
            model = solver.get_model()
            found.add(tuple(encoding.decode(model)))
            solver.add_clause(encoding.readout.other_cells(model))
    assert found == expected


@cache
def with_few_solutions(shape: Shape) -> Puzzle:
    """A grid with cells taken away, one after another, until it has several solutions."""
    [cells] = search.solve(Puzzle(shape, (0,) * shape.n_cells), limit=1, seed=3).solutions
    left = list(cells)
    for k in range(shape.n_cells):
        left[(7 * k + 3) % shape.n_cells] = 0
        puzzle = Puzzle(shape, tuple(left))
        if k >= shape.n_cells // 4 and len(search.solve(puzzle, limit=2).solutions) > 1:
            return puzzle
    raise AssertionError("an empty board has several solutions")


def grids(formula: Formula, solver: Solver, puzzle: Puzzle) -> set[tuple[int, ...]]:
    """All solutions of a puzzle."""
    shape = puzzle.shape
    clues = [x for cell, v in enumerate(puzzle.cells) if v for x in stated(formula, shape, cell, v)]
    found: set[tuple[int, ...]] = set()
    while solver.solve(assumptions=clues):
        model = set(solver.get_model())
        values = range(1, shape.size + 1)
        cells = tuple(
            next(v for v in values if model.issuperset(stated(formula, shape, cell, v)))
            for cell in range(shape.n_cells)
        )
        found.add(cells)
        solver.add_clause([-x for cell, v in enumerate(cells) for x in stated(formula, shape, cell, v)])
    return found


def test_every_newer_encoding_and_scheme_has_a_second_generator() -> None:
    assert set(MAKERS) <= {name.removesuffix("+pairwise") for name in every_name()}
