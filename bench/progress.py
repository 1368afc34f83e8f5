"""Progress of a run: a bar with the time left on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Shows one activity at a time. ``begin`` names it, ``advance`` is called for each unit of work."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", style="dim", markup=False),
            console=console,
            disable=not console.is_terminal,
            refresh_per_second=4,  # the runner should rest while a worker is measured
        )
        self._task: TaskID | None = None
        self._name, self._total, self._count, self._started, self._said = "", 0, 0, 0.0, 0.0

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, name: str, total: int = 0, done: int = 0) -> None:
        self.done()
        self._name, self._total, self._count = name, total, done
        self._started = self._said = time.monotonic()
        self._task = self._bar.add_task(name, total=total or None, completed=done, note="")

    def advance(self, total: int = 0, note: str = "") -> None:
        """One more unit is done; ``total`` may become known only now."""
        self._count += 1
        self._total = total or self._total
        if self._task is not None:
            self._bar.update(self._task, advance=1, total=self._total or None, note=note)
        if not self._console.is_terminal:
            self._say()

    def say(self, line: str) -> None:
        """A line that stays."""
        self._console.print(line, soft_wrap=True)

    def _say(self) -> None:
        now = time.monotonic()
        if now - self._said >= SECONDS_BETWEEN_LINES or (self._count == self._total and now - self._started > 1):
            self._said = now
            self._console.print(f"{self._name}: {self._count} of {self._total} ({now - self._started:.0f} s)")

    def done(self) -> None:
        """The activity is over; its bar goes."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
