"""Strength: what unit propagation and failed literals derive, and the classes of encodings."""

from __future__ import annotations

import pytest
from pysat.solvers import Solver

from sudoku_bench.bench.run import strength
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.encodings import build, every_name, refusal
from sudoku_bench.solvers.sat.strength.prober import Prober, State, classes, is_at_least_as_strong, is_solved, state_of

FOUR, SIX, NINE = Shape(2, 2), Shape(2, 3), Shape(3, 3)


@pytest.fixture(scope="module")
def minimal() -> list[State]:
    """The first 200 puzzles of the collection of minimal puzzles."""
    return [state_of(item.puzzle) for item in catalogue.load("minimal", catalogue.Choice(limit=200)).items]


def solved(name: str, states: list[State], derive: str = "unit_propagation") -> int:
    prober = Prober(build(name, NINE))
    return sum(is_solved(getattr(prober, derive)(state), NINE) for state in states)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("augmented", 121),
        ("complete-augmented", 121),
        ("complete", 98),
        ("complete+product", 98),
        ("complete+native", 98),
        ("direct-order", 98),
        ("direct-log", 48),
        *((name, 1) for name in ("minimal", "natural", "support", "order")),
        ("log", 0),
    ],
)
def test_puzzles_that_propagation_alone_solves(name: str, number: int, minimal) -> None:
    """Of 200 puzzles; the numbers were found by another program."""
    assert solved(name, minimal) == number


@pytest.mark.parametrize("name", every_name())
def test_unit_propagation_is_that_of_minisat(name: str) -> None:
    """On random states of 6×6 boards. At-most-one constraints are those of MiniCard, which takes them natively."""
    encoding = build(name, SIX)
    prober = Prober(encoding)
    derived = []
    with Solver(name="minicard", bootstrap_with=encoding.clauses()) as solver:
        for row in encoding.at_most_ones():
            solver.add_atmost(row, 1)
        for state in strength.random_states(SIX, 8, seed=1):
            cells_only = State(state.cells)
            clues = [x for cell, v in enumerate(state.cells) if v for x in encoding.value_literals(cell, v)]
            consistent, implied = solver.propagate(assumptions=clues)
            false = {-literal for literal in implied}
            stated = (encoding.value_literals(cell, v) for cell in range(36) for v in range(1, 7))
            expected = sum(1 << k for k, one in enumerate(stated) if not false.intersection(one)) if consistent else 0
            derived.append(prober.unit_propagation(cells_only))
            assert derived[-1] == expected
    assert len(set(derived)) > 1


def test_failed_literals_by_definition() -> None:
    """Candidates of a 4×4 board, against a loop over MiniSat's propagation."""
    encoding = build("complete", FOUR)
    prober = Prober(encoding)
    with Solver(name="minisat22", bootstrap_with=encoding.clauses()) as solver:
        for state in strength.random_states(FOUR, 20, seed=2):
            known = [4 * cell + v for cell, v in enumerate(state.cells) if v]
            known += [-(4 * cell + v) for cell, v in state.excluded]
            assert prober.failed_literals(state) == closure(solver, known)


def closure(solver: Solver, known: list[int]) -> int:
    consistent, implied = solver.propagate(assumptions=known)
    while consistent:
        open_ones = [x for x in range(1, 65) if not {x, -x} & set(implied)]
        failing = [s * x for x in open_ones for s in (1, -1) if not solver.propagate([*known, s * x])[0]]
        if not failing:
            return sum(1 << (x - 1) for x in range(1, 65) if -x not in implied)
        known = [*known, -failing[0]]
        consistent, implied = solver.propagate(assumptions=known)
    return 0


@pytest.mark.parametrize(
    ("allowed", "finds"),
    [
        ({0: {1, 2}, 1: {1, 2}}, {"hall-pairs", "diagrams"}),  # a naked pair
        ({2: {3, 4, 5, 6}, 3: {3, 4, 5, 6}, 4: {3, 4, 5, 6}, 5: {3, 4, 5, 6}}, {"hall-pairs", "diagrams"}),  # hidden
        ({0: {1, 2}, 1: {2, 3}, 2: {1, 3}}, {"diagrams"}),  # a naked triple without a pair
    ],
)
def test_what_hall_sets_and_diagrams_find(allowed: dict[int, set[int]], finds: set[str]) -> None:
    """In the first row of a 6×6 board."""
    excluded = frozenset((cell, v) for cell, values in allowed.items() for v in set(range(1, 7)) - values)
    state = State((0,) * 36, excluded)
    given = 6**3 - len(excluded)
    left = {name: Prober(build(name, SIX)).unit_propagation(state) for name in ("complete", "hall-pairs", "diagrams")}
    assert {name for name, candidates in left.items() if candidates.bit_count() < given} == finds


def test_classes_by_hand() -> None:
    [first, second, third] = classes({"b": [0b110, 0b1], "a": [0b110, 0b1], "c": [0b111, 0b1], "d": [0b001, 0b111]})
    assert (first.names, first.left, first.weaker) == (("b", "a"), 1.5, (1,))
    assert {second.names, third.names} == {("c",), ("d",)}
    assert second.weaker == third.weaker == ()
    assert is_at_least_as_strong([0b01], [0b11])
    assert not is_at_least_as_strong([0b10], [0b01])


def test_an_encoding_that_does_not_fit_a_board_is_left_out() -> None:
    assert not refusal("diagrams", Shape(3, 4))
    assert refusal("diagrams", Shape(4, 4))
    states = strength.clue_states([Puzzle(Shape(4, 4), (0,) * 256)])
    [rows] = [list(strength.derive(["diagrams"], shape, {"own": one}, failed=False)) for shape, one in states.items()]
    assert rows == []
