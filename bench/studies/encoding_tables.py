"""Tables of encodings and engines in docs/encodings-tables.md, from runs of the suites ``SUITES``.

The figures are stored in ``results/encodings/``. A run replaces the rows of its suite, so each suite can be measured
again separately.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from bench.plan import suite as suites
from bench.studies.document import DOCS, fill, table
from bench.studies.grid import STORE, put
from bench.studies.simulation import Rows
from bench.verdicts import run_data, run_tables
from bench.worker.stopwatch import PHASES
from datasets.errors import InputError

PAGE = DOCS / "encodings-tables.md"
TABLE, RUNS = "table.csv", "runs.json"
SUITES = {
    "propagation": "Solved without a conflict or a decision, preprocessing included",
    "encodings": "Encodings, schemes and clues at 9×9",
    "backends": "Engines at 9×9",
    "sizes": "From 4×4 to 25×25",
}
KEY = ["strategy", "collection"]
PHASE_TIMES = [f"{phase}_s" for phase in PHASES]
COLUMNS = (
    *("suite", "strategy", "collection", "n_puzzles", "n_solves", "solved", "wrong"),
    *("median_s", "p95_s", "limit_s", *PHASE_TIMES, "median_conflicts"),
    *("no_conflict", "no_conflict_lo", "no_conflict_hi", "no_decision"),
)
OPTIONS = ("limit", "repetitions", "launches", "seed", "timeout_s")  # of a run that may differ from its suite
TOP_PLACES = 3  # shown in the tables of the fastest

Row = Mapping[Any, Any]


def write(*runs: Path) -> None:
    """Write docs/encodings-tables.md, from runs of its suites or from the stored figures."""
    if runs:
        store(*runs)
    fill(PAGE, "tables", markdown(*stored()))


def store(*paths: Path) -> None:
    """Add the figures of runs to the stored ones.

    Raises:
        InputError: a folder is not a complete run of one of the suites.
    """
    _, facts = stored()
    for path in paths:
        run = run_tables.load(path)
        suite = run.manifest["suite"]["name"]
        if suite not in SUITES:
            raise InputError(f"{path}: a run of {suite}; give runs of the suites {', '.join(SUITES)}")
        if not run.manifest.get("complete"):
            raise InputError(f"{path}: the run is not complete; continue it with --resume")
        put(STORE / TABLE, figures(run), list(SUITES), digits=6)
        facts[suite] = facts_of(run)
        text = json.dumps({suite: facts[suite] for suite in SUITES if suite in facts}, indent=1)
        (STORE / RUNS).write_text(text + "\n", encoding="utf-8")


def stored() -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the stored figures, and the facts of their runs by suite; both are empty if nothing is stored."""
    if not (STORE / TABLE).exists():
        return pd.DataFrame(columns=list(COLUMNS)), {}
    return pd.read_csv(STORE / TABLE), json.loads((STORE / RUNS).read_text(encoding="utf-8"))


def figures(run: run_tables.Run) -> pd.DataFrame:
    """Return a row per strategy × collection, columns ``COLUMNS``; times are medians over puzzles, in CPU seconds."""
    rows = run_data.of_strategies(run.measurements)
    rows = rows[rows["decoy"].isna() & (rows["status"] == "solved")]
    per_puzzle = rows.groupby([*KEY, "puzzle"])[[f"{phase}_cpu_s" for phase in PHASES]].median()
    medians = per_puzzle.groupby(level=KEY).median().set_axis(PHASE_TIMES, axis="columns").reset_index()
    shares = run.propagation.drop(columns=["n_puzzles", "n_solves", "task"])
    merged = run.summary.rename(columns={"n_measurements": "n_solves"})
    for part in (medians, shares):
        merged = merged.merge(part, how="left", on=KEY)
    order = {
        facts["name"]: place for key in ("strategies", "collections") for place, facts in enumerate(run.manifest[key])
    }
    merged = merged.assign(suite=run.manifest["suite"]["name"])[list(COLUMNS)]
    return merged.sort_values(KEY, key=lambda names: names.map(order), kind="stable")


def facts_of(run: run_tables.Run) -> dict[str, Any]:
    """Return the facts of a run that the page shows."""
    suite, machine = run.manifest["suite"], run.manifest["machine"]
    return {
        "command": command_of(suite, run.manifest["collections"]),
        "task": suite["task"],
        "forms": suite["repetitions"] * suite["launches"],
        "limit_s": suite["timeout_s"],
        "cpu": machine.get("cpu") or "an unnamed machine",
        "python": machine.get("python"),
        "date": run.manifest["started"][:10],
        "packages": {name: run.manifest["packages"].get(name) for name in ("python-sat", "pycosat", "pyeda")},
    }


