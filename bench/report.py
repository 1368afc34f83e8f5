"""From a run to what people read: its tables as files, and figures."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
from rich.console import Console

from bench.figures import style, time_vs_difficulty
from bench.figures.time_vs_difficulty import on_guesses
from bench.store import PLOTS, Store
from bench.verdicts import frames, power

KINDS = ("svg", "png")
FIGURE = f"{PLOTS}/time_vs_difficulty"
TABLES = (  # properties of a run, each written to a file of its name
    *("summary", "pairs", "ranks", "noise", "vbs", "variance", "robustness"),
    *("curves", "crossovers", "scaling", "propagation"),
)
OUTPUTS = (*(f"{table}.csv" for table in TABLES), *(f"{FIGURE}.{kind}" for kind in KINDS))
CROSSINGS_DRAWN = 8
BANDS_DRAWN = 8


def write(folder: Path) -> list[Path]:
    """Write the tables and the figures of a run again; the paths of what was written.

    Raises:
        InputError: the folder is not a run.
    """
    run = frames.load(folder)
    store = Store(folder)
    written = [_write(store, run, table) for table in TABLES]
    data = time_vs_difficulty.points(frames.of_strategies(run.measurements), run.puzzles)
    names = sorted(set(data["strategy"]))
    lines = on_guesses(run.curves, "strategy", names)
    bands = len(names) <= BANDS_DRAWN
    if not bands:  # so many would hide each other
        lines = lines.assign(lo_s=math.nan, hi_s=math.nan)
    rings = on_guesses(drawn(run.crossovers), "faster_above", names)
    figure = time_vs_difficulty.draw(data, names, title(run), caption(run, bands), lines, rings)
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


def caption(run: frames.Run, bands: bool = True) -> str:
    """What a reader must know to read the figure: numbers, limit, clock, machine."""
    suite, machine, rows = run.manifest["suite"], run.manifest["machine"], run.measurements
    real = rows[rows["decoy"].isna() & rows["placebo"].isna()]
    planned = run.manifest["planned_rows"]
    whole = "" if len(rows) == planned else f" INCOMPLETE: {len(rows)} of {planned} measurements."
    wrong = sorted(set(rows.loc[rows["status"] == "wrong", "strategy"]))
    whole += f" Left out for a wrong answer: {', '.join(wrong)}." if wrong else ""
    each = replicates(run)
    forms = "form" if each == "1" else "forms"
    if not suite["isomorphs"]:
        forms = "solves of the stored grid"
    shown = " with 95% bands" if bands else ""
    return (
        f"{real.groupby(['collection', 'puzzle']).ngroups} puzzles × {each} {forms}"
        f" (points: their medians), every answer verified; lines: medians{shown}; rings: crossovers."
        f"\nTask {suite['task']}, mode {suite['mode']}, limit {suite['timeout_s']:g} s of CPU time."
        f" {machine['cpu']}, {machine['cores_logical']} cores, Python {machine['python']},"
        f" {run.manifest['started'][:10]}.{whole}"
    )


def replicates(run: frames.Run) -> str:
    """How many measurements each strategy has of a puzzle: a number, or a range where a budget chose several."""
    suite, spending = run.manifest["suite"], run.manifest.get("settled", {}).get("spending")
    repetitions = spending["repetitions"].values() if spending else [suite["repetitions"]]
    numbers = sorted({number * suite["launches"] for number in repetitions})
    return f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def plan_next(folder: Path, console: Console) -> Path:
    """Write and say what the next run needs to settle what this one left undecided; the path of the table."""
    run = frames.load(folder)
    for line in power.words(run.power):
        console.print(line, soft_wrap=True)
    return _write(Store(folder), run, "power")


def _write(store: Store, run: frames.Run, table: str) -> Path:
    data = getattr(run, table).to_csv(index=False, lineterminator="\n", float_format="%.6g").encode()
    return store.write(f"{table}.csv", data)
