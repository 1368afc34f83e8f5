"""From a run to what people read: ``summary.csv``, figures, and a table in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from bench.figures import style, time_vs_difficulty
from bench.figures.time_vs_difficulty import on_guesses, seconds
from bench.store import CROSSOVERS, CURVES, NOISE, PLOTS, SCALING, SUMMARY, Store
from bench.verdicts import frames, noise
from bench.verdicts.crossovers import crossovers
from bench.verdicts.crossovers import words as crossover_words
from bench.verdicts.curves import curves
from bench.verdicts.scaling import scaling
from bench.verdicts.scaling import words as scaling_words
from bench.verdicts.summary import summarize

KINDS = ("svg", "png")
FIGURE = f"{PLOTS}/time_vs_difficulty"
TABLES: dict[str, Callable[[frames.Run], pd.DataFrame]] = {  # file in the run's folder -> what it holds
    SUMMARY: summarize,
    NOISE: lambda run: noise.table(run.measurements),
    CURVES: curves,
    CROSSOVERS: crossovers,
    SCALING: scaling,
}
OUTPUTS = (*TABLES, *(f"{FIGURE}.{kind}" for kind in KINDS))
COLLECTIONS_PER_TABLE = 4
CROSSINGS_DRAWN = 8


def write(folder: Path) -> list[Path]:
    """Write the tables and the figures of a run again; the paths of what was written.

    Raises:
        InputError: the folder is not a run.
    """
    run = frames.load(folder)
    store = Store(folder)
    tables = {name: table(run) for name, table in TABLES.items()}
    written = [
        store.write(name, table.to_csv(index=False, lineterminator="\n", float_format="%.6g").encode())
        for name, table in tables.items()
    ]
    data = time_vs_difficulty.points(frames.of_strategies(run.measurements), run.puzzles)
    names = sorted(set(data["strategy"]))
    lines = on_guesses(tables[CURVES], "strategy", names)
    rings = on_guesses(drawn(tables[CROSSOVERS]), "faster_above", names)
    figure = time_vs_difficulty.draw(data, names, title(run), caption(run), lines, rings)
    for kind in KINDS:
        written.append(store.write(f"{FIGURE}.{kind}", style.render(figure, kind)))
    return written


def drawn(crossings: pd.DataFrame) -> pd.DataFrame:
    """The crossovers over guesses that are told, unless they are too many to draw."""
    told = crossings[(crossings["told"] == "yes") & (crossings["axis"] == "guesses")]
    return told if len(told) <= CROSSINGS_DRAWN else told.iloc[:0]


def title(run: frames.Run) -> str:
    task = run.manifest["suite"]["task"]
    goal = {"first": "one solution", "unique": "a solution and the proof that it is the only one"}.get(task, task)
    return f"Solve time versus difficulty ({goal})"


def caption(run: frames.Run) -> str:
    """What a reader must know to read the figure: numbers, limit, clock, machine."""
    suite, machine, rows = run.manifest["suite"], run.manifest["machine"], run.measurements
    real = rows[rows["decoy"].isna() & rows["placebo"].isna()]
    planned = run.manifest["planned_rows"]
    whole = "" if len(rows) == planned else f" INCOMPLETE: {len(rows)} of {planned} measurements."
    wrong = sorted(set(rows.loc[rows["status"] == "wrong", "strategy"]))
    whole += f" Left out for a wrong answer: {', '.join(wrong)}." if wrong else ""
    forms = "form" if suite["repetitions"] * suite["launches"] == 1 else "forms"
    if not suite["isomorphs"]:
        forms = "solves of the stored grid"
    return (
        f"{real.groupby(['collection', 'puzzle']).ngroups} puzzles × {suite['repetitions'] * suite['launches']} {forms}"
        f" (points: their medians), every answer verified; lines: medians with 95% bands; rings: crossovers."
        f"\nTask {suite['task']}, mode {suite['mode']}, limit {suite['timeout_s']:g} s of CPU time."
        f" {machine['cpu']}, {machine['cores_logical']} cores, Python {machine['python']},"
        f" {run.manifest['started'][:10]}.{whole}"
    )


def print_summary(folder: Path, console: Console) -> None:
    """The summary of a run as tables (median CPU time by strategy and collection), and what its placebos say."""
    run = frames.load(folder)
    summary = summarize(run)
    measured = set(summary["collection"])
    collections = [name for name in dict.fromkeys(run.puzzles["collection"]) if name in measured]
    suite = run.manifest["suite"]
    console.print(f"Median CPU time per solve, task {suite['task']}, mode {suite['mode']}")
    for start in range(0, len(collections), COLLECTIONS_PER_TABLE):
        shown = collections[start : start + COLLECTIONS_PER_TABLE]
        table = Table()
        table.add_column("strategy", overflow="fold")
        for name in shown:
            table.add_column(name, justify="right", overflow="fold")
        for strategy, group in summary.groupby("strategy", sort=True):
            lines = {line["collection"]: line for line in group.to_dict("records")}
            table.add_row(str(strategy), *(cell(lines[name]) if name in lines else "" for name in shown))
        if summary["floor_s"].notna().any():
            floors = summary.groupby("collection")["floor_s"].first()
            table.add_row("(floor)", *(seconds(floors[name]) for name in shown), style="dim")
        console.print(table)
    for line in noise_lines(noise.table(run.measurements)):
        console.print(line, soft_wrap=True)
    for line in difficulty_lines(run):
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def difficulty_lines(run: frames.Run) -> list[str]:
    """How times grow with difficulty, and where one strategy overtakes another, in words."""
    lines = scaling_words(scaling(run)) + crossover_words(crossovers(run))
    if any("*" in line for line in lines):  # no name of a strategy has a star
        lines.append("* searches as guesses are counted: they are nearly its own work")
    return lines


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
