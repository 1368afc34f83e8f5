"""Power and error of crossovers on simulated strategies whose crossovers are known: ``make validate-crossovers``.

The study draws benchmarks of twelve strategies (66 pairs) in each of several cells and writes the results to
``results/validation/crossovers.csv`` and docs/methodology.md. Nothing is measured, so it does not depend on the
machine. A searching strategy slows down with difficulty as ``exact-cover:dancing-links`` does relative to
``sat:augmented@cadical195``: the curves and spreads below were read off the reference run. Rules that were tried and
rejected are compared on the same draws.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from bench.studies.crossover_rules import RULES, used
from bench.studies.document import TOP, fill
from bench.verdicts.arrays import Flags, Floats
from bench.verdicts.difficulty.fields import GUESSES, Field
from bench.verdicts.difficulty.leads import thirds
from bench.verdicts.difficulty.places import FieldAxis, place
from bench.verdicts.pairs.decision import ALPHA

RESULTS = TOP / "results" / "validation" / "crossovers.csv"
PAGE = TOP / "docs" / "methodology.md"
MARKS = "<!-- crossover power -->", "<!-- end of crossover power -->"
SEED = 1
BENCHMARKS = 400  # in a cell where no pair crosses
POWER_BENCHMARKS = 100  # in a cell where some do
ALTERNATIVE_BENCHMARKS = 60  # of these, for the rejected rules too
MANY_PLACES = 100  # crossovers told in a cell whose coverage is quoted
STRATEGIES = 12
PAIRS = np.array(list(combinations(range(STRATEGIES), 2)))
TIERS = ((0, 0), (1.5, 4.7), (10.7, 22.8), (45, 97), (240, 577))  # guesses; the last one is mined
# log(1 + guesses), and how much slower a search gets up to there (logarithm)
SLOWDOWN = np.array([[0, 0], [1.39, 0.07], [2.77, 0.44], [4.23, 1.4], [5.8, 1.64]])
HEAD_START = 0.66  # log ratio of a searching to a steady strategy at 0 guesses
TASTE = (0.04, 0.35)  # standard deviation of a puzzle's effect: at no slowdown, and for each unit of it
FORM = (0.03, 0.2)  # the same for a form

CROSS = ("twelve pairs cross", "one pair crosses")
NULLS = ("parallel", "equal on hard", "equal on easy", "equal")


@dataclass(frozen=True)
class Cell:
    """A kind of benchmark.

    Attributes:
        design: of ``CROSS`` or ``NULLS``; in ``equal on hard`` six strategies are as fast as the six others on the
            hardest third and faster below, in ``equal on easy`` as fast on the easiest third and slower above.
        per_tier: puzzles of each tier.
        strength: log ratios of pairs that cross, relative to dancing links.
        tiers: the first 4 tiers of ``TIERS``, or all 5.
        replicates: number of replicates.
        process: standard deviations of the processes, spread evenly over this range.
        taste: effects of puzzles on strategies: ``normal``, exponential for one half of the strategies (``skewed
            first``, ``skewed second``), or ``none``: copies.
        lineages: mined puzzles come in groups of three with the same effects.
        beyond: share of the solves of the hardest tier by searching strategies that a limit cuts off.
    """

    design: str
    per_tier: int = 20
    strength: float = 1.0
    tiers: int = 5
    replicates: int = 3
    process: tuple[float, float] = (0.01, 0.04)
    taste: str = "normal"
    lineages: bool = False
    beyond: float = 0.0


def cells() -> tuple[Cell, ...]:
    """Return all cells: those with crossovers, then those without."""
    power = [
        Cell(design, per_tier, strength, tiers)
        for design in CROSS
        for tiers in (4, 5)
        for per_tier in (20, 40, 80)
        for strength in ((0.25, 0.5, 1.0) if per_tier == 20 else (0.25, 0.5) if per_tier == 40 else (0.25,))
    ]
    power += [Cell(CROSS[0], strength=0.5, lineages=True), Cell(CROSS[0], strength=0.5, beyond=0.3)]
    error = [Cell(design, tiers=tiers) for design in NULLS for tiers in (4, 5)]
    for design in NULLS[1:3]:
        error += [
            Cell(design, per_tier=80, tiers=4),
            Cell(design, process=(0.04, 0.04), taste="none"),
            Cell(design, process=(0.04, 0.04), taste="none", replicates=5),
            Cell(design, process=(0.02, 0.02), replicates=5),
            Cell(design, taste="skewed first"),
            Cell(design, taste="skewed second"),
            Cell(design, per_tier=40, taste="skewed second"),
            Cell(design, lineages=True),
            Cell(design, beyond=0.3),
        ]
    return (*power, *error)


@dataclass(frozen=True)
class Benchmark:
    """A drawn benchmark.

    Attributes:
        crossing: whether each of ``PAIRS`` crosses.
        at: where it does, as log(1 + guesses); NaN for the others.
    """

    field: Field
    crossing: Flags
    at: Floats


def draw(cell: Cell, rng: np.random.Generator) -> Benchmark:
    """Draw the times of one benchmark."""
    guesses = np.concatenate([_log_uniform(rng, tier, cell.per_tier) for tier in TIERS[: cell.tiers]])
    x = np.log1p(guesses)
    mined = np.arange(len(x)) >= 4 * cell.per_tier
    clusters = np.where(
        mined & cell.lineages, 4 * cell.per_tier + (np.arange(len(x)) % cell.per_tier) // 3, np.arange(len(x))
    )
    _, clusters = np.unique(clusters, return_inverse=True)
    slowdown = np.interp(x, *SLOWDOWN.T)
    level, search = _design(cell)
    middle = level[:, None] + search[:, None] * cell.strength * slowdown + _equal_in_a_third(cell, x)
    searching = search if cell.design in CROSS else np.repeat([1.0, 0.0], STRATEGIES // 2)
    spread = TASTE[0] / (2 if cell.taste == "none" else 1) + TASTE[1] * np.outer(
        searching * (cell.taste != "none"), slowdown
    )
    if cell.taste == "skewed second":
        spread = spread[::-1]
    effects = _effects(cell, rng, len(x))[:, clusters]
    form = FORM[0] + FORM[1] * np.outer(searching, slowdown) * (cell.taste != "none")
    process = np.linspace(*cell.process, STRATEGIES)[rng.permutation(STRATEGIES)]
    shape = (STRATEGIES, len(x), cell.replicates)
    log_s = (middle + spread * effects)[:, :, None] + form[:, :, None] * rng.standard_normal(shape)
    log_s += process[:, None, None] * rng.standard_normal((STRATEGIES, 1, cell.replicates))
    limit = np.inf
    if cell.beyond:
        limit = float(np.quantile(log_s[searching > 0][:, -cell.per_tier :], 1 - cell.beyond))
    field = Field(
        9,
        tuple(f"strategy {number}" for number in range(STRATEGIES)),
        pd.DataFrame({GUESSES.name: guesses}),
        np.minimum(log_s, limit),
        log_s > limit,
        clusters,
        mined,
        frozenset(),
    )
    at = _crossings(cell, level, search)
    return Benchmark(field, np.isfinite(at), at)


def _log_uniform(rng: np.random.Generator, tier: tuple[float, float], puzzles: int) -> Floats:
    low, high = np.log1p(tier)
    guesses: Floats = np.expm1(rng.uniform(low, high, puzzles))
    return guesses


def _design(cell: Cell) -> tuple[Floats, Floats]:
    """Return the level of each strategy at 0 guesses (log seconds), and whether it slows down like a search."""
    level: Floats = np.zeros(STRATEGIES)
    search: Floats = np.zeros(STRATEGIES)
    if cell.design == CROSS[0]:  # two searches, six steady strategies that they cross, and four that are faster still
        level[:2] = cell.strength * np.array([-HEAD_START, 0.16 - HEAD_START])
        level[2:8] = cell.strength * np.linspace(0, 0.25, 6)
        level[8:] = -2 - 0.2 * np.arange(4)
        search[:2] = 1
    elif cell.design == CROSS[1]:
        level[0], level[2:] = -HEAD_START * cell.strength, -2 - 0.2 * np.arange(STRATEGIES - 2)
        search[0] = 1
    elif cell.design == NULLS[0]:
        level += 0.1 * np.arange(STRATEGIES)
    return level, search


def _equal_in_a_third(cell: Cell, x: Floats) -> Floats:
    """Return what makes six strategies faster than the others outside the third in which all are equal."""
    easy, hard = thirds(x)
    below, above = HEAD_START * np.clip(1 - x / x[hard].min(), 0, 1), np.clip(x - x[easy].max(), 0, 1)
    offset = np.asarray({NULLS[1]: -below, NULLS[2]: above}.get(cell.design, 0 * x))
    return np.outer(np.arange(STRATEGIES) < STRATEGIES // 2, offset)


def _effects(cell: Cell, rng: np.random.Generator, puzzles: int) -> Floats:
    """Return the standardised effects of puzzles, strategies × puzzles."""
    effects = rng.standard_normal((STRATEGIES, puzzles))
    skewed = rng.exponential(size=(STRATEGIES, puzzles)) - 1
    half = np.arange(STRATEGIES) < STRATEGIES // 2
    chosen = {"skewed first": half, "skewed second": ~half}.get(cell.taste, np.zeros(STRATEGIES, dtype=np.bool_))
    return np.where(chosen[:, None], skewed, effects)


def _crossings(cell: Cell, level: Floats, search: Floats) -> Floats:
    """Return where each pair crosses, as log(1 + guesses); NaN for pairs that do not."""
    a, b = PAIRS.T
    steeper = (search[a] - search[b]) * cell.strength
    lead = np.divide(level[b] - level[a], steeper, out=np.full(len(a), np.nan), where=steeper != 0)
    crosses = (lead > 0) & (lead < SLOWDOWN[3, 1])
    return np.where(crosses, np.interp(lead, SLOWDOWN[:, 1], SLOWDOWN[:, 0]), np.nan)


def study(cell: Cell, number: int, benchmarks: int, alternatives: int) -> dict[str, Any]:
    """Return the power and error of each rule in a cell, and how often the intervals of told crossovers are right.

    Columns: ``power_RULE``, the share of the true crossovers that are told; ``error_RULE``, the share of benchmarks in
    which a pair is told that does not cross, or crosses the other way; ``covered``, the share of intervals that contain
    the true place; ``width``, the median ratio of their ends, as 1 + guesses.

    Args:
        alternatives: number of benchmarks, the first of these, for rules other than ``used``.
    """
    rng = np.random.default_rng([SEED, number])
    found, wrong = (dict.fromkeys(RULES, 0) for _ in range(2))
    places: list[tuple[bool, float]] = []
    crossing = 0
    for round_ in range(benchmarks):
        benchmark = draw(cell, rng)
        crossing = int(benchmark.crossing.sum())
        for name, rule in RULES.items() if round_ < alternatives else [("used", used)]:
            told = rule(benchmark.field) < ALPHA
            found[name] += int(told[benchmark.crossing].sum())
            wrong[name] += bool(told[~benchmark.crossing].any())
            if name == "used" and crossing:
                places += _places(benchmark, told & benchmark.crossing)
    counts = {name: benchmarks if name == "used" else alternatives for name in RULES}
    power = {f"power_{name}": found[name] / counts[name] / crossing if crossing else np.nan for name in RULES}
    error = {f"error_{name}": wrong[name] / counts[name] for name in RULES}
    covered, widths = zip(*places, strict=True) if places else ([np.nan], [np.nan])
    where = {"places": len(places), "covered": np.mean(covered), "width": np.median(widths)}
    return asdict(cell) | {"benchmarks": benchmarks, "alternatives": alternatives, **power, **error, **where}


def _places(benchmark: Benchmark, told: Flags) -> list[tuple[bool, float]]:
    """Return for each crossover that is told whether its interval contains the true place, and its width."""
    field_axis = FieldAxis(benchmark.field, GUESSES)
    result = []
    for number in np.flatnonzero(told):
        pair = field_axis.pair(*PAIRS[number])
        if pair is not None:
            found = place(pair, a_first=True)
            result.append((bool(found.lo <= benchmark.at[number] <= found.hi), float(np.exp(found.hi - found.lo))))
    return result


def is_accepted(table: pd.DataFrame) -> pd.Series[bool]:
    """Return whether the error of the used rule is within the 97.5% quantile of a rule with an error of 5%."""
    most = stats.binom.ppf(0.975, table["benchmarks"], ALPHA)
    return table["error_used"] * table["benchmarks"] <= most


def markdown(table: pd.DataFrame) -> str:
    """Return the results of the study as text for docs/methodology.md."""
    crossing, null = table[table["design"].isin(CROSS)], table[~table["design"].isin(CROSS)]
    usual = crossing[~crossing["lineages"] & (crossing["beyond"] == 0)]
    columns = [(design, tiers) for design in CROSS for tiers in (4, 5)]
    lines = [
        f"| puzzles per tier | strength | {' | '.join(f'{design}, {tiers} tiers' for design, tiers in columns)} |",
        "| --- " * (2 + len(columns)) + "|",
    ]
    for (per_tier, strength), group in usual.groupby(["per_tier", "strength"]):
        power = group.set_index(["design", "tiers"])["power_used"]
        lines.append(f"| {per_tier} | {strength:g} | {' | '.join(f'{power[key]:.0%}' for key in columns)} |")
    lines += ["", "| rule | power, mean of these cells | largest error |", "| --- | --- | --- |"]
    for name, rule in RULES.items():
        text = str(rule.__doc__).strip().rstrip(".")
        lines.append(f"| {text} | {usual[f'power_{name}'].mean():.0%} | {null[f'error_{name}'].max():.1%} |")
    places = crossing.loc[crossing["places"] >= MANY_PLACES, "covered"]
    [lineages] = crossing.loc[crossing["lineages"], "power_used"]
    [timeouts] = crossing.loc[crossing["beyond"] > 0, "power_used"]
    [same] = usual.query("per_tier == 20 and tiers == 5 and strength == 0.5 and design == @CROSS[0]")["power_used"]
    lines += [
        "",
        f"The rule in use makes a false claim in at most {null['error_used'].max():.1%} of {BENCHMARKS} benchmarks in"
        f" each of {len(null)} cells without crossovers. Where mined puzzles come in lineages of three, the power for"
        f" twelve crossing pairs, 20 puzzles per tier and strength 0.5 is {lineages:.0%} in place of {same:.0%}; with"
        f" a limit that cuts off 30% of the hardest tier it is {timeouts:.0%}. The intervals cover the true place of"
        f" {places.min():.0%} to {places.max():.0%} of the crossovers told (in cells with at least {MANY_PLACES}).",
    ]
    return "\n".join(line if line.startswith("|") else textwrap.fill(line, 120) for line in lines)


def main() -> int:
    rows = []
    for number, cell in enumerate(cells()):
        benchmarks = POWER_BENCHMARKS if cell.design in CROSS else BENCHMARKS
        rows.append(study(cell, number, benchmarks, ALTERNATIVE_BENCHMARKS))
    table = pd.DataFrame(rows)
    table["process"] = [" to ".join(f"{end:g}" for end in cell.process) for cell in cells()]
    table.to_csv(RESULTS, index=False, lineterminator="\n", float_format="%.5g")
    fill(PAGE, MARKS, markdown(pd.read_csv(RESULTS)))
    accepted = is_accepted(table)
    columns = [*Cell.__annotations__, "power_used", "error_used", "covered"]
    print(table.assign(accepted=accepted)[[*columns, "accepted"]].to_string(index=False))
    return 0 if accepted.all() else 1


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m bench.studies.crossover_power", description=__doc__).parse_args()
    sys.exit(main())
