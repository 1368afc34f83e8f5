"""Minimal pencilmark puzzles: no forbidden candidate can be allowed again without a second solution.

All candidates outside the solution are forbidden at first, and allowed one by one in random order while a SAT solver
refutes every other solution; those that a refutation does not use are allowed with it, which saves most of the time and
leaves fewer. Its answers and cores decide, not its speed, so the result is the same on every machine.
"""

from __future__ import annotations

import random

from sudoku_bench.datasets.difficulty.conflicts import rules, variable
from sudoku_bench.datasets.making.generator import full_grid
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

ENGINE = "glucose4"


def minimal_pencilmarks(shape: Shape, rng: random.Random, surplus: int = 0) -> Puzzle:
    """Return a random minimal puzzle of pencilmarks with one solution; ``surplus`` further candidates are forbidden."""
    from pysat.solvers import Solver

    solution = full_grid(shape, rng).cells
    others = [(cell, v) for cell, right in enumerate(solution) for v in range(1, shape.size + 1) if v != right]
    rng.shuffle(others)
    untried, forbidden = {-variable(shape, *other): other for other in others}, set[tuple[int, int]]()
    with Solver(name=ENGINE, bootstrap_with=rules(shape)) as solver:
        solver.add_clause([-variable(shape, cell, value) for cell, value in enumerate(solution)])
        while untried:
            literal, candidate = untried.popitem()
            if solver.solve(list(untried)):
                forbidden.add(candidate)
                solver.add_clause([literal])
            else:
                used = set(solver.get_core() or ())
                untried = {literal: other for literal, other in untried.items() if literal in used}
    if surplus:
        forbidden |= set(rng.sample([other for other in others if other not in forbidden], surplus))
    masks = [(1 << shape.size) - 1] * shape.n_cells
    for cell, value in forbidden:
        masks[cell] &= ~(1 << value - 1)
    return Puzzle.of_candidates(shape, masks)
