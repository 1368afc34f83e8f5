"""The choice of a strategy, its regret, and the strategies that are statistically tied with it.

A user pays the sum of the times of all puzzles, so the cost of a strategy is an arithmetic mean, not a geometric one:
seconds per puzzle over puzzles like those of the run. The cost of a strategy that leaves a puzzle unsolved is unknown;
it is chosen only if no strategy solves all puzzles, and then by PAR-2 (an unfinished solve counts as twice the limit),
which the result states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bench.folder.method import setting
from bench.verdicts.arrays import Floats, Indices
from bench.verdicts.between_runs.compatibility import counted_rows
from bench.verdicts.choice.mean_costs import error_of_mean, excess, log_spread
from bench.verdicts.choice.regret import Costs, Regret, by_cluster, regret
from bench.verdicts.lineages import clusters
from bench.verdicts.pairs.decision import LEAST_PUZZLES
from bench.verdicts.run_data import RunData, disqualified, prepare_seconds
from bench.verdicts.times import times
from datasets.errors import InputError

ALPHA = 0.05
DISQUALIFIED = {"wrong": "gave wrong answers", "mistimed": "reported false times"}
# Standard error of the logarithm of a mean, beyond which most runs do not rule out a cost of 1.5 times the best
# (bench.studies.simulations).
TOO_UNCERTAIN = 0.25
MEAN, PAR2 = "mean", "par2"
PUZZLE = ["collection", "puzzle"]
BEST, TIED, SLOWER, LEFT_OUT = "best", "not_apart", "slower", "left_out"

CHOICE_COLUMNS = (
    *("strategy", "standing", "cost_s", "prepare_s", "excess", "excess_lo", "excess_hi", "p", "unfinished", "reason"),
)


@dataclass(frozen=True)
class Choice:
    """The result of a choice.

    Attributes:
        table: a row per strategy, the best first, columns ``CHOICE_COLUMNS``.
        mode: of the run; costs are those of its processes: ``warm``, ``cold`` or ``batch:B``.
        criterion: ``mean`` or ``par2``.
        n_puzzles, solves_each: number of puzzles that it is based on, and of solves of each.
        log_spread: standard deviation of log costs over puzzles, the largest of the strategies to choose from.
    """

    table: pd.DataFrame
    mode: str
    criterion: str
    regret: Regret
    n_puzzles: int
    solves_each: int
    log_spread: float

    @property
    def is_uncertain(self) -> bool:
        """Whether costs spread too much for the number of puzzles to rule out what costs 1.5 times the best."""
        return error_of_mean(self.log_spread, self.n_puzzles) > TOO_UNCERTAIN

    @property
    def best(self) -> str:
        """Name of the best strategy."""
        return str(self.table["strategy"].iloc[0])


def choose(run: RunData, task: str | None = None, collections: tuple[str, ...] = (), name: str = "the run") -> Choice:
    """Return the best strategy of a run, and the standing of the others.

    A strategy is slower than the best by two one-sided paired tests of mean costs that agree (``mean_costs``), with
    puzzles and repetitions as random effects, at 5% divided by the number of other strategies (Bonferroni); otherwise
    it is tied. With 95% confidence the truly best strategy is the selected one or tied with it, regardless of how the
    best was selected (a set of the best, Hsu 1984).

    Args:
        task: the task; by default that of the run.
        collections: only these; by default all.
        name: of the run, for messages.

    Raises:
        InputError: the run did not measure that.
    """
    _require_measured(run, task, name)
    mode = str(setting(run.manifest, "mode"))
    rows, left_out = _candidates(run, collections, name)
    costs = _costs(run, rows, int(mode.partition(":")[2] or 0), name)
    eligible, seconds = costs.eligible, costs.penalised
    unfinished = dict(zip(costs.strategies, costs.unfinished.sum(axis=(1, 2)).tolist(), strict=True))
    table = _table(costs)
    names = table["strategy"]
    table = table.assign(prepare_s=names.map(prepare_seconds(rows)), unfinished=names.map(unfinished))
    excluded = [{"strategy": key, "standing": LEFT_OUT, "reason": reason} for key, reason in left_out.items()]
    if excluded:
        table = pd.concat([table, pd.DataFrame(excluded)], ignore_index=True)
    _, puzzles, repetitions = seconds.shape
    spread = max(log_spread(by_cluster(of_one, costs.clusters)) for of_one in seconds[eligible])
    criterion = MEAN if costs.solves_all.any() else PAR2
    table = table.reindex(columns=list(CHOICE_COLUMNS))
    return Choice(table, mode, criterion, regret(costs), puzzles, repetitions, spread)


def _require_measured(run: RunData, task: str | None, name: str) -> None:
    suite = run.manifest["suite"]
    if task is not None and task != suite["task"]:
        raise InputError(f"{name}: measured the task {suite['task']}, not {task}; measure with --task {task}")
    if run.manifest.get("complete") is False:
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
        raise InputError(f"{name}: has {n_puzzles} puzzles, too few to choose by; {LEAST_PUZZLES} are needed")
    without_times = disqualified(run.measurements)
    unsupported = set(rows.loc[rows["status"] == "unsupported", "strategy"]) - without_times.keys()
    measured = set(rows["strategy"])
    left_out = {name: DISQUALIFIED[status] for name, status in sorted(without_times.items()) if name in measured}
    left_out |= dict.fromkeys(sorted(unsupported), "unsupported on some of these puzzles")
    rows = rows[~rows["strategy"].isin(left_out)]
    if rows.empty:
        raise InputError(f"{name}: no strategy is left to choose: all were wrong, mistimed or unsupported")
    return rows, left_out


def _costs(run: RunData, rows: pd.DataFrame, batch: int, name: str) -> Costs:
    # Puzzle names are unique only within their collection.
    measured = times(rows.assign(puzzle=rows["collection"] + "\n" + rows["puzzle"]), "cpu_s")
    puzzles = run.puzzles.set_index(PUZZLE).loc[[tuple(key.split("\n", 1)) for key in measured.puzzles]].reset_index()
    if "grid" in puzzles and puzzles["grid"].str.len().nunique() > 1:
        raise InputError(f"{name}: has boards of several sizes; name collections of one size with -d")
    if np.isnan(measured.log_s).any():
        raise InputError(f"{name}: some measurements are missing; continue it with --resume first")
    lineage = clusters(puzzles)
    if lineage.max() + 1 < LEAST_PUZZLES:
        raise InputError(
            f"{name}: has {len(lineage)} puzzles of {lineage.max() + 1} lineages, too few to choose by;"
            f" {LEAST_PUZZLES} are needed"
        )
    prepare = prepare_seconds(rows).reindex(list(measured.strategies)).to_numpy(np.float64)
    extra = prepare / batch if batch else np.zeros(len(prepare))
    return Costs(measured.strategies, np.exp(measured.log_s), measured.censored, extra, lineage)


def _table(costs: Costs) -> pd.DataFrame:
    seconds, eligible = costs.penalised, costs.eligible
    means = seconds.mean(axis=(1, 2))
    order = [int(place) for place in np.argsort(np.where(eligible, means, np.inf), kind="stable")]
    best, rows = order[0], []
    others = max(1, int(eligible.sum()) - 1)
    for place in order:
        row: dict[str, Any] = {"strategy": costs.strategies[place], "reason": ""}
        if not eligible[place]:
            rows.append(row | {"standing": LEFT_OUT, "reason": "left puzzles unsolved that others solved"})
            continue
        row |= {"cost_s": float(means[place]), "standing": BEST, "excess": 0.0}
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
    result = excess(by_cluster(seconds, clusters), by_cluster(best, clusters), ALPHA / others)
    p = min(1.0, others * result.p)
    return {
        "excess": result.ratio - 1,
        "excess_lo": result.lo - 1,
        "excess_hi": result.hi - 1,
        "p": p,
        "standing": SLOWER if p < ALPHA else TIED,
    }
