"""The table of pairs: for every two strategies on every collection, which is faster, with corrected significance."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from bench.folder.method import setting
from bench.verdicts.arrays import Floats
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.pair_estimates import (
    Columns,
    Estimates,
    PairBlock,
    estimates,
    outcomes,
    pair_blocks,
    process_variances,
    transitive,
)
from bench.verdicts.pairs.tie_margins import tie_margins
from bench.verdicts.run_data import RunData

PAIRS_COLUMNS = (
    *("collection", "a", "b", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p_holm", "wins", "ties", "losses"),
    *("verdict", "clock", "estimator", "n_censored", "n_independent", "at_least", "at_most", "decided_lo"),
    *("decided_hi", "beyond_margin", "p", "p_margin_holm", "p_equivalent_holm", "margin", "tie_margin", "family"),
    *("n_repetitions",),
)
NO_BOUND = 100.0  # an end with a larger absolute log ratio counts as unbounded
MEAN, MEDIAN = "geometric mean", "median"
LOGARITHMS = ("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most", "decided_lo", "decided_hi", "tie_margin")
TESTED = ("p", "p_margin", "p_equivalent")


def pairs(run: RunData, baseline: str | None = None, versions: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return one row per pair of strategies, collection and clock, columns ``PAIRS_COLUMNS``.

    The family for corrected p-values is all rows of the table with enough data for a verdict.

    Args:
        baseline: only pairs with this strategy, as ``b``.
        versions: only these pairs: ``a`` to ``b``.

    Raises:
        InputError: the baseline is not among the strategies that may be compared.
    """
    blocks = pair_blocks(run, baseline, versions)
    if not blocks:
        return pd.DataFrame(columns=list(PAIRS_COLUMNS))
    margin = float(setting(run.manifest, "margin"))
    ties = {clock: tie_margins(run.measurements, clock) for clock in {block.block.clock for block in blocks}}
    estimated = [
        estimates(block, processes, math.log1p(margin))
        for block, processes in zip(blocks, process_variances(blocks), strict=True)
    ]
    parts = [
        _descriptions(block, ties[block.block.clock][block.block.collection]) | result.columns
        for block, result in zip(blocks, estimated, strict=True)
    ]
    table = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    table |= _decisions(table, estimated, transitive(blocks))
    for key in LOGARITHMS:
        table[key] = np.exp(np.where(np.abs(table[key]) < NO_BOUND, table[key], np.nan))
    return pd.DataFrame(table | {"margin": margin})[list(PAIRS_COLUMNS)]


def _decisions(table: Columns, estimated: list[Estimates], equalities: decision.Transitive) -> Columns:
    """Return the columns that depend on the whole family."""
    member = decision.decidable(table["n_independent"], table["n_repetitions"])
    p, p_margin, p_equivalent = (np.where(member, table[key], np.nan) for key in TESTED)
    p_holm, multiplier = decision.step_down(p, equalities)
    p_equivalent_holm, multiplier_equivalent = decision.step_down(p_equivalent)
    p_margin_holm = decision.holm(p_margin)
    ends = _ends(estimated, decision.ALPHA / multiplier)
    verdict = decision.verdicts(p_holm, p_equivalent_holm, ends)
    # Two one-sided tests have twice the tail of a two-sided one.
    within = _ends(estimated, 2 * decision.ALPHA / multiplier_equivalent)
    low, high = (
        np.where(member, np.where(verdict == decision.EQUIVALENT, narrow, end), np.nan)
        for narrow, end in zip(within, ends, strict=True)
    )
    return {
        "p_holm": p_holm,
        "p_margin_holm": p_margin_holm,
        "p_equivalent_holm": p_equivalent_holm,
        "decided_lo": low,
        "decided_hi": high,
        "verdict": verdict,
        "beyond_margin": decision.beyond_margin(p_margin_holm, p_equivalent_holm),
        "family": np.full(len(p), np.count_nonzero(member)),
    }


def _ends(estimated: list[Estimates], level: Floats) -> tuple[Floats, Floats]:
    """Return the intervals of all pairs at these levels of significance, as logarithms."""
    parts = np.split(level, np.cumsum([len(result.columns["p"]) for result in estimated])[:-1])
    ends = [result.ends(part) for result, part in zip(estimated, parts, strict=True)]
    return np.concatenate([low for low, _ in ends]), np.concatenate([high for _, high in ends])


def _descriptions(pair_block: PairBlock, tie: float) -> Columns:
    """Return the columns of one block that describe what was measured; the tie margin as a logarithm."""
    block, number = pair_block.block, len(pair_block.a)
    names = np.array(block.times.strategies, dtype=object)
    constants = {
        "collection": block.collection,
        "clock": block.clock,
        "n_puzzles": len(block.times.puzzles),
        "n_independent": pair_block.independent,
        "n_repetitions": len(block.times.repetitions),
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
    }
