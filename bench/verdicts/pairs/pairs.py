"""The tables of pairs: every two strategies, and each strategy against the best of its collection.

The rows of the second are rows of the first: the same interval, p-value and verdict, corrected for all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sudoku_bench.bench.folder.method import setting
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import turned
from sudoku_bench.bench.verdicts.pairs.pair_blocks import PairBlock, pair_blocks
from sudoku_bench.bench.verdicts.pairs.pair_estimates import Columns, estimates, outcomes, solved, totals
from sudoku_bench.bench.verdicts.run_data import RunData

PAIRS_COLUMNS = (
    *("collection", "a", "b", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p_holm", "wins", "ties", "losses"),
    *("verdict", "clock", "estimator", "n_censored", "n_independent", "at_least", "at_most", "beyond_margin", "p"),
    *("margin", "family", "n_repetitions", "total_ratio", "total_but_one", "findable", "only_a", "only_b"),
    *("more_solved", "p_solved"),
)
NO_BOUND = 100.0  # an end with a larger absolute log ratio counts as unbounded
MEAN, MEDIAN = "geometric mean", "median"
LOGARITHMS = ("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most", "total_ratio", "total_but_one", "findable")
DECIDED = ("ratio_lo", "ratio_hi", "findable", "p_holm", "p_solved")  # empty where there are too few data
A, B = "a", "b"


def pairs(run: RunData, among: Collection[str] | None = None) -> pd.DataFrame:
    """Return each strategy against the best of its collection (``b``), by clock; columns ``PAIRS_COLUMNS``.

    Args:
        among: only these strategies; their rows are the same as in the table of all pairs.
    """
    blocks, table = whole(run), all_pairs(run)
    if among is not None:
        blocks = [block for block in (block.among(among) for block in blocks) if len(block.a)]
        table = table[table["a"].isin(among) & table["b"].isin(among)]
    return against(table, {(block.block.collection, block.block.clock): block.best() for block in blocks})


def all_pairs(run: RunData, baseline: str | None = None, versions: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return every two strategies of each collection by each clock, columns ``PAIRS_COLUMNS``.

    The family of corrected p-values and intervals is all rows with enough data for a verdict.

    Args:
        baseline: only pairs with this strategy, as ``b``: a family of its own.
        versions: only these pairs: ``a`` to ``b``, likewise.

    Raises:
        InputError: the baseline is not among the strategies that may be compared.
    """
    margin = float(setting(run.manifest, "margin"))
    if baseline is None and versions is None:
        return _every(run, margin)
    return table(pair_blocks(run, baseline, versions), margin)


def against(pairs: pd.DataFrame, one: str | Mapping[tuple[str, str], str]) -> pd.DataFrame:
    """Return the pairs with one strategy as ``b``: ratios are the other strategy's time over its time.

    Args:
        one: its name, everywhere or by collection and clock.
    """
    rows = []
    for row in pairs.to_dict("records"):
        name = one if isinstance(one, str) else one[row["collection"], row["clock"]]
        if name in (row["a"], row["b"]):
            rows.append(row if row["b"] == name else turned(row))
    return pd.DataFrame(rows, columns=list(pairs.columns)).astype(pairs.dtypes.to_dict())


@once
def whole(run: RunData) -> list[PairBlock]:
    """Return the blocks of all pairs."""
    return pair_blocks(run)


@once
def _every(run: RunData, margin: float) -> pd.DataFrame:
    return table(whole(run), margin)


def table(blocks: Sequence[PairBlock], margin: float) -> pd.DataFrame:
    """Return the table of all pairs of some blocks, as one family.

    Args:
        margin: relative difference up to which times are equivalent.
    """
    if not blocks:
        return pd.DataFrame(columns=list(PAIRS_COLUMNS))
    sizes = [len(block.a) for block in blocks]
    puzzles = np.repeat([block.independent for block in blocks], sizes)
    member = decision.decidable(puzzles, np.repeat([len(block.block.times.repetitions) for block in blocks], sizes))
    family = int(np.count_nonzero(member))
    level = decision.ALPHA / max(1, family)
    parts = [
        _descriptions(block) | totals(block) | outcomes(block) | solved(block) | estimates(block, level)
        for block in blocks
    ]
    columns = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    columns |= {"p_holm": columns["p"].copy(), "family": np.full(len(member), family)}
    for key in DECIDED:
        columns[key][~member] = np.nan
    for key in ("p_holm", "p_solved"):
        columns[key] = decision.bonferroni(columns[key])
    ends = columns["ratio_lo"], columns["ratio_hi"]
    columns["verdict"] = decision.verdicts(*ends, math.log1p(margin))
    columns["beyond_margin"] = decision.beyond_margin(*ends, math.log1p(margin))
    columns["more_solved"] = _more_solved(columns)
    for key in LOGARITHMS:
        columns[key] = np.exp(np.where(np.abs(columns[key]) < NO_BOUND, columns[key], np.nan))
    return pd.DataFrame(columns | {"margin": margin})[list(PAIRS_COLUMNS)]


def _descriptions(pair_block: PairBlock) -> Columns:
    """Return the columns of one block that describe what was measured."""
    block, number = pair_block.block, len(pair_block.a)
    names = np.array(block.times.strategies, dtype=object)
    constants = {
        "collection": block.collection,
        "clock": block.clock,
        "n_puzzles": len(block.times.puzzles),
        "n_independent": pair_block.independent,
        "n_repetitions": len(block.times.repetitions),
    }
    return {
        **{
            key: np.full(number, value, dtype=object if isinstance(value, str) else None)
            for key, value in constants.items()
        },
        "a": names[pair_block.a],
        "b": names[pair_block.b],
        "estimator": np.where(pair_block.unlimited, MEAN, MEDIAN).astype(object),
    }


def _more_solved(columns: Columns) -> NDArray[np.object_]:
    shown = columns["p_solved"] < decision.ALPHA
    sides = np.where(columns["only_a"] > columns["only_b"], A, B)
    return np.where(shown, sides, "").astype(object)
