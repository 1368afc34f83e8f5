"""The statistics of a run as text: estimators, intervals, decisions and what placebos are for."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.reports.facts import Facts
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.phrases import sentences
from sudoku_bench.bench.verdicts.between_runs.repeated import between_note
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import percent
from sudoku_bench.bench.verdicts.pairs.pairs import MEAN, MEDIAN

MEANS = (
    "Where no solve came near the limit, the ratio is the geometric mean over puzzles; its interval treats puzzles and"
    " repetitions as random effects and corrects for skewness (Hall 1992; Satterthwaite 1946)."
)
MEDIANS = (
    "Where solves came near the limit or were not finished, the ratio is the median over all puzzles; an unfinished"
    " solve is censored: it is only known to exceed its limit. The ends of the interval are order statistics"
    " (Hettmansperger & Sheather 1986); where the limit leaves the median undetermined, only a bound is given (Manski"
    " 2003)."
)
PROCESSES = (
    "Intervals include the variation between processes: the pair's own variance between repetitions, moderated by the"
    " strategy × repetition mean square of the collection, which counts as two further degrees of freedom (Smyth 2004)."
)


def paragraphs(facts: Facts) -> tuple[str, str]:
    """Return two paragraphs: on the statistics of each strategy, and on comparisons."""
    return sentences(_unit(facts), _unfinished(facts), _curves(facts)), sentences(*_pairs(facts), *_placebos(facts))


def _unit(facts: Facts) -> str:
    has_intervals = facts.run.summary["gmean_lo_s"].notna().any()
    return sentences(
        "The puzzle is the statistical unit: its time is the median of its measurements.",
        "Geometric means have 95% intervals over puzzles, from the t distribution of the logarithms (Student 1908)."
        if has_intervals
        else "",
    )


def _unfinished(facts: Facts) -> str:
    inferred = (
        " A solve is inferred, and not run, after the strategy ran out of time on the same puzzle, or on the first"
        " puzzles of the collection, in the same launch."
    )
    censored = (
        " An unfinished solve counts as longer than any other: quantiles that fall on one, and geometric means that"
        " include one, are left empty. PAR-2 counts it as twice the limit."
    )
    return (
        f"{outcomes.sentence(facts.counts)}.{inferred if facts.counts['inferred'] else ''}"
        f"{censored if outcomes.not_finished(facts.counts) else ''}"
    )


def _curves(facts: Facts) -> str:
    crossovers = facts.run.crossovers
    if facts.run.curves.empty:
        return ""
    has_crossovers = (crossovers["told"] == "yes").any()
    return sentences(
        "Curves over difficulty are medians in windows of similar difficulty with pointwise 95% bands (Powell 1986;"
        " Cleveland 1979); difficulty is the mean number of guesses of a search that applies only naked and hidden"
        " singles.",
        "Two strategies cross if one is significantly faster on the third of the puzzles with the lowest difficulty and"
        " the other one on the third with the highest (Berger 1982), corrected for all pairs with opposite leads"
        " (Ellis, Pecanka & Goeman 2020); the crossover is where their median log ratio changes sign."
        if has_crossovers
        else "",
    )


def _pairs(facts: Facts) -> Iterator[str]:
    pairs = facts.run.pairs
    if pairs.empty:
        return
    yield (
        "Each strategy is compared with the best of the collection (most solves finished; of several, the lowest"
        " geometric mean, or the lowest PAR-2 if none finished all), by the ratio of their times, paired by puzzle and"
        " repetition."
    )
    estimators = set(pairs["estimator"])
    yield from [MEANS] * (MEAN in estimators) + [MEDIANS] * (MEDIAN in estimators)
    yield PROCESSES if (pairs["n_repetitions"] > 1).any() else ""
    if (pairs["n_independent"] < pairs["n_puzzles"]).any():
        yield "Isomorphs, and puzzles of one lineage, count as one puzzle."
    if (pairs["verdict"] == decision.TOO_FEW).all():
        few = (pairs["n_repetitions"] < decision.LEAST_REPETITIONS).all()
        yield (
            f"There is no verdict, because fewer than {decision.LEAST_REPETITIONS} repetitions do not show how much"
            " processes vary."
            if few
            else "No collection has enough independent puzzles for a verdict."
        )
        return
    yield from _decision(pairs)
    yield between_note(facts.run.between_runs).strip()


def _decision(pairs: pd.DataFrame) -> Iterator[str]:
    """Yield how pairs are decided, and for which puzzles that holds."""
    family, margin = int(pairs["family"].iloc[0]), percent(pairs["margin"].iloc[0])
    compared = "for the only pair" if family == 1 else f"for all {family:,} pairs of strategies"
    yield (
        f"Intervals and p-values are corrected {compared} of the run (Bonferroni), which covers the choice of the best:"
        f" a run of equal strategies makes a false claim in at most {percent(decision.ALPHA)} of cases. Two strategies"
        f" differ if the interval excludes 1; they are equivalent if it lies within {margin}, a margin that was set"
        " before the run; otherwise times do not decide."
    )
    yield (
        "A second claim, that one of two strategies solves more puzzles within the limit, is decided by a sign test on"
        " the puzzles that only one of the two solves, corrected in the same way."
    )
    yield f"Collections with fewer than {decision.LEAST_PUZZLES} independent puzzles get no verdict."
    yield from (f"{line}." for line in terminal.seen(pairs))


def _placebos(facts: Facts) -> Iterator[str]:
    lines = terminal.noise_lines(facts.run.noise)
    if not lines:
        yield "The run has no placebos."
        return
    yield (
        f"Placebos solved up to {facts.run.method.placebo_puzzles} puzzles of each collection again, with the same"
        " strategy on the same forms. They warn of a machine that treats identical work differently; no verdict depends"
        " on them."
    )
    yield from (f"{line}." for line in lines)
