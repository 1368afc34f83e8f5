"""What a run does not try again: puzzles that timed out, and collections on which nothing but timeouts came."""

from __future__ import annotations

from collections.abc import Mapping

from sudoku_bench.bench.folder.rows import NOT_REPEATED, NOT_TRIED, Attempt, Brief, Place, Row
from sudoku_bench.bench.plan.plan import Measurement


class Timeouts:
    """The timeouts of a run so far.

    Args:
        patience: a strategy whose first puzzles of a collection all timed out, this many of them in a launch, is set
            aside there (0: never).
    """

    def __init__(self, patience: int = 0) -> None:
        self._patience = patience
        self._untried: dict[Attempt, str] = {}  # with the reason
        self._in_a_row: dict[Place, int] = {}
        self._answered: set[Place] = set()

    def add(self, row: Row | Brief) -> None:
        """Take note of the outcome of a measurement."""
        where = row.attempt.place
        if row.status != "timeout":
            self._answered.add(where)
        elif row.attempt not in self._untried:
            self._untried[row.attempt] = f"{NOT_REPEATED}: timed out before in this launch"
            self._in_a_row[where] = self._in_a_row.get(where, 0) + 1

    def tell(self, untried: Mapping[Attempt, str]) -> None:
        """Take note of attempts that are not tried, for a reason that was found elsewhere."""
        self._untried |= untried

    @property
    def set_aside(self) -> list[Place]:
        """The strategies that are set aside, with the collection and the launch."""
        return sorted(where for where in self._in_a_row if self._is_hopeless(where))

    def reason(self, attempt: Attempt) -> str | None:
        """Return why a puzzle is not tried; None if it is."""
        if attempt in self._untried:
            return self._untried[attempt]
        if self._is_hopeless(attempt.place):
            return f"{NOT_TRIED}: the first {self._patience} puzzles of the collection timed out in this launch"
        return None

    def _is_hopeless(self, where: Place) -> bool:
        return 0 < self._patience <= self._in_a_row.get(where, 0) and where not in self._answered


def attempt_of(measurement: Measurement) -> Attempt:
    planned = measurement.planned
    return Attempt(measurement.entry.label, planned.collection, planned.name, measurement.launch)
