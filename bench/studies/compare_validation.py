"""Does `compare` call regressions where there are none? ``make validate-compare`` measures pairs of runs.

*Alike*: the same strategies on the same puzzles in two runs, one after the other. Whatever is called slower there is
called so falsely. *Slowed*: in the second run one strategy burns more CPU time in each solve; it must be found. Runs
are small, and each pair is compared as it is and less an anchor, with the default margin and with none at all.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console

from bench.machine import description
from bench.plan import plan
from bench.plan.suite import Suite
from bench.run import experiment
from bench.say.progress import Progress
from bench.studies.validation import PLUGIN, puzzle_files
from bench.verdicts import run_tables
from bench.verdicts.between_runs import comparison

PUZZLES = {"easy": 4, "medium": 4}
COPIED, COPY = "seed:norvig", "copy:norvig"
OTHERS = ("seed:pycosat", "sat:complete+pairwise@cadical195")
ANCHORS: dict[str, tuple[str, ...]] = {"": (), OTHERS[0]: OTHERS[:1]}
MARGINS = (comparison.MARGIN, 0.0)
PAIRS, EVERY = 50, 10  # every so many pairs there is a third run, slowed
SLOWED = 20  # percent
MOST_FALSE = 5  # pairs of 50 with a regression, at the default margin
LEAST_FOUND = 0.8  # of the slowed ones


@dataclass(frozen=True)
class Call:
    """What a comparison of two runs called.

    Attributes:
        kind: ``alike`` or ``slowed 20%``.
        anchors: that were taken off; regressions, improvements: how many rows were called that, of ``rows``.
        ratio, ratio_lo, ratio_hi: of the copied strategy on the first collection.
        found: the copied strategy was called slower on some collection.
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
    parser.add_argument("--pairs", type=int, default=PAIRS, help="fewer pairs, for a try")
    options = parser.parse_args(arguments)
    console = Console(stderr=True, highlight=False, markup=False)
    started = datetime.now(UTC)
    calls: list[Call] = []
    with tempfile.TemporaryDirectory(prefix="sudoku-bench-") as scratch:
        files = puzzle_files(PUZZLES, Path(scratch))
        for number in range(options.pairs):
            calls += pair(number, files, Path(scratch), console)
    table = counts(calls)
    options.out.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(map(asdict, calls)).to_csv(options.out / "compare_calls.csv", index=False, float_format="%.5g")
    table.to_csv(options.out / "compare_counts.csv", index=False, float_format="%.4g")
    record = {
        "started": started.isoformat(timespec="seconds"),
        "machine": description.facts(),
        "git": description.git_state(),
    }
    (options.out / "compare_machine.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    Console(highlight=False, markup=False).print(table.to_string(index=False))
    return 0 if kept(table) else 1


def pair(number: int, files: Sequence[str], scratch: Path, console: Console) -> Iterator[Call]:
    """The calls of two runs that are alike, and of one that is slowed against the first of them."""
    old, new = (measure(f"{number}-{letter}", 0, number, files, scratch, console) for letter in "ab")
    yield from compared("alike", number, old, new)
    if number % EVERY == 0:
        slowed = measure(f"{number}-slowed", SLOWED, number, files, scratch, console)
        yield from compared(f"slowed {SLOWED}%", number, old, slowed)


def measure(tag: str, percent: int, number: int, files: Sequence[str], scratch: Path, console: Console) -> run_tables.Run:
    """A run in which the copy is slowed by so many percent; runs of one number solve the same forms."""
    plugin = scratch / f"plugin-{tag}.py"
    plugin.write_text(PLUGIN.format(base=COPIED, copies={COPY: percent}), encoding="utf-8")
    suite = Suite(
        name=f"compare-{number}",
        strategies=(COPY, *OTHERS),
        datasets=tuple(files),
        launches=comparison.MIN_LAUNCHES,
        repetitions=1,
        loops=1,
        seed=3000 + number,
    )
    with Progress(console) as progress:
        planned = plan.make(suite, [str(plugin)])
        if not experiment.conduct(planned, scratch / tag, "make validate-compare", datetime.now(UTC), progress):
            raise KeyboardInterrupt
    return run_tables.load(scratch / tag)


def compared(kind: str, number: int, old: run_tables.Run, new: run_tables.Run) -> Iterator[Call]:
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
    """How many pairs of runs were called slower, or faster, in some row."""
    frame = pd.DataFrame(map(asdict, calls))
    lines: list[dict[str, Any]] = []
    for (kind, anchors, margin), group in frame.groupby(["kind", "anchors", "margin"], sort=False):
        lines.append(
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
    return pd.DataFrame(lines)


def kept(table: pd.DataFrame) -> bool:
    """At the default margin, few false regressions and nearly all slowed runs found; without a margin the counts are
    shown, but a machine that drifts from run to run owes nobody an answer."""
    held = table[table["margin"] == comparison.MARGIN]
    alike, slowed = held[held["kind"] == "alike"], held[held["kind"] != "alike"]
    return bool(
        (alike["regressions"] <= MOST_FALSE * alike["pairs"] / PAIRS).all()
        and (slowed["found"] >= LEAST_FOUND * slowed["pairs"]).all()
    )


if __name__ == "__main__":
    sys.exit(main())
