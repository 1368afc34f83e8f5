"""The finished rows of a run: what the rows that it already has mean for those that are still to come.

Rows are read one at a time and not kept, and a measurement takes one byte: a run of millions is resumed in a few
megabytes.
"""

from __future__ import annotations

from sudoku_bench.bench.folder.rows import Brief, Row
from sudoku_bench.bench.plan.plan import Measurement, Plan
from sudoku_bench.bench.run.timeouts import Timeouts


class Finished:
    """The rows of a run so far.

    Attributes:
        timeouts: what is not tried again.
        elapsed_s: duration of the run so far.
        last_worker: the highest number of a worker.
    """

    def __init__(self, plan: Plan) -> None:
        self._launches, self._repetitions = plan.suite.launches, plan.rounds
        self._of_label = {entry.label: place for place, entry in enumerate(plan.entries)}
        self._of_puzzle = {(s.collection, s.name): place for place, s in enumerate(plan.puzzles)}
        self._done = bytearray(self._launches * self._repetitions * len(self._of_puzzle) * len(self._of_label))
        self.timeouts = Timeouts(plan.suite.set_aside)
        self.elapsed_s, self.last_worker = 0.0, 0

    def add(self, row: Row | Brief) -> None:
        """Take note of a row.

        Raises:
            ValueError: the plan has no such measurement.
        """
        is_known = row.strategy in self._of_label and (row.collection, row.puzzle) in self._of_puzzle
        if not is_known or row.launch > self._launches or row.repetition > self._repetitions:
            raise ValueError("the run has no measurement of that strategy, puzzle, launch and repetition")
        self._done[self._place(row.strategy, row.collection, row.puzzle, row.launch, row.repetition)] = True
        self.timeouts.add(row)
        self.elapsed_s = max(self.elapsed_s, row.started_s)
        self.last_worker = max(self.last_worker, row.worker or 0)

    def __contains__(self, measurement: Measurement) -> bool:
        """Has the measurement a row?"""
        m, planned = measurement, measurement.planned
        return bool(self._done[self._place(m.entry.label, planned.collection, planned.name, m.launch, m.repetition)])

    def _place(self, label: str, collection: str, puzzle: str, launch: int, repetition: int) -> int:
        """Return the number of a measurement among all conceivable ones."""
        round_of_run = (launch - 1) * self._repetitions + repetition - 1
        of_puzzle = round_of_run * len(self._of_puzzle) + self._of_puzzle[collection, puzzle]
        return of_puzzle * len(self._of_label) + self._of_label[label]
