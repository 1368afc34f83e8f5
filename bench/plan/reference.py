"""The reference: the number of solutions of each puzzle, established by two independent strategies before a run.

One is the compiled search kernel, the other a SAT solver. Answers are judged by this number, not by majority. This
module also creates decoys, which are puzzles with several solutions or none.
"""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.kept import results
from sudoku_bench.bench.process.computing import afterwards
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.layouts import LATIN
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import solution_fault
from sudoku_bench.solvers.strategy import Task

SECOND = "sat:complete+pairwise@cadical195"
MAX_GUESSES = 200_000  # of the kernel per puzzle; hard 9×9 puzzles need hundreds
SECOND_LIMIT_S = 60.0
DECOY_GUESSES = 2_000  # per removed clue; a board with few clues shows a second solution at once
DECOYS = 3  # per collection: several solutions, none, several


@dataclass(frozen=True)
class Reference:
    """The number of solutions of a puzzle up to a limit, and the solution if there is exactly one.

    Attributes:
        solutions: the number, at most the limit (see ``limit_of``).
        solution: the cells of the unique solution; None if there is none or more than one, or if they were not counted.
        sources: number of strategies that established it, of two (one may reach its limit); 0 if there is a solution by
            the way the puzzle was made, and any is an answer.
    """

    solutions: int
    solution: tuple[int, ...] | None
    sources: int

    @cached_property
    def cell_bytes(self) -> bytes | None:
        """The cells of the solution, one byte each."""
        return None if self.solution is None else bytes(self.solution)


ANY = Reference(1, None, 0)


def limit_of(puzzle: Puzzle, limit: int) -> int:
    """Return up to how many solutions are counted for a task with a limit: two at least, to know if there is only one.

    Latin squares are an exception: they are completed, not solved. Clues seldom leave one completion, and any is an
    answer.
    """
    is_completed = puzzle.shape.layout == LATIN and not puzzle.shape.pencilmarks
    return limit if is_completed else max(2, limit)


def establish(
    puzzles: Sequence[tuple[str, Puzzle]],
    limit: int,
    tick: Callable[[], None] = lambda: None,
    solvable: Container[Puzzle] = (),
) -> list[Reference]:
    """Return the references of named puzzles, counting up to ``limit_of`` them solutions.

    They are established on all cores, unless they are shipped or kept from an earlier run. Only what both strategies
    agree on is kept, and a solution that was kept is checked again. ``tick`` is called after each puzzle.

    Args:
        solvable: puzzles that have a solution; if one is enough, nothing is established. Where the task asks for one
            and there are several, as in grids with random cells, any is an answer.

    Raises:
        InputError: neither strategy finishes a puzzle within its limit, or they disagree.
    """
    references = []
    with contextlib.ExitStack() as ended:
        info, of_threads = strategies.exact(SECOND), dict[int, SecondStrategy]()

        def second() -> SecondStrategy:  # each thread has its own
            thread = threading.get_ident()
            if thread not in of_threads:
                of_threads[thread] = ended.enter_context(contextlib.closing(SecondStrategy(info)))
            return of_threads[thread]

        counts = [(name, puzzle, limit_of(puzzle, limit)) for name, puzzle in puzzles]

        def compute(place: int) -> list[Any]:
            _, puzzle, counted = counts[place]
            is_known = counted == 1 and puzzle in solvable
            return as_json(ANY if is_known else _establish(*counts[place], second()))

        keys = [key_of(puzzle, counted) for _, puzzle, counted in counts]
        established = results(keys, compute, final=lambda each: each[2] == 2)
        try:
            for (name, puzzle, counted), values in zip(counts, established, strict=True):
                found = reference_of(puzzle, values, counted)
                found = found or _establish(name, puzzle, counted, second())
                is_any = limit == 1 < found.solutions and puzzle in solvable
                references.append(ANY if is_any else found)
                tick()
        except KeyboardInterrupt:
            for each in of_threads.values():
                each.kill()
            afterwards(ended.pop_all().close)  # threads that nobody waits for still use them
            raise
    return references


def key_of(puzzle: Puzzle, limit: int) -> str:
    return f"reference:{limit} {puzzle.shape.code} {puzzle.text}"


def as_json(reference: Reference) -> list[Any]:
    """Return a reference as it is kept."""
    return [reference.solutions, reference.solution and list(reference.solution), reference.sources]


def reference_of(puzzle: Puzzle, values: Any, limit: int = 2) -> Reference | None:
    """Return a reference as it was kept; None if it was changed since then, as far as its solution shows that."""
    try:
        solutions, solution, sources = values
        if (solutions == 1 < limit) != (solution is not None) or (solution and solution_fault(puzzle, solution)):
            return None
        return Reference(solutions, solution and tuple(solution), sources)
    except (TypeError, ValueError):
        return None


