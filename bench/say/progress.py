"""Progress of a run: on a terminal a bar and the time left; elsewhere an occasional line.

The bar is drawn at a low rate, because the runner should stay idle while a worker is measured.
"""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from sudoku_bench.bench.folder.live import Pace
from sudoku_bench.bench.say.output import print_line
from sudoku_bench.bench.say.phrases import duration
from sudoku_bench.bench.worker.clocks import wall_s

SECONDS_BETWEEN_LINES = 10.0
SECONDS_WORTH_A_LINE = 1.0  # shorter activities leave no line
DRAWN_PER_SECOND = 2


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
        self._name, self._total, self._count = "", 0, 0
        self._started = self._printed = self._drawn = 0.0
        self._pace, self._is_counted = Pace(), True

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, name: str, total: int = 0, completed: int = 0, pace: Pace | None = None) -> None:
        """Begin an activity.

        Args:
            pace: of units that are counted elsewhere; by default, those of ``advance``.
        """
        self.end()
        self._name, self._total, self._count = name, total, completed
        self._started = self._printed = self._drawn = wall_s()
        self._pace, self._is_counted = pace or Pace(), pace is None
        self._task = self._bar.add_task(name, total=total or None, completed=completed, left="")

    def advance(self, total: int = 0) -> None:
        """Count one unit of work; ``total`` can be given here if ``begin`` did not know it."""
        self._count += 1
        self._total = total or self._total
        now = wall_s()
        if self._is_counted:
            self._pace.add(now, self._total)
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
        left_s = self._pace.left_s(self._total - self._count)
        return f"about {duration(left_s)} left" if left_s else ""
