"""Verdicts on measurements with a known answer.

*Alike*: copies of a strategy, or two runs of the same; every claimed difference is false. *Slowed*: copies that spend a
known share more CPU time in each solve, by computation or by memory traffic (``copies``); the plain one must be claimed
faster. Run folders are kept, so a study that was interrupted continues; delete them to measure again.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from bench import cli
from bench.folder.store import read_manifest
from bench.plan.suite import MARGIN
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
EVERY = "(all)"
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
    claimed, for a slowed copy in the right direction; ``against_baseline``, the same with the plain copy (or the first
    one) as the baseline, None for pairs without it; the others as in ``pairs.csv``.
    """
    copies, claims = KINDS[kind].copies, KINDS[kind].claims
    baseline = next(iter(copies))
    from_baseline = {row["a"]: row["verdict"] in claims for row in against(folder, baseline)}
    pairs = pd.read_csv(folder / "pairs.csv")
    for row in (pairs if kind == ALIKE else versions.against(pairs, PLAIN)).to_dict("records"):
        other = row["a"] if row["b"] == baseline else row["b"]
        yield {
            "kind": ALIKE if kind == ALIKE else f"+{100 * copies[row['a']].share:.0f}% {copies[row['a']].kind}",
            **{key: row[key] for key in ("a", "b", "verdict", "ratio", "decided_lo", "decided_hi")},
            "found": row["verdict"] in claims,
            "against_baseline": from_baseline[other] if baseline in (row["a"], row["b"]) else None,
        }


def against(folder: Path, baseline: str) -> Rows:
    """Return what ``compare RUN --baseline`` prints: a row per pair, the baseline as ``b``."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        cli.main(["compare", str(folder), "--baseline", baseline, "--json"])
    rows: Rows = json.loads(text.getvalue())["rows"]
    return rows


def counts(claims: pd.DataFrame) -> pd.DataFrame:
    """Count the claims of each condition and kind, by strategy and over all, with exact intervals of their rates.

    ``runs`` counts the runs with any claim; ``met`` says whether the rate over all strategies is as required.
    """
    rows: Rows = []
    every = pd.concat([claims, claims.assign(strategy=EVERY)])
    for (condition, kind, strategy), group in every.groupby(["condition", "kind", "strategy"], sort=False):
        found, number = int(group["found"].sum()), len(group)
        low, high = rate_interval(found, number)
        from_baseline = group["against_baseline"].dropna().astype(bool)
        required, met = requirement(str(kind), found / number) if strategy == EVERY else ("", "")
        rows.append(
            {
                **{"condition": condition, "kind": kind, "strategy": strategy},
                **{"found": found, "of": number, "rate_lo": low, "rate_hi": high, "required": required, "met": met},
                **{"baseline_found": int(from_baseline.sum()), "baseline_of": len(from_baseline)},
                **{"runs": group.loc[group["found"], "run"].nunique(), "runs_of": group["run"].nunique()},
                **{"median_ratio": group["ratio"].median()},
                **{"median_half_width": ((group["decided_hi"] / group["decided_lo"]) ** 0.5 - 1).median()},
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
    """Return the counts over all strategies as a table of a document."""
    rows = [
        [
            *(line["condition"], line["kind"], f"{line['found']} of {line['of']}"),
            f"{line['rate_lo']:.1%} to {line['rate_hi']:.1%}",
            str(line["required"]),
            f"{line['baseline_found']} of {line['baseline_of']}",
            f"{line['runs']} of {line['runs_of']}",
            f"{line['median_ratio']:.3f} ±{line['median_half_width']:.1%}",
        ]
        for line in counted.to_dict("records")
        if line["strategy"] == EVERY
    ]
    heads = ("condition", "kind", "claimed", "95% interval", "required", "with a baseline", "runs with a claim")
    return table([*heads, "ratio"], rows)


SMALL_PUZZLES = {"easy": 4, "medium": 4}
COPIED, COPY = "seed:norvig", "copy:norvig"
# Three, because code that may have changed (uncommitted changes) needs a majority of anchors.
OTHERS = ("seed:pycosat", "sat:complete+pairwise@cadical195", "propagation:bitmask")
ANCHORS: dict[str, tuple[str, ...] | None] = {"default": None, "none": ()}
PAIRS, SLOWED_EVERY = 50, 10  # every tenth pair has a third, slowed run
SHARE = 0.2  # of the CPU time of a solve
MOST_FALSE_PAIRS = 0.1  # with a false regression, at the default margin
LEAST_SLOWED = 0.8  # share of the slowed runs that are found


def validate_compare() -> bool:
    """Count false regressions of `compare` in pairs of runs that are alike, and slowed runs that it finds (25 minutes).

    Each pair is compared with the default anchors (all strategies that did not change) and as measured, with the
    default margin and with a margin of 0.
    """
    started, runs = datetime.now(UTC), FOLDER / "compare"
    write_puzzles(runs / "puzzles.txt", SMALL_PUZZLES)
    calls: Rows = []
    for number in range(PAIRS):
        old, new = (small_run(runs / f"{number:02d}-{letter}", 0.0, number) for letter in "ab")
        calls += calls_on("alike", number, old, new)
        if number % SLOWED_EVERY == 0:
            slowed = small_run(runs / f"{number:02d}-slowed", SHARE, number)
            calls += calls_on(f"slowed {SHARE:.0%}", number, old, slowed)
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


def calls_on(kind: str, pair: int, old: Run, new: Run) -> Rows:
    """Compare two runs with all anchors and margins; ``ratio`` and ``found`` are of the copied strategy."""
    rows = []
    for name, anchors in ANCHORS.items():
        for margin in (MARGIN, 0.0):
            compared = comparison.compare(old, new, anchors, margin).table
            verdicts = compared["verdict"].value_counts()
            [copied] = compared[compared["strategy"] == COPY].to_dict("records")
            rows.append(
                {
                    **{"kind": kind, "pair": pair, "anchors": name, "margin": margin},
                    **{"regressions": int(verdicts.get(comparison.REGRESSION, 0))},
                    **{"improvements": int(verdicts.get(comparison.IMPROVEMENT, 0)), "rows": len(compared)},
                    **{key: copied[key] for key in ("ratio", "ratio_lo", "ratio_hi")},
                    "found": copied["verdict"] == comparison.REGRESSION,
                }
            )
    return rows


def compare_counts(calls: pd.DataFrame) -> pd.DataFrame:
    """Count the pairs of runs with a regression, or an improvement, in any row."""
    calls = calls.assign(
        pairs=1,
        regressions=calls["regressions"] > 0,
        improvements=calls["improvements"] > 0,
        half_width=(calls["ratio_hi"] / calls["ratio_lo"]) ** 0.5 - 1,
    )
    groups = calls.groupby(["kind", "anchors", "margin"], sort=False)
    counted = groups[["pairs", "regressions", "improvements", "found"]].sum()
    return counted.assign(
        median_ratio=groups["ratio"].median(), median_half_width=groups["half_width"].median()
    ).reset_index()


def compare_held(counted: pd.DataFrame) -> bool:
    """Return whether there are few false regressions at the default margin, and nearly all slowed runs are found.

    Counts at a margin of 0 are only shown, because a machine may drift from run to run.
    """
    at_default = counted[counted["margin"] == MARGIN]
    alike, slowed = at_default[at_default["kind"] == "alike"], at_default[at_default["kind"] != "alike"]
    few_false = (alike["regressions"] <= MOST_FALSE_PAIRS * alike["pairs"]).all()
    return bool(few_false and (slowed["found"] >= LEAST_SLOWED * slowed["pairs"]).all())
