"""The variance between processes: the part of a difference that all puzzles of a repetition share.

A process is about a percent faster or slower than another one of the same strategy, on all puzzles of its repetition.
More puzzles cannot separate this from a difference between strategies; only repetitions can, and there are few: with
five of them a variance has four degrees of freedom, and its estimate is often far too small by chance.

Strategies differ in how much their processes vary, and variances of a pair add up: that of its difference is the sum of
those of its two strategies. The variance of each strategy is therefore fitted to the differences of all pairs (Grubbs
1948, by weighted least squares), which gives a pair nearly twice the degrees of freedom that its own differences have.
It is then shrunk towards the mean of all strategies by as much as noise explains (the credibility of Bühlmann 1967,
empirical Bayes like Smyth 2004). The spread of true variances that this assumes is wide, and not estimated from the
data: few strategies say little about it, and where two vary much and ten do not, an estimated spread makes the
intervals of the two too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices

ROUNDS = 5  # of reweighting by the last estimate of the mean
REFITS = 3  # of weighting by the last estimates of strategies
SPREAD = 3.0  # assumed standard deviation of the true variances of strategies, in means
WITHIN = 2.0  # the same of one strategy on different collections
LEAST = 0.25  # means: the smallest variance of a strategy or of a pair, per strategy
TINY = 1e-300


@dataclass(frozen=True)
class ProcessVariance:
    """Variance of mean log ratios due to processes.

    Attributes:
        variance: at least 0.
        half_variance: half the variance of that estimate, for degrees of freedom after Satterthwaite (1946).
    """

    variance: Floats
    half_variance: Floats

    def __getitem__(self, selected: Any) -> ProcessVariance:
        return ProcessVariance(self.variance[selected], self.half_variance[selected])


@dataclass(frozen=True)
class RepetitionVariances:
    """Variances of the mean log ratios of all pairs, between and within repetitions.

    Attributes (the last two axes: strategies × strategies):
        between: estimated from the means of repetitions, noise included; variation between puzzles is left out.
        within: the part of it that is noise within repetitions.
        known: whether the data give an estimate.
        freedom: degrees of freedom of ``between``; it may be the same for all pairs (1 × 1).
    """

    between: Floats
    within: Floats
    known: Flags
    freedom: Floats

    def where_known(self, others: RepetitionVariances) -> RepetitionVariances:
        """Return these variances, and others of as many repetitions for the pairs of which these are not known."""
        between, within = (
            np.where(self.known, getattr(self, key), getattr(others, key)) for key in ("between", "within")
        )
        return RepetitionVariances(between, within, self.known | others.known, self.freedom)


def repetition_variances(log_s: Floats, finished: Flags) -> RepetitionVariances:
    """Estimate the variances between and within repetitions.

    Args:
        log_s: log times, ... × strategies × puzzles × repetitions.
        finished: ... × strategies × puzzles: finished in every repetition. A pair uses the puzzles that both finished.
    """
    strategies, repetitions = log_s.shape[-3], log_s.shape[-1]
    use = finished.astype(np.float64)
    n = use @ _turned(use)
    known = (n >= 2) & ~np.eye(strategies, dtype=np.bool_)
    if repetitions < 2:
        return RepetitionVariances(np.zeros_like(n), np.zeros_like(n), np.zeros_like(known), np.ones((1, 1)))
    safe_n = np.maximum(n, 2.0)
    residuals = np.where(finished[..., None], log_s, 0.0)
    residuals = residuals - residuals.mean(axis=-1, keepdims=True)
    sums = np.stack([residuals[..., i] @ _turned(use) for i in range(repetitions)])
    means = (sums - _turned(sums)) / safe_n
    flat = residuals.reshape(*residuals.shape[:-2], -1)
    squares = (residuals**2).sum(axis=-1) @ _turned(use)
    squares = squares + _turned(squares) - 2 * flat @ _turned(flat) - safe_n * (means**2).sum(axis=0)
    within = np.maximum(squares, 0.0) / ((safe_n - 1) * (repetitions - 1)) / (safe_n * repetitions)
    between = means.var(axis=0, ddof=1) / repetitions
    return RepetitionVariances(between * known, within * known, known, np.full((1, 1), repetitions - 1.0))


def process_variance(measured: RepetitionVariances, prior: ProcessVariance | None = None) -> ProcessVariance:
    """Return the process variance of each pair: ... × strategies × strategies.

    Where there is no estimate it is 0: with one repetition an interval does not include process variance. Of two
    strategies only the sum is known, which is the estimate of the pair itself.

    Args:
        prior: what all collections say about these pairs; without it, strategies are shrunk towards their mean.
    """
    known = measured.known
    if not known.any():
        return ProcessVariance(np.zeros(known.shape), np.ones(known.shape))
    excess = (measured.between - measured.within) * known
    spread, alone = WITHIN, np.zeros((*known.shape[:-2], 1, 1), dtype=np.bool_)
    if prior is None:
        prior, spread = _mean(measured, excess), SPREAD
        alone = known.any(axis=-1).sum(axis=-1)[..., None, None] < 3
    centre, noise_sum = prior.variance, measured.within + prior.variance
    for _ in range(REFITS):
        fit = _Fit(_weights(known, noise_sum))
        own, noise = fit.of(excess), np.maximum(fit.of(measured.within), 0.0)
        typical = np.maximum(fit.of(centre * known), 0.0)
        expected = fit.covariance(typical + noise, measured.freedom)
        trust = _share((spread * typical) ** 2, np.diagonal(expected, axis1=-2, axis2=-1))
        shrunk = np.maximum(typical + trust * (own - typical), LEAST * typical)
        noise_sum = measured.within + _sums(shrunk)
    trust = np.where(alone, 1.0, _share((spread * centre) ** 2 / 2, _variance_of_sums(expected)))
    variance = np.maximum(np.where(alone, 0.0, LEAST * centre), centre + trust * (_sums(own) - centre))
    # An estimate that is too small by chance would also look too certain.
    uncertain = _variance_of_sums(fit.covariance(np.maximum(own, shrunk) + noise, measured.freedom))
    half_variance = trust**2 * uncertain / 2 + (1 - trust) ** 2 * prior.half_variance
    return ProcessVariance(np.where(known, variance, 0.0), np.where(known & (half_variance > 0), half_variance, 1.0))


def over_collections(
    strategies: Sequence[tuple[str, ...]], measured: Sequence[RepetitionVariances]
) -> list[ProcessVariance]:
    """Return the process variances of each collection, shrunk towards those of the same pairs on all collections.

    Args:
        strategies: names on the axes of each collection.
    """
    names = list(dict.fromkeys(name for of_collection in strategies for name in of_collection))
    places = [np.array([names.index(name) for name in measured_names], dtype=np.intp) for measured_names in strategies]
    aligned = [_aligned(part, place, len(names)) for part, place in zip(measured, places, strict=True)]
    informative = [part for part in aligned if part.known.any()]
    if len(informative) < 2:
        return [process_variance(part) for part in measured]
    average, collections = _average(informative)
    centre = process_variance(average)
    # The mean of a few collections is uncertain also because they differ.
    differ = (WITHIN * centre.variance) ** 2 / 2 / collections
    prior = ProcessVariance(centre.variance, centre.half_variance + differ / 2)
    return [process_variance(part, prior[np.ix_(place, place)]) for part, place in zip(measured, places, strict=True)]


def _aligned(part: RepetitionVariances, place: Indices, strategies: int) -> RepetitionVariances:
    cells = np.ix_(place, place)
    shape = strategies, strategies
    result = RepetitionVariances(np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=np.bool_), part.freedom)
    result.between[cells], result.within[cells], result.known[cells] = part.between, part.within, part.known
    return result


def _average(measured: Sequence[RepetitionVariances]) -> tuple[RepetitionVariances, Floats]:
    """Return the variances over several collections of the same strategies, as if of one with more repetitions.

    Also the number of collections of each pair, after their weights.
    """
    known = np.stack([part.known for part in measured])
    between, within = (np.stack([getattr(part, key) for part in measured]) for key in ("between", "within"))
    # One mean for all weights: with its own, a collection would count more because its variance is small by chance.
    mean = np.mean([_mean(part, (part.between - part.within) * part.known).variance for part in measured])
    weight = _weights(known, within + mean, axis=0)
    total = np.maximum(weight.sum(axis=0), TINY)
    freedom = total**2 / np.maximum((weight**2 / np.stack([part.freedom for part in measured])).sum(axis=0), TINY)
    np.fill_diagonal(freedom, freedom.max(axis=1))
    average = RepetitionVariances(
        (weight * between).sum(axis=0) / total,
        (weight * within).sum(axis=0) / total,
        np.asarray(known.any(axis=0)),
        np.maximum(freedom, 1.0),
    )
    return average, np.maximum(total**2 / np.maximum((weight**2).sum(axis=0), TINY), 1.0)


class _Fit:
    """A weighted least-squares fit of ``value of a + value of b`` to a figure of all pairs."""

    def __init__(self, weights: Floats) -> None:
        """Args: weights: ... × strategies × strategies, symmetric, 0 where unknown."""
        self.weights = weights
        sums = weights.sum(axis=-1)
        self.inverse = np.linalg.pinv(weights + sums[..., None] * np.eye(sums.shape[-1]), hermitian=True)

    def of(self, figure: Floats) -> Floats:
        """Return the value of each strategy."""
        values: Floats = (self.inverse @ (self.weights * figure).sum(axis=-1)[..., None])[..., 0]
        return values

    def covariance(self, variances: Floats, freedom: Floats) -> Floats:
        """Return the covariance matrix of the values if the figure is a variance between repetitions.

        The values are quadratic forms of normal means of repetitions (Searle, Casella & McCulloch 1992).

        Args:
            variances: true variance of each strategy's mean, noise included.
            freedom: degrees of freedom of the figure.
        """
        strategies = variances.shape[-1]
        # A weight of a pair's squared difference for each value: strategies (of the value) × strategies × strategies.
        forms = self.weights[..., None, :, :] * (self.inverse[..., :, :, None] + self.inverse[..., :, None, :])
        forms = forms.sum(axis=-1)[..., None] * np.eye(strategies) - forms
        deviations = np.sqrt(variances)
        forms = forms * (deviations[..., None, :, None] * deviations[..., None, None, :]) / np.sqrt(freedom)
        flat = forms.reshape(*forms.shape[:-2], -1)
        covariance: Floats = 2 * flat @ _turned(flat)
        return covariance


def _mean(measured: RepetitionVariances, excess: Floats) -> ProcessVariance:
    """Return the variance of a pair if all strategies vary alike, twice their mean: ... × 1 × 1."""
    mean = np.zeros((*excess.shape[:-2], 1, 1))
    for _ in range(ROUNDS):
        weight = _weights(measured.known, measured.within + mean)
        weight /= np.maximum(weight.sum(axis=(-2, -1), keepdims=True), TINY)
        mean = np.maximum(0.0, (weight * excess).sum(axis=(-2, -1), keepdims=True))
    noise = (weight * measured.within).sum(axis=(-2, -1), keepdims=True)
    # Of k strategies k - 1 differences are independent; the effective number of pairs depends on their weights.
    strategies = measured.known.any(axis=-1).sum(axis=-1)[..., None, None]
    pairs = measured.known.sum(axis=(-2, -1), keepdims=True)
    effective = 1 / np.maximum((weight**2).sum(axis=(-2, -1), keepdims=True), TINY)
    of_pair = (weight * measured.freedom).sum(axis=(-2, -1), keepdims=True)
    freedom = of_pair * np.maximum(1.0, (strategies - 1) * effective / np.maximum(pairs, 1))
    return ProcessVariance(mean, (mean + noise) ** 2 / np.maximum(freedom, TINY))


def _weights(known: Flags, noise: Floats, axis: Any = (-2, -1)) -> Floats:
    """Return weights of at most 1, inversely proportional to the squared noise variance; 0 where unknown."""
    noise = np.where(known, np.maximum(noise, TINY), np.inf)
    least = noise.min(axis=axis, keepdims=True)
    return (np.where(np.isfinite(least), least, TINY) / noise) ** 2


def _share(signal: Floats, noise: Floats) -> Floats:
    return signal / np.maximum(signal + noise, TINY)


def _sums(values: Floats) -> Floats:
    return values[..., :, None] + values[..., None, :]


def _variance_of_sums(covariance: Floats) -> Floats:
    return _sums(np.diagonal(covariance, axis1=-2, axis2=-1)) + 2 * covariance


def _turned(matrix: Floats) -> Floats:
    return np.swapaxes(matrix, -2, -1)
