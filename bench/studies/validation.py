"""Validation of the verdicts by measurements with a known answer: ``make validate``.

Each run is one of the command line, with its defaults, on one collection of 40 puzzles, and each claim is a verdict of
its ``pairs.csv``. *Alike*: five copies of a strategy; every claimed difference is false. *Slowed*: a plain copy, and
copies that spend another 10% or 5% of the CPU time of each solve, by computation or by memory traffic
(``slowed_copies``); the plain one must be claimed faster. Both are measured on a quiet machine and with another core
kept busy. Run folders are kept, so a study that was interrupted continues where it stopped; delete them to measure
again.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table

from bench import cli
from bench.commands.run import terminated_as_interrupt
from bench.folder.store import read_manifest
from bench.studies import document
from bench.studies.slowed_copies import (
    MEMORY,
    SEARCH,
    Slowdown,
    busy_core,
    rate_interval,
    write_plugin,
    write_puzzles,
    write_record,
)
from bench.verdicts.between_runs import versions
from datasets.errors import InputError

# Search in Python, exact cover in Python and compiled, SAT from lists of clauses and with clues substituted.
STRATEGIES = (
    "propagation:bitmask",
    "exact-cover:dancing-links",
    "exact-cover:xcover",
    "seed:pycosat",
    "sat:complete+pairwise+substituted@cadical195",
)
PUZZLES = {"easy": 14, "medium": 13, "hard": 13}
RUNS = 20  # of each kind and condition
QUIET, BUSY = "quiet", "busy"
ALIKE, SLOWED = "alike", "slowed"
PLAIN = "copy:plain"
COPIES: dict[str, dict[str, Slowdown]] = {
    ALIKE: {f"copy:{letter}": Slowdown() for letter in "abcde"},
    SLOWED: {PLAIN: Slowdown()}
    | {f"copy:{kind}{percent}": Slowdown(percent / 100, kind) for percent in (10, 5) for kind in (SEARCH, MEMORY)},
}
SEEDS = {ALIKE: 1000, SLOWED: 2000}
CLAIMED = {ALIKE: ("a_faster", "b_faster"), SLOWED: ("b_faster",)}  # verdicts that are a claim; the plain copy is b
EVERY = "(all)"
MOST_FALSE = 0.08  # share of pairs of copies that are alike
LEAST_FOUND = {"+10%": 0.95, "+5%": 0.75}
HEADS = ("condition", "kind", "claimed", "95% interval", "required", "with a baseline", "runs with a claim", "ratio")
WIDTH = 120
PAGE = document.TOP / "docs" / "methodology.md"
MARKS = "<!-- validation: made by bench.studies.validation -->", "<!-- end of validation -->"


@dataclass(frozen=True)
class Claim:
    """The verdict on one pair with a known answer.

    Attributes:
        kind: ``alike``, or the slow-down of ``a``, such as ``+10% search``; ``b`` is then the plain copy.
        verdict, ratio, decided_lo, decided_hi: as in ``pairs.csv``.
        found: whether a difference is claimed; for a slowed copy, in the right direction.
        against_baseline: the same with the plain copy (or the first one) as the baseline; None for pairs without it.
    """

    condition: str
    kind: str
    strategy: str
    run: int
    a: str
    b: str
    verdict: str
    ratio: float
    decided_lo: float
    decided_hi: float
    found: bool
    against_baseline: bool | None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.studies.validation", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results/validation"), help="folder for runs, claims, counts")
    parser.add_argument("--runs", type=int, default=RUNS, help="number of runs of each kind (fewer for a trial)")
    parser.add_argument("--condition", choices=(QUIET, BUSY), help="only this condition (default: both)")
    options = parser.parse_args(arguments)
    console = Console(stderr=True, highlight=False, markup=False)
    conditions = [options.condition] if options.condition else [QUIET, BUSY]
    started = datetime.now(UTC)
    try:
        with terminated_as_interrupt():
            claims = [claim for name in conditions for claim in measured(name, options.out, options.runs, console)]
    except InputError as error:
        console.print(f"sudoku-bench: {error}", soft_wrap=True)
        return 2
    except KeyboardInterrupt:
        console.print("interrupted; the same command continues")
        return 130
    table = counts(claims)
    pd.DataFrame(map(asdict, claims)).to_csv(options.out / "claims.csv", index=False, float_format="%.6g")
    table.to_csv(options.out / "counts.csv", index=False, float_format="%.4g")
    write_record(options.out / "machine.json", started, disturbed=disturbed(options.out / "runs", conditions))
    if options.runs >= RUNS:
        document.fill(PAGE, MARKS, markdown(pd.read_csv(options.out / "counts.csv")))
    show(table)
    return int((table["condition"].eq(QUIET) & table["met"].eq("no")).any())


def measured(condition: str, out: Path, runs: int, console: Console) -> Iterator[Claim]:
    """Measure all runs of a condition that are not there yet; yield the claims of all."""
    puzzles = out / "runs" / "puzzles.txt"
    write_puzzles(puzzles, PUZZLES)
    with busy_core() if condition == BUSY else contextlib.nullcontext():
        for number in range(runs):
            for kind in COPIES:
                strategy = STRATEGIES[number % len(STRATEGIES)]
                folder = out / "runs" / condition / f"{kind}-{number:02d}-{re.sub(r'[^a-z0-9]+', '-', strategy)}"
                console.print(f"{datetime.now(UTC):%H:%M:%S} {condition} {number + 1}/{runs}: {kind} {strategy}")
                measure(folder, strategy, COPIES[kind], SEEDS[kind] + number, puzzles)
                yield from claims_of(folder, condition, kind, strategy, number)


def measure(folder: Path, strategy: str, copies: Mapping[str, Slowdown], seed: int, puzzles: Path) -> None:
    """Run the command; a complete run stays as it is.

    Raises:
        InputError: the command failed.
    """
    plugin = folder.parent / f"{folder.name}.py"
    write_plugin(plugin, strategy, copies)
    settings = ["-s", "copy:*", "-d", puzzles, "--plugin", plugin, "--seed", seed, "--out", folder]
    command = [sys.executable, "-m", "bench", "run", *map(str, settings), "--resume", "--quiet"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise InputError(f"{folder}: the run ended with exit code {done.returncode}: {last}")


def claims_of(folder: Path, condition: str, kind: str, strategy: str, run: int) -> Iterator[Claim]:
    """Yield the claims of a run: all pairs of copies that are alike, or each slowed copy against the plain one."""
    copies = COPIES[kind]
    baseline = next(iter(copies))
    from_baseline = {row["a"]: row["verdict"] in CLAIMED[kind] for row in against(folder, baseline)}
    pairs = pd.read_csv(folder / "pairs.csv")
    for row in (pairs if kind == ALIKE else versions.against(pairs, PLAIN)).to_dict("records"):
        other = row["a"] if row["b"] == baseline else row["b"]
        yield Claim(
            condition=condition,
            kind=ALIKE if kind == ALIKE else f"+{100 * copies[row['a']].share:.0f}% {copies[row['a']].kind}",
            strategy=strategy,
            run=run,
            **{key: row[key] for key in ("a", "b", "verdict", "ratio", "decided_lo", "decided_hi")},
            found=row["verdict"] in CLAIMED[kind],
            against_baseline=from_baseline[other] if baseline in (row["a"], row["b"]) else None,
        )


def against(folder: Path, baseline: str) -> list[dict[str, Any]]:
    """Return what ``compare RUN --baseline`` prints: a row per pair, the baseline as ``b``."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        cli.main(["compare", str(folder), "--baseline", baseline, "--json"])
    rows: list[dict[str, Any]] = json.loads(text.getvalue())["rows"]
    return rows


