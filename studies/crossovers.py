"""Power and error of crossovers on simulated strategies whose crossovers are known.

Benchmarks have twelve strategies (66 pairs). A searching strategy slows down with difficulty as
``exact-cover:dancing-links`` does relative to ``sat:augmented@cadical195``: the curves and spreads below were read off
the reference run.
"""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from studies import document
from studies.simulation import Rows, Simulation, within_level
from sudoku_bench.bench.verdicts.arrays import Flags, Floats
from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES, Field
from sudoku_bench.bench.verdicts.difficulty.leads import leads, thirds
from sudoku_bench.bench.verdicts.difficulty.places import FieldAxis, place
from sudoku_bench.bench.verdicts.pairs.decision import ALPHA, bonferroni

NULL_BENCHMARKS, POWER_BENCHMARKS = 400, 100  # in a cell where no pair crosses, and where some do
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
HALF: Flags = np.arange(STRATEGIES) < STRATEGIES // 2


@dataclass(frozen=True)
class Model:
    """A kind of benchmark.

    Attributes:
        design: of ``CROSS`` or ``NULLS``; in ``equal on hard`` six strategies are as fast as the six others on the
            hardest third and faster below, in ``equal on easy`` as fast on the easiest third and slower above.
        per_tier: puzzles of each tier.
        strength: log ratios of pairs that cross, relative to dancing links.
        tiers: the first 4 tiers of ``TIERS``, or all 5.
        replicates: number of repetitions.
        process: standard deviations of the processes, spread evenly over this range.
        taste: effects of puzzles on strategies: ``normal``, exponential for one half of the strategies (``skewed
            first``, ``skewed second``), or ``none``: copies.
        tilt: standard deviation of what a process adds to log times of the hardest puzzle, and takes from those of the
            easiest.
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
    tilt: float = 0.0
    lineages: bool = False
    beyond: float = 0.0

    @property
    def levels(self) -> Floats:
        """The level of each strategy at 0 guesses, in log seconds."""
        level: Floats = np.zeros(STRATEGIES)
        if self.design == CROSS[0]:  # two searches, six steady strategies that they cross, four that are faster still
            level[:2] = self.strength * np.array([-HEAD_START, 0.16 - HEAD_START])
            level[2:8] = self.strength * np.linspace(0, 0.25, 6)
            level[8:] = -2 - 0.2 * np.arange(4)
        elif self.design == CROSS[1]:
            level[0], level[2:] = -HEAD_START * self.strength, -2 - 0.2 * np.arange(STRATEGIES - 2)
        elif self.design == NULLS[0]:
            level += 0.1 * np.arange(STRATEGIES)
        return level

    @property
    def searches(self) -> Floats:
        """1 for each strategy that slows down like a search, 0 for the others."""
        return np.where(np.arange(STRATEGIES) < {CROSS[0]: 2, CROSS[1]: 1}.get(self.design, 0), 1.0, 0.0)

    @property
    def crossings(self) -> Floats:
        """Where each of ``PAIRS`` crosses, as log(1 + guesses); NaN for pairs that do not."""
        a, b = PAIRS.T
        steeper = (self.searches[a] - self.searches[b]) * self.strength
        ahead = self.levels[b] - self.levels[a]
        lead = np.divide(ahead, steeper, out=np.full(len(a), np.nan), where=steeper != 0)
        crosses = (lead > 0) & (lead < SLOWDOWN[3, 1])
        return np.asarray(np.where(crosses, np.interp(lead, SLOWDOWN[:, 1], SLOWDOWN[:, 0]), np.nan))


def draw(model: Model, rng: np.random.Generator) -> Field:
    """Draw the times of one benchmark."""
    ends = np.log1p(TIERS[: model.tiers])
    guesses = np.expm1(np.concatenate([rng.uniform(low, high, model.per_tier) for low, high in ends]))
    x, number = np.log1p(guesses), np.arange(len(guesses))
    first_mined = 4 * model.per_tier
    mined = number >= first_mined
    lineage = np.where(mined & model.lineages, first_mined + (number % model.per_tier) // 3, number)
    _, clusters = np.unique(lineage, return_inverse=True)
    slowdown, copies = np.interp(x, *SLOWDOWN.T), model.taste == "none"
    middle = model.levels[:, None] + model.searches[:, None] * model.strength * slowdown + head_starts(model, x)
    searching = model.searches if model.design in CROSS else HALF.astype(np.float64)
    reaction = np.outer(searching, slowdown) * (not copies)
    spread = TASTE[0] / (2 if copies else 1) + TASTE[1] * reaction
    if model.taste == "skewed second":
        spread = spread[::-1]
    normal = rng.standard_normal((STRATEGIES, len(x)))
    exponential = rng.exponential(size=normal.shape) - 1
    skewed = {"skewed first": HALF, "skewed second": ~HALF}.get(model.taste, np.zeros_like(HALF))
    effects = np.where(skewed[:, None], exponential, normal)[:, clusters]
    process = np.linspace(*model.process, STRATEGIES)[rng.permutation(STRATEGIES)]
    log_s = (middle + spread * effects)[:, :, None] + (FORM[0] + FORM[1] * reaction)[:, :, None] * rng.standard_normal(
        (STRATEGIES, len(x), model.replicates)
    )
    log_s += process[:, None, None] * rng.standard_normal((STRATEGIES, 1, model.replicates))
    if model.tilt:
        from_middle = 2 * (x - x.min()) / np.ptp(x) - 1
        log_s += model.tilt * from_middle[:, None] * rng.standard_normal((STRATEGIES, 1, model.replicates))
    hardest = log_s[searching > 0][:, -model.per_tier :]
    limit = float(np.quantile(hardest, 1 - model.beyond)) if model.beyond else np.inf
    names = tuple(f"strategy {number}" for number in range(STRATEGIES))
    axis = pd.DataFrame({GUESSES.name: guesses})
    return Field(9, names, axis, np.minimum(log_s, limit), log_s > limit, clusters, mined, frozenset())


def head_starts(model: Model, x: Floats) -> Floats:
    """Return what makes six strategies faster than the others outside the third in which all are equal."""
    easy, hard = thirds(x)
    below, above = HEAD_START * np.clip(1 - x / x[hard].min(), 0, 1), np.clip(x - x[easy].max(), 0, 1)
    return np.outer(HALF, {NULLS[1]: -below, NULLS[2]: above}.get(model.design, 0 * x))


def count(rng: np.random.Generator, draws: int, **parameters: Any) -> Rows:
    """Return the power and error of the rule, and how often the intervals of told crossovers are right.

    Columns: ``power``, the share of the true crossovers that are told; ``error``, the share of benchmarks in which a
    pair is told that does not cross, or crosses the other way; ``covered``, the share of intervals that contain the
    true place; ``width``, the median ratio of their ends, as 1 + guesses.

    Args:
        draws: number of benchmarks.
        parameters: of a ``Model``.
    """
    model = Model(**parameters)
    crossing = np.isfinite(model.crossings)
    power: list[float] = []
    error: list[bool] = []
    covered: list[bool] = []
    widths: list[float] = []
    for _ in range(draws):
        field = draw(model, rng)
        pairs = told(field)
        power.append(pairs[crossing].mean() if crossing.any() else np.nan)
        error.append(bool(pairs[~crossing].any()))
        axis = FieldAxis(field, GUESSES)
        for k in np.flatnonzero(pairs & crossing):
            if pair := axis.pair(*PAIRS[k]):
                there = place(pair)
                covered.append(bool(there.lo <= model.crossings[k] <= there.hi))
                widths.append(float(np.exp(there.hi - there.lo)))
    return [
        {
            "process": " to ".join(f"{end:g}" for end in model.process),
            "benchmarks": draws,
            "power": np.mean(power),
            "error": np.mean(error),
            "places": len(covered),
            "covered": np.mean(covered) if covered else np.nan,
            "width": np.median(widths) if widths else np.nan,
        }
    ]


def told(field: Field) -> Flags:
    """Return which of ``PAIRS`` are told to cross."""
    return bonferroni(leads(field, GUESSES).p) < ALPHA


def markdown(table: pd.DataFrame) -> str:
    """Return the results as text for ``simulation.PAGE``."""
    crossing, null = table[table["design"].isin(CROSS)], table[~table["design"].isin(CROSS)]
    usual = crossing[~crossing["lineages"] & (crossing["beyond"] == 0)]
    powers = []
    for (per_tier, strength), group in usual.groupby(["per_tier", "strength"]):
        power = group.set_index(["design", "tiers"])["power"]
        cells = (", ".join(f"{power[design, tiers]:.0%}" for tiers in (4, 5)) for design in CROSS)
        powers.append([str(per_tier), f"{strength:g}", *cells])
    places = crossing.loc[crossing["places"] >= MANY_PLACES, "covered"]
    [lineages] = crossing.loc[crossing["lineages"], "power"]
    [timeouts] = crossing.loc[crossing["beyond"] > 0, "power"]
    [plain] = usual.query("per_tier == 20 and tiers == 5 and strength == 0.5 and design == @CROSS[0]")["power"]
    text = (
        f"False claims: at most {null['error'].max():.1%} of {NULL_BENCHMARKS} benchmarks in each of {len(null)} cells"
        f" without crossovers. Where mined puzzles come in lineages of three, the power for twelve crossing pairs, 20"
        f" puzzles per tier and strength 0.5 is {lineages:.0%} in place of {plain:.0%}; with a limit that cuts off 30%"
        f" of the hardest tier {timeouts:.0%}. The intervals cover the true place of {places.min():.0%} to"
        f" {places.max():.0%} of the crossovers told (in cells with at least {MANY_PLACES})."
    )
    table_text = document.table(["puzzles per tier", "strength", *CROSS], powers)
    return f"{table_text}\n\n{textwrap.fill(text, 120)}"


STRENGTHS = {20: (0.25, 0.5, 1.0), 40: (0.25, 0.5), 80: (0.25,)}  # by puzzles per tier
POWER = [
    *(
        Model(design, per_tier, strength, tiers)
        for design in CROSS
        for tiers in (4, 5)
        for per_tier, strengths in STRENGTHS.items()
        for strength in strengths
    ),
    Model(CROSS[0], strength=0.5, lineages=True),
    Model(CROSS[0], strength=0.5, beyond=0.3),
]
ERROR = [
    *(Model(design, tiers=tiers) for design in NULLS for tiers in (4, 5)),
    *(
        Model(design, **differing)
        for design in NULLS[1:3]
        for differing in (
            {"per_tier": 80, "tiers": 4},
            {"process": (0.04, 0.04), "taste": "none"},
            {"process": (0.04, 0.04), "taste": "none", "replicates": 5},
            {"process": (0.02, 0.02), "replicates": 5},
            {"taste": "skewed first"},
            {"taste": "skewed second"},
            {"per_tier": 40, "taste": "skewed second"},
            {"lineages": True},
            {"beyond": 0.3},
        )
    ),
    *(
        Model(design, per_tier, replicates=replicates, process=(0.01, 0.01), taste="none", tilt=0.03)
        for design in NULLS[1:]
        for per_tier, replicates in ((20, 3), (20, 5), (80, 5))
    ),
]
CROSSOVERS = Simulation(
    title="power and false claims of crossovers (10 minutes)",
    file="crossovers.csv",
    cells=[asdict(model) | {"draws": POWER_BENCHMARKS} for model in POWER] + [asdict(model) for model in ERROR],
    measure=count,
    draws=NULL_BENCHMARKS,
    seed=(1,),
    digits=5,
    held=lambda table: within_level(table["error"] * table["benchmarks"], table["benchmarks"], ALPHA),
    markdown=markdown,
)
