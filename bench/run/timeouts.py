"""What a run does not try again: puzzles that timed out, and collections on which nothing but timeouts came."""

from __future__ import annotations

from collections.abc import Iterable

from bench.folder.rows import Attempt, Row

Place = tuple[str, str, int]  # strategy, collection, launch


class Timeouts:
    """The timeouts of a run so far.

    Args:
        patience: a strategy whose first puzzles of a collection all timed out, this many of them in a launch, is set
            aside there (0: never).
        rows: the rows of the run so far.
    """

    def __init__(self, patience: int = 0, rows: Iterable[Row] = ()) -> None:
        self._patience = patience
        self._timed_out: set[Attempt] = set()
        self._in_a_row: dict[Place, int] = {}
        self._answered: set[Place] = set()
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Take note of the outcome of a measurement."""
        if row.status != "timeout":
            self._answered.add(place(row))
        elif row.attempt not in self._timed_out:
            self._timed_out.add(row.attempt)
            self._in_a_row[place(row)] = self._in_a_row.get(place(row), 0) + 1

    @property
    def set_aside(self) -> list[Place]:
        """The strategies that are set aside, with the collection and the launch."""
        return sorted(where for where in self._in_a_row if self._is_hopeless(where))

    def reason(self, row: Row) -> str | None:
        """Return why a measurement is not tried; None if it is."""
        if row.attempt in self._timed_out:
            return "not repeated: timed out before in this launch"
        if self._is_hopeless(place(row)):
            return f"not tried: the first {self._patience} puzzles of the collection timed out in this launch"
        return None

    def _is_hopeless(self, where: Place) -> bool:
        return 0 < self._patience <= self._in_a_row.get(where, 0) and where not in self._answered


def place(row: Row) -> Place:
    return row.strategy, row.collection, row.launch