def counts(claims: Sequence[Claim]) -> pd.DataFrame:
    """Count the claims of each condition and kind, by strategy and over all, with exact intervals of their rates.

    ``runs`` counts the runs with any claim; ``met`` says whether the rate over all strategies is as required.
    """
    frame = pd.DataFrame(map(asdict, claims))
    every = frame.assign(strategy=EVERY)
    rows: list[dict[str, Any]] = []
    for (condition, kind, strategy), group in pd.concat([frame, every]).groupby(
        ["condition", "kind", "strategy"], sort=False
    ):
        found, number = int(group["found"].sum()), len(group)
        low, high = rate_interval(found, number)
        from_baseline = group["against_baseline"].dropna().astype(bool)
        rows.append(
            {
                "condition": condition,
                "kind": kind,
                "strategy": strategy,
                "found": found,
                "of": number,
                "rate_lo": low,
                "rate_hi": high,
                "required": required(str(kind)) if strategy == EVERY else "",
                "met": ("no", "yes")[is_met(str(kind), found / number)] if strategy == EVERY else "",
                "baseline_found": int(from_baseline.sum()),
                "baseline_of": len(from_baseline),
                "runs": group.loc[group["found"], "run"].nunique(),
                "runs_of": group["run"].nunique(),
                "median_ratio": group["ratio"].median(),
                "median_half_width": ((group["decided_hi"] / group["decided_lo"]) ** 0.5 - 1).median(),
            }
        )
    return pd.DataFrame(rows)


