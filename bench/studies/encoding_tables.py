"""Tables of encodings and engines: ``python -m bench.studies.encoding_tables RUN...`` writes the tables of
``docs/encodings-tables.md`` from runs of the suites ``propagation``, ``encodings``, ``backends`` and ``sizes``.

The figures are stored in ``results/encodings/``. A run replaces the rows of its suite, so each suite can be measured
again separately. Without a run, the page is rewritten from the stored figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from bench.plan import suite as suites
from bench.studies import document
from bench.verdicts import run_data, run_tables
from bench.verdicts.difficulty import propagation
from bench.verdicts.summary import puzzle_times, summarize
from bench.worker.stopwatch import PHASES
from datasets.errors import InputError

TOP = document.TOP
PAGE = TOP / "docs" / "encodings-tables.md"
STORE = TOP / "results" / "encodings"
TABLE, RUNS = "table.csv", "runs.json"
MARKS = "<!-- tables: made by bench.studies.encoding_tables -->", "<!-- end -->"
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
TOP_PLACES = 3  # shown in the tables of the fastest

Rows = Sequence[Mapping[Any, Any]]


def figures(run: run_tables.Run) -> pd.DataFrame:
    """Return a row per strategy × collection, columns ``COLUMNS``; times are medians over puzzles, in CPU seconds."""
    summary = summarize(run).rename(columns={"n_measurements": "n_solves"})
    rows = run_data.of_strategies(run.measurements)
    rows = rows[rows["decoy"].isna() & (rows["status"] == "solved")]
    phases = [
        {**dict(zip(KEY, key, strict=True)), **phase_times(group)} for key, group in rows.groupby(KEY, sort=False)
    ]
    table = summary.merge(pd.DataFrame(phases, columns=[*KEY, *PHASE_TIMES]), how="left", on=KEY)
    strength = propagation.table(run).drop(columns=["n_puzzles", "n_solves", "task"])
    table = table.merge(strength, how="left", on=KEY)
    table = table.assign(suite=run.manifest["suite"]["name"])[list(COLUMNS)]
    order = {
        facts["name"]: place for key in ("strategies", "collections") for place, facts in enumerate(run.manifest[key])
    }
    return table.sort_values(KEY, key=lambda names: names.map(order), kind="stable")


def phase_times(group: pd.DataFrame) -> dict[str, float]:
    """Return the time of each phase, as medians over puzzles."""
    return {f"{phase}_s": float(puzzle_times(group.assign(cpu_s=group[f"{phase}_cpu_s"])).median()) for phase in PHASES}


def facts(run: run_tables.Run) -> dict[str, Any]:
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
    for option in ("limit", "repetitions", "launches", "seed", "timeout_s"):
        if settings[option] != getattr(shipped, option):
            arguments.append(f"--{option.partition('_')[0]} {settings[option]:g}")
    return " ".join(arguments)


def updated(stored: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Return the stored rows with the suites of the new rows replaced, in the order of ``SUITES``."""
    rows = pd.concat([stored[~stored["suite"].isin(new["suite"])], new]) if len(stored) else new
    return rows.sort_values("suite", key=lambda names: names.map(list(SUITES).index), kind="stable")


