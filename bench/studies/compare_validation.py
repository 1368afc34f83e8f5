"""Validation of ``compare``: ``make validate-compare`` counts false regressions in pairs of runs.

*Alike*: the same strategies on the same puzzles in two runs, one after the other. Every regression is false. *Slowed*:
in the second run one strategy burns more CPU time in each solve, which must be found. Runs are small. Each pair is
compared with the default anchors (all strategies that did not change) and as measured, with the default margin and with
a margin of 0. Run folders are kept, so a study that was interrupted continues; delete them to measure again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console

from bench.commands.run import terminated_as_interrupt
from bench.plan import plan
from bench.plan.suite import MARGIN, Suite
from bench.run import experiment
from bench.say.progress import Progress
from bench.studies.slowed_copies import Slowdown, write_plugin, write_puzzles, write_record
from bench.verdicts import run_tables
from bench.verdicts.between_runs import comparison

PUZZLES = {"easy": 4, "medium": 4}
COPIED, COPY = "seed:norvig", "copy:norvig"
# Three, because code that may have changed (uncommitted changes) needs a majority of anchors.
OTHERS = ("seed:pycosat", "sat:complete+pairwise@cadical195", "propagation:bitmask")
ANCHORS: dict[str, tuple[str, ...] | None] = {"default": None, "none": ()}
MARGINS = (MARGIN, 0.0)
PAIRS, SLOWED_EVERY = 50, 10  # every tenth pair has a third, slowed run
SLOWED = 0.2  # share of the CPU time of a solve
MOST_FALSE = 5  # pairs of 50 with a false regression, at the default margin
LEAST_FOUND = 0.8  # share of the slowed runs


@dataclass(frozen=True)
class Call:
    """Verdicts of one comparison of two runs.

    Attributes:
        kind: ``alike`` or ``slowed 20%``.
        anchors: ``default`` (strategies that did not change) or ``none`` (times as measured).
        regressions, improvements: number of rows with that verdict, of ``rows``.
        ratio, ratio_lo, ratio_hi: of the copied strategy.
        found: the copied strategy is a regression.
    """

    kind: str
    pair: int
    anchors: str
    margin: float
    regressions: int
    improvements: int
    rows: int
    ratio: float
    ratio_lo: float
    ratio_hi: float
    found: bool


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.studies.compare_validation", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results/validation"), help="folder for calls and counts")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="number of pairs (fewer for a trial)")
    options = parser.parse_args(arguments)
    console = Console(stderr=True, highlight=False, markup=False)
    started = datetime.now(UTC)
    runs = options.out / "runs" / "compare"
    puzzles = runs / "puzzles.txt"
    write_puzzles(puzzles, PUZZLES)
    try:
        with terminated_as_interrupt():
            calls = [call for number in range(options.pairs) for call in pair(number, puzzles, runs, console)]
    except KeyboardInterrupt:
        console.print("interrupted; the same command continues")
        return 130
    table = counts(calls)
    pd.DataFrame(map(asdict, calls)).to_csv(options.out / "compare_calls.csv", index=False, float_format="%.5g")
    table.to_csv(options.out / "compare_counts.csv", index=False, float_format="%.4g")
    write_record(options.out / "compare_machine.json", started)
    Console(highlight=False, markup=False, width=120).print(table.to_string(index=False))
    return 0 if passed(table) else 1


def pair(number: int, puzzles: Path, runs: Path, console: Console) -> Iterator[Call]:
    """Yield the calls on two runs that are alike, and on a slowed run against the first of them."""
    old, new = (measure(runs / f"{number:02d}-{letter}", 0.0, number, puzzles, console) for letter in "ab")
    yield from compared("alike", number, old, new)
    if number % SLOWED_EVERY == 0:
        slowed = measure(runs / f"{number:02d}-slowed", SLOWED, number, puzzles, console)
        yield from compared(f"slowed {SLOWED:.0%}", number, old, slowed)


def measure(folder: Path, share: float, number: int, puzzles: Path, console: Console) -> run_tables.Run:
    """Make a run in which the copy is slowed by a share; runs with the same number solve the same forms."""
    plugin = folder.with_suffix(".py")
    write_plugin(plugin, COPIED, {COPY: Slowdown(share)})
    suite = Suite(
        name=f"compare-{number}",
        strategies=(COPY, *OTHERS),
        datasets=(str(puzzles),),
        launches=comparison.MIN_LAUNCHES,
        repetitions=1,
        loops=1,
        seed=3000 + number,
    )
    with Progress(console) as progress:
        planned = plan.make(suite, [str(plugin)])
        command = "make validate-compare"
        if not experiment.conduct(planned, folder, command, datetime.now(UTC), progress, resume=True):
            raise KeyboardInterrupt
    return run_tables.load(folder)


def compared(kind: str, number: int, old: run_tables.Run, new: run_tables.Run) -> Iterator[Call]:
    """Compare two runs with all anchors and margins."""
    for name, anchors in ANCHORS.items():
        for margin in MARGINS:
            table = comparison.compare(old, new, anchors, margin).table
            copied = table[table["strategy"] == COPY]
            yield Call(
                kind,
                number,
                name,
                margin,
                int((table["verdict"] == comparison.REGRESSION).sum()),
                int((table["verdict"] == comparison.IMPROVEMENT).sum()),
                len(table),
                float(copied["ratio"].iloc[0]),
                float(copied["ratio_lo"].iloc[0]),
                float(copied["ratio_hi"].iloc[0]),
                bool((copied["verdict"] == comparison.REGRESSION).any()),
            )


def counts(calls: Sequence[Call]) -> pd.DataFrame:
    """Count the pairs of runs with a regression, or an improvement, in any row."""
    frame = pd.DataFrame(map(asdict, calls))
    rows: list[dict[str, Any]] = []
    for (kind, anchors, margin), group in frame.groupby(["kind", "anchors", "margin"], sort=False):
        rows.append(
            {
                "kind": kind,
                "anchors": anchors,
                "margin": margin,
                "pairs": len(group),
                "regressions": int((group["regressions"] > 0).sum()),
                "improvements": int((group["improvements"] > 0).sum()),
                "found": int(group["found"].sum()),
                "median_ratio": group["ratio"].median(),
                "median_half_width": ((group["ratio_hi"] / group["ratio_lo"]) ** 0.5 - 1).median(),
            }
        )
    return pd.DataFrame(rows)


def passed(table: pd.DataFrame) -> bool:
    """Return whether there are few false regressions at the default margin, and nearly all slowed runs are found.

    Counts at a margin of 0 are only shown, because a machine may drift from run to run.
    """
    at_default = table[table["margin"] == MARGIN]
    alike, slowed = at_default[at_default["kind"] == "alike"], at_default[at_default["kind"] != "alike"]
    return bool(
        (alike["regressions"] <= MOST_FALSE * alike["pairs"] / PAIRS).all()
        and (slowed["found"] >= LEAST_FOUND * slowed["pairs"]).all()
    )


if __name__ == "__main__":
    sys.exit(main())
