"""How often the truly cheapest strategy is among those that ``recommend`` names: ``make validate-recommend``.

Costs are drawn, so the study does not depend on the machine. Strategies have the same true mean cost, except that one
of them is cheaper by 0.1%; *kept* is how often it is the best or tied with it. *Excluded* is how often it is not if it
costs half as much again. The logarithm of a cost is normal or skewed, and spreads over puzzles by 0.5 to 2.5 (a factor
of 1.6 to 12). One strategy reacts more strongly than another to the difficulty of a puzzle; the cheapest one is that
with the weakest or that with the strongest reaction.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.studies import document
from bench.verdicts.arrays import Floats
from bench.verdicts.choice.choose import ALPHA
from bench.verdicts.choice.mean_costs import excess

FOLDER = Path("results/validation")
PAGE = document.TOP / "docs" / "methodology.md"
MARKS = "<!-- recommend: made by bench.studies.recommend_coverage -->", "<!-- end of recommend -->"
SEED = 2027
DRAWS = 500
REPLICATES = 5
PROCESS, FORM = 0.01, 0.1  # standard deviations of log times: of a process, and of a form of a puzzle
CHEAPER, DEARER = 0.001, 0.5
SHAPE = 4.0  # of the gamma distribution of skewed tastes: skewness 1
ACCEPTED = 0.93


@dataclass(frozen=True)
class Cell:
    """Model of a run.

    Attributes:
        spread: standard deviation of the logarithms of costs over puzzles, about.
        skew: tastes of puzzles for strategies are skewed to the right.
        last: the cheapest strategy is the one that reacts most strongly, otherwise the one that reacts least.
    """

    puzzles: int
    spread: float
    strategies: int
    skew: bool
    last: bool


def cells() -> Iterator[Cell]:
    """Yield all cells of the study."""
    flags = (False, True)
    for values in itertools.product((15, 30, 60, 100), (0.5, 1.0, 1.5, 2.0, 2.5), (2, 5), flags, flags):
        yield Cell(*values)


def drawn(cell: Cell, rng: np.random.Generator) -> Floats:
    """Draw costs of strategies with the same true mean of 1: strategies × puzzles × replicates."""
    slopes, taste = reactions(cell)
    shape = (cell.strategies, cell.puzzles)
    deviates = (rng.gamma(SHAPE, size=shape) - SHAPE) / math.sqrt(SHAPE) if cell.skew else rng.standard_normal(shape)
    of_puzzles = slopes[:, None] * rng.standard_normal(cell.puzzles) + taste * deviates - log_means(cell)[:, None]
    process = PROCESS * rng.standard_normal((cell.strategies, 1, REPLICATES))
    return np.exp(of_puzzles[:, :, None] + process + FORM * rng.standard_normal((*shape, REPLICATES)))


def reactions(cell: Cell) -> tuple[Floats, float]:
    """Return the slopes of log costs over difficulty, and the standard deviation of tastes."""
    return np.linspace(0.6, 1.0, cell.strategies) * cell.spread, 0.4 * cell.spread


def log_means(cell: Cell) -> Floats:
    """Return the logarithm of the true mean cost of each strategy before it is scaled to the same mean."""
    slopes, taste = reactions(cell)
    of_taste = -SHAPE * math.log1p(-taste / math.sqrt(SHAPE)) - taste * math.sqrt(SHAPE) if cell.skew else taste**2 / 2
    result: Floats = slopes**2 / 2 + of_taste + (PROCESS**2 + FORM**2) / 2
    return result


def coverage(cell: Cell, number: int, draws: int = DRAWS) -> dict[str, Any]:
    """Measure how often the cheapest strategy is kept, and how often it is excluded if it is dearer."""
    rng = np.random.default_rng([SEED, number])
    place = -1 if cell.last else 0
    kept = excluded = 0
    for _ in range(draws):
        costs = drawn(cell, rng)
        for factor in (1 - CHEAPER, 1 + DEARER):
            scaled = costs.copy()
            scaled[place] *= factor
            slower = is_slower(scaled, place)
            kept += factor < 1 and not slower
            excluded += factor > 1 and slower
    return asdict(cell) | {"draws": draws, "kept": kept / draws, "excluded": excluded / draws}


def is_slower(costs: Floats, place: int) -> bool:
    """Return whether a strategy is called slower than the best, as ``choose`` does."""
    means = costs.mean(axis=(1, 2))
    best = int(means.argmin())
    alpha = ALPHA / (len(costs) - 1)
    return means[place] > means[best] and excess(costs[place], costs[best], alpha).p < alpha


def markdown(table: pd.DataFrame) -> str:
    """Return the least share kept, and the range of shares excluded, by spread and number of puzzles."""
    numbers = sorted(set(table["puzzles"]))
    rows = [["spread", *(f"{number} puzzles" for number in numbers)], ["---"] * (len(numbers) + 1)]
    for spread, group in table.groupby("spread"):
        parts = [group[group["puzzles"] == number] for number in numbers]
        figures = [
            f"{100 * part['kept'].min():.1f}%; {100 * part['excluded'].min():.0f}-{100 * part['excluded'].max():.0f}%"
            for part in parts
        ]
        rows.append([f"{spread}", *figures])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    table = pd.DataFrame([coverage(cell, number) for number, cell in enumerate(cells())])
    FOLDER.mkdir(parents=True, exist_ok=True)
    table.to_csv(FOLDER / "recommend.csv", index=False, lineterminator="\n", float_format="%.4g")
    document.fill(PAGE, MARKS, markdown(table))
    print(markdown(table))
    missed = table[table["kept"] < ACCEPTED]
    print(f"the cheapest strategy is kept in less than {ACCEPTED:.0%} in {len(missed)} of {len(table)} cells")
    if len(missed):
        print(missed.to_string(index=False))
    return int(len(missed) > 0)


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m bench.studies.recommend_coverage", description=__doc__).parse_args()
    sys.exit(main())
