"""The kernel of WalkSAT. Importing this module imports numba."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import RandomState, random_below
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.solvers.sat.packed import Numbers, Packed

Truth = NDArray[np.bool_]  # for each literal whether it is true

PERCENT = 100


@njit()
def walk(formula: Packed, true: Truth, noise: int, most: int, random: RandomState) -> int:
    """Flip variables until all clauses hold; return the number of flips, -1 if ``most`` were not enough.

    Each flip makes a literal of a random false clause true: if one breaks no other clause, that one; else, with a
    probability of ``noise`` percent a random one, otherwise one that breaks the fewest.

    Args:
        true: the assignment to begin with, which is changed.
    """
    n_clauses = len(formula.first_literal) - 1
    counts = np.zeros(n_clauses, dtype=np.int32)  # of true literals
    false = np.empty(n_clauses, dtype=np.int32)  # the false clauses, the first n_false of them
    place = np.zeros(n_clauses, dtype=np.int32)  # of a false clause in that list
    n_false = 0
    for clause in range(n_clauses):
        for k in range(formula.first_literal[clause], formula.first_literal[clause + 1]):
            counts[clause] += true[formula.literals[k]]
        if counts[clause] == 0:
            false[n_false], place[clause] = clause, n_false
            n_false += 1
    for flips in range(most):
        if n_false == 0:
            return flips
        literal = _choose(formula, counts, false[random_below(random, n_false)], noise, random)
        true[literal], true[literal ^ 1] = True, False
        for k in range(formula.first_use[literal], formula.first_use[literal + 1]):
            clause = formula.uses[k]
            counts[clause] += 1
            if counts[clause] == 1:
                n_false -= 1
                last = false[n_false]
                false[place[clause]], place[last] = last, place[clause]
        for k in range(formula.first_use[literal ^ 1], formula.first_use[(literal ^ 1) + 1]):
            clause = formula.uses[k]
            counts[clause] -= 1
            if counts[clause] == 0:
                false[n_false], place[clause] = clause, n_false
                n_false += 1
    return most if n_false == 0 else -1


@njit()
def _choose(formula: Packed, counts: Numbers, clause: int, noise: int, random: RandomState) -> int:
    """The literal of a false clause that is to become true."""
    start, end = formula.first_literal[clause], formula.first_literal[clause + 1]
    best, fewest = -1, len(counts) + 1
    for k in range(start, end):
        breaks = _breaks(formula, counts, formula.literals[k])
        if breaks < fewest:
            best, fewest = formula.literals[k], breaks
    if fewest and random_below(random, PERCENT) < noise:
        return int(formula.literals[start + random_below(random, end - start)])
    return int(best)


@njit()
def _breaks(formula: Packed, counts: Numbers, literal: int) -> int:
    """How many clauses become false if a false literal becomes true."""
    breaks = 0
    for k in range(formula.first_use[literal ^ 1], formula.first_use[(literal ^ 1) + 1]):
        breaks += counts[formula.uses[k]] == 1
    return breaks
