"""Validation of the method by measurements with a known answer: ``make validate``.

*Alike*: pairs of copies of one strategy. A 95% interval should exclude 1 in about 5% of them; each such claim is false
by construction. *Slowed*: a copy that burns another 10% or 5% of the CPU time of each solve must be found slower, also
when it solves other forms of the puzzles than the original. All runs use the defaults of the command line.
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
from scipy import stats

from bench.machine import description
from bench.plan import plan
from bench.plan.suite import Suite
from bench.run import experiment
from bench.say.progress import Progress
from bench.verdicts import run_tables
from bench.verdicts.pairs import noise
from bench.verdicts.pairs.paired import compare
from datasets.collections import catalogue

BASES = ("seed:norvig", "seed:pycosat", "sat:complete+pairwise@cadical195")
# Puzzles of each tier: 40 in all, and few enough of each tier that placebos solve them all.
ALIKE_PUZZLES = {"easy": 14, "medium": 13, "hard": 13}
# The form of a hard puzzle changes the time of a search by more than 5%, so 5% cannot be detected on other forms.
SLOWED_PUZZLES = {"easy": 14, "minimal": 13, "medium": 13}
COPIES = 8
ALIKE_RUNS, SLOWED_RUNS = 51, 20
SLOWED = (5, 10)  # percent
PLAIN = "copy:plain"
ALPHA = 0.05

PLUGIN = """
import time
from solvers import register, registry

registry.load_builtin()
base = registry.get({base!r})


def slowed(percent):
    class Slowed(base):
        def encode(self, puzzle):
            self.start_s = time.process_time()
            return super().encode(puzzle)

        def release(self):
            super().release()
            end_s = time.process_time()
            end_s += (end_s - self.start_s) * percent / 100
            while time.process_time() < end_s:
                pass

    return Slowed


for name, percent in {copies!r}.items():
    register(type("Copy", (slowed(percent) if percent else base,), {{"name": name}}))