def required(kind: str) -> str:
    """Return the required rate of claims, as text."""
    return f"<= {MOST_FALSE:.0%}" if kind == ALIKE else f">= {LEAST_FOUND[kind.split()[0]]:.0%}"


def is_met(kind: str, rate: float) -> bool:
    return rate <= MOST_FALSE if kind == ALIKE else rate >= LEAST_FOUND[kind.split()[0]]


def disturbed(runs: Path, conditions: Sequence[str]) -> dict[str, str]:
    """Return the number of runs of each condition that the machine disturbed."""
    result = {}
    for condition in conditions:
        manifests = [read_manifest(path.parent) for path in sorted((runs / condition).glob("*/manifest.json"))]
        number = sum(any(part["warnings"] for part in manifest.get("disturbance", [])) for manifest in manifests)
        result[condition] = f"{number} of {len(manifests)} runs"
    return result


def show(table: pd.DataFrame) -> None:
    """Print the counts over all strategies, and what falls short."""
    console = Console(highlight=False, markup=False, width=WIDTH)
    shown = Table(*HEADS, box=box.SIMPLE_HEAD)
    lines = [line for line in table.to_dict("records") if line["strategy"] == EVERY]
    for line in lines:
        shown.add_row(line["condition"], line["kind"], *figures(line))
    console.print(shown)
    for line in lines:
        if line["met"] == "no":
            console.print(
                f"{line['condition']}, {line['kind']}: {figures(line)[0]} claimed, required {line['required']}"
            )


def markdown(table: pd.DataFrame) -> str:
    """Return the counts over all strategies as a table of a document."""
    rows = [HEADS, ["---"] * len(HEADS)]
    rows += [
        (line["condition"], line["kind"], *figures(line))
        for line in table.to_dict("records")
        if line["strategy"] == EVERY
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def figures(line: Mapping[Any, Any]) -> list[str]:
    """Return the figures of a row of counts as text."""
    return [
        f"{line['found']} of {line['of']}",
        f"{line['rate_lo']:.1%} to {line['rate_hi']:.1%}",
        str(line["required"]),
        f"{line['baseline_found']} of {line['baseline_of']}",
        f"{line['runs']} of {line['runs_of']}",
        f"{line['median_ratio']:.3f} ±{line['median_half_width']:.1%}",
    ]


if __name__ == "__main__":
    sys.exit(main())
