"""The contract of a strategy, which is one complete way to solve a puzzle."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle, in_parts, puzzles_of
from sudoku_bench.datasets.shape import Shape

T = TypeVar("T")

ANY_BOARD: Sequence[str] = ("units", "candidates")


@dataclass(frozen=True)
class Task:
    """The task that a strategy is given.

    Attributes:
        name: ``first`` (find one solution), ``unique`` (find one and refute a second) or ``count`` (enumerate up to K).
        limit: the maximum number of solutions: 1, 2 or K.
    """

    name: str
    limit: int

    @classmethod
    def parse(cls, text: str) -> Task:
        """Parse ``first``, ``unique`` or ``count:K``.

        Raises:
            InputError: the text is none of these.
        """
        if text == "first":
            return FIRST
        if text == "unique":
            return UNIQUE
        name, _, number = text.partition(":")
        if name == "count" and re.fullmatch("[0-9]{1,7}", number) and 0 < int(number) <= 1_000_000:
            return cls("count", int(number))
        raise InputError(f"{text[:40]!r} is not a task; use first, unique or count:K with K from 1 to 1000000")

    def __str__(self) -> str:
        return f"count:{self.limit}" if self.name == "count" else self.name


FIRST = Task("first", 1)
UNIQUE = Task("unique", 2)


class GaveUp(Exception):
    """Raised by an incomplete strategy that stops without an answer."""


class Unsupported(Exception):
    """Raised by ``prepare`` if the strategy cannot run here or cannot solve such boards; the message says why."""


class Strategy:
    """One complete way to solve a puzzle. Subclass, set ``name``, write ``search``, and decorate with ``register``.

    There is one instance per process and shape. The worker calls ``prepare`` once and then, for each puzzle,
    ``encode``, ``load``, ``search``, ``decode`` and ``release``, each timed separately. Packages are imported inside
    these methods, normally in ``prepare``, so that a process contains only what its own strategy needs. A strategy
    never times itself, never prints, and keeps nothing from one puzzle to the next unless it is ``persistent``.
    """

    name: ClassVar[str]  # family:model[+option][@engine]
    tasks: ClassVar[Sequence[str]] = ("first", "unique", "count")
    requires: ClassVar[Sequence[str]] = ()  # distributions; a missing one makes the strategy unsupported
    programs: ClassVar[Sequence[str]] = ()  # executables; a missing one makes the strategy unsupported
    persistent: ClassVar[bool] = False  # True if it keeps state from puzzle to puzzle
    complete: ClassVar[bool] = True  # False if it may give up without an answer
    deterministic: ClassVar[bool] = True  # False if answers or counters may differ from process to process
    environ: ClassVar[Mapping[str, str]] = {}  # environment variables with which its process must start
    # What it takes besides ordinary boards whose clues are values, of ``ANY_BOARD``: all units of any layout
    # (``shape.units``), and clues that are candidates (``puzzle.board.candidates``, ``puzzle.forbidden``).
    takes: ClassVar[Sequence[str]] = ()

    def prepare(self, shape: Shape) -> None:
        """Prepare rules, solver and compiled code, once per process and shape.

        Raises:
            Unsupported: the strategy cannot solve boards of this shape.
        """

    def encode(self, puzzle: Puzzle) -> Any:
        """Turn a puzzle into the strategy's own model of it."""
        return puzzle

    def load(self, model: Any) -> Any:
        """Load the model into the solver; the return value replaces the model."""
        return model

    def search(self, model: Any, task: Task) -> Any:
        """Search for ``task.limit`` solutions.

        Raises:
            GaveUp: an incomplete search stopped without an answer.
        """
        raise NotImplementedError(f"the class {type(self).__name__} has no method search")

    def decode(self, answer: Any) -> Sequence[Sequence[int]]:
        """Return the solutions, N·N digits each; fewer than the task's limit means that there are no more."""
        solutions: Sequence[Sequence[int]] = answer
        return solutions

    def release(self) -> None:
        """Free the resources of this solve; the time counts as part of the solve."""

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> Sequence[Sequence[Sequence[int]]]:
        """Solve a whole batch in one call (mode ``batch:B``) and return the solutions of each puzzle, in order.

        Override it if a solver is more efficient with many puzzles at once; this default solves them one by one.
        """
        answers = []
        for puzzle in puzzles:
            answers.append(list(self.decode(self.search(self.load(self.encode(puzzle)), task))))
            self.release()
        return answers

    def solve_cells(self, shape: Shape, cells: bytes, task: Task) -> tuple[Sequence[int], bytes]:
        """Solve a list whose ``cell_bytes`` lie one after another; nothing is measured (``sudoku-bench solve FILE``).

        Returns:
            the number of solutions of each puzzle, and all solutions one after another, a byte for each cell.
        """
        puzzles = [*puzzles_of(shape, in_parts(cells, len(cells) // shape.n_bytes))]
        answers = [*map(tuple, self.solve_many(puzzles, task))]
        grids = [grid if type(grid) is bytes else bytes(list(grid)) for answer in answers for grid in answer]
        if len(answers) != len(puzzles) or not set(map(len, grids)) <= {shape.n_cells}:
            raise ValueError("not as many answers, or cells, as were asked for")
        return [*map(len, answers)], b"".join(grids)

    def counters(self) -> Mapping[str, float]:
        """The work done by the last solve, such as ``{"conflicts": 12}``; called after ``release``, untimed."""
        return {}


def prepared(strategy: type[Strategy], shape: Shape) -> Strategy:
    """Return a strategy that is ready for boards of a shape.

    Raises:
        Unsupported: it does not take such boards, or cannot be prepared for them.
    """
    if shape.layout and "units" not in strategy.takes:
        raise Unsupported(f"ordinary rows, columns and boxes only, not {shape.name}")
    if shape.pencilmarks and "candidates" not in strategy.takes:
        raise Unsupported("puzzles whose clues are values only, not pencilmarks")
    instance = strategy()
    instance.prepare(shape)
    return instance


class Enumerating(Strategy):
    """A strategy whose solver finds one solution at a time: each is excluded before the search for the next."""

    def find(self, model: Any) -> list[int] | None:
        """The N·N digits of a solution that is not excluded, None if there is none."""
        raise NotImplementedError(f"the class {type(self).__name__} has no method find")

    def exclude(self, model: Any, cells: list[int]) -> None:
        """Exclude a solution from all later answers."""
        raise NotImplementedError(f"the class {type(self).__name__} has no method exclude")

    def search(self, model: Any, task: Task) -> list[list[int]]:
        return distinct(lambda: self.find(model), lambda cells: self.exclude(model, cells), task.limit)


def distinct(find: Callable[[], T | None], exclude: Callable[[T], bool | None], limit: int) -> list[T]:
    """Enumerate up to ``limit`` solutions with a solver that finds one at a time; fewer means that there are no more.

    Args:
        find: the next solution that is not excluded, None if there is none.
        exclude: excludes a solution from all later answers; returns False if that leaves no solution.
        limit: the maximum number of solutions, at least 1.
    """
    solutions: list[T] = []
    while (solution := find()) is not None:
        solutions.append(solution)
        if len(solutions) == limit or exclude(solution) is False:
            break
    return solutions