"""


@dataclass(frozen=True)
class Claim:
    """One comparison with a known answer.

    Attributes:
        kind: ``alike``, ``slowed 10%``, ``slowed 10%, other forms`` and so on.
        ratio: the measured ratio.
        found: whether the interval excludes 1 on the expected side (on either side if alike).
    """

    kind: str
    base: str
    run: int
    ratio: float
    lo: float
    hi: float
    found: bool


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.studies.validation", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results/validation"), help="folder for claims and counts")
    parser.add_argument("--runs", type=int, help="number of runs of each kind (fewer for a trial)")
    options = parser.parse_args(arguments)
    console = Console(stderr=True, highlight=False, markup=False)
    started = datetime.now(UTC)
    claims: list[Claim] = []
    with tempfile.TemporaryDirectory(prefix="sudoku-bench-") as scratch:
        files = puzzle_files(ALIKE_PUZZLES, Path(scratch))
        for number in range(options.runs or ALIKE_RUNS):
            claims += alike(BASES[number % len(BASES)], number, files, Path(scratch), console)
        files = puzzle_files(SLOWED_PUZZLES, Path(scratch))
        for base in BASES[:2]:
            for number in range(options.runs or SLOWED_RUNS):
                claims += slowed(base, number, files, Path(scratch), console)
    table = counts(claims)
    options.out.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(map(asdict, claims)).to_csv(options.out / "claims.csv", index=False, float_format="%.6g")
    table.to_csv(options.out / "counts.csv", index=False, float_format="%.4g")
    record = {
        "started": started.isoformat(timespec="seconds"),
        "machine": description.facts(),
        "git": description.git_state(),
    }
    (options.out / "machine.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    Console(highlight=False, markup=False).print(table.to_string(index=False))
    return 0 if passed(table) else 1


def puzzle_files(numbers: dict[str, int], folder: Path) -> list[str]:
    """Write the first puzzles of each collection to a file; return the paths."""
    files = []
    for name, number in numbers.items():
        path = folder / f"{name}.txt"
        grids = [item.puzzle.text for item in catalogue.load(name).first(number).items]
        path.write_text("\n".join(grids) + "\n", encoding="utf-8")
        files.append(str(path))
    return files


def alike(base: str, number: int, files: Sequence[str], scratch: Path, console: Console) -> Iterator[Claim]:
    """Yield the claims on pairs of copies of one strategy; no copy is in two pairs."""
    names = [f"copy:{letter}" for letter in "abcdefgh"[:COPIES]]
    rows = measure(f"alike-{number}", base, dict.fromkeys(names, 0), 1000 + number, files, scratch, console)
    for first, second in zip(names[::2], names[1::2], strict=True):
        yield claim("alike", base, number, rows[rows["strategy"] == first], rows[rows["strategy"] == second])


def slowed(base: str, number: int, files: Sequence[str], scratch: Path, console: Console) -> Iterator[Claim]:
    """Yield the claims on a strategy against slowed copies of itself, on the same forms and on others."""
    copies = {PLAIN: 0} | {f"copy:slow{percent}": percent for percent in SLOWED}
    tag = f"slowed-{base.partition(':')[2]}-{number}"
    rows = measure(tag, base, copies, 2000 + number, files, scratch, console)
    plain = rows[rows["strategy"] == PLAIN]
    for percent in SLOWED:
        name = f"copy:slow{percent}"
        yield claim(f"slowed {percent}%", base, number, rows[rows["strategy"] == name], plain)
        other = rows[rows["strategy"] == f"(presentation) {name}"]
        yield claim(f"slowed {percent}%, other forms", base, number, other, plain)


def measure(
    tag: str, base: str, copies: dict[str, int], seed: int, files: Sequence[str], scratch: Path, console: Console
) -> pd.DataFrame:
    """Run copies of a strategy, each slowed by a percentage; return the rows."""
    plugin = scratch / f"{tag}.py"
    plugin.write_text(PLUGIN.format(base=base, copies=copies), encoding="utf-8")
    suite = Suite(name=tag, strategies=("copy:*",), datasets=tuple(files), seed=seed)
    folder = scratch / tag
    with Progress(console) as progress:
        planned = plan.make(suite, [str(plugin)])
        if not experiment.conduct(planned, folder, "make validate", datetime.now(UTC), progress):
            raise KeyboardInterrupt
    return run_tables.load(folder).measurements


def claim(kind: str, base: str, run: int, a: pd.DataFrame, b: pd.DataFrame) -> Claim:
    """Compare the rows of two copies."""
    result = compare(noise.log_ratios(a, b).to_numpy(), 1 - ALPHA)
    assert result.lo is not None
    assert result.hi is not None
    claimed = result.excludes_one if kind == "alike" else result.lo > 1
    return Claim(kind, base, run, result.ratio, result.lo, result.hi, claimed)


def counts(claims: Sequence[Claim]) -> pd.DataFrame:
    """Count the claims of each kind, with the exact 95% interval of their rate (Clopper & Pearson 1934)."""
    frame = pd.DataFrame(map(asdict, claims))
    rows: list[dict[str, Any]] = []
    for (kind, base), group in [*frame.groupby(["kind", "base"]), *_over_all(frame)]:
        n_found, total = int(group["found"].sum()), len(group)
        interval = stats.binomtest(n_found, total).proportion_ci(0.95, method="exact")
        rows.append(
            {
                "kind": kind,
                "strategy": base,
                "found": n_found,
                "of": total,
                "rate_lo": interval.low,
                "rate_hi": interval.high,
                "median_ratio": group["ratio"].median(),
                "median_half_width": ((group["hi"] / group["lo"]) ** 0.5 - 1).median(),
            }
        )
    return pd.DataFrame(rows)


def _over_all(frame: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    for kind, group in frame[frame["kind"] == "alike"].groupby("kind"):
        yield (str(kind), "(all)"), group


def passed(table: pd.DataFrame) -> bool:
    """Return whether false claims are within the 97.5% quantile of a 5% rule, and nearly all slowed copies found."""
    alike_all = table[(table["kind"] == "alike") & (table["strategy"] == noise.ALL)].iloc[0]
    most = stats.binom.ppf(0.975, alike_all["of"], ALPHA)
    ten = table[table["kind"].str.startswith("slowed 10%")]
    five = table[table["kind"].str.startswith("slowed 5%")]
    return bool(
        alike_all["found"] <= most
        and (ten["found"] >= 0.95 * ten["of"]).all()
        and (five["found"] >= 0.75 * five["of"]).all()
    )


if __name__ == "__main__":
    sys.exit(main())
