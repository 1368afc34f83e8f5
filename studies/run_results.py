"""Results of a run of the suite ``published``, in docs/published.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from studies.document import DOCS, fill, table
from sudoku_bench.bench.folder import disturbances
from sudoku_bench.bench.say.phrases import listed, seconds
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.run_tables import Run

MISSING = "–"
FAILURES = ("timeouts", "memouts", "gave_up", "errors", "wrong")
NEVER = float("inf")


def published(run: Path) -> None:
    """Write the results of a run of `published` into docs/published.md."""
    loaded = run_tables.load(run)
    fill(DOCS / "published.md", "results", "\n".join([tiers_text(loaded), *wrong_lines(loaded)]))


def wrong_lines(run: Run) -> list[str]:
    """Return the first wrong answer of each strategy."""
    rows = run.measurements[run.measurements["status"] == "wrong"]
    return [
        f"- The first wrong answer of `{name}`: `{wrong['puzzle'].iloc[0]}`, {wrong['reason'].iloc[0]}."
        for name, wrong in rows.groupby("strategy")
    ]


def tiers_text(run: Run) -> str:
    """Return for each strategy and tier the median CPU time, and the number solved if not all measurements were.

    Of tiers whose times are not compared, a sentence says how many were solved.
    """
    summary, suite = run.summary, run.manifest["suite"]
    rows = {(row["strategy"], row["collection"]): row for row in summary.to_dict("records")}
    measured = [name for name in suite["datasets"] if name in set(summary["collection"])]
    timed = set(summary.loc[summary["median_s"].notna(), "collection"])
    tiers = [name for name in measured if name in timed] or measured
    counts = summary.groupby("strategy", sort=False)[["unsupported", "n_measurements", *FAILURES]].sum()
    absent = counts["unsupported"] == counts["n_measurements"]
    medians = {name: [median_s(rows.get((name, tier))) for tier in tiers] for name in counts[~absent].index}
    foreign = {command["name"] for command in suite["commands"]}
    ours = {name: times for name, times in medians.items() if name not in foreign}
    cells = [
        [f"`{name}`", *(tier_cell(rows.get((name, tier))) for tier in tiers), nearest(medians[name], ours, tiers)]
        for name in sorted(medians, key=lambda name: medians[name][::-1])  # in the order of the last tier
    ]
    noise = disturbed(run.manifest)
    lines = [
        f"Median CPU time of a solve, task `{suite['task']}`, {summary['n_puzzles'].max()} puzzles of each tier,"
        f" limit {suite['timeout_s']:g} s of CPU time; {place_and_date(run.manifest)}."
        " Where not all measurements were solved, cells show how many were; a median beyond the limit is omitted. The"
        f" last column: how many times as long as the nearest strategy of this project.{noise}\n",
        table(["strategy", *tiers, f"nearest here ({tiers[-1]})"], cells),
        "",
        *(solved_line(summary, name) for name in measured if name not in tiers),
    ]
    failed = []
    for name, row in counts.loc[~absent, list(FAILURES)].iterrows():
        if kinds := [f"{count} {str(kind).replace('_', ' ')}" for kind, count in row.items() if count]:
            failed.append(f"`{name}` ({', '.join(kinds)})")
    lines += [f"- Not everything solved: {', '.join(failed)}."] if failed else []
    return "\n".join([*lines, *(f"- `{name}` could not run on this machine." for name in sorted(counts[absent].index))])


def solved_line(summary: pd.DataFrame, tier: str) -> str:
    """Return how many measurements of a tier each strategy solved; the most common number is that of all others."""
    rows = summary[(summary["collection"] == tier) & (summary["unsupported"] < summary["n_measurements"])]
    names: dict[int, list[str]] = {}
    for row in rows.sort_values("solved", kind="stable").to_dict("records"):
        names.setdefault(int(row["solved"]), []).append(f"`{row['strategy']}`")
    common = max(names, key=lambda number: len(names[number]), default=0)
    parts = [f"{number} by {listed(names[number])}" for number in sorted(names, reverse=True) if number != common]
    others = f"{common} by {'all others' if parts else 'each'}"
    return f"- Solved of `{tier}`, {rows['n_measurements'].max()} solves: {', '.join([*parts, others])}."


def nearest(times: list[float], ours: Mapping[str, list[float]], tiers: Sequence[str]) -> str:
    """Return the ratio to the strategy of ours with the nearest median, on the last tier where there are medians."""
    for tier, time_s, *others in reversed(list(zip(tiers, times, *ours.values(), strict=True))):
        ratios = {name: time_s / other_s for name, other_s in zip(ours, others, strict=True) if other_s < NEVER}
        if times not in ours.values() and ratios and time_s < NEVER:
            name = min(ratios, key=lambda name: abs(math.log(ratios[name])))
            return f"{ratios[name]:.2g} × `{name}`{'' if tier == tiers[-1] else f' ({tier})'}"
    return ""


def median_s(row: Any) -> float:
    """Return the median, infinite where half or more of the measurements were not solved, or none is compared."""
    is_known = row is not None and 2 * row["solved"] > row["n_measurements"] and row["median_s"] == row["median_s"]
    return float(row["median_s"]) if is_known else NEVER


def tier_cell(row: Any) -> str:
    """Return the median and the number of solved measurements, each only where it applies."""
    if row is None or not row["solved"]:
        return MISSING
    parts = [] if median_s(row) == NEVER else [seconds(median_s(row))]
    if row["solved"] < row["n_measurements"] or not parts:
        parts.append(f"{row['solved']} of {row['n_measurements']}")
    return ", ".join(parts)


def place_and_date(manifest: dict[str, Any]) -> str:
    machine = manifest["machine"]
    return f"{machine['cpu']}, Python {machine['python']}, {manifest['started'][:10]}"


def disturbed(manifest: dict[str, Any]) -> str:
    """Return for how long the machine disturbed the run, if it did."""
    text = disturbances.words(manifest)
    return f" {text}." if text else ""
