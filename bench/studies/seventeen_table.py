"""Results in docs/scale.md: ``python -m bench.studies.seventeen_table RUN`` writes them from a run of ``seventeen``.

Everything comes from ``summary.csv``, ``vbs.csv``, ``pairs.csv`` and ``manifest.json`` of the run.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd

from bench.say.phrases import counted, seconds
from bench.studies import document
from bench.studies.strategy_table import disturbed
from datasets.errors import InputError

DOCUMENT = document.TOP / "docs" / "scale.md"
MARKS = "<!-- seventeen: begin -->", "<!-- seventeen: end -->"
MINUTE_S = 60
COLUMNS = {"median_s": "median", "gmean_s": "geometric mean", "p95_s": "95th percentile", "max_s": "longest"}
HEAD = ("strategy", *COLUMNS.values(), "fastest on", "not solved")
DECIDED = ("a_faster", "b_faster", "equivalent")


def results(folder: Path) -> str:
    """Return the section on results, in Markdown.

    Raises:
        InputError: the folder is not a finished run of one collection.
    """
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        summary, vbs, pairs = (pd.read_csv(folder / f"{name}.csv") for name in ("summary", "vbs", "pairs"))
    except (OSError, ValueError):
        raise InputError(
            f"{folder}: not a finished run; make one with `sudoku-bench run seventeen --out DIR`"
        ) from None
    if summary["collection"].nunique() != 1:
        raise InputError(f"{folder}: has {summary['collection'].nunique()} collections; the section is about one")
    shares = vbs.set_index("strategy")["fastest_share"]
    lines = [f"| {' | '.join(HEAD)} |", f"| {' | '.join('---' for _ in HEAD)} |"]
    for row in summary.sort_values("median_s").to_dict("records"):
        name, unsolved = row["strategy"], f"{row['n_measurements'] - row['solved']:,}"
        cells = [f"`{name}`", *(seconds(row[column]) for column in COLUMNS), f"{shares[name]:.1%}", unsolved]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([circumstances(manifest, summary), "", *lines, "", verdicts(pairs)])


def circumstances(manifest: dict[str, Any], summary: pd.DataFrame) -> str:
    """Describe the run: its size, duration, settings, machine and disturbances."""
    suite, machine = manifest["suite"], manifest["machine"]
    took_s = (datetime.fromisoformat(manifest["ended"]) - datetime.fromisoformat(manifest["started"])).total_seconds()
    rows = sum(manifest["rows_by_status"].values())
    strategies = counted(len(summary), "strategy", "strategies")
    return (
        f"{rows:,} measurements ({summary['n_puzzles'].max():,} puzzles, {strategies},"
        f" {counted(suite['repetitions'], 'repetition')}, and placebos) in {took_s / MINUTE_S:.0f} minutes with"
        f" `--jobs {suite['jobs']}`; CPU time of a solve, task `{suite['task']}`, limit {suite['timeout_s']:g} s;"
        f" {machine['cpu']}, Python {machine['python']}, {manifest['started'][:10]}.{side_by_side(manifest)}"
        f"{disturbed(manifest)}"
    )


def side_by_side(manifest: dict[str, Any]) -> str:
    """Return what measuring side by side did to CPU times, if it was measured."""
    effects = manifest.get("side_by_side") or []
    if not effects or None in effects[-1]["cpu"]:
        return ""
    ratio, low, high = effects[-1]["cpu"]
    return f" Side by side, solves took {ratio:.0%} [{low:.0%}, {high:.0%}] of the CPU time of one alone."


def verdicts(pairs: pd.DataFrame) -> str:
    """Return how many pairs were decided."""
    decided = int(pairs["verdict"].isin(DECIDED).sum())
    return f"{decided} of {counted(len(pairs), 'pair')} of strategies decided."


if __name__ == "__main__":
    sys.exit(document.fill_from_run(DOCUMENT, MARKS, "seventeen", results))
