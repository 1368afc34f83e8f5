"""Progress of a run in a pipe."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from rich.cells import cell_len
from rich.console import Console

from sudoku_bench.bench.commands.status import standings
from sudoku_bench.bench.folder.live import Live, Pace
from sudoku_bench.bench.say import progress
from sudoku_bench.bench.say.progress import Progress
from tests.bench.folder.test_live import row


def test_standings_fit_the_width_of_the_terminal() -> None:
    live = Live(60)
    for number in range(60):
        live.add(row(strategy=f"family:a-name-of-quite-some-length-that-no-terminal-has-room-for-{number:02d}"))
    lines = standings(live, 80)
    assert max(map(cell_len, lines)) <= 80
    assert len([line for line in lines if line.startswith("family")]) == 60
    assert standings(Live(1), 80) == []


def test_a_pipe_gets_plain_lines_and_quiet_mode_only_warnings(monkeypatch) -> None:
    for quiet in (False, True):
        text = io.StringIO()
        now = iter([0.0, 5.0, 20.0, 40.0])
        monkeypatch.setattr(progress, "wall_s", lambda now=now: next(now))
        with Progress(Console(file=text, highlight=False, markup=False), quiet) as shown_:
            shown_.begin("measuring", 5, 2)
            for _ in range(3):
                shown_.advance()
            shown_.info("a remark")
            shown_.warn("a warning")
        lines = ["measuring: 4 of 5 (20 s, about 15 s left)", "measuring: 5 of 5 (40 s)", "a remark", "a warning"]
        assert text.getvalue().splitlines() == (["a warning"] if quiet else lines)


@dataclass
class Simulated:
    """Lines of progress by a clock of its own, which no test waits for."""

    shown: Progress
    text: io.StringIO
    now: float = 0.0

    def unit(self, seconds: float) -> None:
        self.now += seconds
        self.shown.advance()

    def left(self) -> list[tuple[float, float | None]]:
        """The seconds since the activity began and those that are left, as each line says them."""
        said = re.findall(r"\((\d+) s(?:, about ([\d.]+) (s|min|h) left)?\)", self.text.getvalue())
        units = {"s": 1, "min": 60, "h": 3600}
        return [(float(at), float(left) * units[unit] if left else None) for at, left, unit in said]


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Simulated]:
    def begun() -> Simulated:
        text = io.StringIO()
        made = Simulated(Progress(Console(file=text, highlight=False, markup=False)), text)
        monkeypatch.setattr(progress, "wall_s", lambda: made.now)
        return made

    return begun


def test_a_run_and_its_status_say_the_same_time_left_without_what_starts(simulated) -> None:
    """Fourteen strategies start for 5 s each, then rows take 20 ms: 100 s in all, not hours."""
    run, pace, live = simulated(), Pace(), Live(5014)
    run.shown.begin("measuring", live.planned, pace=pace)
    of_status: dict[float, float | None] = {}
    for number in range(live.planned):
        run.now += 5.0 if number < 14 else 0.02
        of_run = row(strategy=f"s:{number % 14}", started_s=run.now)
        pace.add(of_run.started_s, live.planned, of_run.attempt.place)
        live.add(of_run)
        of_status[round(run.now)] = live.left_s
        run.unit(0.0)
    starting, later = run.left()[:7], run.left()[7:-1]
    assert {left for _, left in starting} == {None}
    assert len(later) > 5
    assert [at + (left or 0) for at, left in later] == [pytest.approx(170, abs=1)] * len(later)
    assert [left for _, left in later] == [pytest.approx(of_status[at], abs=1) for at, _ in later]
    assert (run.left()[-1], live.left_s) == ((170, None), 0.0)


def test_the_first_unit_of_any_activity_may_compile(simulated) -> None:
    rating = simulated()
    rating.shown.begin("rating puzzles", 41)
    rating.unit(80.0)
    for _ in range(40):
        rating.unit(1.0)
    assert rating.left() == [(80, None), (90, 30), (100, 20), (110, 10), (120, None)]


def test_the_time_left_follows_a_pace_that_changes(simulated) -> None:
    """Timeouts are not repeated after the first round."""
    run = simulated()
    run.shown.begin("measuring", 6000)
    for _ in range(500):
        run.unit(10.0)
    for _ in range(5500):
        run.unit(1.0)
    assert all(at + left == pytest.approx(10_500, rel=0.02) for at, left in run.left() if left and at > 6300)
