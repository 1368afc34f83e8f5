"""The tables of pairs: each strategy against the best of its collection, and every two strategies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from sudoku_bench.bench.folder.method import setting
from sudoku_bench.bench.verdicts.arrays import Floats, Indices
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.pair_estimates import (
    Columns,
    Estimates,
    PairBlock,
    against_best,
    estimates,
    outcomes,
    pair_blocks,
    process_variances,
    total_ratios,
    transitive,
)
from sudoku_bench.bench.verdicts.pairs.tie_margins import tie_margins
from sudoku_bench.bench.verdicts.run_data import RunData

PAIRS_COLUMNS = (
    *("collection", "a", "b", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p_holm", "wins", "ties", "losses"),
    *("verdict", "clock", "estimator", "n_censored", "n_independent", "at_least", "at_most", "decided_lo"),
    *("decided_hi", "beyond_margin", "p", "p_margin_holm", "p_equivalent_holm", "margin", "tie_margin", "family"),
    *("n_repetitions", "total_ratio", "findable"),
)
NO_BOUND = 100.0  # an end with a larger absolute log ratio counts as unbounded
MEAN, MEDIAN = "geometric mean", "median"
LOGARITHMS = (
    *("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most", "decided_lo", "decided_hi", "tie_margin"),
    *("total_ratio", "findable"),
)
TESTED = ("p", "p_margin", "p_equivalent")
MISSED = 0.2  # probability with which a difference of ``findable`` is not found


@dataclass(frozen=True)
class Family:
    """How the p-values of all rows of a table are corrected.

    Attributes:
        step_down: of the claim that times differ, with all that is known about these hypotheses; step_down_plain: of
            the others. Both return corrected p-values and the multiplier that decided each.
        rivals: factor of each p-value for the choice of the best.
        tails: 1 if p-values of differences are two-sided, 2 if they are one-sided.
    """

    step_down: Callable[[Floats], tuple[Floats, Floats]]
    step_down_plain: Callable[[Floats], tuple[Floats, Floats]]
    rivals: Indices
    tails: int


def pairs(run: RunData) -> pd.DataFrame:
    """Return each strategy against the best of its collection (``b``), by clock; columns ``PAIRS_COLUMNS``.

    The family of corrected p-values is all rows with enough data for a verdict. They are one-sided, because none is
    faster than the best; ``decision.step_down_best`` says how the choice of the best is accounted for.
    """
    return _table(run, *with_best(pair_blocks(run, is_whole=True), _log_margin(run)), best=True)


def with_best(blocks: Sequence[PairBlock], log_margin: float) -> tuple[list[PairBlock], list[Estimates]]:
    """Return the pairs with the best of each block, and their estimates.

    Args:
        blocks: all pairs of strategies of each block.
    """
    processes = process_variances(blocks)
    estimated = [estimates(block, own, log_margin) for block, own in zip(blocks, processes, strict=True)]
    chosen = against_best(blocks, estimated)
    return chosen, [estimates(*part, log_margin, one_sided=True) for part in zip(chosen, processes, strict=True)]


def all_pairs(run: RunData, baseline: str | None = None, versions: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return every two strategies of each collection by each clock, columns ``PAIRS_COLUMNS``: a family of its own.

    Args:
        baseline: only pairs with this strategy, as ``b``.
        versions: only these pairs: ``a`` to ``b``.

    Raises:
        InputError: the baseline is not among the strategies that may be compared.
    """
    blocks = pair_blocks(run, baseline, versions)
    margin = _log_margin(run)
    parts = zip(blocks, process_variances(blocks), strict=True)
    return _table(run, blocks, [estimates(*part, margin) for part in parts], best=False)


def _best_family(blocks: Sequence[PairBlock]) -> Family:
    sizes = np.array([len(block.a) for block in blocks])
    number = np.repeat(np.arange(len(blocks)), sizes)
    step_down = partial(decision.step_down_best, block=number, rivals=sizes[number])
    return Family(step_down, step_down, sizes[number], 2)


