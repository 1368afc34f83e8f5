"""The end of a run in a terminal: warnings, then at most six lines: results, a crossover, their scope, the report."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.folder.method import in_clock
from sudoku_bench.bench.folder.store import REPORT
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.output import print_line
from sudoku_bench.bench.say.phrases import counted, listed, seconds_between
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.difficulty import crossovers
from sudoku_bench.bench.verdicts.pairs import standings
from sudoku_bench.bench.verdicts.pairs.evidence import beside_one, evidence
from sudoku_bench.bench.verdicts.pairs.standings import Standing
from sudoku_bench.bench.verdicts.run_tables import Run

NAMED = 3  # strategies of a tie that are named
RESULTS, CHANGES = 3, 1  # lines on who is fastest and on crossovers with which a run ends
CROSSOVERS = 2  # crossovers that the page shows at first
UNFINISHED = 3  # strategies with unfinished measurements that are named


def show(run: Run, folder: Path, console: Console) -> None:
    """Print the end of a run."""
    if not has_verdicts(run):
        terminal.print_medians(run, console)
    for line in (*warnings(run), *conclusion(run, folder)):
        print_line(line, console)


def conclusion(run: Run, folder: Path) -> list[str]:
    """Return what a reader can repeat to others, and where everything else is."""
    found, crossing = results(run), crossovers.sentences(run.crossovers)
    hidden = {"more result": len(found) - RESULTS, "more crossover": len(crossing) - CHANGES}
    rest = listed(["Plots", "tables", *(counted(number, name) for name, number in hidden.items() if number > 0)])
    changes = [f"{line}; * counts its own guesses" if "*" in line else line for line in crossing[:CHANGES]]
    in_terminal = f"sudoku-bench report {shlex.quote(str(folder))} --verbose"
    return [
        *found[:RESULTS],
        *changes,
        *terminal.seen(run.pairs),
        f"{rest}: {folder / REPORT}; in this terminal: {in_terminal}",
    ]


def has_verdicts(run: Run) -> bool:
    """Return whether any collection has enough data for verdicts."""
    return any(not standing.too_few for standing in standings.standings(run.pairs))


def results(run: Run) -> list[str]:
    """Return a sentence for all collections with the same result."""
    groups: dict[object, list[Standing]] = {}
    for standing in standings.standings(run.pairs):
        key = standing.clock, frozenset(standing.fastest), standing.tie, standing.solves_most, standing.too_few
        groups.setdefault(key, []).append(standing)
    return [_result(run, group) for group in groups.values()]


def _result(run: Run, group: Sequence[Standing]) -> str:
    shared, task = group[0], run.manifest["suite"]["task"]
    fastest = "Fastest" if task == "first" else f"Fastest at task {task}"
    where = listed(standings.place(item.collection, item.clock) for item in group)
    if shared.too_few:
        return f"No verdict on {where}: {shared.too_few}"
    if shared.solves_most:
        names = ", ".join(shared.fastest[:NAMED])
        return f"Most solved on {where}: {shared.solves_most} (of {shared.strategies}); faster: {names}"
    if len(shared.fastest) > 1:
        names, others = ", ".join(shared.fastest[:NAMED]), len(shared.fastest) - NAMED
        more = f" and {others} more" if others > 0 else ""
        return f"{fastest} on {where}, {shared.tie}: {names}{more} (of {shared.strategies})"
    return f"{fastest} on {where}: {shared.fastest[0]}{_means(run, group)}{_lead(group)}"


def _means(run: Run, group: Sequence[Standing]) -> str:
    """Return the geometric mean, by which verdicts compare, of the fastest strategy, or the range over collections."""
    where = [standing.collection for standing in group if standing.clock == CPU]
    summary = run.summary[(run.summary["strategy"] == group[0].fastest[0]) & run.summary["collection"].isin(where)]
    if summary.empty or summary["gmean_s"].isna().any():
        return ""
    times = seconds_between(summary["gmean_s"].min(), summary["gmean_s"].max())
    return in_clock(f" ({times} of CPU time, geometric mean)", run.manifest)


def _lead(group: Sequence[Standing]) -> str:
    """Return how many times as long the nearest follower takes, on one collection with its interval."""
    rows = [standing.nearest for standing in group if standing.nearest is not None]
    if len(rows) != len(group) or any(row["ratio"] != row["ratio"] for row in rows):
        return ""
    if len(rows) == 1:
        shown = evidence(rows[0])
        return f"; the next takes {shown.ratio} times as long {shown.interval}"
    ratios = sorted(float(row["ratio"]) for row in rows)
    return f"; the next takes {beside_one(ratios[0])} to {beside_one(ratios[-1])} times as long"


def first_crossovers(run: Run, rest: str) -> list[str]:
    """Return the first crossovers as sentences, and where the others are."""
    lines = crossovers.words(run.crossovers, CROSSOVERS, rest)
    return lines + terminal.star_note(lines)


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
