"""Progress of a run in a pipe."""

from __future__ import annotations

import io

from rich.cells import cell_len
from rich.console import Console

from bench.commands.status import standings
from bench.folder.live import Live
from bench.say import progress
from bench.say.progress import Progress
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
        lines = ["measuring: 4 of 5 (20 s, about 10 s left)", "measuring: 5 of 5 (40 s)", "a remark", "a warning"]
        assert text.getvalue().splitlines() == (["a warning"] if quiet else lines)