def command_of(settings: Mapping[str, Any], collections: Rows) -> str:
    """Return the command of a run: its suite, and the options that differ from the shipped suite."""
    shipped = suites.load(settings["name"])
    arguments = [f"sudoku-bench run {shipped.name}"]
    if list(settings["datasets"]) != list(shipped.datasets):
        arguments += [f"-d {collection['name']}" for collection in collections]
    for option in OPTIONS:
        if settings[option] != getattr(shipped, option):
            arguments.append(f"--{option.partition('_')[0]} {settings[option]:g}")
    return " ".join(arguments)


def markdown(rows: pd.DataFrame, facts: Mapping[str, Row]) -> str:
    """Return for each suite its tables, with a description of their data."""
    parts = []
    for suite, title in SUITES.items():
        of_suite = rows[rows["suite"] == suite]
        if not of_suite.empty:
            tables = shares_tables if suite == "propagation" else times_tables
            parts += [f"### {title}", *tables(of_suite), footer(of_suite, facts[suite])]
    return "\n\n".join(parts)


def footer(rows: pd.DataFrame, run: Row) -> str:
    forms = "1 form" if run["forms"] == 1 else f"{run['forms']} forms"
    packages = ", ".join(f"{name} {version}" for name, version in run["packages"].items() if version)
    puzzles = int(rows.groupby("collection")["n_puzzles"].max().sum())
    return (
        f"`{run['command']}`: {puzzles} puzzles in {forms} each, {int(rows['n_solves'].sum())}"
        f" solves, task {run['task']}, limit {run['limit_s']:g} s; {run['cpu']}, Python {run['python']}, {packages},"
        f" {run['date']}."
    )


def by_strategy(rows: pd.DataFrame) -> Iterator[tuple[str, dict[str, Row]]]:
    """Yield each strategy with its rows by collection."""
    for strategy, group in rows.groupby("strategy", sort=False):
        yield f"`{strategy}`", {row["collection"]: row for row in group.to_dict("records")}


def shares_tables(rows: pd.DataFrame) -> Iterator[str]:
    """Yield the shares solved without a conflict, with its interval, and without a decision."""
    collections = rows["collection"].unique()
    headings = [f"{name}: without {event}" for name in collections for event in ("a conflict", "a decision")]
    lines = [
        [strategy, *(cell for name in collections for cell in share_cells(cells.get(name)))]
        for strategy, cells in by_strategy(rows)
    ]
    yield table(["strategy", *headings], lines)


def share_cells(row: Row | None) -> list[str]:
    if row is None or pd.isna(row["no_conflict"]):
        return ["", ""]
    low, high = 100 * row["no_conflict_lo"], 100 * row["no_conflict_hi"]
    return [f"{row['no_conflict']:.1%} ({low:.0f}–{high:.0f})", f"{row['no_decision']:.1%}"]


def times_tables(rows: pd.DataFrame) -> Iterator[str]:
    """Yield the median times on each collection, on the last one also of phases, and conflicts; and the fastest."""
    *_, last = collections = list(rows["collection"].unique())
    headings = ["strategy", *collections, f"{last}: encode + load", "search", "release", "conflicts"]
    lines = [
        [strategy, *(time_cell(cells.get(name)) for name in collections), *phase_cells(cells.get(last))]
        for strategy, cells in by_strategy(rows)
    ]
    yield "Median CPU time of a whole solve, in ms:"
    yield table(headings, lines)
    fastest = []
    for collection, group in rows.groupby("collection", sort=False):
        complete = group[(group["solved"] == group["n_solves"]) & (group["wrong"] == 0)].sort_values("median_s")
        places = [f"`{row['strategy']}` {ms(row['median_s'])}" for row in complete.head(TOP_PLACES).to_dict("records")]
        fastest.append([str(collection), *places, *[""] * (TOP_PLACES - len(places))])
    yield "Fastest strategies that solved everything, in ms:"
    yield table(["collection", *map(str, range(1, TOP_PLACES + 1))], fastest)


def phase_cells(row: Row | None) -> list[str]:
    """Return phase times and conflicts; empty for phases too short to time and for conflicts without a counter."""
    if row is None:
        return [""] * 4
    times = [row["encode_s"] + row["load_s"], row["search_s"], row["release_s"]]
    conflicts: str = "" if pd.isna(row["median_conflicts"]) else f"{row['median_conflicts']:.0f}"
    return [*("" if pd.isna(seconds) else ms(seconds) for seconds in times), conflicts]


def time_cell(row: Row | None) -> str:
    """Return the median, with the number of unfinished solves."""
    if row is None:
        return ""
    if row["wrong"]:
        return "WRONG"
    missing = int(row["n_solves"] - row["solved"])
    median: str = f"> {ms(row['limit_s'])}" if pd.isna(row["median_s"]) else ms(row["median_s"])
    return f"{median} ({missing} of {row['n_solves']:.0f} unsolved)" if missing else median


def ms(seconds: float) -> str:
    """Format a time in milliseconds, with three digits."""
    number = 1e3 * seconds
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"
