"""The choice of a strategy, and the strategies that are statistically tied with it.

A user pays for starting once and for the sum of the times of all puzzles. The cost of a strategy for N puzzles is
therefore its preparation and N arithmetic means, not geometric ones, over puzzles like those of the run. The cost of a
strategy that leaves a puzzle unsolved is unknown; it is chosen only if no strategy solves all puzzles: then the one
that solves most, and of several the one with the lowest PAR-2 (an unfinished solve counts as twice the limit).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.folder.method import setting
from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.between_runs.compatibility import counted_rows
from sudoku_bench.bench.verdicts.choice.mean_costs import Tail, error_of_mean, excess, is_dearer, log_spread, tail
from sudoku_bench.bench.verdicts.choice.total_cost import Stretch, stretches
from sudoku_bench.bench.verdicts.clusters import by_cluster, clusters
from sudoku_bench.bench.verdicts.comparable import without_gaps
from sudoku_bench.bench.verdicts.pairs.decision import AS_ONE, LEAST_PUZZLES, LEAST_REPETITIONS
from sudoku_bench.bench.verdicts.run_data import RunData, disqualified, prepare_seconds, unchecked
from sudoku_bench.bench.verdicts.times import times
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import size_of_text

ALPHA = 0.05
DISQUALIFIED = {"wrong": "gave wrong answers", "mistimed": "reported false times"}
# Standard error of the logarithm of a mean, beyond which most simulated runs do not rule out a cost of 1.5 times the
# best (docs/methodology/validation.md).
TOO_UNCERTAIN = 0.25
MEAN, PAR2 = "mean", "par2"
PAR = 2  # cost of an unfinished solve in limits, if no strategy solves all puzzles
WARM = "warm"
PUZZLE = ["collection", "puzzle"]
BEST, TIED, SLOWER, LEFT_OUT = "best", "not_apart", "slower", "left_out"

CHOICE_COLUMNS = (
    *("strategy", "standing", "cost_s", "prepare_s", "total_s", "excess", "excess_lo", "excess_hi", "p"),
    *("unfinished", "reason"),
)


@dataclass(frozen=True)
class Costs:
    """Seconds per solve: strategies × puzzles × repetitions.

    Attributes:
        seconds: an unfinished solve has its limit.
        extra: seconds to add per puzzle, one value per strategy.
        clusters: cluster number of each puzzle (``bench/verdicts/clusters``).
    """

    strategies: tuple[str, ...]
    seconds: Floats
    unfinished: Flags
    extra: Floats
    clusters: Indices

    @property
    def solves_all(self) -> Flags:
        """Whether each strategy finished every solve."""
        return np.asarray(~self.unfinished.any(axis=(1, 2)))

    @property
    def eligible(self) -> Flags:
        """The strategies to choose from: those that finished every solve; if there are none, all."""
        return self.solves_all if self.solves_all.any() else np.ones_like(self.solves_all)

    @property
    def penalised(self) -> Floats:
        """The costs with extra seconds; if no strategy finished every solve, an unfinished one costs ``PAR`` limits."""
        factor = 1 if self.solves_all.any() else PAR
        return np.where(self.unfinished, factor * self.seconds, self.seconds) + self.extra[:, None, None]


@dataclass(frozen=True)
class Choice:
    """The result of a choice.

    Attributes:
        table: a row per strategy, the best first, columns ``CHOICE_COLUMNS``.
        mode: of the run; costs are those of its processes: ``warm``, ``cold`` or ``batch:B``.
        criterion: ``mean`` or ``par2``.
        asked: number of puzzles that totals and standings are for.
        n_puzzles, solves_each: number of puzzles that it is based on, and of solves of each.
        n_independent: number of those puzzles that are independent (``bench/verdicts/clusters``).
        log_spread: standard deviation of log costs over puzzles, the largest of the strategies to choose from.
        tails: few puzzles that make up much of the total cost of a strategy.
        stretches: the best strategy for each number of puzzles; empty if preparation is not paid once, or unknown.
    """

    table: pd.DataFrame
    mode: str
    criterion: str
    asked: int
    n_puzzles: int
    n_independent: int
    solves_each: int
    log_spread: float
    tails: dict[str, Tail]
    stretches: tuple[Stretch, ...]

    @property
    def is_uncertain(self) -> bool:
        """Whether costs spread too much for the number of puzzles to rule out what costs 1.5 times the best."""
        return error_of_mean(self.log_spread, self.n_puzzles) > TOO_UNCERTAIN

    @property
    def may_claim(self) -> bool:
        """Whether there are enough repetitions to call a strategy more expensive."""
        return self.solves_each >= LEAST_REPETITIONS

    @property
    def best(self) -> str:
        """Name of the best strategy."""
        return str(self.table["strategy"].iloc[0])


def choose(
    run: RunData,
    task: str | None = None,
    collections: tuple[str, ...] = (),
    name: str = "the run",
    asked: int | None = None,
    partial: bool = False,
) -> Choice:
    """Return the best strategy of a run for a number of puzzles, and the standing of the others.

    A strategy is slower than the best by two one-sided paired tests of mean costs that agree (``mean_costs``), with
    puzzles and repetitions as random effects, at 5% divided by the number of other strategies (Bonferroni); otherwise
    it is tied. With 95% confidence the truly best strategy is the selected one or tied with it, regardless of how the
    best was selected (a set of the best, Hsu 1984), for kinds of puzzles that the run has. ``is_dearer`` says what is
    not claimed nevertheless.

    Args:
        task: the task; by default that of the run.
        collections: only these; by default all.
        name: of the run, for messages.
        asked: number of puzzles; by default as many as are chosen by.
        partial: whether the run may lack launches, which then do not count.

    Raises:
        InputError: the run did not measure that.
    """
    if asked is not None and asked < 1:
        raise InputError(f"puzzles must be 1 or more, not {asked}")
    _require_measured(run, task, name, partial)
    mode = str(setting(run.manifest, "mode"))
    rows, left_out = _candidates(run, collections, name)
    asked = asked or rows.groupby(PUZZLE).ngroups
    prepare = prepare_seconds(rows)
    shared_by = asked if mode == WARM else int(mode.partition(":")[2] or 0)
    costs = _costs(run, rows, prepare / shared_by if shared_by else 0 * prepare, name)
    eligible, seconds = costs.eligible, costs.penalised
    unfinished = dict(zip(costs.strategies, costs.unfinished.sum(axis=(1, 2)).tolist(), strict=True))
    table = _table(costs, asked, once=mode == WARM)
    names = table["strategy"]
    table = table.assign(prepare_s=names.map(prepare), unfinished=names.map(unfinished))
    excluded = [{"strategy": key, "standing": LEFT_OUT, "reason": reason} for key, reason in left_out.items()]
    if excluded:
        table = pd.concat([table, pd.DataFrame(excluded)], ignore_index=True)
    _, puzzles, repetitions = seconds.shape
    of_clusters = {
        costs.strategies[place]: by_cluster(seconds[place], costs.clusters) for place in np.flatnonzero(eligible)
    }
    spread = max(map(log_spread, of_clusters.values()))
    tails = {key: found for key, values in of_clusters.items() if (found := tail(values))}
    known = table[table["cost_s"].notna()].set_index("strategy")
    lines = known[["prepare_s", "cost_s"]] if mode == WARM and known["prepare_s"].notna().all() else known.iloc[:0]
    envelope = stretches(lines["prepare_s"].to_dict(), lines["cost_s"].to_dict()) if len(lines) else ()
    criterion = MEAN if costs.solves_all.any() else PAR2
    table = table.reindex(columns=list(CHOICE_COLUMNS))
    independent = int(costs.clusters.max()) + 1
    return Choice(table, mode, criterion, asked, puzzles, independent, repetitions, spread, tails, envelope)


def _require_measured(run: RunData, task: str | None, name: str, partial: bool) -> None:
    suite = run.manifest["suite"]
    if task is not None and task != suite["task"]:
        raise InputError(f"{name}: measured the task {suite['task']}, not {task}; measure with --task {task}")
    if run.manifest.get("complete") is False and not partial:
        raise InputError(f"{name}: is not complete; continue it with --resume first")


def _candidates(run: RunData, collections: tuple[str, ...], name: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the rows to choose by, and the reasons why strategies are left out."""
    rows = counted_rows(run)
    available = list(dict.fromkeys(rows["collection"]))
    for collection in collections:
        if collection not in available:
            raise InputError(f"{name}: has no collection {collection}; it has {', '.join(available)}")
    if collections:
        rows = rows[rows["collection"].isin(collections)]
    n_puzzles = rows.groupby(PUZZLE).ngroups
    if n_puzzles < LEAST_PUZZLES:
        raise InputError(f"{name}: has too few puzzles to choose by ({n_puzzles} of at least {LEAST_PUZZLES})")
    without_times = disqualified(run.measurements)
    unsupported = set(rows.loc[rows["status"] == "unsupported", "strategy"]) - without_times.keys()
    measured = set(rows["strategy"])
    left_out = {name: DISQUALIFIED[status] for name, status in sorted(without_times.items()) if name in measured}
    left_out |= dict.fromkeys(sorted(unsupported), "unsupported on some of these puzzles")
    left_out |= dict.fromkeys(unchecked(rows), "has answers that nobody checked")
    rows = rows[~rows["strategy"].isin(left_out)]
    if rows.empty:
        why = "all were wrong, mistimed or unsupported, or imported without answers to check"
        raise InputError(f"{name}: no strategy is left to choose: {why}")
    return rows, left_out


