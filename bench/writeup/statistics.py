"""The statistics of a run in words: estimators, intervals, corrections, what the instrument cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator

from bench.plan.plan import PLACEBO_PUZZLES
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.noise import ALL
from bench.verdicts.pairs.pairs import MEAN, MEDIAN
from bench.writeup.facts import Facts
from bench.writeup.words import counted, listed, sentences

UNFINISHED = {
    "timeout": "timeout",
    "memout": "stopped for memory",
    "gave_up": "given up",
    "error": "ended by an error",
    "wrong": "wrong",
}
MEANS = (
    "Where no solve came near the limit, the ratio is the geometric mean over puzzles; its 95% interval takes puzzles"
    " and replicates both for random, with a correction for skewness (Hall 1992; Satterthwaite 1946)."
)
MEDIANS = (
    "Where solves came near the limit or were not finished, the ratio is the median over all puzzles, an unfinished"
    " solve counting as longer than its limit and as nothing more; its 95% interval ends at order statistics"
    " (Hettmansperger & Sheather 1986), and where the limit leaves the median open only a bound is given (Manski"
    " 2003)."
)


def told(facts: Facts) -> tuple[str, str]:
    """Two paragraphs: on the figures of each strategy, and on comparisons."""
    return sentences(_unit(facts), _unfinished(facts), _curves(facts)), sentences(*_pairs(facts), *_placebos(facts))


def _unit(facts: Facts) -> str:
    known = facts.run.summary["gmean_lo_s"].notna().any()
    return sentences(
        "The puzzle is the statistical unit: its time is the median of its measurements.",
        "Intervals of geometric means are of 95% over puzzles, by the t distribution of logarithms (Student 1908)."
        if known
        else "",
    )


def _unfinished(facts: Facts) -> str:
    counts = {words: facts.with_status(status) for status, words in UNFINISHED.items()}
    late, total = sum(counts.values()), len(facts.real)
    if not late:
        every = "The only measurement was" if total == 1 else f"All {total:,} measurements were"
        return f"{every} finished." if not facts.with_status("unsupported") else ""
    each = listed(_how_many(number, words) for words, number in counts.items() if number)
    again = "; a pair of strategy and puzzle that timed out was not tried again in the same launch" * bool(
        facts.with_status("timeout")
    )
    return (
        f"Of {counted(total, 'measurement')}, {late:,} {'was' if late == 1 else 'were'} not finished ({each}){again}."
        " An unfinished solve counts as longer than any other: quantiles that touch one, and geometric means over one,"
        " are left empty. PAR-2 counts it as twice the limit."
    )


def _how_many(number: int, words: str) -> str:
    return counted(number, words) if words == "timeout" else f"{number:,} {words}"


def _curves(facts: Facts) -> str:
    curves, told_of = facts.run.curves, facts.run.crossovers
    if curves.empty:
        return ""
    crossings = (told_of["told"] == "yes").any()
    return sentences(
        "Curves over difficulty are medians in windows of like difficulty with pointwise 95% bands (Powell 1986;"
        " Cleveland 1979); difficulty is the mean number of guesses of a search that knows only naked and hidden"
        " singles.",
        "A crossover is where the median of the log ratio of two strategies changes its sign, with a clear lead on both"
        " sides; corrected for all pairs of an axis (Sun & Loader 1994; Holm 1979)."
        if crossings
        else "",
    )


def _pairs(facts: Facts) -> Iterator[str]:
    pairs = facts.run.pairs
    if pairs.empty:
        return
    yield "Two strategies are compared by the ratio of their times, paired by puzzle and replicate."
    estimators = set(pairs["estimator"])
    yield from [MEANS] * (MEAN in estimators) + [MEDIANS] * (MEDIAN in estimators)
    if len(facts.real[["launch", "repetition"]].drop_duplicates()) == 1:
        yield "With a single replicate, intervals leave out what processes differ by."
    if (pairs["n_independent"] < pairs["n_puzzles"]).any():
        yield "Mined puzzles of one lineage count as one puzzle."
    if (pairs["verdict"] == decision.TOO_FEW).all():
        yield "All collections have too few independent puzzles for a verdict."
        return
    family, margin = int(pairs["family"].iloc[0]), float(pairs["margin"].iloc[0])
    yield (
        f"P-values are corrected for {'the only comparison' if family == 1 else f'all {family:,} comparisons'} of the"
        f" run (Holm 1979), so that a run of equals makes a false claim in {decision.ALPHA:.0%} of cases at most."
    )
    yield (
        f"Strategies are called equivalent where the ratio lies within {margin:.0%} by two one-sided tests (Schuirmann"
        f" 1987), a margin set before the run; collections of fewer than {decision.LEAST_PUZZLES} independent puzzles"
        " get no verdict."
    )


def _placebos(facts: Facts) -> Iterator[str]:
    noise = facts.run.noise
    own = noise[(noise["placebo"] == "instrument") & (noise["collection"] == ALL) & noise["resolvable"].notna()]
    if own.empty:
        yield "The run has no placebos that would say how small a difference its instrument can tell apart."
        return
    floors = listed(
        f"{name} {float(ratio) - 1:.1%}" for name, ratio in zip(own["strategy"], own["resolvable"], strict=True)
    )
    yield (
        f"Placebos solved up to {PLACEBO_PUZZLES} puzzles of each collection again, the same strategy on the same"
        f" forms. Below these differences nothing is claimed: {floors}."
    )
    if (own["disturbed"] == "yes").any():
        names = listed(own.loc[own["disturbed"] == "yes", "strategy"])
        yield f"The run is disturbed: a placebo differs from its strategy by more than chance ({names})."
