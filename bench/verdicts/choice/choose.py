"""Which strategy to choose for a workload, what that choice may cost, and which others would do as well.

What a user pays is the sum of the times of all puzzles, so the cost of a strategy is an arithmetic mean, not a
geometric one: seconds per puzzle over puzzles like those of the run. A strategy that leaves a puzzle unsolved costs
what nobody knows; it is chosen only where no strategy solves all, and then by PAR-2 (twice the limit in the place of
an unfinished solve), which the answer says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.between_runs.sameness import measured
from bench.verdicts.choice.regret import PAR, Array, Costs, Flags, Regret, by_cluster, regret
from bench.verdicts.choice.workload import Range, Workload
from bench.verdicts.lineages import clusters_in
from bench.verdicts.pairs.paired import compare
from bench.verdicts.run_data import RunData, wrong_answers
from bench.verdicts.times import Times, times
from datasets.errors import InputError

ALPHA = 0.05
MIN_PUZZLES = 15  # as for pairs
MEAN, PAR2 = "mean", "par2"
BEST, NOT_APART, SLOWER, LEFT_OUT = "best", "not_apart", "slower", "left_out"

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


def choose(
    run: RunData,
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


def _must_measure(run: RunData, workload: Workload, task: str | None, name: str) -> None:
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
    run: RunData, difficulty: Range, collections: tuple[str, ...], name: str
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


def _costs(run: RunData, rows: pd.DataFrame, workload: Workload, time: str, name: str) -> Costs:
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
        labels += [f"{collection}\n{number}" for number in clusters_in(collection, own, run.puzzles)]
    relatives = pd.factorize(np.array(labels))[0]
    if relatives.max() + 1 < MIN_PUZZLES:
        raise InputError(
            f"{name}: has {len(relatives)} puzzles of {relatives.max() + 1} lineages, too few to choose by;"
            f" {MIN_PUZZLES} are needed"
        )
    return Costs(found.strategies, np.exp(found.log_s), found.censored, extra, relatives)


def _must_be_of_one_size(run: RunData, rows: pd.DataFrame, name: str) -> None:
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
    mine, theirs = by_cluster(own, groups), by_cluster(best, groups)
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
