"""Which strategy to choose for a workload, what that choice may cost, and which others would do as well.

What a user pays is the sum of the times of all puzzles, so the cost of a strategy is an arithmetic mean, not a
geometric one: seconds per puzzle over puzzles like those of the run. A strategy that leaves a puzzle unsolved costs
what nobody knows; it is chosen only where no strategy solves all, and then by PAR-2 (twice the limit in the place of
an unfinished solve), which the answer says.

*Regret* is how much more the chosen strategy costs than the best one for each single puzzle (the virtual best). A
choice looks better on the puzzles that it was made on than on others, so it is made on one half of the puzzles and
judged on the other, in both directions and for many divisions into halves (cross-fitting).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.frames import Run, wrong_answers
from bench.verdicts.lineages import clusters
from bench.verdicts.paired import compare
from bench.verdicts.sameness import measured
from bench.verdicts.times import Times, times
from datasets.errors import InputError

ALPHA = 0.05
MIN_PUZZLES = 15  # as for pairs
PAR = 2  # limits that an unfinished solve costs, where none solves all
DIVISIONS = 20
RESAMPLES = 2000
SEED = 1
MEAN, PAR2 = "mean", "par2"
BEST, NOT_APART, SLOWER, LEFT_OUT = "best", "not_apart", "slower", "left_out"
KINDS = {"one-cold": "cold", "stream": "warm"}  # workload -> mode of the run that measures it

CHOICE_COLUMNS = (
    "strategy",
    "standing",  # best, not_apart (from the best), slower, left_out
    "cost_s",  # per puzzle; of a batch with its part of preparing; empty if left out
    "prepare_s",  # once per process and shape
    "excess",  # over the best strategy's cost, as a share of it
    "excess_lo",  # 95% interval of the excess, paired by puzzle
    "excess_hi",
    "p",  # that it is no slower than the best, corrected for the number of strategies
    "unfinished",  # solves
    "reason",
)

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Workload:
    """What is to be solved.

    Attributes:
        name: as given; mode: of the run that measures it; batch: how many puzzles go into one call.
    """

    name: str
    mode: str
    batch: int | None = None

    @classmethod
    def parse(cls, text: str) -> Workload:
        """``one-cold``, ``stream`` or ``batch:B``.

        Raises:
            InputError: it is none of these.
        """
        if text in KINDS:
            return cls(text, KINDS[text])
        kind, _, number = text.partition(":")
        if kind == "batch" and number.isascii() and number.isdigit() and int(number) > 0:
            return cls(text, text, int(number))
        raise InputError(f"{text!r} is not a workload; use one-cold, stream or batch:B with a number of puzzles B")


@dataclass(frozen=True)
class Range:
    """A range of difficulty, both ends included."""

    axis: str
    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def parse(cls, text: str | None, axis: str) -> Range:
        """``LO..HI``; an end that is missing is open.

        Raises:
            InputError: it is no range.
        """
        if text is None:
            return cls(axis)
        low, dots, high = text.partition("..")
        try:
            found = cls(axis, float(low or -math.inf), float(high or math.inf))
        except ValueError:
            found = cls(axis, math.nan)
        if not dots or not found.low <= found.high:
            raise InputError(f"{text!r} is not a range of difficulty; use LO..HI, such as 2..50, or 10.. or ..10")
        return found

    def __str__(self) -> str:
        low, high = (f"{end:g}" if math.isfinite(end) else "" for end in (self.low, self.high))
        return f"{self.axis} {low}..{high}"


@dataclass(frozen=True)
class Regret:
    """How much more the chosen strategy costs than the virtual best, as a share of the latter (0.1 is 10%).

    Attributes:
        lo, hi: 95% interval over puzzles; None where nothing varies that could give one, or the end is not known.
        at_least: a chosen strategy left a puzzle unsolved that its choice did not know of.
    """

    share: float
    lo: float | None
    hi: float | None
    at_least: bool


@dataclass(frozen=True)
class Choice:
    """What to choose.

    Attributes:
        table: a row per strategy, the best first, columns ``CHOICE_COLUMNS``.
        criterion: ``mean`` or ``par2``.
        n_puzzles, solves_each: how many puzzles it is from, and how many solves of each.
    """

    table: pd.DataFrame
    criterion: str
    regret: Regret
    n_puzzles: int
    solves_each: int

    @property
    def best(self) -> str:
        return str(self.table["strategy"].iloc[0])


@dataclass(frozen=True)
class Costs:
    """Seconds per solve: strategies × puzzles × replicates.

    Attributes:
        seconds: of an unfinished solve, its limit.
        extra: seconds to add per puzzle, a figure per strategy.
        clusters: a number for each puzzle, the same for those of one lineage.
    """

    strategies: tuple[str, ...]
    seconds: Array
    unfinished: Flags
    extra: Array
    clusters: NDArray[np.intp]

    def penalised(self, factor: float) -> Array:
        """With so many times the limit in the place of an unfinished solve, and all that is to be added."""
        return np.where(self.unfinished, factor * self.seconds, self.seconds) + self.extra[:, None, None]


def choose(
    run: Run,
    workload: Workload,
    difficulty: Range,
    task: str | None = None,
    collections: tuple[str, ...] = (),
    time: str = "cpu_s",
    name: str = "the run",
) -> Choice:
    """The best strategy of a run for a workload.

    Told apart from the best is what is slower by a one-sided paired test of mean costs, puzzles and replicates being
    random effects, at 5% over the number of the other strategies (Bonferroni): with 95% confidence the truly best
    strategy is the best one or not told apart from it, however the best was picked (a set of the best, Hsu 1984).

    Args:
        task: what is asked; by default what the run asked.
        collections: only these; by default all.
        time: ``cpu_s`` or ``wall_s``.
        name: of the run, for messages.

    Raises:
        InputError: the run did not measure that.
    """
    _must_measure(run, workload, task, name)
    rows, out = _candidates(run, difficulty, collections, name)
    costs = _costs(run, rows, workload, time, name)
    unfinished = costs.unfinished.sum(axis=(1, 2))
    whole = unfinished == 0
    criterion = MEAN if whole.any() else PAR2
    taking_part = whole if whole.any() else np.ones_like(whole)
    seconds = costs.penalised(1 if whole.any() else PAR)
    table = _table(costs, seconds, taking_part)
    prepare = _prepare(rows)
    table = table.assign(
        prepare_s=table["strategy"].map(prepare),
        unfinished=table["strategy"].map(dict(zip(costs.strategies, unfinished.tolist(), strict=True))),
    )
    lines = [{"strategy": key, "standing": LEFT_OUT, "reason": reason} for key, reason in out.items()]
    if lines:
        table = pd.concat([table, pd.DataFrame(lines)], ignore_index=True)
    _, puzzles, replicates = seconds.shape
    return Choice(table.reindex(columns=list(CHOICE_COLUMNS)), criterion, regret(costs), puzzles, replicates)


def _must_measure(run: Run, workload: Workload, task: str | None, name: str) -> None:
    suite = run.manifest["suite"]
    if suite["mode"] != workload.mode:
        raise InputError(
            f"{name}: was measured in mode {suite['mode']}, which says nothing of the workload {workload.name};"
            f" measure with --mode {workload.mode}"
        )
    if task is not None and task != suite["task"]:
        raise InputError(f"{name}: asked for {suite['task']}, not for {task}; measure with --task {task}")
    if run.manifest.get("complete") is False:
        raise InputError(f"{name}: is not complete; go on with --resume first")


def _candidates(
    run: Run, difficulty: Range, collections: tuple[str, ...], name: str
) -> tuple[pd.DataFrame, dict[str, str]]:
    """The rows to choose by, and the strategies that have no place in it with the reason."""
    rows = measured(run)
    there = list(dict.fromkeys(rows["collection"]))
    for collection in collections:
        if collection not in there:
            raise InputError(f"{name}: has no collection {collection}; it has {', '.join(there)}")
    if collections:
        rows = rows[rows["collection"].isin(collections)]
    rows = rows.merge(_within(run.puzzles, difficulty, name), on=["collection", "puzzle"])
    found = rows.groupby(["collection", "puzzle"]).ngroups
    if found < MIN_PUZZLES:
        where = "" if difficulty == Range(difficulty.axis) else f" with {difficulty}"
        raise InputError(f"{name}: has {found} puzzles{where}, too few to choose by; {MIN_PUZZLES} are needed")
    wrong = set(wrong_answers(run.measurements))
    idle = set(rows.loc[rows["status"] == "unsupported", "strategy"]) - wrong
    out = dict.fromkeys(sorted(wrong & set(rows["strategy"])), "gave wrong answers") | dict.fromkeys(
        sorted(idle), "unsupported on some of these puzzles"
    )
    rows = rows[~rows["strategy"].isin(out)]
    if rows.empty:
        raise InputError(f"{name}: no strategy is left to choose: all were wrong or unsupported")
    return rows, out


def _within(puzzles: pd.DataFrame, difficulty: Range, name: str) -> pd.DataFrame:
    """Collection, name and size of the puzzles in the range."""
    keys = ["collection", "puzzle"]
    if difficulty == Range(difficulty.axis):
        return puzzles[keys]
    if difficulty.axis not in puzzles or not pd.api.types.is_numeric_dtype(puzzles[difficulty.axis]):
        numeric = [str(c) for c in puzzles if pd.api.types.is_numeric_dtype(puzzles[c]) and c != "solutions"]
        raise InputError(f"{name}: {difficulty.axis} is no measure of difficulty there; it has {', '.join(numeric)}")
    value = puzzles[difficulty.axis]
    return puzzles.loc[(value >= difficulty.low) & (value <= difficulty.high), keys]


def _costs(run: Run, rows: pd.DataFrame, workload: Workload, time: str, name: str) -> Costs:
    _must_be_of_one_size(run, rows, name)
    # A puzzle's name is its own within its collection only.
    found: Times = times(rows.assign(puzzle=rows["collection"] + "\n" + rows["puzzle"]), time)
    if np.isnan(found.log_s).any():
        raise InputError(f"{name}: some measurements are missing; go on with --resume first")
    extra = np.zeros(len(found.strategies))
    if workload.batch:
        prepare = _prepare(rows)
        extra = np.array([prepare[strategy] for strategy in found.strategies]) / workload.batch
    labels: list[str] = []
    for collection in dict.fromkeys(puzzle.partition("\n")[0] for puzzle in found.puzzles):
        own = tuple(puzzle.partition("\n")[2] for puzzle in found.puzzles if puzzle.partition("\n")[0] == collection)
        labels += [f"{collection}\n{number}" for number in clusters(run.puzzles, collection, own)]
    return Costs(found.strategies, np.exp(found.log_s), found.censored, extra, pd.factorize(np.array(labels))[0])


def _must_be_of_one_size(run: Run, rows: pd.DataFrame, name: str) -> None:
    if "grid" not in run.puzzles:
        return
    own = run.puzzles.merge(rows[["collection", "puzzle"]].drop_duplicates(), on=["collection", "puzzle"])
    if own["grid"].str.len().nunique() > 1:
        raise InputError(f"{name}: has boards of several sizes; name collections of one size with -d")


def _prepare(rows: pd.DataFrame) -> dict[str, float]:
    """Seconds of preparing, the median over processes."""
    own = rows.drop_duplicates(["strategy", "worker"])
    medians = own.groupby("strategy")["prepare_cpu_s"].median()
    return {str(strategy): float(median) for strategy, median in medians.items()}


def _table(costs: Costs, seconds: Array, taking_part: Flags) -> pd.DataFrame:
    means = seconds.mean(axis=(1, 2))
    order = [int(place) for place in np.argsort(np.where(taking_part, means, np.inf), kind="stable")]
    best, lines = order[0], []
    others = max(1, int(taking_part.sum()) - 1)
    for place in order:
        line: dict[str, Any] = {"strategy": costs.strategies[place], "reason": ""}
        if not taking_part[place]:
            lines.append(line | {"standing": LEFT_OUT, "reason": "left puzzles unsolved, which others solved"})
            continue
        line |= {"cost_s": float(means[place]), "standing": BEST, "excess": 0.0}
        if place != best:
            line |= _excess(seconds[place], seconds[best], costs.clusters, others)
        lines.append(line)
    return pd.DataFrame(lines)


def _excess(own: Array, best: Array, groups: NDArray[np.intp], others: int) -> dict[str, Any]:
    """How much more a strategy costs than the best, from seconds, puzzles × replicates.

    The logarithm of the ratio of two means is about a mean itself: that of each puzzle's part in the one less its part
    in the other (the delta method). It is nearer to normal than the difference of means, which a few hard puzzles make
    up nearly alone.
    """
    mine, theirs = _by_cluster(own, groups), _by_cluster(best, groups)
    parts = mine / mine.mean() - theirs / theirs.mean()
    found = compare(math.log(mine.mean() / theirs.mean()) + parts)
    p = 1.0 if found.p is None else min(1.0, others * (found.p / 2 if found.ratio > 1 else 1 - found.p / 2))
    return {
        "excess": found.ratio - 1,
        "excess_lo": None if found.lo is None else found.lo - 1,
        "excess_hi": None if found.hi is None else found.hi - 1,
        "p": p,
        "standing": SLOWER if p < ALPHA else NOT_APART,
    }


def _by_cluster(values: Array, groups: NDArray[np.intp]) -> Array:
    """Sums over the puzzles of a cluster, scaled so that their mean is that of the values."""
    number = int(groups.max()) + 1
    sums = np.zeros((number, *values.shape[1:]))
    np.add.at(sums, groups, values)
    return sums * number / len(groups)


def regret(costs: Costs, seed: int = SEED) -> Regret:
    """Cross-fitted regret of choosing as ``choose`` does, over ``DIVISIONS`` divisions of the puzzles into halves.

    The virtual best takes the smallest mean of a puzzle's replicates, which is a little less than the smallest true
    mean: regret is rather over- than understated. The interval is a BCa bootstrap (Efron 1987) over puzzles (lineages);
    it holds the choices fixed.
    """
    exact: Flags = np.asarray(~costs.unfinished.any(axis=2))
    any_whole = bool(exact.all(axis=1).any())
    factor = 1 if any_whole else PAR
    seconds = costs.penalised(factor).mean(axis=2)
    reachable = np.where(exact, seconds, np.inf) if any_whole else seconds
    ideal = reachable.min(axis=0)
    paid = np.zeros(len(ideal))
    at_least = False
    for train, test in _halves(costs.clusters, seed):
        chosen = _chosen(costs, train)
        paid[test] += seconds[chosen, test] / DIVISIONS
        at_least = at_least or (any_whole and not bool(exact[chosen, test].all()))
    pair = _by_cluster(np.stack([paid, ideal], axis=1), costs.clusters)
    share = _share(pair[:, 0], pair[:, 1])
    lo, hi = _interval(pair, seed)
    return Regret(float(share), lo, None if at_least else hi, at_least)


def _halves(groups: NDArray[np.intp], seed: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Puzzles to choose by and puzzles to judge by, both ways; a lineage is never divided."""
    rng = np.random.default_rng(seed)
    number = int(groups.max()) + 1
    for _ in range(DIVISIONS):
        first = np.zeros(number, dtype=np.bool_)
        first[rng.permutation(number)[: number // 2]] = True
        one, other = np.flatnonzero(first[groups]), np.flatnonzero(~first[groups])
        yield one, other
        yield other, one


def _chosen(costs: Costs, puzzles: NDArray[np.intp]) -> int:
    """The strategy that one would choose by these puzzles alone."""
    whole = ~costs.unfinished[:, puzzles].any(axis=(1, 2))
    means = costs.penalised(1 if whole.any() else PAR)[:, puzzles].mean(axis=(1, 2))
    return int(np.argmin(np.where(whole, means, np.inf) if whole.any() else means))


def _share(paid: Array, ideal: Array, axis: int = -1) -> Any:
    return paid.sum(axis=axis) / ideal.sum(axis=axis) - 1


def _interval(pair: Array, seed: int) -> tuple[float | None, float | None]:
    if len(pair) < 3 or np.ptp(pair[:, 0] / pair[:, 1]) == 0:
        return None, None
    found = stats.bootstrap(
        (pair[:, 0], pair[:, 1]),
        _share,
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        method="BCa",
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    low, high = float(found.low), float(found.high)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)
