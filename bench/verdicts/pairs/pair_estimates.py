"""What is estimated and counted for all pairs of strategies of one collection, by one clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.pairs.censored import medians, puzzle_times
from sudoku_bench.bench.verdicts.pairs.decision import Estimate, attainable, interval, p_different
from sudoku_bench.bench.verdicts.pairs.means import means
from sudoku_bench.bench.verdicts.pairs.pair_blocks import PairBlock
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance, process_variance

CHUNK = 2_000_000  # log ratios in memory at a time
MISSED = 0.2  # probability with which a difference of ``findable`` is not found
ROUNDING = 1e-9  # log ratio of times that are equal
FIGURES = ("ratio", "at_least", "at_most", "ratio_lo", "ratio_hi", "findable", "p")
COUNTS = ("wins", "ties", "losses", "n_censored")

Columns = dict[str, NDArray[Any]]


def estimates(pairs: PairBlock, level: float) -> Columns:
    """Estimate the ratios of a block: ``FIGURES`` of each pair, ratios as logarithms.

    They are NaN if unknown, infinite if unbounded.

    Args:
        level: probability with which an interval misses the truth.
    """
    result: Columns = {key: np.full(len(pairs.a), np.nan) for key in FIGURES}
    if pairs.independent < 2:
        return result
    log_s, censored = pairs.of_clusters()
    processes = process_variance(log_s, ~np.asarray(censored.any(axis=2)))
    unlimited = pairs.unlimited
    for use_mean in (True, False):
        for part in _chunks(np.flatnonzero(unlimited == use_mean), log_s[0].size):
            a, b = pairs.a[part], pairs.b[part]
            estimator = of_means if use_mean else of_medians
            estimate, columns = estimator(log_s, censored, a, b, processes[a, b])
            columns |= _interval_and_p(estimate, level, pairs.independent)
            for key, values in columns.items():
                result[key][part] = values
    return result


def of_means(log_s: Floats, _: Flags, a: Indices, b: Indices, processes: ProcessVariance) -> tuple[Estimate, Columns]:
    """Return the mean log ratios of pairs, as an estimate and as columns."""
    estimate = means(log_s[a] - log_s[b], processes)
    return estimate, {"ratio": estimate.mean}


def of_medians(
    log_s: Floats, censored: Flags, a: Indices, b: Indices, processes: ProcessVariance
) -> tuple[Estimate, Columns]:
    """Return the median log ratios of pairs, as an estimate and as columns."""
    bounds = puzzle_times(log_s, censored)
    estimate = medians(bounds[a], bounds[b], processes, log_s.shape[2])
    least, most = estimate.centre
    known = least == most
    return estimate, {
        "ratio": np.where(known, least, np.nan),
        "at_least": np.where(known, np.nan, least),
        "at_most": np.where(known, np.nan, most),
    }


def _interval_and_p(estimate: Estimate, level: float, puzzles: int) -> Columns:
    (low, high), (least, most) = interval(estimate, level), interval(estimate, 2 * MISSED)
    return {
        "ratio_lo": low,
        "ratio_hi": high,
        "findable": (high - low + most - least) / 2,
        "p": np.maximum(p_different(estimate), attainable(puzzles)),
    }


def outcomes(pairs: PairBlock) -> Columns:
    """Return ``COUNTS`` of each pair: puzzles won, tied and lost by ``a``, and not always finished by both.

    A puzzle is won by a shorter time (the median of repetitions), or by finishing it alone.
    """
    result: Columns = {key: np.zeros(len(pairs.a), dtype=np.int64) for key in COUNTS}
    measured = pairs.block.times
    bounds, unfinished = puzzle_times(measured.log_s, measured.censored), np.asarray(measured.censored.any(axis=2))
    open_ended = np.isinf(bounds.most)
    for part in _chunks(np.arange(len(pairs.a)), len(measured.puzzles)):
        a, b = pairs.a[part], pairs.b[part]
        both = ~(open_ended[a] | open_ended[b])
        ratio = bounds.least[a] - bounds.least[b]
        won = (both & (ratio < -ROUNDING)) | (open_ended[b] & ~open_ended[a])
        lost = (both & (ratio > ROUNDING)) | (open_ended[a] & ~open_ended[b])
        counts = (won, ~(won | lost), lost, unfinished[a] | unfinished[b])
        for key, flags in zip(COUNTS, counts, strict=True):
            result[key][part] = flags.sum(axis=1)
    return result


def solved(pairs: PairBlock) -> Columns:
    """Return how many independent puzzles only one of two solves within the limit, and the p-value of a sign test.

    A puzzle is solved if the median of its repetitions is finished. Puzzles that both solve, or neither, say nothing.
    The p-value is two-sided, of the hypothesis that each of the two is as likely to be the one (an exact binomial
    test, Dixon & Mood 1946).
    """
    log_s, censored = pairs.of_clusters()
    is_solved = np.isfinite(puzzle_times(log_s, censored).most).astype(np.int64)
    only = is_solved @ (1 - is_solved).T
    only_a, only_b = only[pairs.a, pairs.b], only[pairs.b, pairs.a]
    p = np.minimum(1.0, 2 * stats.binom.cdf(np.minimum(only_a, only_b), only_a + only_b, 0.5))
    return {"only_a": only_a, "only_b": only_b, "p_solved": p}


def totals(pairs: PairBlock) -> Columns:
    """Return the log ratios of total times over all puzzles and repetitions; NaN with an unfinished solve.

    ``total_but_one`` leaves out the solves of the one puzzle and repetition that moves the ratio most.
    """
    measured = pairs.block.times
    seconds = np.exp(measured.log_s).reshape(len(measured.strategies), -1)
    total_s = seconds.sum(axis=1)
    total_s[np.asarray(measured.censored.any(axis=(1, 2)))] = np.nan
    shares = seconds / total_s[:, None]
    ratios: Floats = np.log(total_s[pairs.a]) - np.log(total_s[pairs.b])
    moved = np.zeros(len(ratios))
    for part in _chunks(np.arange(len(ratios)) if seconds.shape[1] > 1 else np.array([], np.intp), seconds.shape[1]):
        change = np.log1p(-shares[pairs.a[part]]) - np.log1p(-shares[pairs.b[part]])
        largest = np.abs(np.nan_to_num(change)).argmax(axis=1)
        moved[part] = change[np.arange(len(part)), largest]
    return {"total_ratio": ratios, "total_but_one": ratios + moved}


def _chunks(numbers: Indices, size: int) -> Iterator[Indices]:
    """Yield the numbers in parts, so that an array with ``size`` entries per number of a part stays small."""
    step = max(1, CHUNK // max(size, 1))
    for start in range(0, len(numbers), step):
        yield numbers[start : start + step]
