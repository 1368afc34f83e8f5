"""Conflicts of a CDCL solver, as a measure of how hard a puzzle is for that family: what mining can be given to aim at.

The clauses are the complete encoding, a fresh solver for each form, forms are random isomorphs: as stored, a puzzle
may be easy by the luck of its presentation.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
from datasets.shape import Shape

ENGINE = "cadical195"
FORMS = 16
FIRST_FORMS = 4  # after these a puzzle far below the bound is given up
FAR = 0.6


def mean_conflicts(puzzle: Puzzle, seed: int, forms: int = FORMS) -> float:
    """Mean conflicts over ``forms`` random isomorphs."""
    return _sum(puzzle, seed, range(1, forms + 1)) / forms


def objective(puzzle: Puzzle, seed: int, bound: float) -> float:
    """For mining: mean conflicts, from fewer forms where these say plainly that the bound is not reached."""
    first = _sum(puzzle, seed, range(1, FIRST_FORMS + 1))
    if first < FAR * bound * FIRST_FORMS:
        return 0.0
    return mean_conflicts(puzzle, seed + 1)


def _sum(puzzle: Puzzle, seed: int, numbers: range) -> int:
    from pysat.solvers import Solver

    total = 0
    for number in numbers:
        there = form(puzzle, isomorph(seed, puzzle, number))
        with Solver(name=ENGINE, bootstrap_with=_rules(there.shape) + _clues(there)) as solver:
            solver.solve()
            total += solver.accum_stats()["conflicts"]
    return total


@lru_cache(maxsize=4)
def _rules(shape: Shape) -> list[list[int]]:
    """The complete encoding by pairs, in an order of its own: what is mined depends on the order of the clauses, and
    must not change with that of ``solvers.sat.encodings``."""
    values = range(1, shape.size + 1)
    groups = [[_variable(shape, cell, value) for value in values] for cell in range(shape.n_cells)]
    groups += [[_variable(shape, cell, value) for cell in unit] for unit in shape.units for value in values]
    return [clause for group in groups for clause in (group, *([-a, -b] for a, b in combinations(group, 2)))]


def _clues(puzzle: Puzzle) -> list[list[int]]:
    return [[_variable(puzzle.shape, cell, value)] for cell, value in enumerate(puzzle.cells) if value]


def _variable(shape: Shape, cell: int, value: int) -> int:
    return cell * shape.size + value
