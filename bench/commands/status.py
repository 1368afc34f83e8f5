"""``sudoku-bench status``: show the progress of a run, the results so far, and how to resume it."""

from __future__ import annotations

import argparse
import math
import re

from sudoku_bench.bench.commands import report
from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.folder import disturbances, outcomes, seal, state
from sudoku_bench.bench.folder.live import Live, Standing
from sudoku_bench.bench.say.output import plain_console, print_json, print_line
from sudoku_bench.bench.say.phrases import cut, duration, fitted, seconds

NAME_SHARE = 0.42  # largest share of the terminal's width for names


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show the progress of a run, also while it is running, the median times so far, and the command"
        " that resumes it."
    )
    add_shared(parser, "run", "--json")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    run_state = state.of_run(options.run)
    if options.json:
        print_json(run_state.document)
        return 0
    console = plain_console()
    for line in state_lines(run_state):
        print_line(line, console)
    for line in standings(run_state.standings, console.width):
        console.print(line)
    for line in next_steps(run_state):
        print_line(line, console)
    return 0


def state_lines(run_state: state.State) -> list[str]:
    """Return the state as text: suite and start, progress, and counts by status."""
    if run_state.word == state.BEGINNING:
        return [f"{run_state.folder}: is starting; a probe runs before the first row"]
    rows, planned = run_state.standings, run_state.manifest["planned_rows"]
    started = f"{run_state.manifest['started'][:16].replace('T', ' ')} UTC"
    lines = [f"{run_state.folder}: {run_state.word}, suite {run_state.manifest['suite']['name']}, started {started}"]
    share = f" ({rows.rows / planned:.0%})" if planned else ""
    rest = f", about {duration(run_state.left_s)} left" if run_state.left_s else ""
    lines.append(f"{rows.rows} of {planned} rows{share}{rest}")
    if rows.rows:
        lines.append(outcomes.text(rows.kinds, ()))
    if rows.fault:
        plugins = {known["name"]: known.get("plugin") for known in run_state.manifest["strategies"]}
        name = re.sub(outcomes.LABEL, "", rows.fault.strategy)
        lines.append(outcomes.fault(rows.fault, plugins.get(name)))
    disturbed = [text for text in (disturbances.words(run_state.manifest),) if text]
    return [*lines, *disturbed, *seal.note(run_state.edited)]


def next_steps(run_state: state.State) -> list[str]:
    """Return what to do about a run that is not running."""
    if run_state.resume:
        return [f"resume with: {run_state.resume}"]
    if run_state.word == state.COMPLETE and not report.is_written(run_state.folder):
        return [f"write its tables and figures with: sudoku-bench report {run_state.folder}"]
    return []


def standings(run: Live, width: int) -> list[str]:
    """Return the lines of the strategies, smallest median first, for a terminal of this width."""
    strategies = run.sorted()
    if not strategies:
        return []
    name_width = min(max(len(standing.strategy) for standing in strategies), int(NAME_SHARE * width))
    so_far = " so far" if run.rows < run.planned else ""
    lines = (standing_line(standing, name_width) for standing in strategies)
    return [cut(line, width) for line in (f"median CPU time of all solves{so_far}", *lines)]


def standing_line(standing: Standing, name_width: int) -> str:
    """Return a strategy as a line: median CPU time so far, solved measurements, and other statuses."""
    median = standing.median_s
    time = "-" if math.isnan(median) else f"> {seconds(standing.limit_s)}" if math.isinf(median) else seconds(median)
    return f"{fitted(standing.strategy, name_width)}  {time:>8}  {outcomes.text(standing.kinds, ())}"
