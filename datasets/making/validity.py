"""Solutions and redundant clues of many 9×9 puzzles, compiled, with the kernel of ``datasets/making/bands``.

A clue is needed if the puzzle without it has a solution that differs in its cell: one is searched for, with the known
value excluded from the cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import bit_index
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.making.bands import Flags, Words, Workspace, fewest, guess, make_workspace, start
from sudoku_bench.datasets.making.bands import values as values_of

Boards = NDArray[np.uint8]

UNDECIDED = -1  # instead of a number of solutions


class Validity(NamedTuple):
    """What is known of n puzzles.

    Attributes:
        solutions: the number of solutions, 0 to 2 (two or more), or ``UNDECIDED``; n values.
        redundant: whether the clue of a cell could be removed alone; n × 81, only for puzzles with one solution.
    """

    solutions: NDArray[np.int8]
    redundant: NDArray[np.bool_]


def validate(boards: Boards, max_guesses: int, clues_too: bool = True) -> Validity:
    """Check n puzzles of 81 cells each; one with more guesses than the limit is undecided. Releases Python's lock.

    Args:
        clues_too: find redundant clues, which takes a search for each.
    """
    found = Validity(np.zeros(len(boards), dtype=np.int8), np.zeros(boards.shape, dtype=np.bool_))
    _validate(boards, max_guesses, clues_too, make_workspace(), *found)
    return found


@njit(nogil=True)
def _validate(
    boards: Boards,
    max_guesses: int,
    clues_too: bool,
    workspace: Workspace,
    solutions: NDArray[np.int8],
    redundant: NDArray[np.bool_],
) -> None:
    clues = np.zeros(81, dtype=np.int64)
    for k in range(boards.shape[0]):
        clues[:] = boards[k]
        given = clues != 0
        solutions[k] = count_solutions(clues, given, -1, 2, max_guesses, workspace)
        if clues_too and solutions[k] == 1:
            for cell in range(81):
                if clues[cell]:
                    given[cell] = False
                    redundant[k, cell] = count_solutions(clues, given, cell, 1, 1 << 62, workspace) == 0
                    given[cell] = True


@njit()
def count_solutions(
    clues: Words,
    given: Flags,
    without: int,
    limit: int,
    max_guesses: int,
    workspace: Workspace,
) -> int:
    """Count solutions of the given clues up to a limit (1 or 2); ``UNDECIDED`` after more than ``max_guesses`` guesses.

    If ``without`` is a cell, its value is excluded.
    """
    stack, decided_stack, seen, ties, cells, untried = workspace
    alive = start(clues, given, without, stack[0], decided_stack[0], seen)
    depth, found, guesses = 0, 0, 0
    while True:
        if alive:
            cell = _branch(stack[depth], ties)
            if cell >= 0:
                cells[depth] = cell
                untried[depth] = values_of(stack[depth], cell)
            else:
                found += 1
                if found == limit:
                    return found
                depth -= 1
        else:
            depth -= 1
        while depth >= 0 and untried[depth] == 0:
            depth -= 1
        if depth < 0:
            return found
        if guesses == max_guesses:
            return UNDECIDED
        guesses += 1
        bit = untried[depth] & -untried[depth]
        untried[depth] ^= bit
        alive = guess(stack, decided_stack, seen, depth, cells[depth], bit)
        depth += 1


@njit(inline="always")
def _branch(cand: Words, ties: Words) -> int:
    """Return the first cell among those with the fewest candidates; -1 if no cell is open."""
    if not fewest(cand, ties):
        return -1
    for band in range(3):
        if ties[band]:
            return int(27 * band + bit_index(ties[band] & -ties[band]))
    return -1
