"""Progress of a run, on a terminal and in a pipe."""

from __future__ import annotations

import io

from rich.cells import cell_len
from rich.console import Console

from bench.folder.live import Live
from bench.say import progress
from bench.say.progress import Progress
from tests.bench.folder.test_live import row


def test_standings_fit_the_height_and_width_of_the_terminal() -> None:
    live = Live(60)
    for number in range(60):
        live.add(row(strategy=f"family:a-name-of-quite-some-length-that-no-terminal-has-room-for-{number:02d}"))
    for height in (3, 10, 24, 60, 61, 100):
        lines = progress.standings(live, 80, height)
        assert len(lines) <= height
        assert max(map(cell_len, lines)) <= 80
        strategies = [line for line in lines if line.startswith("family")]
        assert len(strategies) == 60 or lines[-1] == f"and {60 - len(strategies)} more"
    assert progress.standings(live, 80, 2) == []
    assert progress.standings(Live(1), 80, 24) == []


def test_a_pipe_gets_plain_lines_and_quiet_mode_only_warnings() -> None:
    for quiet in (False, True):
        text = io.StringIO()
        with Progress(Console(file=text, highlight=False, markup=False), quiet) as shown_:
            live = Live(3)
            live.add(row())
            shown_.begin_measuring(live)
            shown_._started -= 100  # as if it had been going on for long
            for _ in range(2):
                shown_.measured(row())
            shown_.info("a remark")
            shown_.warn("a warning")
        expected = ["a warning"] if quiet else ["measuring: 3 of 3 (100 s)", "a remark", "a warning"]
        assert text.getvalue().splitlines() == expected


def test_at_the_end_all_rows_are_counted_however_many_there_were() -> None:
    for number in (1, progress.ROWS_AT_ONCE - 1, progress.ROWS_AT_ONCE, 2 * progress.ROWS_AT_ONCE + 5):
        live = Live(number)
        with Progress(Console(quiet=True), quiet=True) as shown_:
            shown_.begin_measuring(live)
            for _ in range(number):
                shown_.measured(row())
            shown_.end()
        assert (live.rows, live.statuses) == (number, {"solved": number})