def _every_family(blocks: Sequence[PairBlock]) -> Family:
    equalities = transitive(blocks)
    return Family(
        partial(decision.step_down, transitive=equalities), decision.step_down, np.ones(len(equalities.a), np.intp), 1
    )


def _log_margin(run: RunData) -> float:
    return math.log1p(float(setting(run.manifest, "margin")))


def _table(run: RunData, blocks: Sequence[PairBlock], estimated: Sequence[Estimates], best: bool) -> pd.DataFrame:
    """Return the table of these pairs.

    Args:
        best: ``b`` is the best of its block, chosen by the same data.
    """
    if not blocks:
        return pd.DataFrame(columns=list(PAIRS_COLUMNS))
    ties = {clock: tie_margins(run.measurements, clock) for clock in {block.block.clock for block in blocks}}
    parts = [
        _descriptions(block, ties[block.block.clock][block.block.collection]) | result.columns
        for block, result in zip(blocks, estimated, strict=True)
    ]
    table = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    table |= decisions(blocks, estimated, best)
    for key in LOGARITHMS:
        table[key] = np.exp(np.where(np.abs(table[key]) < NO_BOUND, table[key], np.nan))
    return pd.DataFrame(table | {"margin": float(setting(run.manifest, "margin"))})[list(PAIRS_COLUMNS)]


def decisions(blocks: Sequence[PairBlock], estimated: Sequence[Estimates], best: bool) -> Columns:
    """Return the columns that depend on the whole family; ratios as logarithms.

    Args:
        best: ``b`` is the best of its block, chosen by the same data.
    """
    family = _best_family(blocks) if best else _every_family(blocks)
    table = {key: np.concatenate([result.columns[key] for result in estimated]) for key in TESTED}
    sizes = [len(block.a) for block in blocks]
    puzzles = np.repeat([block.independent for block in blocks], sizes)
    repetitions = np.repeat([len(block.block.times.repetitions) for block in blocks], sizes)
    member = decision.decidable(puzzles, repetitions, family.rivals)
    p, p_margin, p_equivalent = (np.where(member, table[key], np.nan) for key in TESTED)
    p_holm, multiplier = family.step_down(p)
    p_equivalent_holm, multiplier_equivalent = family.step_down_plain(p_equivalent)
    p_margin_holm, _ = family.step_down_plain(p_margin)
    ends = _ends(estimated, family.tails * decision.ALPHA / multiplier)
    verdict = decision.verdicts(p_holm, p_equivalent_holm, ends)
    # Two one-sided tests have twice the tail of a two-sided one.
    within = _ends(estimated, 2 * decision.ALPHA / multiplier_equivalent)
    low, high = (
        np.where(member, np.where(verdict == decision.EQUIVALENT, narrow, end), np.nan)
        for narrow, end in zip(within, ends, strict=True)
    )
    halves = [np.subtract(*pair[::-1]) / 2 for pair in (ends, _ends(estimated, np.full(len(p), 2 * MISSED)))]
    return {
        "p_holm": p_holm,
        "p_margin_holm": p_margin_holm,
        "p_equivalent_holm": p_equivalent_holm,
        "decided_lo": low,
        "decided_hi": high,
        "findable": np.where(member, halves[0] + halves[1], np.nan),
        "verdict": verdict,
        "beyond_margin": decision.beyond_margin(p_margin_holm, p_equivalent_holm),
        "family": np.full(len(p), np.count_nonzero(member)),
    }


def _ends(estimated: Sequence[Estimates], level: Floats) -> tuple[Floats, Floats]:
    """Return the intervals of all pairs at these levels of significance, as logarithms."""
    parts = np.split(level, np.cumsum([len(result.columns["p"]) for result in estimated])[:-1])
    ends = [result.ends(part) for result, part in zip(estimated, parts, strict=True)]
    return np.concatenate([low for low, _ in ends]), np.concatenate([high for _, high in ends])


def _descriptions(pair_block: PairBlock, tie: float) -> Columns:
    """Return the columns of one block that describe what was measured; ratios as logarithms."""
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
        "total_ratio": total_ratios(pair_block),
        **outcomes(pair_block, 0.0 if math.isnan(tie) else tie),
    }
