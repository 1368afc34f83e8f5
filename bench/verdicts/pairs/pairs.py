"""The table of pairs: for every two strategies on every collection, which is faster, with corrected significance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.folder.method import setting
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.floors import Floors
from bench.verdicts.pairs.pair_estimates import PairBlock, estimates, outcomes, pair_blocks
from bench.verdicts.run_data import RunData

PAIRS_COLUMNS = (
    "collection",
    "a",
    "b",
    "n_puzzles",
    "ratio",  # time of a / time of b; empty if censoring leaves it unknown
    "ratio_lo",  # 95% interval of this ratio alone; empty if unbounded
    "ratio_hi",
    "p_holm",  # null hypothesis: the ratio is 1; corrected over all rows of the table
    "wins",  # puzzles on which a is faster by more than the tie margin, or finishes alone
    "ties",
    "losses",
    "verdict",
    "clock",  # cpu; a second row with wall if one of the two runs in parallel
    "estimator",  # of the ratio: "geometric mean" if no solve came near its limit, else "median"
    "n_censored",  # puzzles that one of the two did not finish in every replicate
    "n_independent",  # puzzles; each lineage counts once
    "at_least",  # bounds of an unknown ratio
    "at_most",
    "simultaneous_lo",  # intervals that cover for all rows of the table together with 95%
    "simultaneous_hi",
    "p",
    "p_equivalent",  # null hypothesis: the ratio is beyond the margin
    "p_equivalent_holm",
    "margin",  # a ratio from 1 / (1 + margin) to 1 + margin counts as no difference
    "floor",  # the smallest detectable ratio; empty if no placebo was measured
    "tie_margin",  # the ratio of a puzzle's times up to which it is a tie; empty if no placebo was measured
    "family",  # rows of the table
)
NO_BOUND = 100.0  # an end with a larger absolute log ratio counts as unbounded
MEAN, MEDIAN = "geometric mean", "median"
LOGARITHMS = (
    *("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most", "simultaneous_lo", "simultaneous_hi"),
    *("floor", "tie_margin"),
)


def pairs(run: RunData, baseline: str | None = None) -> pd.DataFrame:
    """Return one row per pair of strategies, collection and clock, columns ``PAIRS_COLUMNS``.

    The family for corrected p-values and simultaneous intervals is all rows of the table.

    Args:
        baseline: only pairs with this strategy, as ``b``.

    Raises:
        InputError: the baseline is not among the strategies that may be compared.
    """
    blocks = pair_blocks(run, baseline)
    family = sum(len(block.a) for block in blocks)
    if not family:
        return pd.DataFrame(columns=list(PAIRS_COLUMNS))
    margin = float(setting(run.manifest, "margin"))
    floors = {clock: Floors(run.measurements, clock) for clock in {block.block.clock for block in blocks}}
    parts = [_columns(block, family, margin, floors[block.block.clock]) for block in blocks]
    table = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    table["p_holm"] = decision.holm(table["p"])
    table["p_equivalent_holm"] = decision.holm(table["p_equivalent"])
    table["verdict"] = decision.verdicts(
        table["n_independent"],
        table["p_holm"],
        table["p_equivalent_holm"],
        (table["simultaneous_lo"], table["simultaneous_hi"]),
        np.nan_to_num(table["floor"], nan=0.0),
    )
    for key in LOGARITHMS:
        table[key] = np.exp(np.where(np.abs(table[key]) < NO_BOUND, table[key], np.nan))
    return pd.DataFrame(table | {"margin": margin, "family": family})[list(PAIRS_COLUMNS)]


def _columns(pair_block: PairBlock, family: int, margin: float, floors: Floors) -> dict[str, NDArray[Any]]:
    """Return the columns of one block that need no correction over the family, ratios as logarithms."""
    block, number = pair_block.block, len(pair_block.a)
    tie, floor = floors.tie(block.collection), floors.floor(block.collection)
    names = np.array(block.times.strategies, dtype=object)
    constants = {
        "collection": block.collection,
        "clock": block.clock,
        "n_puzzles": len(block.times.puzzles),
        "n_independent": pair_block.independent,
        "floor": floor,
        "tie_margin": tie,
    }
    return {
        **{
            key: np.full(number, value, dtype=object if isinstance(value, str) else None)
            for key, value in constants.items()
        },
        "a": names[pair_block.a],
        "b": names[pair_block.b],
        "estimator": np.where(pair_block.unlimited, MEAN, MEDIAN).astype(object),
        **outcomes(pair_block, 0.0 if math.isnan(tie) else tie),
        **estimates(pair_block, family, math.log1p(margin)),
    }