def _costs(run: RunData, rows: pd.DataFrame, extra: pd.Series[float], name: str) -> Costs:
    # Puzzle names are unique only within their collection.
    # Imported files may have measured different puzzles with different strategies.
    measured = without_gaps(times(rows.assign(puzzle=rows["collection"] + "\n" + rows["puzzle"]), "cpu_s"))
    if not measured.puzzles:
        raise InputError(f"{name}: no puzzle was measured with all strategies; name some strategies with -s")
    puzzles = run.puzzles.set_index(PUZZLE).loc[[tuple(key.split("\n", 1)) for key in measured.puzzles]].reset_index()
    if "grid" in puzzles and puzzles["grid"].map(size_of_text, na_action="ignore").nunique() > 1:
        raise InputError(f"{name}: has boards of several sizes; name collections of one size with -d")
    cluster = clusters(puzzles)
    if cluster.max() + 1 < LEAST_PUZZLES:
        raise InputError(
            f"{name}: has {len(cluster)} puzzles of which {cluster.max() + 1} are independent ({AS_ONE}), too few to"
            f" choose by; {LEAST_PUZZLES} are needed"
        )
    per_puzzle: Floats = np.asarray(
        extra.reindex(list(measured.strategies)).fillna(0.0), np.float64
    )  # unknown in imported runs
    return Costs(measured.strategies, np.exp(measured.log_s), measured.censored, per_puzzle, cluster)


