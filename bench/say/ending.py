"""The end of a run in a terminal: warnings, then at most eight lines: the answer, its scope, where the report is."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

from rich.console import Console

from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.folder.store import REPORT
from sudoku_bench.bench.say import speech, terminal
from sudoku_bench.bench.say.output import print_line
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.verdicts.answer import answer
from sudoku_bench.bench.verdicts.run_tables import Run

RESULTS, LINES = 3, 6  # lines on who is fastest, and of the answer, with which a run ends
UNFINISHED = 3  # strategies with unfinished measurements that are named


def show(run: Run, folder: Path, console: Console) -> None:
    """Print the end of a run."""
    if all(one.too_few for one in answer(run).workloads):
        terminal.print_medians(run, console)
    for line in (*warnings(run), *conclusion(run, folder)):
        print_line(line, console)


def conclusion(run: Run, folder: Path) -> list[str]:
    """Return what a reader can repeat to others, and where everything else is."""
    told, hidden = speech.everything(run), speech.results(run)[RESULTS:]
    shown = [line for line in told if line not in hidden][:LINES]
    rest = f"{counted(len(hidden), 'more result')}, plots and tables" if hidden else "Plots and tables"
    scope = [". ".join([*terminal.seen(run.pairs), *speech.precision(run)])]
    in_terminal = f"sudoku-bench report {shlex.quote(str(folder))} --verbose"
    return [*shown, *filter(None, scope), f"{rest}: {folder / REPORT}; in this terminal: {in_terminal}"]


def warnings(run: Run) -> list[str]:
    """Return what changes the meaning of the numbers, and what was not measured or not finished."""
    rows, planned = len(run.measurements), run.manifest.get("planned_rows")
    incomplete = [] if planned in (rows, None) else [f"Incomplete: {rows} of {planned} measurements"]
    return [*incomplete, *terminal.cautions(run), *_unfinished(run)]


def _unfinished(run: Run) -> list[str]:
    """Return a line on how solves ended if some were not finished, and on the strategies with most of these."""
    counts: dict[str, Counter[str]] = {}
    for line in run.summary.to_dict("records"):
        counts.setdefault(line["strategy"], Counter()).update(outcomes.of_line(line))
    failed = {name: number for name, own in counts.items() if (number := outcomes.not_finished(own))}
    if not failed:
        return []
    names = sorted(failed, key=lambda name: -failed[name])
    texts = [f"{name} {outcomes.text(counts[name])}" for name in names[:UNFINISHED]]
    more = f"; and {counted(rest, 'more strategy', 'more strategies')}" if (rest := len(names) - UNFINISHED) > 0 else ""
    return [f"{outcomes.sentence(sum(counts.values(), Counter()))}: {'; '.join(texts)}{more}"]
