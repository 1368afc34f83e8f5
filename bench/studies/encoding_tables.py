"""What encodings and engines are worth: ``python -m bench.studies.encoding_tables RUN...`` makes the tables of
``docs/encodings.md`` from runs of the suites ``propagation``, ``encodings``, ``backends`` and ``sizes``.

The figures are kept in ``results/encodings/``: rows of a suite are replaced when a run of that suite is given, so that
one part can be measured again alone. Without a run, the page is written again from what is kept.
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
from bench.worker.server import PHASES
from datasets.errors import InputError

TOP = document.TOP
PAGE = TOP / "docs" / "encodings.md"
KEPT = TOP / "results" / "encodings"
TABLE, RUNS = "table.csv", "runs.json"
MARKS = "<!-- tables: made by bench.studies.encoding_tables -->", "<!-- end -->"
SUITES = {
    "propagation": "How far propagation leads",
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
FIRST = 3  # places that are shown

Rows = Sequence[Mapping[Any, Any]]


def figures(run: run_tables.Run) -> pd.DataFrame:
    """A row per strategy × collection, columns ``COLUMNS``; times are medians over puzzles, in CPU seconds."""
    summary = summarize(run).rename(columns={"n_measurements": "n_solves"})
    rows = run_data.of_strategies(run.measurements)
    rows = rows[rows["decoy"].isna() & (rows["status"] == "solved")]
    phases = [
        {**dict(zip(KEY, key, strict=True)), **phase_times(group)} for key, group in rows.groupby(KEY, sort=False)
    ]
    whole = summary.merge(pd.DataFrame(phases, columns=[*KEY, *PHASE_TIMES]), how="left", on=KEY)
    strength = propagation.table(run).drop(columns=["n_puzzles", "n_solves", "task"])
    whole = whole.merge(strength, how="left", on=KEY)
    whole = whole.assign(suite=run.manifest["suite"]["name"])[list(COLUMNS)]
    order = {
        facts["name"]: place for key in ("strategies", "collections") for place, facts in enumerate(run.manifest[key])
    }
    return whole.sort_values(KEY, key=lambda names: names.map(order), kind="stable")


def phase_times(group: pd.DataFrame) -> dict[str, float]:
    """Medians over puzzles of what each phase took."""
    return {f"{phase}_s": float(puzzle_times(group.assign(cpu_s=group[f"{phase}_cpu_s"])).median()) for phase in PHASES}


def facts(run: run_tables.Run) -> dict[str, Any]:
    """What a reader must know of a run."""
    suite, machine = run.manifest["suite"], run.manifest["machine"]
    return {
        "command": command_of(suite, run.manifest["collections"]),
        "task": suite["task"],
        "forms": suite["repetitions"] * suite["launches"],
        "limit_s": suite["timeout_s"],
        "cpu": machine.get("cpu") or "a machine not named",
        "python": machine.get("python"),
        "date": run.manifest["started"][:10],
        "packages": {name: run.manifest["packages"].get(name) for name in ("python-sat", "pycosat", "pyeda")},
    }


def command_of(made: Mapping[str, Any], collections: Rows) -> str:
    """What to type for a run like that one: its suite, and what was set otherwise than there."""
    shipped = suites.load(made["name"])
    words = [f"sudoku-bench run {shipped.name}"]
    if list(made["datasets"]) != list(shipped.datasets):
        words += [f"-d {collection['name']}" for collection in collections]
    for option in ("limit", "repetitions", "launches", "seed", "timeout_s"):
        if made[option] != getattr(shipped, option):
            words.append(f"--{option.partition('_')[0]} {made[option]:g}")
    return " ".join(words)


def replaced(kept: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The rows that are kept, but for the suites of the new ones; in the order of ``SUITES``."""
    both = pd.concat([kept[~kept["suite"].isin(found["suite"])], found]) if len(kept) else found
    return both.sort_values("suite", key=lambda names: names.map(list(SUITES).index), kind="stable")