class Decoy(NamedTuple):
    """An altered puzzle: ``kind`` is ``several`` or ``none``, ``name`` that of the original."""

    kind: str
    name: str
    puzzle: Puzzle


def decoys(puzzles: Sequence[tuple[str, Puzzle, Reference]], rng: random.Random) -> Iterator[Decoy]:
    """Yield up to ``DECOYS`` altered puzzles.

    Only puzzles with a unique solution are altered. ``several``: the clues of cells, or their pencilmarks, are removed
    until a second solution appears. ``none``: an open cell gets a digit that differs from the solution's and conflicts
    with no clue.
    """
    usable = [item for item in puzzles if item[2].solution]
    for number, (name, puzzle, reference) in enumerate(rng.sample(usable, min(DECOYS, len(usable)))):
        assert reference.solution is not None
        kind = "none" if number % 2 else "several"
        altered = _with_none(puzzle, reference.solution, rng) if number % 2 else _with_several(puzzle, rng)
        if altered:
            yield Decoy(kind, name, altered)


def _establish(name: str, puzzle: Puzzle, limit: int, second: SecondStrategy) -> Reference:
    from sudoku_bench.datasets.search import solve

    first = solve(puzzle, limit, max_guesses=MAX_GUESSES)
    counts: list[Sequence[Sequence[int]]] = [first.solutions] if first.complete else []
    answer = second.solve(puzzle, limit)
    if answer is not None:
        counts.append(answer)
    if not counts:
        raise InputError(f"puzzle {name}: the number of solutions could not be established; remove the puzzle")
    solutions = counts[0]
    is_only = len(solutions) == 1 < limit
    for other in counts[1:]:
        if len(other) != len(solutions) or (is_only and tuple(other[0]) != tuple(solutions[0])):
            raise InputError(f"puzzle {name}: the two reference strategies disagree; please report this puzzle")
    only = tuple(solutions[0]) if is_only else None
    return Reference(len(solutions), only, len(counts))


class SecondStrategy:
    """The second strategy, in a separate worker that is replaced when it dies."""

    def __init__(self, info: StrategyInfo) -> None:
        self._info = info
        self._worker: Worker | None = None
        self._shape: Shape | None = None

    def solve(self, puzzle: Puzzle, limit: int) -> list[Sequence[int]] | None:
        """Return up to ``limit`` solutions; None if the strategy is not installed or does not finish in time."""
        if not self._info.available:
            return None
        try:
            if self._worker is None or self._shape != puzzle.shape:
                self.close()
                self._worker, self._shape = Worker(self._info, number=0), puzzle.shape
                self._worker.start()
                self._worker.prepare(puzzle.shape)
            reply = self._worker.solve(SolveRequest([puzzle], Task("count", limit), SECOND_LIMIT_S))
        except WorkerDied:
            self._worker = None
            return None
        if not reply.answers:
            self.close()
            return None
        return list(reply.answers[0])

    def kill(self) -> None:
        """End the worker that another thread may use, which then closes it."""
        if worker := self._worker:
            worker.kill()

    def close(self) -> None:
        if self._worker:
            self._worker.close()
            self._worker = None


def _with_several(puzzle: Puzzle, rng: random.Random) -> Puzzle | None:
    from sudoku_bench.datasets.search import solve

    masks = list(puzzle.board.candidates)
    every = (1 << puzzle.shape.size) - 1
    clues = [cell for cell, mask in enumerate(masks) if mask != every]
    rng.shuffle(clues)
    for cell in clues:
        masks[cell] = every
        altered = Puzzle.of_candidates(puzzle.shape, masks)
        if len(solve(altered, limit=2, max_guesses=DECOY_GUESSES).solutions) > 1:
            return altered
    return None  # the search gave up on each, as it may on large boards


def _with_none(puzzle: Puzzle, solution: Sequence[int], rng: random.Random) -> Puzzle | None:
    masks = list(puzzle.board.candidates)
    choices = [
        (cell, digit)
        for cell, mask in enumerate(masks)
        if mask.bit_count() > 1
        for digit in puzzle.domains[cell]
        if digit != solution[cell] and all(puzzle.cells[peer] != digit for peer in puzzle.shape.peers[cell])
    ]
    if not choices:
        return None
    cell, digit = rng.choice(choices)
    masks[cell] = 1 << digit - 1
    return Puzzle.of_candidates(puzzle.shape, masks)