def as_markdown(table: pd.DataFrame, runs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the section of the page: for each suite its tables, with a description of their data."""
    blocks = []
    for suite, title in SUITES.items():
        rows = table[table["suite"] == suite]
        if rows.empty:
            continue
        tables = shares_table(rows) if suite == "propagation" else [*times_table(rows), "", *fastest_table(rows)]
        blocks += [f"### {title}", "", *tables, "", footer(rows, runs[suite]), ""]
    return "\n".join(blocks)


def footer(rows: pd.DataFrame, run: Mapping[str, Any]) -> str:
    forms = "1 form" if run["forms"] == 1 else f"{run['forms']} forms"
    packages = ", ".join(f"{name} {version}" for name, version in run["packages"].items() if version)
    puzzles = int(rows.groupby("collection")["n_puzzles"].max().sum())
    return (
        f"`{run['command']}`: {puzzles} puzzles in {forms} each, {int(rows['n_solves'].sum())}"
        f" solves, task {run['task']}, limit {run['limit_s']:g} s; {run['cpu']}, Python {run['python']}, {packages},"
        f" {run['date']}."
    )


def shares_table(rows: pd.DataFrame) -> list[str]:
    """Return the shares solved without a conflict, with its interval, and without a decision."""
    collections = list(dict.fromkeys(rows["collection"]))
    headings = [f"{name}: without {event}" for name in collections for event in ("a conflict", "a decision")]
    return grid(
        ["strategy", *headings],
        (
            [
                f"`{strategy}`",
                *(cell for name in collections for cell in share_cells(by_collection(group).get(name))),
            ]
            for strategy, group in rows.groupby("strategy", sort=False)
        ),
    )


def share_cells(row: Mapping[Any, Any] | None) -> list[str]:
    if row is None or pd.isna(row["no_conflict"]):
        return ["", ""]
    low, high = 100 * row["no_conflict_lo"], 100 * row["no_conflict_hi"]
    return [f"{row['no_conflict']:.1%} ({low:.0f}–{high:.0f})", f"{row['no_decision']:.1%}"]


def times_table(rows: pd.DataFrame) -> list[str]:
    """Return the median time of a whole solve on each collection; on the last one also phase times and conflicts."""
    collections = list(dict.fromkeys(rows["collection"]))
    last = collections[-1]
    headings = ["strategy", *collections, f"{last}: encode + load", "search", "release", "conflicts"]
    table = []
    for strategy, group in rows.groupby("strategy", sort=False):
        by_name = by_collection(group)
        cells = [f"`{strategy}`", *(time_cell(by_name.get(name)) for name in collections)]
        table.append(cells + phase_cells(by_name.get(last)))
    return ["Median CPU time of a whole solve, in ms:", "", *grid(headings, table)]


def phase_cells(row: Mapping[Any, Any] | None) -> list[str]:
    """Return phase times and conflicts; empty for phases too short to time and for conflicts without a counter."""
    if row is None:
        return [""] * 4
    times = [row["encode_s"] + row["load_s"], row["search_s"], row["release_s"]]
    conflicts = "" if pd.isna(row["median_conflicts"]) else f"{row['median_conflicts']:.0f}"
    return [*("" if pd.isna(seconds) else ms(seconds) for seconds in times), conflicts]


def time_cell(row: Mapping[Any, Any] | None) -> str:
    """Return the median, with the number of unfinished solves."""
    if row is None:
        return ""
    if row["wrong"]:
        return "WRONG"
    missing = int(row["n_solves"] - row["solved"])
    median = f"> {ms(row['limit_s'])}" if pd.isna(row["median_s"]) else ms(row["median_s"])
    return f"{median} ({missing} of {row['n_solves']:.0f} unsolved)" if missing else median


def fastest_table(rows: pd.DataFrame) -> list[str]:
    """Return the fastest strategies on each collection among those that solved all of it."""
    table = []
    for collection, group in rows.groupby("collection", sort=False):
        complete = group[(group["solved"] == group["n_solves"]) & (group["wrong"] == 0)].sort_values("median_s")
        places = [f"`{row['strategy']}` {ms(row['median_s'])}" for row in complete.head(TOP_PLACES).to_dict("records")]
        table.append([str(collection), *places, *[""] * (TOP_PLACES - len(places))])
    return ["Fastest strategies that solved everything, in ms:", "", *grid(["collection", "1", "2", "3"], table)]


def by_collection(group: pd.DataFrame) -> dict[str, Mapping[Any, Any]]:
    return {row["collection"]: row for row in group.to_dict("records")}


def ms(seconds: float) -> str:
    """Format a time in milliseconds, with three digits."""
    number = 1e3 * seconds
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def grid(headings: Sequence[str], rows: Iterator[list[str]] | Sequence[list[str]]) -> list[str]:
    """Return a table in Markdown, line by line."""
    return [f"| {' | '.join(row)} |" for row in (headings, ["---"] * len(headings), *rows)]


def load_stored(folder: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the stored table, and the facts of its runs by suite; both are empty if nothing is stored."""
    if not (folder / TABLE).exists():
        return pd.DataFrame(columns=list(COLUMNS)), {}
    return pd.read_csv(folder / TABLE), json.loads((folder / RUNS).read_text(encoding="utf-8"))


def store(paths: Sequence[Path], folder: Path) -> None:
    """Add the figures of runs to the stored ones.

    Raises:
        InputError: a folder is not a complete run of one of the suites.
    """
    table, runs = load_stored(folder)
    for path in paths:
        run = run_tables.load(path)
        suite = run.manifest["suite"]["name"]
        if suite not in SUITES:
            raise InputError(f"{path}: a run of {suite}; give runs of the suites {', '.join(SUITES)}")
        if not run.manifest.get("complete"):
            raise InputError(f"{path}: the run is not complete; continue it with --resume")
        table, runs = updated(table, figures(run)), {**runs, suite: facts(run)}
    folder.mkdir(parents=True, exist_ok=True)
    table.to_csv(folder / TABLE, index=False, lineterminator="\n", float_format="%.6g")
    text = json.dumps({suite: runs[suite] for suite in SUITES if suite in runs}, indent=1)
    (folder / RUNS).write_text(text + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the tables of docs/encodings-tables.md.")
    parser.add_argument("runs", nargs="*", metavar="RUN", type=Path, help=f"runs of the suites {', '.join(SUITES)}")
    parser.add_argument(
        "--page", type=Path, default=PAGE, help="the page to rewrite (default docs/encodings-tables.md)"
    )
    parser.add_argument(
        "--kept", type=Path, default=STORE, help="folder of the stored figures (default results/encodings)"
    )
    options = parser.parse_args()
    try:
        if options.runs:
            store(options.runs, options.kept)
        tables = as_markdown(*load_stored(options.kept))
        document.fill(options.page, MARKS, tables)
    except (InputError, OSError) as error:
        print(f"encoding_tables: {error}", file=sys.stderr)
        return 2
    print(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
