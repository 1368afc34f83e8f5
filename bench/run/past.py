"""The past of a run: what the rows that it already has mean for those that are still to come.

Rows are read one at a time and not kept: a run of ten million measurements is resumed in a few megabytes.
"""

from __future__ import annotations

from bench.folder.rows import Row, shown
from bench.plan.plan import Measurement, Plan
from bench.run.timeouts import Timeouts

Replicate = tuple[str, str, int, int]  # collection, puzzle, launch, repetition


class Past:
    """The rows of a run so far.

    Attributes:
        timeouts: what is not tried again.
        elapsed_s: duration of the run so far.
        last_worker: the highest number of a worker.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan, self._contestants = plan, plan.contestants
        self._of_label = {contestant.label: place for place, contestant in enumerate(self._contestants)}
        self._of_puzzle = {(s.collection, s.name): place for place, s in enumerate(plan.subjects)}
        self._repetitions = plan.rounds
        bits = plan.suite.launches * self._repetitions * len(plan.subjects) * len(self._contestants)
        self._done = bytearray((bits + 7) // 8)
        self.timeouts = Timeouts(plan.suite.set_aside)
        self.elapsed_s, self.last_worker = 0.0, 0

    def add(self, row: Row) -> None:
        """Take note of a row.

        Raises:
            ValueError: the plan has no such measurement.
        """
        first = self._first((row.collection, row.puzzle, row.launch, row.repetition))
        place = self._of_label.get(row.strategy)
        if first is None or place is None:
            raise ValueError(self._why_not_planned(row))
        self._done[(first + place) >> 3] |= 1 << ((first + place) & 7)
        self.timeouts.add(row)
        self.elapsed_s = max(self.elapsed_s, row.started_s)
        self.last_worker = max(self.last_worker, row.worker or 0)

    def __contains__(self, measurement: Measurement) -> bool:
        """Has the measurement a row?"""
        subject = measurement.subject
        first = self._first((subject.collection, subject.name, measurement.launch, measurement.repetition))
        return first is not None and bool(self._bits(first) >> self._of_label[measurement.contestant.label] & 1)

    def _why_not_planned(self, row: Row) -> str:
        """Say which field of a row is none of the plan."""
        if row.strategy not in self._of_label:
            return f"strategy is {shown(row.strategy)}, which the run does not measure"
        if (row.collection, row.puzzle) not in self._of_puzzle:
            return f"puzzle is {shown(row.puzzle)} of {shown(row.collection)}, which the run does not measure"
        launches, repetitions = self._plan.suite.launches, self._repetitions
        if row.launch > launches:
            return f"launch is {row.launch}, and the run has {launches}"
        return f"repetition is {row.repetition}, and the run has {repetitions}"

    def _first(self, replicate: Replicate) -> int | None:
        """Return the number of the first measurement of a replicate among all conceivable ones; None if it is none."""
        collection, puzzle, launch, repetition = replicate
        subject, launches = self._of_puzzle.get((collection, puzzle)), self._plan.suite.launches
        if subject is None or not (1 <= launch <= launches and 1 <= repetition <= self._repetitions):
            return None
        turn = (launch - 1) * self._repetitions + repetition - 1
        return (turn * len(self._of_puzzle) + subject) * len(self._contestants)

    def _bits(self, first: int) -> int:
        """Return which contestants have a row of a replicate, one bit each."""
        number = len(self._contestants)
        of_bytes = int.from_bytes(self._done[first >> 3 : (first + number + 7) >> 3], "little")
        return (of_bytes >> (first & 7)) & ((1 << number) - 1)
