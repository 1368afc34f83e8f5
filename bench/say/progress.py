"""Progress of a run: on a terminal a bar, the time left and a line per strategy; elsewhere an occasional line.

The text is prepared when a row arrives, between two measurements. The drawing thread only prints it, at a low rate,
because the runner should stay idle while a worker is measured. Rows are counted some at a time, which takes less than
half as long: after a solve the caches are full of other code.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from rich.console import Console, RenderableType
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
from rich.text import Text

from bench.folder.live import Live, Standing
from bench.folder.rows import Row
from bench.say.output import print_line
from bench.say.phrases import cut, duration, fitted, seconds
from bench.worker.clocks import wall_s

SECONDS_BETWEEN_LINES = 10.0
SECONDS_WORTH_A_LINE = 1.0  # shorter activities leave no line
DRAWN_PER_SECOND = 2
SECONDS_BETWEEN_STANDINGS = 0.5
ROWS_AT_ONCE = 32  # rows of a run that are counted together
OTHER_LINES = 4  # lines of the terminal that standings do not use
NAME_SHARE = 0.42  # largest share of the terminal's width for names


class TimeLeft(TimeRemainingColumn):
    """The time left according to the run's pace, if known; it counts down between two rows."""

    def render(self, task: Task) -> Text:
        ends_at_s = task.fields.get("ends_at_s")
        if ends_at_s is None:
            return super().render(task)
        minutes, left_s = divmod(max(0, round(ends_at_s - wall_s())), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(f"{hours:d}:{minutes:02d}:{left_s:02d}", style="progress.remaining")


class Display(Bars):
    """Progress bars with text below them: ``below`` is replaced by another thread than the one that draws."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self.below = Text()
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeLeft(),
            console=console,
            disable=quiet or not console.is_terminal,
            refresh_per_second=DRAWN_PER_SECOND,
            expand=True,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        if self.below:
            yield self.below


class Progress:
    """Show one activity at a time.

    ``begin`` starts an activity, ``advance`` counts a unit of its work and ``end`` ends it. ``begin_measuring`` starts
    the measurements, and ``measured`` takes each row.

    Args:
        quiet: show only warnings.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._on_terminal = console.is_terminal  # which reads the environment each time
        self._bar = Display(console, quiet)
        self._task: TaskID | None = None
        self._live: Live | None = None
        self._uncounted: list[Row] = []
        self._name, self._total, self._count, self._started = "", 0, 0, 0.0
        self._printed = self._drawn = 0.0

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, name: str, total: int = 0, completed: int = 0) -> None:
        self.end()
        self._name, self._total, self._count = name, total, completed
        self._started = self._printed = self._drawn = wall_s()
        self._task = self._bar.add_task(name, total=total or None, completed=completed)

    def advance(self, total: int = 0) -> None:
        """Count one unit of work; ``total`` can be given here if ``begin`` did not know it."""
        self._count += 1
        self._total = total or self._total
        now = wall_s()
        if self._task is not None and (self._count == self._total or now - self._drawn >= 1 / DRAWN_PER_SECOND):
            self._drawn = now
            self._bar.update(self._task, completed=self._count, total=self._total or None)
        self._print_progress(now)

    def begin_measuring(self, live: Live) -> None:
        """Start the measurements; ``live`` has the rows that exist already."""
        self.begin("measuring", live.planned, live.rows)
        self._live = live
        self._update_standings()

    def measured(self, row: Row) -> None:
        """Take a new row of the run. The object given to ``begin_measuring`` has all of them after ``end``."""
        self._uncounted.append(row)
        if len(self._uncounted) == ROWS_AT_ONCE:
            self._count_rows()
        if self._on_terminal and wall_s() - self._printed >= SECONDS_BETWEEN_STANDINGS:
            self._update_standings()
        self.advance()

    def info(self, line: str) -> None:
        """Print a line that stays on the terminal."""
        if not self._quiet:
            self.warn(line)

    def warn(self, line: str) -> None:
        """Print a line that stays on the terminal, even in quiet mode."""
        print_line(line, self._console)

    def end(self) -> None:
        """End the activity and remove its bar."""
        self._count_rows()
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
        self._live = None
        self._bar.below = Text()

    def _count_rows(self) -> None:
        if self._live:
            for row in self._uncounted:
                self._live.add(row)
        self._uncounted.clear()

    def _update_standings(self) -> None:
        """Prepare the time left and the lines of as many strategies as fit."""
        if self._task is None or self._live is None or self._bar.disable:
            return
        self._count_rows()
        self._printed = wall_s()
        left_s = self._live.left_s
        if left_s is not None:
            self._bar.update(self._task, ends_at_s=self._printed + left_s)
        lines = standings(self._live, self._console.width, self._console.height - OTHER_LINES)
        self._bar.below = Text("\n".join(lines), no_wrap=True)

    def _print_progress(self, now: float) -> None:
        if self._on_terminal or self._quiet:
            return
        ended = self._count == self._total and now - self._started > SECONDS_WORTH_A_LINE
        if ended or now - self._printed >= SECONDS_BETWEEN_LINES:
            self._printed = now
            self._count_rows()
            left_s = self._live.left_s if self._live and self._count < self._total else None
            left = "" if left_s is None else f", about {duration(left_s)} left"
            self._console.print(f"{self._name}: {self._count} of {self._total} ({now - self._started:.0f} s{left})")


def standings(run: Live, width: int, height: int) -> list[str]:
    """Return the lines of the strategies, smallest median first, for a terminal of this size."""
    strategies = run.sorted()
    if not strategies or height < 3:
        return []
    fitting = strategies if len(strategies) < height else strategies[: height - 2]
    name_width = min(max(len(standing.strategy) for standing in fitting), int(NAME_SHARE * width))
    so_far = " so far" if run.rows < run.planned else ""
    lines = [f"median CPU time per solve{so_far}", *(standing_line(standing, name_width) for standing in fitting)]
    if len(fitting) < len(strategies):
        lines.append(f"and {len(strategies) - len(fitting)} more")
    return [cut(line, width) for line in lines]


def standing_line(standing: Standing, name_width: int) -> str:
    """Return a strategy as a line: median CPU time so far, solved measurements, and other statuses."""
    median = standing.median_s
    time = "-" if math.isnan(median) else f"> {seconds(standing.limit_s)}" if math.isinf(median) else seconds(median)
    others = sorted((status, number) for status, number in standing.statuses.items() if status != "solved")
    counts = [
        f"{standing.statuses['solved']}/{standing.measured} solved",
        *(f"{number} {status.replace('_', ' ')}" for status, number in others),
    ]
    return f"{fitted(standing.strategy, name_width)}  {time:>8}  {', '.join(counts)}"
