"""Results in docs/strategies.md: ``python -m bench.studies.strategy_table RUN`` writes them from a run.

For each strategy and tier: the median CPU time of a solve, and the number of solved measurements if not all were
solved. Everything comes from ``summary.csv`` and ``manifest.json`` of the run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from bench.say.phrases import seconds
from bench.studies import document
from datasets.errors import InputError

DOCUMENT = document.TOP / "docs" / "strategies.md"
MARKS = "<!-- results: begin -->", "<!-- results: end -->"
MISSING = "–"
FAILURES = ("timeouts", "memouts", "gave_up", "errors", "wrong")
QUIET = 0.05  # share of the time of a run that may be disturbed without a warning


def results(folder: Path) -> str:
    """Return the section on results, in Markdown.

    Raises:
        InputError: the folder is not a finished run.
    """
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        summary = pd.read_csv(folder / "summary.csv")
    except (OSError, ValueError):
        raise InputError(f"{folder}: not a finished run; make one with `sudoku-bench run families --out DIR`") from None
    tiers = [name for name in manifest["suite"]["datasets"] if name in set(summary["collection"])]
    rows = {(row["strategy"], row["collection"]): row for row in summary.to_dict("records")}
    unsupported = (
        summary.groupby("strategy")["unsupported"].sum() == summary.groupby("strategy")["n_measurements"].sum()
    )
    names = [name for name in dict.fromkeys(summary["strategy"]) if not unsupported[name]]
    absent = [f"- `{name}` could not run on this machine." for name in unsupported[unsupported].index]
    parts = [circumstances(manifest, summary), *table(rows, names, tiers), "", *fastest(rows, names, tiers)]
    return "\n".join([*parts, "", *incomplete(summary, names), *absent])


def circumstances(manifest: dict[str, Any], summary: pd.DataFrame) -> str:
    """Describe the run: task, puzzles, limit, machine and disturbances."""
    suite, machine = manifest["suite"], manifest["machine"]
    return (
        f"Median CPU time of a solve, task `{suite['task']}`, {summary['n_puzzles'].max()} puzzles of each tier, "
        f"limit {suite['timeout_s']:g} s of CPU time; {machine['cpu']}, Python {machine['python']}, "
        f"{manifest['started'][:10]}. "
        "Cells with unsolved measurements show how many were solved; a median beyond the limit is omitted."
        f"{disturbed(manifest)}\n"
    )


def disturbed(manifest: dict[str, Any]) -> str:
    """Return a warning if other programs disturbed the run for long."""
    watched = manifest.get("disturbance") or []
    watched_s = sum(part["seconds"] for part in watched)
    share = sum(part["disturbed_s"] for part in watched) / watched_s if watched_s else 0.0
    return f" **The machine was disturbed {share:.0%} of the time.**" if share > QUIET else ""


def table(rows: dict[tuple[str, str], Any], names: list[str], tiers: list[str]) -> Iterator[str]:
    """Yield the table, strategies in the order of their time on the last tier, those without a time at the end."""

    def rank(name: str) -> tuple[float, ...]:
        return tuple(median_s(rows.get((name, tier))) for tier in reversed(tiers))

    yield "| strategy | " + " | ".join(tiers) + " |"
    yield "| --- |" + " --- |" * len(tiers)
    for name in sorted(names, key=rank):
        yield f"| `{name}` | " + " | ".join(cell(rows.get((name, tier))) for tier in tiers) + " |"


def median_s(row: Any) -> float:
    """Return the median, infinite where half or more of the measurements were not solved."""
    is_known = row is not None and 2 * row["solved"] > row["n_measurements"]
    return float(row["median_s"]) if is_known else float("inf")


def cell(row: Any) -> str:
    """Return the median and the number of solved measurements, each only where it applies."""
    if row is None or not row["solved"]:
        return MISSING
    time = median_s(row)
    parts = [] if time == float("inf") else [seconds(time)]
    if row["solved"] < row["n_measurements"]:
        parts.append(f"{row['solved']} of {row['n_measurements']}")
    return ", ".join(parts)


def fastest(rows: dict[tuple[str, str], Any], names: list[str], tiers: list[str]) -> Iterator[str]:
    """Yield a sentence with the three fastest strategies of each tier."""
    for tier in tiers:
        first = sorted((median_s(rows.get((name, tier))), name) for name in names)[:3]
        medians = ", ".join(f"`{name}` ({seconds(time)})" for time, name in first if time < float("inf"))
        yield f"- Fastest on {tier}: {medians or 'none'}."


def incomplete(summary: pd.DataFrame, names: list[str]) -> Iterator[str]:
    """Yield a sentence on each strategy that did not solve everything, with its counts by kind of failure."""
    by_strategy = summary.groupby("strategy")[list(FAILURES)].sum()
    for name in names:
        counts = [f"{count} {str(kind).replace('_', ' ')}" for kind, count in by_strategy.loc[name].items() if count]
        if counts:
            yield f"- `{name}` did not solve everything: {', '.join(counts)}."


if __name__ == "__main__":
    sys.exit(document.fill_from_run(DOCUMENT, MARKS, "families", results))
