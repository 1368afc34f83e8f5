"""Verdicts on measurements with a known answer, counted by report.

*Alike*: copies of a strategy, or two runs of the same; every claimed difference is false. *Slowed*: plain copies, and
four that spend a known share more CPU time in each solve, by computation or by memory traffic (``copies``), which must
be claimed slower. Run folders are kept, so a study that was interrupted continues; delete them to measure again.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pandas as pd
from scipy import stats

from studies.copies import (
    MEMORY,
    SEARCH,
    Slowdown,
    busy_core,
    measured,
    write_plugin,
    write_puzzles,
    write_record,
)
from studies.document import fill, table
from studies.simulation import PAGE, RESULTS, Rows, rate_interval
from sudoku_bench.bench.folder import disturbances
from sudoku_bench.bench.folder.store import read_manifest
from sudoku_bench.bench.verdicts.between_runs import comparison
from sudoku_bench.bench.verdicts.pairs.evidence import turned
from sudoku_bench.bench.verdicts.run_tables import Run

# Search in Python, exact cover in Python and compiled, SAT from lists of clauses and with clues substituted.
STRATEGIES = (
    "propagation:bitmask",
    "exact-cover:dancing-links",
    "exact-cover:xcover",
    "seed:pycosat",
    "sat:complete+pairwise+substituted@cadical195",
)
PUZZLES = {"easy": 14, "medium": 13, "hard": 13}
RUNS = 5  # of each kind, family and condition: each strategy once
FOLDER = RESULTS / "runs"
QUIET, BUSY = "quiet", "busy"
ALIKE, SLOWED = "alike", "slowed"
FAMILIES = (5, 15)  # copies in a run
FALSE, ALL = "false claim", "all"
MOST_FALSE = 0.05  # share of reports with a false claim, which every report promises
LEAST_FOUND = {"+10%": 0.95, "+5%": 0.75}
CLAIMED = ("a_faster", "b_faster")
SLOW_COPIES = {
    f"copy:{kind}{percent}": Slowdown(percent / 100, kind) for percent in (10, 5) for kind in (SEARCH, MEMORY)
}


def validate() -> bool:
    """Count verdicts on copies of strategies, alike and slowed.

    Each report is a run of the command line, with its defaults, on one collection of 40 puzzles; what counts is its
    ``pairs.csv``. Another core is busy or not.
    """
    started = datetime.now(UTC)
    claims = pd.DataFrame(itertools.chain.from_iterable(map(outcomes_of_condition, (QUIET, BUSY))))
    counted = counts(claims)
    claims.to_csv(RESULTS / "claims.csv", index=False, float_format="%.6g")
    counted.to_csv(RESULTS / "counts.csv", index=False, float_format="%.4g")
    write_record(RESULTS / "machine.json", started, disturbed=disturbed())
    fill(PAGE, "validation", markdown(pd.read_csv(RESULTS / "counts.csv", dtype={"family": str})))
    print(markdown(counted))
    return not counted["met"].eq("no").any()


def copies_of(kind: str, family: int) -> dict[str, Slowdown]:
    """Return the copies of a run, by name; the last four are slowed in runs of this kind."""
    slowed = SLOW_COPIES if kind == SLOWED else {}
    return {f"copy:{letter}": Slowdown() for letter in ascii_lowercase[: family - len(slowed)]} | slowed


def outcomes_of_condition(condition: str) -> Iterator[dict[str, Any]]:
    """Measure all runs of a condition that are not there yet; yield the outcomes of all."""
    puzzles = FOLDER / "puzzles.txt"
    write_puzzles(puzzles, PUZZLES)
    with busy_core() if condition == BUSY else contextlib.nullcontext():
        for number, family, kind in itertools.product(range(RUNS), FAMILIES, (ALIKE, SLOWED)):
            strategy, copies = STRATEGIES[number % len(STRATEGIES)], copies_of(kind, family)
            folder = FOLDER / condition / f"{kind}{family}-{number:02d}-{re.sub(r'[^a-z0-9]+', '-', strategy)}"
            print(
                f"{datetime.now(UTC):%H:%M:%S} {condition} {number + 1}/{RUNS}: {kind}{family} {strategy}", flush=True
            )
            plugin = write_plugin(folder, strategy, copies)
            seed = (1000 if kind == ALIKE else 2000) + 100 * family + number
            measured(folder, "-s", "copy:*", "-d", puzzles, "--plugin", plugin, "--seed", seed)
            facts = {"condition": condition, "family": family, "kind": kind, "strategy": strategy, "run": number}
            yield from (facts | outcome for outcome in outcomes_of(pd.read_csv(folder / "pairs.csv"), copies))


def outcomes_of(pairs: pd.DataFrame, copies: Mapping[str, Slowdown]) -> Iterator[dict[str, Any]]:
    """Yield what a report says: whether any of its claims is false, and which of the slowed copies it finds.

    A claim is false if the copy that is called slower was not slowed, or was slowed less than the other one. A slowed
    copy is found if it is called slower than one that was slowed less.

    Columns: ``question``, ``false claim`` or the slow-down, such as ``+10% search``; ``claimed``, whether it is so;
    ``ratio``, ``ratio_lo``, ``ratio_hi`` of the row on a slowed copy (empty if there is none).
    """
    rows = pairs[pairs["clock"] == "cpu"].to_dict("records")
    turns = [row if copies[row["a"]].share >= copies[row["b"]].share else turned(row) for row in rows]
    is_false = [
        row["verdict"] in CLAIMED and (row["verdict"] == "a_faster" or copies[row["a"]].share == copies[row["b"]].share)
        for row in turns
    ]
    yield {"question": FALSE, "claimed": any(is_false)}
    for name, slowdown in copies.items():
        if slowdown.share:
            asked = [row for row in turns if row["a"] == name and copies[row["b"]].share < slowdown.share]
            figures = {key: asked[0][key] for key in ("ratio", "ratio_lo", "ratio_hi")} if asked else {}
            found = any(row["verdict"] == "b_faster" for row in asked)
            yield {"question": f"+{100 * slowdown.share:.0f}% {slowdown.kind}", "claimed": found, **figures}


def counts(claims: pd.DataFrame) -> pd.DataFrame:
    """Count reports with a false claim, and slowed copies that were found, with exact intervals of their rates.

    By condition, family and both families, and false claims of all; ``met`` says whether the rate is as required.
    """
    claims = claims.assign(question=claims["question"].str.partition(" ")[0].where(claims["question"] != FALSE, FALSE))
    groups = [
        (str(condition), str(family), str(question), group)
        for part in (claims, claims.assign(family=ALL))
        for (condition, family, question), group in part.groupby(["condition", "family", "question"], sort=False)
    ]
    groups.append((ALL, ALL, FALSE, claims[claims["question"] == FALSE]))
    return pd.DataFrame([count_of(*group) for group in groups])


def count_of(condition: str, family: str, question: str, claims: pd.DataFrame) -> dict[str, Any]:
    claimed, number = int(claims["claimed"].sum()), len(claims)
    low, high = rate_interval(claimed, number)
    required, met = requirement(question, claimed, number)
    half_widths = (claims["ratio_hi"] / claims["ratio_lo"]) ** 0.5 - 1
    return {
        "condition": condition,
        "family": family,
        "question": question,
        "claimed": claimed,
        "of": number,
        "rate_lo": low,
        "rate_hi": high,
        "required": required,
        "met": met,
        "median_ratio": claims["ratio"].median(),
        "median_half_width": half_widths.median(),
    }


def requirement(question: str, claimed: int, number: int) -> tuple[str, str]:
    """Return the required rate as text, and whether a count agrees with it.

    A count of false claims agrees if a rule with exactly this rate gives as many or more in at least 5% of cases.
    """
    if question == FALSE:
        chance = stats.binomtest(claimed, number, MOST_FALSE, alternative="greater").pvalue
        return f"<= {MOST_FALSE:.0%}", "yes" if chance >= MOST_FALSE else "no"
    least = LEAST_FOUND[question]
    return f">= {least:.0%}", "yes" if claimed >= least * number else "no"


def disturbed() -> dict[str, str]:
    """Return for how long the machine disturbed the runs of each condition."""
    result = {}
    for condition in (QUIET, BUSY):
        manifests = [read_manifest(path.parent) for path in (FOLDER / condition).glob("*/manifest.json")]
        disturbed_s, watched_s = map(sum, zip((0.0, 0.0), *map(disturbances.lasted, manifests), strict=True))
        result[condition] = f"{disturbed_s:,.0f} of {watched_s:,.0f} s of {len(manifests)} runs"
    return result


def markdown(counted: pd.DataFrame) -> str:
    """Return the counts as a table of a document: a row per condition and family, a column per question."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for line in counted.to_dict("records"):
        count = f"{line['claimed']} of {line['of']} ({100 * line['rate_lo']:.0f}–{line['rate_hi']:.0%})"
        missed = "" if line["met"] == "yes" else " **not met**"
        cells.setdefault((line["condition"], line["family"]), {})[line["question"]] = f"{count}{missed}"
    questions = [FALSE, *LEAST_FOUND]
    rows = [[*place, *(found.get(question, "") for question in questions)] for place, found in cells.items()]
    return table(["condition", "copies", *questions], rows)


SMALL_PUZZLES = {"easy": 4, "medium": 4}
COPIED, COPY = "seed:norvig", "copy:norvig"
# Three: the fewest that show what the machine did.
OTHERS = ("seed:pycosat", "sat:complete+pairwise@cadical195", "propagation:bitmask")
PAIRS, SLOWED_EVERY = 50, 10  # every tenth pair has a third, slowed run
SHARE = 0.2  # of the CPU time of a solve
MOST_FALSE_PAIRS = 0.1  # with a false regression
LEAST_SLOWED = 0.8  # share of the slowed runs that are found


def validate_compare() -> bool:
    """Count false regressions of `compare` in pairs of runs that are alike, and slowed runs that it finds (25 minutes).

    Each pair is compared with the defaults.
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
