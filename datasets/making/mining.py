"""Mining for hard 9×9 puzzles: a seeded local search, compiled from end to end where the objective is guesses.

One step drops one or two clues of a minimal puzzle; half of the time, if another solution appears, that one becomes
the solution to aim for; clues are added where a further solution differs until there is none, and those that became
redundant are taken away. A step is kept if the result is at least a share of the best seen so far, a share that
rises from 70% to all of it ("record-to-record travel": Dueck 1993).

*Winner's curse*: a score from few random orders is high by luck in what a search selects. So a candidate passes three
cheap tests and is then judged by 120 fresh orders, which alone decide; even so the best of a walk is a little
flattered, and what is reported about a mined puzzle has to come from further seeds.

Other objectives than guesses are functions passed in. They are asked only about candidates whose guesses are not
below a floor, so that what is hard for one kind of solver is not easy for another. A walk depends on its seed, its
objective and its number of steps, never on time: it can be stopped, written to a file and taken up again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numba import njit

from datasets.making.bands import Flags, Room, State, Words, guesses_sum, make_room, other_solution, repair, strip
from datasets.puzzle import Puzzle
from datasets.search import _random_below, solve
from datasets.shape import Shape

Objective = Callable[[Puzzle, int, float], float]
"""Of a minimal puzzle, a seed, and a bound: how hard it is (more is harder). Anything below the bound may be answered
once it is plain that the puzzle does not reach it."""

NINE = Shape(3, 3)
ORDERS = 120  # fresh random orders that decide
FIRST_SHARE, LAST_SHARE = 700, 1000  # per mille of the record that a step must reach, at the begin and at the end
FLOOR = 220  # mean guesses that a climb aims at, with a margin, and below which no puzzle is taken after it
MARGIN = 1.2  # the climb ends at this multiple of the floor
CLIMB = 5000  # steps at most until then
PROBE, PROBE_PART = 1500, 4  # a climb that has not a quarter of the floor by then seldom gets far
CHUNK = 500  # steps between two reports of progress


@dataclass(frozen=True)
class Walk:
    """Where a walk stands. It climbs in guesses first, then pursues its objective. Scores are mean guesses in the
    climb, then what the objective says.

    Attributes:
        objective: its name; ``guesses`` is built in.
        seed: of the walk, together with the objective's name.
        steps: how many there will be after the climb.
        climb: how many the climb may have.
        floor: mean guesses, see ``FLOOR``.
        state: of the random numbers.
        cells, solution: the present puzzle.
        grid: the full grid that the lineage began with.
        start: the clues that this walk began with.
        done: steps so far, those of the climb included.
        climbed: steps of the climb once it has ended, -1 before.
        record: the highest score met: the bar for steps.
        best: the highest score of a puzzle other than the start; -1 if there is none yet.
        best_cells, best_solution: its clues and solution.
    """

    objective: str
    seed: int
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
        return self.climbed >= 0 and self.done == self.climbed + self.steps

    @property
    def promising(self) -> bool:
        """False once the climb is plainly slower than others, or has ended below what it aims at."""
        slow = self.climbed < 0 and self.done >= PROBE and self.record < self.floor / PROBE_PART
        return not slow and self.climbed < self.climb


def begin(objective: str, seed: int, steps: int, climb: int = CLIMB, floor: int = FLOOR) -> Walk:
    """A walk from a random full grid, which is stripped to a minimal puzzle."""
    state = _text_state(f"{objective}/{seed}")
    empty = Puzzle(NINE, (0,) * NINE.n_cells)
    full = solve(empty, limit=1, seed=int(state[0])).solutions[0]
    grid, given = np.array(full, dtype=np.int64), np.ones(NINE.n_cells, dtype=np.bool_)
    strip(grid, given, state, make_room(), np.empty_like(grid))
    cells, solution = _tuples(grid, given)
    return Walk(objective, seed, steps, climb, floor, int(state[0]), cells, solution, full, cells)


def follow(parent: Walk, number: int, steps: int) -> Walk:
    """Another walk (``number`` tells several apart) without a climb, from the best puzzle of a walk that has ended:
    its result is another puzzle."""
    return replace(
        parent,
        steps=steps,
        state=int(_text_state(f"{parent.objective}/{parent.seed}/{number}")[0]),
        cells=parent.best_cells,
        solution=parent.best_solution,
        start=parent.best_cells,
        done=0,
        climbed=0,
        record=parent.best if parent.objective == "guesses" else 0.0,  # the best of few forms is flattered
        best=-1.0,
        best_cells=(),
        best_solution=(),
    )


def dumps(walk: Walk) -> str:
    """A walk as text, for ``loads``."""
    return json.dumps(asdict(walk))


def loads(text: str) -> Walk:
    """The walk of a text.

    Raises:
        ValueError: the text holds no walk.
    """
    kept = json.loads(text)
    if not isinstance(kept, dict) or kept.keys() != {field.name for field in fields(Walk)}:
        raise ValueError("no walk")
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()}
    walk = Walk(**values)
    boards = [walk.cells, walk.solution, walk.grid, walk.start]
    if walk.best_cells:
        boards += [walk.best_cells, walk.best_solution]
    numbers = (walk.seed, walk.steps, walk.climb, walk.floor, walk.state, walk.done, walk.climbed)
    if not all(isinstance(number, int) for number in numbers) or not all(map(_is_board, boards)):
        raise ValueError("no walk")
    return walk


def _is_board(cells: Any) -> bool:
    return isinstance(cells, tuple) and len(cells) == NINE.n_cells and all(value in range(10) for value in cells)


def advance(walk: Walk, objective: Objective | None = None, chunk: int = CHUNK) -> Walk:
    """Up to ``chunk`` steps more. However a walk is cut into chunks, it ends the same.

    Raises:
        ValueError: the walk pursues something else than guesses, and no objective is given.
    """
    if walk.climbed < 0:
        target = int(MARGIN * walk.floor * ORDERS)
        walk = _climb(walk, 0, walk.climb, min(walk.done + chunk, walk.climb), target)
        if walk.best * ORDERS < target and walk.done < walk.climb:
            return walk
        walk = replace(walk, climbed=walk.done)
        return walk if walk.objective == "guesses" else replace(walk, record=0.0, best=-1.0)
    last = min(walk.done + chunk, walk.climbed + walk.steps)
    if walk.objective == "guesses":
        return _climb(walk, walk.climbed, walk.steps, last, 0)
    if objective is None:
        raise ValueError(f"a walk that pursues {walk.objective} needs a function for it")
    return _pursue(walk, last, objective)


def _climb(walk: Walk, first: int, steps: int, last: int, target: int) -> Walk:
    """Steps that are judged by guesses, until ``target`` (a sum over the deciding orders; 0: none) is reached."""
    grid, given = _arrays(walk.cells, walk.solution)
    best_grid, best_given = _arrays(walk.best_cells or walk.cells, walk.best_solution or walk.solution)
    state = np.array([walk.state], dtype=np.uint64)
    scores = np.array([round(walk.record * ORDERS), round(walk.best * ORDERS)], dtype=np.int64)
    when = np.array([first, steps, walk.done, last], dtype=np.int64)
    start = np.array(walk.start, dtype=np.int64)
    done = _climb_kernel(grid, given, best_grid, best_given, start, scores, when, target, state, make_room())
    walk = _moved(walk, grid, given, done, state)
    if scores[1] >= 0:
        best_cells, best_solution = _tuples(best_grid, best_given)
        walk = replace(walk, best_cells=best_cells, best_solution=best_solution, best=int(scores[1]) / ORDERS)
    return replace(walk, record=int(scores[0]) / ORDERS)


def _pursue(walk: Walk, last: int, objective: Objective) -> Walk:
    """Steps that are judged by the objective, if their guesses are not below the floor."""
    room, state = make_room(), np.array([walk.state], dtype=np.uint64)
    grid, given = _arrays(walk.cells, walk.solution)
    floor, done = walk.floor * ORDERS, walk.done
    while done < last:
        to_grid, to_given = grid.copy(), given.copy()
        done, passed = _propose(grid, given, to_grid, to_given, floor, done, last, state, room)
        if not passed:
            break
        bar = walk.record * _share(done - walk.climbed, walk.steps) / 1000
        cells, solution = _tuples(to_grid, to_given)
        score = objective(Puzzle(NINE, cells), int(state[0]), bar)
        if score < bar:
            continue
        grid, given = to_grid, to_given
        if score > walk.best and cells != walk.start:
            walk = replace(walk, best=score, best_cells=cells, best_solution=solution)
        walk = replace(walk, record=max(walk.record, score))
    return _moved(walk, grid, given, done, state)


def _moved(walk: Walk, grid: Words, given: Flags, done: int, state: State) -> Walk:
    cells, solution = _tuples(grid, given)
    return replace(walk, cells=cells, solution=solution, done=int(done), state=int(state[0]))


def _text_state(text: str) -> State:
    return np.array([random.Random(f"sudoku-bench/mine/{text}").getrandbits(63)], dtype=np.uint64)


def _arrays(cells: tuple[int, ...], solution: tuple[int, ...]) -> tuple[Words, Flags]:
    return np.array(solution, dtype=np.int64), np.array(cells, dtype=np.int64) > 0


def _tuples(grid: Words, given: Flags) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple((grid * given).tolist()), tuple(grid.tolist())


@njit(cache=True)
def _share(done: int, steps: int) -> int:
    """Per mille of the record that a step must reach."""
    return int(FIRST_SHARE + (LAST_SHARE - FIRST_SHARE) * done // max(steps, 1))


@njit(cache=True)
def _change(grid: Words, given: Flags, state: State, room: Room, other: Words) -> None:
    """One step: a minimal puzzle that shares most clues."""
    order = np.flatnonzero(given)
    for k in range(1 + _random_below(state, 2)):
        pick = k + _random_below(state, order.size - k)
        order[k], order[pick] = order[pick], order[k]
        given[order[k]] = False
    if _random_below(state, 2) == 0 and other_solution(grid, given, state, room, other):
        grid[:] = other
    repair(grid, given, state, room, other)
    strip(grid, given, state, room, other)


@njit(cache=True)
def _score(grid: Words, given: Flags, bar: int, state: State, room: Room) -> int:
    """Guesses, summed over the orders that decide; -1 once it is plain that they are below the bar."""
    total, orders = 0, 0
    for more, share in ((2, 45), (8, 70), (30, 85)):
        total += guesses_sum(grid, given, more, state, room)
        orders += more
        if 100 * ORDERS * total < share * orders * bar:
            return -1
    return int(guesses_sum(grid, given, ORDERS, state, room))


@njit(cache=True)
def _climb_kernel(
    grid: Words,
    given: Flags,
    best_grid: Words,
    best_given: Flags,
    start: Words,
    scores: Words,
    when: Words,
    target: int,
    state: State,
    room: Room,
) -> int:
    """Steps from where ``when`` says; changes all arrays; ``scores`` holds the record and the best. The steps done."""
    first, steps, done, last = when
    other, to_grid, to_given = np.empty_like(grid), np.empty_like(grid), np.empty_like(given)
    while done < last and not 0 < target <= scores[1]:
        bar = scores[0] * _share(done - first, steps) // 1000
        done += 1
        to_grid[:], to_given[:] = grid, given
        _change(to_grid, to_given, state, room, other)
        score = _score(to_grid, to_given, bar, state, room)
        if score < bar:
            continue
        grid[:], given[:] = to_grid, to_given
        scores[0] = max(scores[0], score)
        if score > scores[1] and (to_grid * to_given != start).any():
            scores[1] = score
            best_grid[:], best_given[:] = to_grid, to_given
    return int(done)


@njit(cache=True)
def _propose(
    grid: Words,
    given: Flags,
    to_grid: Words,
    to_given: Flags,
    bar: int,
    done: int,
    last: int,
    state: State,
    room: Room,
) -> tuple[int, bool]:
    """Steps until one has enough guesses: the steps done, and whether there is one (in ``to_grid``, ``to_given``)."""
    other = np.empty_like(grid)
    while done < last:
        done += 1
        to_grid[:], to_given[:] = grid, given
        _change(to_grid, to_given, state, room, other)
        if _score(to_grid, to_given, bar, state, room) >= bar:
            return done, True
    return done, False
