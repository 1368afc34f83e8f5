"""A search in the vicinity of hard 9×9 puzzles for puzzles that are hard for solvers that learn clauses.

Puzzles that cost such a solver many conflicts are rare, but lie close together. The search keeps all puzzles that it
has found. Each step draws one of the best, changes a few of its clues as mining does (``datasets.making.mining``), and
keeps the result if

1. *look-ahead* does not solve it: assuming each candidate in turn, placing singles, and eliminating those that lead to
   a contradiction leaves at least ``LEAST_LEFT`` candidates. This takes a fraction of a millisecond and rejects almost
   all other puzzles; where it does not reject, conflicts are usually many;
2. it is no isomorph of a puzzle found before;
3. its hardest step has a rating of ``LEAST_ER``, or more than half of the best: patterns of a few cells that look-ahead
   does not use make a puzzle easy for clause learning, too;
4. the mean conflicts of CaDiCaL over ``FIRST_FORMS`` random isomorphs reach a share of those of the best.

A score that selects is biased upwards, so what is found must be measured again on other isomorphs. The search depends
on its start puzzles, its seed and its number of steps, never on time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from datasets.bits import RandomState, random_below, random_state
from datasets.difficulty.board import Board, board_tables, copy_of, empty_board
from datasets.difficulty.conflicts import mean_conflicts
from datasets.difficulty.explainer import explain
from datasets.kernels import njit
from datasets.making.bands import Flags, Words, Workspace, make_workspace
from datasets.making.canonical import canonical
from datasets.making.climb import remaining
from datasets.making.mining import NINE, change
from datasets.puzzle import Puzzle
from datasets.search import solve

LEAST_LEFT = 100  # candidates in open cells; almost all puzzles have 0
FIRST_FORMS = 4  # isomorphs that decide whether a puzzle is kept
LEAST_ER = 9.0  # of the explainer scale; puzzles below it rank below those that reach it
WORK = 300_000  # deduced literals of an explainer rating; a puzzle that needs more counts as one of LEAST_ER
FRESH_FORMS = 32  # isomorphs of the final measure
KEPT_SHARE = 0.5  # of the mean conflicts of the best puzzles
BEST = 60  # puzzles that steps begin from
CHANGES = 3  # changes of one step at most
TRIES = 200  # before another puzzle is drawn


class HardPuzzle(NamedTuple):
    """A puzzle that look-ahead does not solve.

    Attributes:
        puzzle, solution: its clues and its solution.
        start: the start puzzle that it comes from.
        er: rating of its hardest step, at most ``LEAST_ER``.
        conflicts: mean conflicts over isomorphs; biased upwards if these selected the puzzle.
    """

    puzzle: Puzzle
    solution: tuple[int, ...]
    start: Puzzle
    er: float
    conflicts: float


def search(starts: Sequence[Puzzle], seed: int, steps: int) -> Iterator[HardPuzzle]:
    """Yield the start puzzles, then the neighbours that are kept, in the order in which they are found."""
    rng = random.Random(f"sudoku-bench/vicinity/{seed}")
    state = random_state(rng.getrandbits(63))
    kept: list[HardPuzzle] = []
    forms: set[str] = set()  # canonical

    def rated(puzzle: Puzzle, solution: tuple[int, ...], start: Puzzle) -> HardPuzzle:
        score = mean_conflicts(puzzle, rng.getrandbits(63), FIRST_FORMS)
        return HardPuzzle(puzzle, solution, start, min(explain(puzzle, WORK).er, LEAST_ER), score)

    for puzzle in starts:
        kept.append(rated(puzzle, solve(puzzle, limit=1).solutions[0], puzzle))
        forms.add(canonical(puzzle).text)
        yield kept[-1]
    for _ in range(steps):
        best = sorted(kept, key=_hardest_first)[:BEST]
        parent, middle = rng.choice(best), best[len(best) // 2]
        changed = neighbour(parent.puzzle, parent.solution, state)
        if changed is None or (form := canonical(changed[0]).text) in forms:
            continue
        forms.add(form)
        new = rated(*changed, parent.start)
        if new.er > middle.er or (new.er == middle.er and new.conflicts >= KEPT_SHARE * middle.conflicts):
            kept.append(new)
            yield new


def _hardest_first(hard: HardPuzzle) -> tuple[float, float]:
    return -hard.er, -hard.conflicts


def hardest_near(starts: Sequence[Puzzle], seed: int, steps: int, number: int) -> list[HardPuzzle]:
    """Search, and return the hardest puzzles that are no starts, at most ``number``, measured on other isomorphs."""
    others = (hard for hard in search(starts, seed, steps) if hard.puzzle != hard.start)
    best = sorted(others, key=_hardest_first)[: 2 * number]
    measured = [hard._replace(conflicts=mean_conflicts(hard.puzzle, ~seed, FRESH_FORMS)) for hard in best]
    return sorted(measured, key=lambda hard: -hard.conflicts)[:number]


def neighbour(puzzle: Puzzle, solution: tuple[int, ...], state: RandomState) -> tuple[Puzzle, tuple[int, ...]] | None:
    """Change a puzzle so that look-ahead does not solve it; return it with its solution.

    Return None if ``TRIES`` changes do not reach that.
    """
    grid, given = np.array(solution, dtype=np.int64), np.array(puzzle.cells, dtype=np.int64) > 0
    board = empty_board(*board_tables(NINE))
    if not _change_to_hard(grid, given, state, make_workspace(), board, copy_of(board)):
        return None
    return Puzzle(NINE, tuple((grid * given).tolist())), tuple(grid.tolist())


@njit()
def _change_to_hard(
    grid: Words, given: Flags, state: RandomState, workspace: Workspace, board: Board, trial: Board
) -> bool:
    """Change a puzzle in place; return False if none of ``TRIES`` changes of it leaves enough candidates."""
    other, first_grid, first_given = np.empty_like(grid), grid.copy(), given.copy()
    tries = np.zeros(1, dtype=np.int64)
    for _ in range(TRIES):
        grid[:], given[:] = first_grid, first_given
        for _ in range(1 + random_below(state, CHANGES)):
            change(grid, given, state, workspace, other)
        if remaining(grid * given, board, trial, tries) >= LEAST_LEFT:
            return True
    return False
