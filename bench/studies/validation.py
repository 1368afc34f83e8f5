"""Verdicts on measurements with a known answer.

*Alike*: copies of a strategy, or two runs of the same; every claimed difference is false. *Slowed*: copies that spend a
known share more CPU time in each solve, by computation or by memory traffic (``copies``); the plain one must be claimed
faster. Run folders are kept, so a study that was interrupted continues; delete them to measure again.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from bench.folder.store import read_manifest
from bench.studies.copies import (
    MEMORY,
    SEARCH,
    Slowdown,
    busy_core,
    measured,
    write_plugin,
    write_puzzles,
    write_record,
)
from bench.studies.document import fill, table
from bench.studies.simulation import PAGE, RESULTS, Rows, rate_interval
from bench.verdicts.between_runs import comparison, versions
from bench.verdicts.run_tables import Run
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
FOLDER = RESULTS / "runs"
QUIET, BUSY = "quiet", "busy"
ALIKE, SLOWED = "alike", "slowed"
PLAIN = "copy:plain"
MOST_FALSE = 0.08  # share of pairs of copies that are alike
LEAST_FOUND = {"+10%": 0.95, "+5%": 0.75}


@dataclass(frozen=True)
class Kind:
    """Runs of copies: the slow-down of each, the seed of the first run, and the verdicts that are a claim."""

    copies: Mapping[str, Slowdown]
    seed: int
    claims: tuple[str, ...]


KINDS = {
    ALIKE: Kind({f"copy:{letter}": Slowdown() for letter in "abcde"}, 1000, ("a_faster", "b_faster")),
    SLOWED: Kind(
        {PLAIN: Slowdown()}
        | {f"copy:{kind}{percent}": Slowdown(percent / 100, kind) for percent in (10, 5) for kind in (SEARCH, MEMORY)},
        2000,
        ("b_faster",),  # the plain copy is b
    ),
}


def validate(*conditions: str, runs: int = RUNS) -> bool:
    """Count verdicts on copies of strategies, alike and slowed (conditions: quiet, busy; default: both).

    Each run is one of the command line, with its defaults, on one collection of 40 puzzles, and each claim is a verdict
    of its ``pairs.csv``. Another core is busy or not. A part of the conditions or of the --runs is only printed.
    """
    if unknown := set(conditions) - {QUIET, BUSY}:
        raise InputError(f"{', '.join(sorted(unknown))}: no such condition; there are {QUIET} and {BUSY}")
    started, is_whole = datetime.now(UTC), not conditions and runs == RUNS
    claims = pd.DataFrame(
        [claim for condition in conditions or (QUIET, BUSY) for claim in claims_of_condition(condition, runs)]
    )
    counted = counts(claims)
    print(markdown(counted))
    if is_whole:
        claims.to_csv(RESULTS / "claims.csv", index=False, float_format="%.6g")
        counted.to_csv(RESULTS / "counts.csv", index=False, float_format="%.4g")
        write_record(RESULTS / "machine.json", started, disturbed=disturbed())
        fill(PAGE, "validation", markdown(pd.read_csv(RESULTS / "counts.csv")))
    return not (counted["condition"].eq(QUIET) & counted["met"].eq("no")).any()


def claims_of_condition(condition: str, runs: int) -> Iterator[dict[str, Any]]:
    """Measure all runs of a condition that are not there yet; yield the claims of all."""
    puzzles = FOLDER / "puzzles.txt"
    write_puzzles(puzzles, PUZZLES)
    with busy_core() if condition == BUSY else contextlib.nullcontext():
        for number, (name, kind) in itertools.product(range(runs), KINDS.items()):
            strategy = STRATEGIES[number % len(STRATEGIES)]
            folder = FOLDER / condition / f"{name}-{number:02d}-{re.sub(r'[^a-z0-9]+', '-', strategy)}"
            print(f"{datetime.now(UTC):%H:%M:%S} {condition} {number + 1}/{runs}: {name} {strategy}", flush=True)
            plugin = write_plugin(folder, strategy, kind.copies)
            measured(folder, "-s", "copy:*", "-d", puzzles, "--plugin", plugin, "--seed", kind.seed + number)
            facts = {"condition": condition, "kind": name, "strategy": strategy, "run": number}
            yield from (facts | claim for claim in claims_of(folder, name))


def claims_of(folder: Path, kind: str) -> Iterator[dict[str, Any]]:
    """Yield the claims of a run: all pairs of copies that are alike, or each slowed copy against the plain one.

    Columns: ``kind``, ``alike`` or the slow-down of ``a``, such as ``+10% search``; ``found``, whether a difference is
    claimed, for a slowed copy in the right direction; the others as in ``pairs.csv``.
    """
    copies, claims, pairs = KINDS[kind].copies, KINDS[kind].claims, pd.read_csv(folder / "pairs.csv")
    for row in (pairs if kind == ALIKE else versions.against(pairs, PLAIN)).to_dict("records"):
        yield {
            "kind": ALIKE if kind == ALIKE else f"+{100 * copies[row['a']].share:.0f}% {copies[row['a']].kind}",
            **{key: row[key] for key in ("a", "b", "verdict", "ratio", "decided_lo", "decided_hi")},
            "found": row["verdict"] in claims,
        }


def counts(claims: pd.DataFrame) -> pd.DataFrame:
    """Count the claims of each condition and kind, with exact intervals of their rates.

    ``runs`` counts the runs with any claim; ``met`` says whether the rate is as required.
    """
    rows: Rows = []
    for (condition, kind), group in claims.groupby(["condition", "kind"], sort=False):
        found, number = int(group["found"].sum()), len(group)
        low, high = rate_interval(found, number)
        required, met = requirement(str(kind), found / number)
        rows.append(
            {
                "condition": condition,
                "kind": kind,
                "found": found,
                "of": number,
                "rate_lo": low,
                "rate_hi": high,
                "required": required,
                "met": met,
                "runs": group.loc[group["found"], "run"].nunique(),
                "runs_of": group["run"].nunique(),
                "median_ratio": group["ratio"].median(),
                "median_half_width": ((group["decided_hi"] / group["decided_lo"]) ** 0.5 - 1).median(),
            }
        )
    return pd.DataFrame(rows)


def requirement(kind: str, rate: float) -> tuple[str, str]:
    """Return the required rate of claims as text, and whether a rate is as required."""
    if kind == ALIKE:
        return f"<= {MOST_FALSE:.0%}", "yes" if rate <= MOST_FALSE else "no"
    least = LEAST_FOUND[kind.split()[0]]
    return f">= {least:.0%}", "yes" if rate >= least else "no"


def disturbed() -> dict[str, str]:
    """Return the number of runs of each condition that the machine disturbed."""
    result = {}
    for condition in (QUIET, BUSY):
        manifests = [read_manifest(path.parent) for path in (FOLDER / condition).glob("*/manifest.json")]
        number = sum(any(part["warnings"] for part in manifest.get("disturbance", [])) for manifest in manifests)
        result[condition] = f"{number} of {len(manifests)} runs"
    return result


def markdown(counted: pd.DataFrame) -> str:
    """Return the counts as a table of a document."""
    rows = [
        [
            *(line["condition"], line["kind"], f"{line['found']} of {line['of']}"),
            f"{line['rate_lo']:.1%} to {line['rate_hi']:.1%}",
            str(line["required"]),
            f"{line['runs']} of {line['runs_of']}",
            f"{line['median_ratio']:.3f} ±{line['median_half_width']:.1%}",
        ]
        for line in counted.to_dict("records")
    ]
    heads = ("condition", "kind", "claimed", "95% interval", "required", "runs with a claim", "ratio")
    return table(heads, rows)


SMALL_PUZZLES = {"easy": 4, "medium": 4}
COPIED, COPY = "seed:norvig", "copy:norvig"
# Three, because code that may have changed (uncommitted changes) needs a majority of anchors.
OTHERS = ("seed:pycosat", "sat:complete+pairwise@cadical195", "propagation:bitmask")
PAIRS, SLOWED_EVERY = 50, 10  # every tenth pair has a third, slowed run
SHARE = 0.2  # of the CPU time of a solve
MOST_FALSE_PAIRS = 0.1  # with a false regression
LEAST_SLOWED = 0.8  # share of the slowed runs that are found


def validate_compare() -> bool:
    """Count false regressions of `compare` in pairs of runs that are alike, and slowed runs that it finds (25 minutes).

    Each pair is compared with the defaults: the anchors are all strategies that did not change.
    """
    started, runs = datetime.now(UTC), FOLDER / "compare"
    write_puzzles(runs / "puzzles.txt", SMALL_PUZZLES)
    calls: Rows = []
    for number in range(PAIRS):
        old, new = (small_run(runs / f"{number:02d}-{letter}", 0.0, number) for letter in "ab")
        calls.append(call_on("alike", number, old, new))
        if number % SLOWED_EVERY == 0:
            slowed = small_run(runs / f"{number:02d}-slowed", SHARE, number)
            calls.append(call_on(f"slowed {SHARE:.0%}", number, old, slowed))
    frame = pd.DataFrame(calls)
    counted = compare_counts(frame)
    frame.to_csv(RESULTS / "compare_calls.csv", index=False, float_format="%.5g")
    counted.to_csv(RESULTS / "compare_counts.csv", index=False, float_format="%.4g")
    write_record(RESULTS / "compare_machine.json", started)
    print(counted.to_string(index=False))
    return compare_held(counted)


def small_run(folder: Path, share: float, number: int) -> Run:
    """Make a run in which the copy is slowed by a share; runs with the same number solve the same forms."""
    plugin = write_plugin(folder, COPIED, {COPY: Slowdown(share)})
    strategies = [option for name in (COPY, *OTHERS) for option in ("-s", name)]
    settings = ("--launches", comparison.MIN_LAUNCHES, "--repetitions", 1, "--loops", 1, "--seed", 3000 + number)
    return measured(folder, *strategies, "-d", folder.parent / "puzzles.txt", "--plugin", plugin, *settings)


def call_on(kind: str, pair: int, old: Run, new: Run) -> dict[str, Any]:
    """Compare two runs; ``ratio`` and ``found`` are of the copied strategy."""
    compared = comparison.compare(old, new).table
    verdicts = compared["verdict"].value_counts()
    [copied] = compared[compared["strategy"] == COPY].to_dict("records")
    return {
        "kind": kind,
        "pair": pair,
        "regressions": int(verdicts.get(comparison.REGRESSION, 0)),
        "improvements": int(verdicts.get(comparison.IMPROVEMENT, 0)),
        "rows": len(compared),
        **{key: copied[key] for key in ("ratio", "ratio_lo", "ratio_hi")},
        "found": copied["verdict"] == comparison.REGRESSION,
    }


def compare_counts(calls: pd.DataFrame) -> pd.DataFrame:
    """Count the pairs of runs with a regression, or an improvement, in any row."""
    half_width = (calls["ratio_hi"] / calls["ratio_lo"]) ** 0.5 - 1
    claims = {"regressions": calls["regressions"] > 0, "improvements": calls["improvements"] > 0}
    groups = calls.assign(pairs=1, **claims, half_width=half_width).groupby("kind", sort=False)
    counted = groups[["pairs", "regressions", "improvements", "found"]].sum()
    medians = groups[["ratio", "half_width"]].median().add_prefix("median_")
    return counted.join(medians).reset_index()


def compare_held(counted: pd.DataFrame) -> bool:
    """Return whether there are few false regressions, and nearly all slowed runs are found."""
    alike, slowed = counted[counted["kind"] == "alike"], counted[counted["kind"] != "alike"]
    few_false = (alike["regressions"] <= MOST_FALSE_PAIRS * alike["pairs"]).all()
    return bool(few_false and (slowed["found"] >= LEAST_SLOWED * slowed["pairs"]).all())
