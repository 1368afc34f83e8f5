"""Mining for 9×9 puzzles of many guesses: a seeded local search, compiled.

One step removes one or two clues of a minimal puzzle. If this allows another solution, that solution becomes the target
in half of the cases. The step then adds clues where a further solution differs from the target until there is none, and
removes the clues that became redundant. A step is accepted if its score is at least a share of the record; the share
rises from 70% to 100% ("record-to-record travel": Dueck 1993).

*Winner's curse*: among the candidates that a search selects, a score from few random orders is too high by chance. A
candidate therefore passes three cheap tests, and 120 fresh orders alone decide. The best score of a walk is still
slightly biased upwards, so published figures of a mined puzzle must come from other seeds.

A walk first climbs to a floor of guesses, or beyond. It depends on its name, its seed and its number of steps, never on
time; it can be stopped and continued.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np

from sudoku_bench.datasets.bits import RandomState, random_below
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.making.bands import (
    Flags,
    Words,
    Workspace,
    guesses_sum,
    make_workspace,
    other_solution,
    repair,
    strip,
)
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape

NINE = Shape(3, 3)
ORDERS = 120  # fresh random orders that decide
FIRST_SHARE, LAST_SHARE = 700, 1000  # per mille of the record that a step must reach, at the start and at the end
FLOOR = 220  # mean guesses: the climb aims at MARGIN times this value
MARGIN = 1.2  # the climb ends at this multiple of the floor
CLIMB = 5000  # maximum steps of the climb
CHUNK = 500  # steps between two progress reports


@dataclass(frozen=True)
class Walk:
    """State of a walk, which first climbs, and then takes further steps. Scores are mean guesses.

    Attributes:
        steps: number of steps after the climb.
        climb: maximum number of steps of the climb.
        floor: mean guesses, see ``FLOOR``.
        state: state of the random number generator.
        cells, solution: clues and solution of the current puzzle.
        grid: the full grid that the lineage started from.
        start: the clues that the walk started from.
        done: completed steps, including those of the climb.
        climbed: steps of the climb once it has ended, -1 before.
        record: the highest score so far; the threshold of a step is a share of it.
        best: the highest score of a puzzle other than the start; -1 if there is none yet.
        best_cells, best_solution: clues and solution of that puzzle.
    """

    steps: int
    climb: int
    floor: int
    state: int
    cells: tuple[int, ...]
    solution: tuple[int, ...]
    grid: tuple[int, ...]
    start: tuple[int, ...]
    done: int = 0
    climbed: int = -1
    record: float = 1.0
    best: float = -1.0
    best_cells: tuple[int, ...] = ()
    best_solution: tuple[int, ...] = ()

    @property
    def ended(self) -> bool:
        """Whether all steps are completed."""
        return self.climbed >= 0 and self.done == self.climbed + self.steps


def begin(name: str, seed: int, steps: int, climb: int = CLIMB, floor: int = FLOOR) -> Walk:
    """Start a walk from a random full grid, stripped to a minimal puzzle; the name is part of the effective seed."""
    text = f"sudoku-bench/mine/{name}/{seed}"
    state = np.array([random.Random(text).getrandbits(63)], dtype=np.uint64)
    empty = Puzzle(NINE, (0,) * NINE.n_cells)
    full = solve(empty, limit=1, seed=int(state[0])).solutions[0]
    grid, given = np.array(full, dtype=np.int64), np.ones(NINE.n_cells, dtype=np.bool_)
    strip(grid, given, state, make_workspace(), np.empty_like(grid))
    cells, solution = _tuples(grid, given)
    return Walk(steps, climb, floor, int(state[0]), cells, solution, full, cells)


def advance(walk: Walk, chunk: int = CHUNK) -> Walk:
    """Perform up to ``chunk`` further steps. The result of a walk does not depend on the chunks."""
    if walk.climbed >= 0:
        return _climb(walk, walk.climbed, walk.steps, min(walk.done + chunk, walk.climbed + walk.steps), 0)
    target = int(MARGIN * walk.floor * ORDERS)
    walk = _climb(walk, 0, walk.climb, min(walk.done + chunk, walk.climb), target)
    is_climbing = walk.best * ORDERS < target and walk.done < walk.climb
    return walk if is_climbing else replace(walk, climbed=walk.done)


def _climb(walk: Walk, first: int, steps: int, last: int, target: int) -> Walk:
    """Perform steps scored by guesses until ``target`` is reached (a sum over the deciding orders; 0: no target)."""
    grid, given = _arrays(walk.cells, walk.solution)
    best_grid, best_given = _arrays(walk.best_cells or walk.cells, walk.best_solution or walk.solution)
    state = np.array([walk.state], dtype=np.uint64)
    scores = np.array([round(walk.record * ORDERS), round(walk.best * ORDERS)], dtype=np.int64)
    schedule = np.array([first, steps, walk.done, last], dtype=np.int64)
    start = np.array(walk.start, dtype=np.int64)
    n_done = _climb_kernel(grid, given, best_grid, best_given, start, scores, schedule, target, state, make_workspace())
    cells, solution = _tuples(grid, given)
    walk = replace(walk, cells=cells, solution=solution, done=int(n_done), state=int(state[0]))
    if scores[1] >= 0:
        best_cells, best_solution = _tuples(best_grid, best_given)
        walk = replace(walk, best_cells=best_cells, best_solution=best_solution, best=int(scores[1]) / ORDERS)
    return replace(walk, record=int(scores[0]) / ORDERS)


def _arrays(cells: tuple[int, ...], solution: tuple[int, ...]) -> tuple[Words, Flags]:
    return np.array(solution, dtype=np.int64), np.array(cells, dtype=np.int64) > 0


def _tuples(grid: Words, given: Flags) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple((grid * given).tolist()), tuple(grid.tolist())


@njit()
def _share(n_done: int, steps: int) -> int:
    """Return the share of the record that a step must reach, per mille."""
    return int(FIRST_SHARE + (LAST_SHARE - FIRST_SHARE) * n_done // max(steps, 1))


@njit()
def change(grid: Words, given: Flags, state: RandomState, workspace: Workspace, other: Words) -> None:
    """Perform one step: change the puzzle to a minimal puzzle that shares most of its clues."""
    order = np.flatnonzero(given)
    for k in range(1 + random_below(state, 2)):
        pick = k + random_below(state, order.size - k)
        order[k], order[pick] = order[pick], order[k]
        given[order[k]] = False
    if random_below(state, 2) == 0 and other_solution(grid, given, state, workspace, other):
        grid[:] = other
    repair(grid, given, state, workspace, other)
    strip(grid, given, state, workspace, other)


@njit()
def _score(grid: Words, given: Flags, threshold: int, state: RandomState, workspace: Workspace) -> int:
    """Return the guesses, summed over the deciding orders; -1 if they are clearly below the threshold."""
    total, orders = 0, 0
    for more, share in ((2, 45), (8, 70), (30, 85)):
        total += guesses_sum(grid, given, more, state, workspace)
        orders += more
        if 100 * ORDERS * total < share * orders * threshold:
            return -1
    return int(guesses_sum(grid, given, ORDERS, state, workspace))


@njit()
def _climb_kernel(
    grid: Words,
    given: Flags,
    best_grid: Words,
    best_given: Flags,
    start: Words,
    scores: Words,
    schedule: Words,
    target: int,
    state: RandomState,
    workspace: Workspace,
) -> int:
    """Perform steps and return the number of completed steps; see ``_climb``. Changes all arrays.

    ``schedule`` holds the first step of this phase, its number of steps, the completed steps and the last step to
    perform; ``scores`` holds the record and the best score.
    """
    first, steps, n_done, last = schedule
    other, to_grid, to_given = np.empty_like(grid), np.empty_like(grid), np.empty_like(given)
    while n_done < last and not 0 < target <= scores[1]:
        threshold = scores[0] * _share(n_done - first, steps) // 1000
        n_done += 1
        to_grid[:], to_given[:] = grid, given
        change(to_grid, to_given, state, workspace, other)
        score = _score(to_grid, to_given, threshold, state, workspace)
        if score < threshold:
            continue
        grid[:], given[:] = to_grid, to_given
        scores[0] = max(scores[0], score)
        if score > scores[1] and (to_grid * to_given != start).any():
            scores[1] = score
            best_grid[:], best_given[:] = to_grid, to_given
    return int(n_done)
