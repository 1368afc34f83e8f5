"""The results in docs/strategies.md: ``python -m bench.studies.strategy_table RUN`` fills them in from a run.

Each strategy, tier by tier: the median CPU time of a solve, and how many of the measurements were solved where not
all were. Everything comes from the run's own ``summary.csv`` and ``manifest.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from bench.figures.style import seconds
from bench.studies import document
from datasets.errors import InputError

DOCUMENT = document.TOP / "docs" / "strategies.md"
MARKS = "<!-- results: begin -->", "<!-- results: end -->"
NOTHING = "–"
WAYS_TO_FAIL = ("timeouts", "memouts", "gave_up", "errors", "wrong")
QUIET = 0.05  # of the time of a run that may be disturbed without a word


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the results of a run into docs/strategies.md.")
    parser.add_argument("run", type=Path, help="the folder of a finished run of the suite families")
    try:
        document.fill(DOCUMENT, MARKS, results(parser.parse_args().run))
    except InputError as error:
        print(f"strategy_table: {error}", file=sys.stderr)
        return 2
    return 0


def results(folder: Path) -> str:
    """The section on results, in Markdown.

    Raises:
        InputError: the folder is not a finished run.
    """
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        summary = pd.read_csv(folder / "summary.csv")
    except (OSError, ValueError):
        raise InputError(f"{folder}: not a finished run; make one with `sudoku-bench run families --out DIR`") from None
    tiers = [name for name in manifest["suite"]["datasets"] if name in set(summary["collection"])]
    lines = {(line["strategy"], line["collection"]): line for line in summary.to_dict("records")}
    unsupported = (
        summary.groupby("strategy")["unsupported"].sum() == summary.groupby("strategy")["n_measurements"].sum()
    )
    names = [name for name in dict.fromkeys(summary["strategy"]) if not unsupported[name]]
    absent = [f"- `{name}` could not run here." for name in unsupported[unsupported].index]
    parts = [circumstances(manifest, summary), *table(lines, names, tiers), "", *winners(lines, names, tiers)]
    return "\n".join([*parts, "", *losers(summary, names), *absent])


def circumstances(manifest: dict[str, Any], summary: pd.DataFrame) -> str:
    """What a reader must know of the run."""
    suite, machine = manifest["suite"], manifest["machine"]
    return (
        f"Median CPU time of a solve, task `{suite['task']}`, {summary['n_puzzles'].max()} puzzles of each tier, "
        f"limit {suite['timeout_s']:g} s of CPU time; {machine['cpu']}, Python {machine['python']}, "
        f"{manifest['started'][:10]}. "
        f"Where not all was solved, it says how much; a median beyond the limit has no number.{disturbed(manifest)}\n"
    )


def disturbed(manifest: dict[str, Any]) -> str:
    """A warning if other programs took part in the run for long."""
    watched = manifest.get("disturbance") or []
    watched_s = sum(part["seconds"] for part in watched)
    share = sum(part["disturbed_s"] for part in watched) / watched_s if watched_s else 0.0
    return f" **The machine was disturbed in {share:.0%} of the time.**" if share > QUIET else ""


def table(lines: dict[tuple[str, str], Any], names: list[str], tiers: list[str]) -> Iterator[str]:
    """Strategies in the order of their time on the last tier, those without one at the end."""

    def rank(name: str) -> tuple[float, ...]:
        return tuple(median_s(lines.get((name, tier))) for tier in reversed(tiers))

    yield "| strategy | " + " | ".join(tiers) + " |"
    yield "| --- |" + " --- |" * len(tiers)
    for name in sorted(names, key=rank):
        yield f"| `{name}` | " + " | ".join(cell(lines.get((name, tier))) for tier in tiers) + " |"


def median_s(line: Any) -> float:
    """The median, infinite where half or more of the measurements were not solved."""
    known = line is not None and 2 * line["solved"] > line["n_measurements"]
    return float(line["median_s"]) if known else float("inf")


def cell(line: Any) -> str:
    if line is None or not line["solved"]:
        return NOTHING
    time = median_s(line)
    words = [] if time == float("inf") else [seconds(time)]
    if line["solved"] < line["n_measurements"]:
        words.append(f"{line['solved']} of {line['n_measurements']}")
    return ", ".join(words)


def winners(lines: dict[tuple[str, str], Any], names: list[str], tiers: list[str]) -> Iterator[str]:
    """The three fastest of each tier."""
    for tier in tiers:
        fastest = sorted((median_s(lines.get((name, tier))), name) for name in names)[:3]
        said = ", ".join(f"`{name}` ({seconds(time)})" for time, name in fastest if time < float("inf"))
        yield f"- Fastest on {tier}: {said or 'nobody'}."


def losers(summary: pd.DataFrame, names: list[str]) -> Iterator[str]:
    """Who did not solve everything, and in which way."""
    by_strategy = summary.groupby("strategy")[list(WAYS_TO_FAIL)].sum()
    for name in names:
        failed = [f"{ways} {str(word).replace('_', ' ')}" for word, ways in by_strategy.loc[name].items() if ways]
        if failed:
            yield f"- `{name}` did not solve everything: {', '.join(failed)}."


if __name__ == "__main__":
    sys.exit(main())
