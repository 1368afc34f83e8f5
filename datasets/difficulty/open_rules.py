"""Conflicts of a SAT solver without the rules that the clues settle: the same counts, and few clauses to load.

Unit propagation of the clues makes some candidates true and others false, and leaves the rest open. A clause by which
two candidates exclude each other matters only if one of them becomes true or both stay open. The solver never looks at
other ones, or finds them satisfied, so without them it assigns and learns the same, literal by literal. This holds
until it reduces its clauses for the first time, because later limits depend on their number; a puzzle that takes so
many conflicts is solved again with all rules. Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from sudoku_bench.datasets.bits import ONE
from sudoku_bench.datasets.difficulty.board import (
    Cells,
    Masks,
    as_array,
    board_tables,
    empty_board,
    place_clues,
    propagate,
)
from sudoku_bench.datasets.isomorphs import Isomorph
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle

FIRST_REDUCTION = 300  # conflicts: CaDiCaL's first reduction; the other engines reduce later
FALSE, OPEN, TRUE = 0, 1, 2

Clauses = Sequence[list[int]]
States = NDArray[np.int8]


class OpenRules:
    """The rules of a board, as clauses of positive literals and pairs of negative ones, in order."""

    def __init__(self, clauses: Clauses) -> None:
        self._clauses = clauses
        pairs = [(-clause[0], -clause[-1]) if clause[0] < 0 else (0, 0) for clause in clauses]
        self._first, self._second = np.array(pairs).T.copy()

    def conflicts(self, engine: str, states: States | None, symmetry: Isomorph, clues: Clauses) -> int:
        """Return the conflicts of a fresh solver of python-sat that gets the rules, then the clues of a form.

        Args:
            states: what the puzzle's clues make of its candidates (``states_of``).
            symmetry: maps the puzzle to the form.
        """
        if states is not None:
            of_form = _states_of_form(states, symmetry)
            if not (of_form == OPEN).any():
                return 0
            matters = np.flatnonzero(of_form[self._first] + of_form[self._second] >= TRUE)
            conflicts = _solve(engine, [*itemgetter(*matters.tolist())(self._clauses), *clues])
            if conflicts < FIRST_REDUCTION:
                return conflicts
        return _solve(engine, [*self._clauses, *clues])


def _solve(engine: str, clauses: Clauses) -> int:
    with Solver(name=engine, bootstrap_with=clauses) as solver:
        solver.solve()
        return int(solver.accum_stats()["conflicts"])


def states_of(puzzle: Puzzle) -> States | None:
    """Return what the clues make of each candidate, by cell and digit; None if they contradict each other."""
    cand, consistent = _propagated(as_array(puzzle.cells), *board_tables(puzzle.shape))
    if not consistent:
        return None
    left = cand[:, None] >> np.arange(puzzle.shape.size, dtype=np.uint64) & ONE
    return np.where(left == 0, FALSE, np.where(left.sum(axis=1, keepdims=True) == 1, TRUE, OPEN)).astype(np.int8)


def _states_of_form(states: States, symmetry: Isomorph) -> States:
    """Return the states of a form's variables, which count from 1; place 0 holds ``TRUE``."""
    digits = np.argsort(list(symmetry.relabel[1:]))
    return np.append(np.int8(TRUE), states[np.array(list(symmetry.source))[:, None], digits])


@njit(nogil=True)
def _propagated(cells: Cells, units: Cells, peers: Cells, homes: Cells) -> tuple[Masks, bool]:
    board = empty_board(units, peers, homes)
    consistent = propagate(board, place_clues(board, cells))
    return board.cand, consistent
