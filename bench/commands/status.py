"""``sudoku-bench status``: how far a run is, whether it goes on, how its strategies stand, how to resume it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from bench.commands import report
from bench.folder import state
from bench.say.phrases import duration
from bench.say.progress import standings
from bench.say.output import print_json, print_line


def add(commands: Any) -> None:
    parser = commands.add_parser("status", help="say how far a run is, also while it goes on, and how to resume it")
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run, such as results/bench")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    found = state.of_run(options.run)
    if options.json:
        print_json(found.document)
        return 0
    console = Console(highlight=False, markup=False)
    for line in lines(found):
        print_line(line, console)
    for line in standings(found.live, console.width, sys.maxsize):
        console.print(line)
    for line in mends(found):
        print_line(line, console)
    return 0


def lines(found: state.State) -> list[str]:
    """The state in words: what it is, how far, what became of the measurements."""
    if found.word == state.BEGINNING:
        return [f"{found.folder}: is beginning; a pilot comes before the first row"]
    live, planned = found.live, found.manifest["planned_rows"]
    started = f"{found.manifest['started'][:16].replace('T', ' ')} UTC"
    said = [f"{found.folder}: {found.word}, suite {found.manifest['suite']['name']}, started {started}"]
    share = f" ({live.rows / planned:.0%})" if planned else ""
    rest = f", about {duration(found.left_s)} left" if found.left_s else ""
    said.append(f"{live.rows} of {planned} rows{share}{rest}")
    if live.statuses:
        said.append(", ".join(f"{number} {status.replace('_', ' ')}" for status, number in live.statuses.most_common()))
    return said


def mends(found: state.State) -> list[str]:
    """What there is to do about a run that does not go on by itself."""
    if found.resume:
        return [f"go on with: {found.resume}"]
    if found.word == state.COMPLETE and not report.is_written(found.folder):
        return [f"write its tables and figures with: sudoku-bench report {found.folder}"]
    return []
