"""Progress of a run: on a terminal a bar, the time left and how each strategy stands; elsewhere a line now and then.

All that is shown is made when a row comes in, between two measurements; the thread that draws finds it ready, and draws
seldom, because the runner should rest while a worker is measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.segment import Segment
from rich.text import Text

from bench.folder.live import Live, Standing
from bench.folder.rows import Row
from bench.say.phrases import cut, duration, fitted, seconds
from bench.say.output import print_line
from bench.worker.clocks import wall_s

SECONDS_BETWEEN_LINES = 10.0
DRAWN_PER_SECOND = 2
SECONDS_BETWEEN_STANDINGS = 0.5
OTHER_LINES = 4  # of a terminal, that standings leave free
NAME_SHARE = 0.42  # of a terminal's width, at most, for names


class Left(TimeRemainingColumn):
    """The time left by the pace of the run where it is known, which counts down between two rows."""

    def render(self, task: Task) -> Text:
        ends_at_s = task.fields.get("ends_at_s")
        if ends_at_s is None:
            return super().render(task)
        minutes, left_s = divmod(max(0, round(ends_at_s - wall_s())), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(f"{hours:d}:{minutes:02d}:{left_s:02d}", style="progress.remaining")


class Lines:
    """Lines that are ready to be drawn."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []

    def set(self, lines: Iterable[str]) -> None:
        # A new list in one step: the drawing thread sees the old lines or the new ones.
        self.segments = [part for line in lines for part in (Segment(line), Segment.line())]

    def __rich_console__(self, _console: Console, _options: ConsoleOptions) -> RenderResult:
        yield from self.segments


class Display(Bars):
    """Bars with lines below them."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self.below = Lines()
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            Left(),
            console=console,
            disable=quiet or not console.is_terminal,
            refresh_per_second=DRAWN_PER_SECOND,
            expand=True,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        yield self.below


class Progress:
    """Shows one activity at a time. ``begin`` names it, ``advance`` is called for each unit of work; measuring begins
    with ``begin_measuring``, and ``measured`` gets each row.

    Args:
        quiet: show nothing but warnings.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._bar = Display(console, quiet)
        self._task: TaskID | None = None
        self._live: Live | None = None
        self._name, self._total, self._count, self._started, self._said = "", 0, 0, 0.0, 0.0

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, name: str, total: int = 0, done: int = 0) -> None:
        self.done()
        self._name, self._total, self._count = name, total, done
        self._started = self._said = wall_s()
        self._task = self._bar.add_task(name, total=total or None, completed=done)

    def advance(self, total: int = 0) -> None:
        """One more unit is done; ``total`` may become known only now."""
        self._count += 1
        self._total = total or self._total
        if self._task is not None:
            self._bar.update(self._task, advance=1, total=self._total or None)
        self._say()

    def begin_measuring(self, live: Live) -> None:
        """Measurements begin; ``live`` knows of the rows that are there already."""
        self.begin("measuring", live.planned, live.rows)
        self._live = live
        self._stand()

    def measured(self, row: Row) -> None:
        """One more row of the run."""
        assert self._live is not None
        self._live.add(row)
        if self._console.is_terminal and wall_s() - self._said >= SECONDS_BETWEEN_STANDINGS:
            self._stand()
        self.advance()

    def print_line(self, line: str) -> None:
        """A line that stays."""
        if not self._quiet:
            self.warn(line)

    def warn(self, line: str) -> None:
        """A line that stays, and is said even where all else is quiet."""
        print_line(line, self._console)

    def done(self) -> None:
        """The activity is over; its bar goes."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
        self._live = None
        self._bar.below.set(())

    def _stand(self) -> None:
        """Make ready what is shown of the time left and of the strategies, as many as there is room for."""
        if self._task is None or self._live is None or self._bar.disable:
            return
        self._said = wall_s()
        left_s = self._live.pace.left_s
        if left_s is not None:
            self._bar.update(self._task, ends_at_s=self._said + left_s)
        self._bar.below.set(standings(self._live, self._console.width, self._console.height - OTHER_LINES))

    def _say(self) -> None:
        if self._console.is_terminal or self._quiet:
            return
        now = wall_s()
        if now - self._said >= SECONDS_BETWEEN_LINES or (self._count == self._total and now - self._started > 1):
            self._said = now
            left_s = self._live.pace.left_s if self._live and self._count < self._total else None
            left = "" if left_s is None else f", about {duration(left_s)} left"
            self._console.print(f"{self._name}: {self._count} of {self._total} ({now - self._started:.0f} s{left})")


def standings(live: Live, width: int, height: int) -> list[str]:
    """How each strategy stands, the one with the smallest median first, in lines of a terminal."""
    found = live.standings()
    if not found or height < 3:
        return []
    kept = found if len(found) < height else found[: height - 2]
    name_width = min(max(len(own.strategy) for own in kept), int(NAME_SHARE * width))
    so_far = " so far" if live.rows < live.planned else ""
    lines = [f"median CPU time per solve{so_far}", *(standing_line(own, name_width) for own in kept)]
    if len(kept) < len(found):
        lines.append(f"and {len(found) - len(kept)} more")
    return [cut(line, width) for line in lines]


def standing_line(standing: Standing, name_width: int) -> str:
    """A strategy in one line: median CPU time so far, how much is solved, what was not finished and why."""
    median = standing.median_s
    time = "-" if math.isnan(median) else f"> {seconds(standing.limit_s)}" if math.isinf(median) else seconds(median)
    others = sorted((status, number) for status, number in standing.statuses.items() if status != "solved")
    told = [
        f"{standing.statuses['solved']}/{standing.measured} solved",
        *(f"{number} {status.replace('_', ' ')}" for status, number in others),
    ]
    return f"{fitted(standing.strategy, name_width)}  {time:>8}  {', '.join(told)}"
