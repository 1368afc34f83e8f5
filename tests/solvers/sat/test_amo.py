"""At-most-one schemes, each by itself: their meaning and their cost."""

from __future__ import annotations

from itertools import combinations, product
from math import ceil, comb, isqrt, log2

import pytest
from pysat.solvers import Solver

from sudoku_bench.solvers.sat.amo import SCHEMES

CLAUSAL = [name for name, scheme in SCHEMES.items() if not scheme.native]
SIZES = range(1, 10)


def holds(clauses: list[list[int]], n: int) -> set[tuple[bool, ...]]:
    """The values of 1 .. n under which the clauses hold with some values of the other variables."""
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        return {
            values
            for values in product((False, True), repeat=n)
            if solver.solve(assumptions=[x if true else -x for x, true in enumerate(values, start=1)])
        }


@pytest.mark.parametrize("name", CLAUSAL)
def test_exactly_the_assignments_with_at_most_one_true(name):
    for n in SIZES:
        expected = {values for values in product((False, True), repeat=n) if sum(values) <= 1}
        assert holds(SCHEMES[name].at_most_one(n), n) == expected, n


@pytest.mark.parametrize("name", CLAUSAL)
def test_exactly_the_assignments_with_one_true(name):
    for n in SIZES:
        expected = {values for values in product((False, True), repeat=n) if sum(values) == 1}
        assert holds(SCHEMES[name].exactly_one(n), n) == expected, n


@pytest.mark.parametrize("name", CLAUSAL)
def test_of_many_literals_any_one_may_be_true_and_no_two(name):
    for n in (16, 25, 36):
        with Solver(name="glucose4", bootstrap_with=SCHEMES[name].at_most_one(n)) as solver:
            assert solver.solve(assumptions=[-x for x in range(1, n + 1)]), n
            for x in range(1, n + 1):
                assert solver.solve(assumptions=[x, *(-y for y in range(1, n + 1) if y != x)]), (n, x)
            assert not any(solver.solve(assumptions=[x, y]) for x, y in combinations(range(1, n + 1), 2)), n


@pytest.mark.parametrize("name", CLAUSAL)
def test_auxiliary_variables_are_numbered_after_the_literals_without_gaps(name):
    for n in (2, 3, 4, 5, 6, 9, 12, 16, 25):
        for clauses in (SCHEMES[name].at_most_one(n), SCHEMES[name].exactly_one(n)):
            used = {abs(x) for clause in clauses for x in clause}
            assert used == set(range(1, max(used) + 1)), n
            assert max(used) >= n


@pytest.mark.parametrize("n", [4, 6, 9, 12, 16, 25, 36])
def test_numbers_of_clauses_and_of_auxiliary_variables(n):
    b = ceil(log2(n))
    p = isqrt(n - 1) + 1
    q = ceil(n / p)
    formulas = {
        "pairwise": (comb(n, 2), 0),
        "seqcounter": (3 * n - 4, n - 1),
        "ladder": (3 * n - 4, n - 1),
        "pysat-ladder": (4 * n, n + 1),
        "product": (2 * n + comb(p, 2) + comb(q, 2), p + q),
        "bitwise": (n * b, b),
        "heule": (3 * n - 6, (n - 3) // 2),
        "tree": (3 * n - 5, n - 2),
    }
    assert {name: cost(SCHEMES[name].at_most_one(n), n) for name in formulas} == formulas
    assert cost(SCHEMES["ladder"].exactly_one(n), n) == (4 * n - 4, n - 1)


@pytest.mark.parametrize("name", SCHEMES)
def test_one_literal_needs_no_limit(name):
    assert SCHEMES[name].at_most_one(1) == []
    assert SCHEMES[name].exactly_one(1) == [[1]]
    assert SCHEMES[name].exactly_one(0) == [[]]


def cost(clauses: list[list[int]], n: int) -> tuple[int, int]:
    return len(clauses), max(abs(x) for clause in clauses for x in clause) - n