def as_markdown(table: pd.DataFrame, runs: Mapping[str, Mapping[str, Any]]) -> str:
    """The section of the page: for each suite its table, and what it was made from."""
    text = []
    for suite, title in SUITES.items():
        rows = table[table["suite"] == suite]
        if rows.empty:
            continue
        lines = shares_table(rows) if suite == "propagation" else [*times_table(rows), "", *least_table(rows)]
        text += [f"### {title}", "", *lines, "", footer(rows, runs[suite]), ""]
    return "\n".join(text)


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
    """The share solved without a conflict, with its interval, and without a decision."""
    collections = list(dict.fromkeys(rows["collection"]))
    heads = [f"{name}: without {what}" for name in collections for what in ("a conflict", "a decision")]
    return grid(
        ["strategy", *heads],
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
    """The median of a whole solve on each collection; of the last one also where the time goes, and the conflicts."""
    collections = list(dict.fromkeys(rows["collection"]))
    last = collections[-1]
    heads = ["strategy", *collections, f"{last}: encode + load", "search", "release", "conflicts"]
    lines = []
    for strategy, group in rows.groupby("strategy", sort=False):
        found = by_collection(group)
        cells = [f"`{strategy}`", *(time_cell(found.get(name)) for name in collections)]
        lines.append(cells + phase_cells(found.get(last)))
    return ["Median CPU time of a whole solve, in ms:", "", *grid(heads, lines)]


def phase_cells(row: Mapping[Any, Any] | None) -> list[str]:
    """Empty what is not known: phases too short to be clocked, conflicts that are not counted."""
    if row is None:
        return [""] * 4
    times = [row["encode_s"] + row["load_s"], row["search_s"], row["release_s"]]
    conflicts = "" if pd.isna(row["median_conflicts"]) else f"{row['median_conflicts']:.0f}"
    return [*("" if pd.isna(seconds) else ms(seconds) for seconds in times), conflicts]


def time_cell(row: Mapping[Any, Any] | None) -> str:
    """The median, and how many solves were not finished."""
    if row is None:
        return ""
    if row["wrong"]:
        return "WRONG"
    missing = int(row["n_solves"] - row["solved"])
    median = f"> {ms(row['limit_s'])}" if pd.isna(row["median_s"]) else ms(row["median_s"])
    return f"{median} ({missing} of {row['n_solves']:.0f} unsolved)" if missing else median


def least_table(rows: pd.DataFrame) -> list[str]:
    """The fastest on each collection of those that solved all of it."""
    lines = []
    for collection, group in rows.groupby("collection", sort=False):
        whole = group[(group["solved"] == group["n_solves"]) & (group["wrong"] == 0)].sort_values("median_s")
        first = [f"`{line['strategy']}` {ms(line['median_s'])}" for line in whole.head(FIRST).to_dict("records")]
        lines.append([str(collection), *first, *[""] * (FIRST - len(first))])
    return ["Fastest of those that solved everything, in ms:", "", *grid(["collection", "1", "2", "3"], lines)]


def by_collection(group: pd.DataFrame) -> dict[str, Mapping[Any, Any]]:
    return {row["collection"]: row for row in group.to_dict("records")}


def ms(seconds: float) -> str:
    """Milliseconds, three digits."""
    number = 1e3 * seconds
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def grid(heads: Sequence[str], lines: Iterator[list[str]] | Sequence[list[str]]) -> list[str]:
    """A table in Markdown."""
    rows = [heads, ["---"] * len(heads), *lines]
    return [f"| {' | '.join(row)} |" for row in rows]


def load_kept(folder: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """What earlier runs gave; nothing at first."""
    if not (folder / TABLE).exists():
        return pd.DataFrame(columns=list(COLUMNS)), {}
    return pd.read_csv(folder / TABLE), json.loads((folder / RUNS).read_text(encoding="utf-8"))


def take_in(paths: Sequence[Path], folder: Path) -> None:
    """Put the figures of runs among those that are kept.

    Raises:
        InputError: a folder is no finished run of one of the suites.
    """
    kept, runs = load_kept(folder)
    for path in paths:
        run = run_tables.load(path)
        suite = run.manifest["suite"]["name"]
        if suite not in SUITES:
            raise InputError(f"{path}: a run of {suite}; give runs of the suites {', '.join(SUITES)}")
        if not run.manifest.get("complete"):
            raise InputError(f"{path}: the run is not complete; go on with --resume")
        kept, runs = replaced(kept, figures(run)), {**runs, suite: facts(run)}
    folder.mkdir(parents=True, exist_ok=True)
    kept.to_csv(folder / TABLE, index=False, lineterminator="\n", float_format="%.6g")
    text = json.dumps({suite: runs[suite] for suite in SUITES if suite in runs}, indent=1)
    (folder / RUNS).write_text(text + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the tables of docs/encodings.md again.")
    parser.add_argument("runs", nargs="*", metavar="RUN", type=Path, help=f"of the suites {', '.join(SUITES)}")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to rewrite (default docs/encodings.md)")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where figures are kept (default results/encodings)")
    options = parser.parse_args()
    try:
        if options.runs:
            take_in(options.runs, options.kept)
        made = as_markdown(*load_kept(options.kept))
        document.fill(options.page, MARKS, made)
    except (InputError, OSError) as error:
        print(f"encoding_study: {error}", file=sys.stderr)
        return 2
    print(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
