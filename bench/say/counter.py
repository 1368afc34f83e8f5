"""A count of what is done, on standard error: on a terminal in place, elsewhere in an occasional line.

For commands whose output may be long, so nothing is shown if that output itself goes to a terminal. It imports nothing
that takes long, unlike ``bench.say.progress``.
"""

from __future__ import annotations

import sys

from bench.worker.clocks import wall_s

SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_UPDATES = 0.5


class Counter:
    """A context manager; ``add`` counts one or more.

    Args:
        what: what is counted, such as ``puzzles solved``.
    """

    def __init__(self, what: str) -> None:
        self._what, self._number = what, 0
        self._in_place, self._hidden = sys.stderr.isatty(), sys.stdout.isatty()
        self._every_s = SECONDS_BETWEEN_UPDATES if self._in_place else SECONDS_BETWEEN_LINES
        self._started = self._shown = wall_s()

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._in_place and self._shown > self._started:
            sys.stderr.write("\r\x1b[K")  # erases the line

    def add(self, number: int = 1) -> None:
        self._number += number
        now = wall_s()
        if now - self._shown < self._every_s or self._hidden:
            return
        self._shown = now
        line = f"{self._number:,} {self._what}, {self._number / (now - self._started):,.0f} per second"
        sys.stderr.write(f"\r\x1b[K{line}" if self._in_place else f"{line}\n")
        sys.stderr.flush()
