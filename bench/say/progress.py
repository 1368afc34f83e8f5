"""Progress of a run: on a terminal a bar and the time left; elsewhere an occasional line.

The bar is drawn at a low rate, because the runner should stay idle while a worker is measured.
"""

from __future__ import annotations

from collections import deque

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from bench.say.output import print_line
from bench.say.phrases import duration
from bench.worker.clocks import wall_s

SECONDS_BETWEEN_LINES = 10.0
SECONDS_WORTH_A_LINE = 1.0  # shorter activities leave no line
DRAWN_PER_SECOND = 2
PACE_S = 600  # the time left is estimated from the pace of the last 10 to 20 minutes
LEAST_PACE_S = 5.0  # before that, nothing is said about the time left


class Progress:
    """Show one activity at a time: ``begin`` starts it, ``advance`` counts a unit of its work and ``end`` ends it.

    Args:
        quiet: show only warnings.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._on_terminal = console.is_terminal  # which reads the environment each time
        self._bar = Bars(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
            disable=quiet or not self._on_terminal,
            refresh_per_second=DRAWN_PER_SECOND,
            expand=True,
        )
        self._task: TaskID | None = None
        self._name, self._total, self._count, self._completed = "", 0, 0, 0
        self._started = self._printed = self._drawn = self._latest = 0.0
        self._paced_s, self._paced = 0.0, 0  # of the units that the pace is measured from
        self._marks: deque[tuple[float, int]] = deque(maxlen=2)  # earlier values of these

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, name: str, total: int = 0, completed: int = 0) -> None:
        self.end()
        self._name, self._total, self._count, self._completed = name, total, completed, completed
        self._started = self._printed = self._drawn = self._latest = wall_s()
        self._paced_s, self._paced = 0.0, 0
        self._marks.clear()
        self._marks.append((0.0, 0))
        self._task = self._bar.add_task(name, total=total or None, completed=completed, left="")

    def advance(self, total: int = 0, starts: bool = False) -> None:
        """Count one unit of work.

        Args:
            total: can be given here if ``begin`` did not know it.
            starts: something was started or compiled for it, as for the first; it does not count in the time left.
        """
        self._count += 1
        self._total = total or self._total
        now = wall_s()
        if not starts and self._count > self._completed + 1:
            self._paced_s, self._paced = self._paced_s + now - self._latest, self._paced + 1
            if self._paced_s - self._marks[-1][0] >= PACE_S:
                self._marks.append((self._paced_s, self._paced))
        self._latest = now
        if self._task is not None and (self._count == self._total or now - self._drawn >= 1 / DRAWN_PER_SECOND):
            self._drawn = now
            self._bar.update(self._task, completed=self._count, total=self._total or None, left=self._left())
        self._print_progress(now)

    def info(self, line: str) -> None:
        """Print a line that stays on the terminal."""
        if not self._quiet:
            self.warn(line)

    def warn(self, line: str) -> None:
        """Print a line that stays on the terminal, even in quiet mode."""
        print_line(line, self._console)

    def end(self) -> None:
        """End the activity and remove its bar."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None

    def _print_progress(self, now: float) -> None:
        if self._on_terminal or self._quiet:
            return
        elapsed_s, remaining = now - self._started, self._total - self._count
        if now - self._printed >= SECONDS_BETWEEN_LINES or (not remaining and elapsed_s > SECONDS_WORTH_A_LINE):
            self._printed = now
            left = self._left()
            self._console.print(
                f"{self._name}: {self._count} of {self._total} ({elapsed_s:.0f} s{left and ', '}{left})"
            )

    def _left(self) -> str:
        since_s, since = self._marks[0]
        remaining, paced_s = self._total - self._count, self._paced_s - since_s
        if remaining <= 0 or paced_s < LEAST_PACE_S:
            return ""
        return f"about {duration(paced_s * remaining / (self._paced - since))} left"
