"""The end of a run in a terminal: who is fastest where, crossovers, warnings, and where the report is."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from bench.folder.method import in_clock
from bench.folder.store import REPORT
from bench.say import terminal
from bench.say.output import print_line
from bench.say.phrases import counted, seconds
from bench.verdicts.comparable import CPU
from bench.verdicts.difficulty import crossovers
from bench.verdicts.pairs import standings
from bench.verdicts.pairs.evidence import beside_one, evidence
from bench.verdicts.pairs.standings import Standing
from bench.verdicts.run_tables import Run

NAMED = 3  # strategies of a tie that are named
CROSSOVERS = 2  # crossovers that are printed
UNFINISHED = 3  # strategies with unfinished measurements that are named
LABELS = 0.35  # share of the terminal that the names of collections may take


def show(run: Run, folder: Path, console: Console) -> None:
    """Print the end of a run."""
    if not has_verdicts(run):
        terminal.print_medians(run, console)
    _show_fastest(run, console)
    for line in (*first_crossovers(run), *warnings(run)):
        print_line(line, console)
    print_line(f"Plots and tables: {folder / REPORT}", console)
    print_line(f"More in this terminal: sudoku-bench report {shlex.quote(str(folder))} --verbose", console)


def _show_fastest(run: Run, console: Console) -> None:
    rows = list(fastest(run))
    if rows:
        print_line(heading(run), console)
    width = min(max((cell_len(label) for label, _ in rows), default=0), int(LABELS * console.width))
    for label, text in rows:
        print_line(f"  {label}{' ' * (width - cell_len(label))}  {text}", console, " " * (width + 4))


def has_verdicts(run: Run) -> bool:
    """Return whether any collection has enough data for verdicts."""
    return any(not standing.too_few for standing in standings.standings(run.pairs))


def heading(run: Run) -> str:
    """Return the heading of the fastest strategies."""
    if not has_verdicts(run):
        return "No verdict on which strategy is fastest:"
    task = run.manifest["suite"]["task"]
    return in_clock(f"Fastest, or statistically tied, by geometric mean of CPU time, task {task}:", run.manifest)


def fastest(run: Run) -> Iterator[tuple[str, str]]:
    """Yield successive collections with the same result, and that result in words."""
    for _, group in itertools.groupby(standings.standings(run.pairs), _key):
        standing = list(group)
        yield ", ".join(standings.place(item.collection, item.clock) for item in standing), _result(run, standing)


def _key(standing: Standing) -> tuple[object, ...]:
    """Return what successive standings must have in common to share a line."""
    return standing.clock, frozenset(standing.fastest), standing.tie, standing.too_few


def _result(run: Run, group: Sequence[Standing]) -> str:
    shared = group[0]
    if shared.too_few:
        return shared.too_few
    if len(shared.fastest) > 1:
        names, others = ", ".join(shared.fastest[:NAMED]), len(shared.fastest) - NAMED
        more = f" and {others} more" if others > 0 else ""
        return f"{shared.tie.removeprefix('statistically ')}: {names}{more} (of {shared.strategies})"
    return f"{shared.fastest[0]}{_means(run, group)}{_lead(group)}"


def _means(run: Run, group: Sequence[Standing]) -> str:
    """Return the geometric mean, by which verdicts compare, of the fastest strategy, or the range over collections."""
    where = [standing.collection for standing in group if standing.clock == CPU]
    summary = run.summary[(run.summary["strategy"] == group[0].fastest[0]) & run.summary["collection"].isin(where)]
    if summary.empty or summary["gmean_s"].isna().any():
        return ""
    least, most = seconds(summary["gmean_s"].min()), seconds(summary["gmean_s"].max())
    return f" ({least})" if least == most else f" ({least} to {most})"


def _lead(group: Sequence[Standing]) -> str:
    """Return how many times as long the nearest follower takes, on one collection with the interval that decided."""
    rows = [standing.nearest for standing in group if standing.nearest is not None]
    if len(rows) != len(group) or any(row["ratio"] != row["ratio"] for row in rows):
        return ""
    if len(rows) == 1:
        shown = evidence(rows[0])
        return f"; the next takes {shown.ratio} times as long {shown.interval}"
    ratios = sorted(float(row["ratio"]) for row in rows)
    return f"; the next takes {beside_one(ratios[0])} to {beside_one(ratios[-1])} times as long"


def first_crossovers(run: Run, rest: str = "see crossovers.csv") -> list[str]:
    """Return the first crossovers as sentences, and where the others are."""
    lines = crossovers.words(run.crossovers, CROSSOVERS, rest)
    return lines + terminal.star_note(lines)


def warnings(run: Run) -> list[str]:
    """Return what changes the meaning of the numbers, and what was not measured or not finished."""
    rows, planned = len(run.measurements), run.manifest.get("planned_rows")
    incomplete = [] if planned in (rows, None) else [f"Incomplete: {rows} of {planned} measurements"]
    return [*incomplete, *terminal.cautions(run), *_unfinished(run)]


def _unfinished(run: Run) -> list[str]:
    """Return a line on measurements that were not finished, those of most shared."""
    kinds = [(column, label) for column, label in terminal.FAILURES if column != "unsupported"]
    columns = [column for column, _ in kinds]
    totals = run.summary.groupby("strategy", sort=False)[[*columns, "n_measurements"]].sum()
    totals = totals.assign(failed=totals[columns].sum(axis=1)).sort_values("failed", ascending=False, kind="stable")
    texts = [
        f"{line['strategy']} {terminal.failures(line, kinds)}"
        for line in totals.query("failed > 0").reset_index().to_dict("records")
    ]
    others = len(texts) - UNFINISHED
    more = f"; and {counted(others, 'more strategy', 'more strategies')}" if others > 0 else ""
    return [f"Unfinished: {'; '.join(texts[:UNFINISHED])}{more}"] if texts else []
