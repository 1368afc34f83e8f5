"""What a run says in a terminal: medians as a table, then verdicts in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from bench.figures.style import seconds
from bench.verdicts import crossovers, frames, noise, pairs, robustness, scaling, vbs
from bench.verdicts.comparable import UNSUPPORTED, left_out

FLOOR = "(floor)"
BORDER = 3  # what a column is wider than its words
Cells = dict[str, dict[str, str]]  # collection -> strategy -> words


def print_summary(folder: Path, console: Console) -> None:
    """The summary of a run as tables (median CPU time by strategy and collection), and its verdicts in words."""
    run = frames.load(folder)
    suite = run.manifest["suite"]
    console.print(f"Median CPU time per solve, task {suite['task']}, mode {suite['mode']}")
    cells = cells_of(run)
    names = sorted(set(run.summary["strategy"]))
    if run.summary["floor_s"].notna().any():
        names.append(FLOOR)
    for shown in tables_of(cells, max(map(len, names), default=0), console.width):
        table = Table()
        table.add_column("strategy", overflow="fold")
        for collection in shown:
            table.add_column(collection, justify="right", overflow="fold")
        for name in names:
            row = (cells[collection].get(name, "") for collection in shown)
            table.add_row(name, *row, style="dim" if name == FLOOR else None)
        console.print(table)
    for line in words(run):
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def cells_of(run: frames.Run) -> Cells:
    """What stands in the tables, by collection and strategy."""
    cells: Cells = {str(name): {} for name in dict.fromkeys(run.puzzles["collection"])}
    for line in run.summary.to_dict("records"):
        cells[line["collection"]][line["strategy"]] = cell(line)
        if not pd.isna(line["floor_s"]):
            cells[line["collection"]][FLOOR] = seconds(line["floor_s"])
    return {collection: own for collection, own in cells.items() if own}


def tables_of(cells: Cells, names_width: int, width: int) -> Iterator[list[str]]:
    """The collections of each table: as many as there is room for."""
    shown: list[str] = []
    taken = names_width + BORDER + 1
    for collection, own in cells.items():
        needed = BORDER + max(len(line) for text in (collection, *own.values()) for line in text.splitlines())
        if shown and taken + needed > width:
            yield shown
            shown, taken = [], names_width + BORDER + 1
        shown.append(collection)
        taken += needed
    if shown:
        yield shown


def words(run: frames.Run) -> Sequence[str]:
    """The verdicts of a run, the most important first, and what one must know to trust them."""
    return (
        *pairs.words(run.pairs),
        *not_compared(run),
        *difficulty_lines(run),
        *vbs.words(run.vbs),
        *robustness.words(run.robustness),
        *noise_lines(run.noise),
        *echo_lines(run.measurements),
    )


def difficulty_lines(run: frames.Run) -> list[str]:
    """How times grow with difficulty, and where one strategy overtakes another, in words."""
    lines = crossovers.words(run.crossovers) + scaling.words(run.scaling)
    if any("*" in line for line in lines):  # no name of a strategy has a star
        lines.append("* searches as guesses are counted: they are nearly its own work")
    return lines


def echo_lines(measurements: pd.DataFrame) -> list[str]:
    """What handing lines to a command and back costs by itself, in words."""
    echo = measurements[(measurements["placebo"] == "pipe") & (measurements["status"] == "solved")]
    if echo.empty:
        return []
    cpu_s, wall_s = echo["cpu_s"].median(), echo["wall_s"].median()
    return [
        f"Commands: an echo that only hands lines back takes {seconds(cpu_s)} of CPU time ({seconds(wall_s)} by the"
        " clock) per puzzle; so much of a command's time is not its own"
    ]


def noise_lines(table: pd.DataFrame) -> list[str]:
    """What the placebos say, in words."""
    whole = table[(table["collection"] == noise.ALL) & (table["placebo"] == "instrument")].dropna(subset="resolvable")
    if whole.empty:
        return []
    each = ", ".join(f"{line['strategy']} {line['resolvable'] - 1:.1%}" for line in whole.to_dict("records"))
    lines = [f"Placebos: below these differences this run tells nothing apart: {each}"]
    disturbed = ", ".join(whole.loc[whole["disturbed"] == "yes", "strategy"])
    if disturbed:
        lines.append(
            f"DISTURBED: a strategy and its placebo differ ({disturbed}); the machine did not treat like alike,"
            " measure again when it is quiet (sudoku-bench doctor)"
        )
    return lines


def not_compared(run: frames.Run) -> list[str]:
    """Who has no place in verdicts, and why."""
    found: dict[tuple[str, str], list[str]] = {}
    for collection, reasons in left_out(run).items():
        for strategy, reason in reasons.items():
            found.setdefault((strategy, reason), []).append(collection)
    lines = []
    for (strategy, reason), collections in found.items():
        where = f" on {', '.join(collections)}" if reason == UNSUPPORTED else ""
        lines.append(f"Not compared: {strategy}, {reason}{where}")
    return lines


def cell(line: Mapping[Any, Any]) -> str:
    """One strategy on one collection in a few words: the median, and what was not solved."""
    total = line["n_measurements"]
    if line["wrong"]:
        return f"WRONG ({line['wrong']})"
    failed = [
        f"{line[column]}/{total} {word}"
        for column, word in (
            ("timeouts", "timeout"),
            ("errors", "error"),
            ("memouts", "memout"),
            ("gave_up", "gave up"),
            ("unsupported", "unsupported"),
        )
        if line[column]
    ]
    median = line["median_s"]
    time = [seconds(median)] if isinstance(median, float) and not pd.isna(median) else []
    if not time and 2 * line["timeouts"] > total:
        time = [f"> {seconds(line['limit_s'])}"]
    return "\n".join(time + failed) or "-"
