"""Mining for hard 9×9 puzzles: a seeded local search over the clues of one full grid (draft)."""

from __future__ import annotations

import numpy as np
from numba import njit

from datasets.bands import Flags, Room, State, Words, guesses_sum, other_solution, make_room
from datasets.search import _random_below


@njit(cache=True)
def shuffle(items: Words, count: int, state: State) -> None:
    for i in range(count - 1, 0, -1):
        j = _random_below(state, i + 1)
        items[i], items[j] = items[j], items[i]


@njit(cache=True)
def repair(grid: Words, given: Flags, state: State, room: Room, other: Words) -> None:
    """Add clues until the solution is unique: each time a random cell in which another solution differs."""
    while other_solution(grid, given, state, room, other):
        differing = 0
        for cell in range(81):
            differing += other[cell] != grid[cell]
        skip = _random_below(state, differing)
        for cell in range(81):
            if other[cell] != grid[cell]:
                if skip == 0:
                    given[cell] = True
                    break
                skip -= 1


@njit(cache=True)
def strip(grid: Words, given: Flags, state: State, room: Room, other: Words) -> None:
    """Remove clues in random order while the solution stays unique."""
    order = np.flatnonzero(given)
    shuffle(order, order.size, state)
    for cell in order:
        given[cell] = False
        if other_solution(grid, given, state, room, other):
            given[cell] = True


@njit(cache=True)
def change(grid: Words, given: Flags, state: State, room: Room, other: Words) -> None:
    order = np.flatnonzero(given)
    shuffle(order, order.size, state)
    for k in range(1 + _random_below(state, 3)):
        given[order[k]] = False
    repair(grid, given, state, room, other)
    strip(grid, given, state, room, other)


@njit(cache=True)
def score(grid: Words, given: Flags, floor: float, state: State, room: Room) -> float:
    """Mean guesses; -1 once it is plain that they are below the floor."""
    total, orders = 0, 0
    for more, share in ((2, 0.45), (8, 0.7), (30, 0.85)):
        total += guesses_sum(grid, given, more, state, room)
        orders += more
        if total < share * floor * orders:
            return -1.0
    return guesses_sum(grid, given, 120, state, room) / 120


@njit(cache=True)
def walk(grid: Words, given: Flags, best: float, slack: float, steps: int, state: State, room: Room) -> float:
    """Steps of the search from ``given``, which it changes."""
    other = np.zeros(81, dtype=np.int64)
    for _ in range(steps):
        trial = given.copy()
        change(grid, trial, state, room, other)
        found = score(grid, trial, best * slack, state, room)
        if found >= best * slack:
            given[:] = trial
            best = found
    return best
