"""False and missed changes between runs if the machine drifts, on drawn times: part of ``make validate-compare``.

Between two runs of five launches a machine becomes faster or slower by a factor that all strategies share, and each
strategy by a quarter as much of its own (standard deviations of log times). Without a change, any claim is false.
Otherwise one strategy takes 10% or 20% longer; the others serve as anchors as they do by default, and the changed
strategy is one of their anchors too if its change is *hidden* (the manifests do not tell it).
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

from bench.plan.suite import MARGIN
from bench.studies import document
from bench.verdicts.arrays import Flags, Floats
from bench.verdicts.between_runs.comparison import ALPHA, MAJORITY, MIN_LAUNCHES
from bench.verdicts.between_runs.launches import Launches
from bench.verdicts.between_runs.machine_effect import AS_MEASURED, machine_effect
from bench.verdicts.pairs.decision import holm

FOLDER = Path("results/validation")
PAGE = document.TOP / "docs" / "methodology.md"
MARKS = "<!-- drift: made by bench.studies.drift_simulation -->", "<!-- end of drift -->"
SEED = 2028
DRAWS = 500
APART = 0.25  # drift of a single strategy, as a share of the drift that all share
LAUNCH = 0.02  # standard deviation of the figure of a launch
MOST_FALSE = 0.05
DEFAULT, NONE = "default", "none"


@dataclass(frozen=True)
class Cell:
    """Model of two runs.

    Attributes:
        anchors: ``default`` or ``none`` (times as measured).
        change: of the first strategy, as a share; hidden: it is an anchor of the others nevertheless.
    """

    anchors: str
    strategies: int
    drift: float
    margin: float
    change: float
    hidden: bool


def cells() -> Iterator[Cell]:
    """Yield all cells of the study."""
    for strategies, drift in itertools.product((1, 2, 4, 10), (0.0, 0.02, 0.04, 0.06)):
        for anchors, margin in itertools.product((DEFAULT, NONE), (MARGIN, 0.0)):
            yield Cell(anchors, strategies, drift, margin, 0.0, False)
        for change in (0.1, 0.2):
            yield Cell(DEFAULT, strategies, drift, MARGIN, change, False)
            if strategies > MAJORITY:
                yield Cell(DEFAULT, strategies, drift, MARGIN, change, True)


def drawn(cell: Cell, rng: np.random.Generator) -> Floats:
    """Draw log ratios of launches, new run / old run: strategies × launches."""
    apart = APART * cell.drift * rng.standard_normal((cell.strategies, 1))
    noise = math.sqrt(2) * LAUNCH * rng.standard_normal((cell.strategies, MIN_LAUNCHES))
    changes: Floats = cell.drift * rng.standard_normal() + apart + noise
    changes[0] += math.log1p(cell.change)
    return changes


def claims(cell: Cell, changes: Floats) -> Flags:
    """Return for each strategy whether a change is claimed, as ``comparison.compare`` decides it."""
    launches = [(Launches(tuple(range(MIN_LAUNCHES)), figures, figures),) for figures in changes]
    p = []
    for place, own in enumerate(launches):
        others = [other for number, other in enumerate(launches) if number != place]
        if cell.change and not cell.hidden and place:
            del others[0]
        machine = AS_MEASURED if cell.anchors == NONE else machine_effect(others)
        p.append(machine.corrected(own).p_beyond(math.log1p(cell.margin)))
    return holm(np.array(p)) < ALPHA


def measured(cell: Cell, number: int, draws: int = DRAWS) -> dict[str, Any]:
    """Return the share of comparisons with a false claim, and with a claim on the changed strategy."""
    rng = np.random.default_rng([SEED, number])
    called = np.array([claims(cell, drawn(cell, rng)) for _ in range(draws)])
    unchanged = called[:, 1:] if cell.change else called
    return asdict(cell) | {
        "draws": draws,
        "false": float(unchanged.any(axis=1).mean()),
        "found": float(called[:, 0].mean()) if cell.change else math.nan,
    }


def markdown(table: pd.DataFrame) -> str:
    """Return the claims at the default margin, by number of strategies and drift."""
    drifts = sorted(set(table["drift"]))
    rows = [["anchors", "strategies", "claims", *(f"drift {drift:.0%}" for drift in drifts)]]
    rows.append(["---"] * len(rows[0]))
    at_default = table[(table["margin"] == MARGIN) & ~table["hidden"]]
    for (anchors, strategies, change), group in at_default.groupby(["anchors", "strategies", "change"], sort=True):
        shares = group.set_index("drift")["found" if change else "false"]
        claim = f"change of +{change:.0%} found" if change else "false"
        rows.append([str(anchors), str(strategies), claim, *(f"{shares[drift]:.1%}" for drift in drifts)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    table = pd.DataFrame([measured(cell, number) for number, cell in enumerate(cells())])
    FOLDER.mkdir(parents=True, exist_ok=True)
    table.to_csv(FOLDER / "compare_drift.csv", index=False, lineterminator="\n", float_format="%.4g")
    document.fill(PAGE, MARKS, markdown(table))
    print(markdown(table))
    at_default = table[(table["anchors"] == DEFAULT) & (table["margin"] == MARGIN)]
    return int((at_default["false"] > MOST_FALSE).any())


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m bench.studies.drift_simulation", description=__doc__).parse_args()
    sys.exit(main())