def _table(costs: Costs, asked: int, once: bool) -> pd.DataFrame:
    """Return the rows of the table; ``once``: extra seconds are paid once, and so are no part of ``cost_s``."""
    seconds, eligible = costs.penalised, costs.eligible
    means = seconds.mean(axis=(1, 2))
    unfinished = costs.unfinished.sum(axis=(1, 2))
    order = [int(place) for place in np.lexsort((means, unfinished, ~eligible))]
    best, rows = order[0], []
    others = max(1, int(eligible.sum()) - 1)
    for place in order:
        row: dict[str, Any] = {"strategy": costs.strategies[place], "reason": ""}
        if not eligible[place]:
            rows.append(row | {"standing": LEFT_OUT, "reason": "left puzzles unsolved that others solved"})
            continue
        cost = float(means[place] - costs.extra[place] if once else means[place])
        row |= {"cost_s": cost, "total_s": float(asked * means[place]), "standing": BEST, "excess": 0.0}
        if place != best:
            row |= _excess(seconds[place], seconds[best], costs.clusters, others)
        rows.append(row)
    return pd.DataFrame(rows)


def _excess(seconds: Floats, best: Floats, clusters: Indices, others: int) -> dict[str, Any]:
    """Return the columns on the excess cost of a strategy over the best.

    Args:
        seconds, best: of the strategy and of the best, puzzles × repetitions.
        clusters: cluster number of each puzzle.
        others: number of strategies compared with the best.
    """
    own, of_best = by_cluster(seconds, clusters), by_cluster(best, clusters)
    result = excess(own, of_best, ALPHA / others)
    standing = SLOWER if is_dearer(own, of_best, result, ALPHA / others) else TIED
    if own.shape[1] < LEAST_REPETITIONS:
        return {"excess": result.ratio - 1, "standing": standing}  # an interval would be too narrow
    return {
        "excess": result.ratio - 1,
        "excess_lo": result.lo - 1,
        "excess_hi": result.hi - 1,
        "p": min(1.0, others * result.p),
        "standing": standing,
    }
