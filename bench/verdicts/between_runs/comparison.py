"""The comparison of two runs: which strategies became slower or faster.

The launch is the unit of replication, because disturbances of the machine affect all solves of a launch. Each launch
has one figure per strategy and collection, the mean over its solves of the logarithm of time; if two runs solved the
same forms, their times are subtracted solve by solve first. The median change of strategies that did not change, within
the same launch, is the machine's, and is subtracted too, with its error (``machine_effect``).

An unfinished solve is censored at its limit. The figure of a launch is then a median with a lower and an upper bound;
if these differ, the ratio has only bounds. The verdicts apply to the measured puzzles only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.folder.method import setting
from sudoku_bench.bench.verdicts.between_runs.compatibility import (
    Company,
    Names,
    RunPair,
    allowed_change,
    cautions,
    machine_changes,
    require_comparable,
    same_forms,
    unchanged,
)
from sudoku_bench.bench.verdicts.between_runs.launches import (
    Launches,
    all_finished,
    difference,
    finished,
    interval,
    of_run,
    p_beyond,
    ratio,
)
from sudoku_bench.bench.verdicts.between_runs.machine_effect import (
    MAJORITY,
    MachineEffect,
    machine_effect,
    subtracted,
)
from sudoku_bench.bench.verdicts.run_data import RunData, disqualified
from sudoku_bench.bench.verdicts.times import Times, times
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.naming import counted

ALPHA = 0.05
Z_95 = 1.96  # half a 95% interval of a normal value, in standard deviations
MIN_LAUNCHES = 5
REGRESSION, IMPROVEMENT, NO_CHANGE = "regression", "improvement", "no_change"
CANNOT_TELL, TOO_FEW, NOT_COMPARED = "cannot_tell", "too_few", "not_compared"
SLOWER_WITHIN_MARGIN = "slower, but possibly by less than the margin"
FASTER_WITHIN_MARGIN = "faster, but possibly by less than the margin"
WITHIN_COMPANY = "within what other strategies in the run can change (×{:g})"
CORRECTED = "corrected by the median change of the other strategies, which is the machine's: {}"
NOT_CORRECTED = (
    f"without {MAJORITY} other strategies that are known to be unchanged, intervals allow for a machine that became up"
    " to {:.3g} times as fast or slow between the runs; run --versions compares in one run"
)
OTHER_FORMS = "the runs solved different forms (--seed, --repetitions or --budget differ), so intervals are wider"

COMPARED_COLUMNS = (
    *("strategy", "collection", "n_puzzles", "launches", "estimator", "ratio", "ratio_lo", "ratio_hi", "unchanged"),
    *("drift", "p_holm", "unfinished_old", "unfinished_new", "lost", "gained", "verdict"),
    *("reason",),
)
TYPES = (  # of columns that may be empty
    dict.fromkeys(("ratio", "ratio_lo", "ratio_hi", "drift", "p_holm"), "float64")
    | dict.fromkeys(("launches", "unchanged", "unfinished_old", "unfinished_new", "lost", "gained"), "Int64")
)


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        table: a row per strategy × collection, columns ``COMPARED_COLUMNS``.
        cautions: what a reader must know, a line each.
        margin: relative change that counts as none.
        paired: both runs solved the same forms.
    """

    table: pd.DataFrame
    cautions: tuple[str, ...]
    margin: float
    paired: bool

    @property
    def regressed(self) -> bool:
        """Whether any strategy has a regression."""
        return bool((self.table["verdict"] == REGRESSION).any())


@dataclass(frozen=True)
class Part:
    """The times of one collection in both runs, puzzles in the same order; ``paired``: of the same forms."""

    old: Times
    new: Times
    paired: bool

    def launches(self, strategy: str) -> tuple[Launches, ...]:
        """Return a strategy's launches: paired differences (one item), or those of the old and the new run (two)."""
        if self.paired:
            return (difference(self.old, self.new, strategy),)
        finished_all = self.all_finished(strategy)
        return of_run(self.old, strategy, finished_all), of_run(self.new, strategy, finished_all)

    def all_finished(self, strategy: str) -> bool:
        """Return whether a strategy finished every solve in both runs."""
        return all_finished(self.old, strategy) and all_finished(self.new, strategy)

    def is_usable(self, strategy: str) -> bool:
        """Return whether a strategy can show what the machine did: it finished every solve and has enough launches."""
        return (
            self.all_finished(strategy) and min(len(part.numbers) for part in self.launches(strategy)) >= MIN_LAUNCHES
        )


def compare(
    old: RunData,
    new: RunData,
    margin: float | None = None,
    names: Names = ("the old run", "the new run"),
    company: Company | None = None,
) -> Comparison:
    """Compare two runs by strategy and collection, by CPU time.

    Intervals of ratios are Student's over launches (Welch 1947 if the forms differ), corrected for all rows together
    (Bonferroni). A *regression* (an *improvement*) is claimed if the interval lies beyond the margin on that side, *no
    change* if it lies within the margin. Lost puzzles and new wrong answers are regressions too. With fewer than
    ``MIN_LAUNCHES`` launches there is no verdict on times. If the strategies of the runs differ, a change must also be
    beyond what that can explain.

    Args:
        margin: relative change that is too small to matter (0.05 is 5%); by default the declared margin of ``new``.
        names: of the runs, for messages.
        company: strategies that only one of the whole runs has, if these are parts of them (see ``RunPair``).

    Raises:
        InputError: the runs cannot be compared.
    """
    margin = float(setting(new.manifest, "margin")) if margin is None else margin
    if not 0 <= margin < math.inf:
        raise InputError(f"the margin must be 0 or more, such as 0.05 for 5%, not {margin}")
    runs = RunPair.of(old, new, names, company)
    require_comparable(runs)
    common = sorted(set(runs.rows[0]["strategy"]) & set(runs.rows[1]["strategy"]))
    old_common, new_common = (part[part["strategy"].isin(common)] for part in runs.rows)
    seeds = old.manifest["suite"].get("seed"), new.manifest["suite"].get("seed")
    paired, elsewhere = same_forms(old_common, new_common, seeds), bool(machine_changes(runs))
    candidates = unchanged(runs, common)
    rows: list[dict[str, Any]] = []
    shifts: dict[str, float] = {}
    drift = 0.0
    for collection in dict.fromkeys(old.puzzles["collection"]):
        old_rows, new_rows = (part[part["collection"] == collection] for part in (old_common, new_common))
        if old_rows.empty or new_rows.empty:
            continue
        part = _part(old_rows, new_rows, paired)
        usable = {name: part.launches(name) for name in candidates if part.is_usable(name)}
        for strategy in common:
            allowed = allowed_change(runs, strategy, collection)
            # Other company may have changed any of them.
            others = [launches for name, launches in usable.items() if name != strategy and allowed == 1]
            machine = machine_effect(others, elsewhere)
            if machine.number:
                shifts[collection] = machine.shift
            else:
                drift = max(drift, machine.drift)
            row = {"strategy": strategy, "collection": collection, "n_puzzles": len(part.old.puzzles)}
            floor = max(math.log1p(margin), math.log(allowed))
            rows.append(row | {"floor": floor} | _measured(strategy, (old_rows, new_rows), part, machine, floor))
    _exclude_wrong(rows, set(disqualified(old.measurements)), set(disqualified(new.measurements)))
    _decide(rows, math.log1p(margin))
    table = pd.DataFrame(rows).reindex(columns=list(COMPARED_COLUMNS)).astype(TYPES)
    seen = ", ".join(f"{name} ×{math.exp(shift):.3g}" for name, shift in shifts.items())
    notes = [
        *cautions(runs),
        *([] if paired else [OTHER_FORMS]),
        *([CORRECTED.format(seen)] if seen else []),
        *([NOT_CORRECTED.format(math.exp(Z_95 * drift))] if drift else []),
    ]
    return Comparison(table, tuple(notes), margin, paired)


def _measured(
    strategy: str, rows: tuple[pd.DataFrame, pd.DataFrame], part: Part, machine: MachineEffect, floor: float
) -> dict[str, Any]:
    """Return the measured columns of a strategy in a collection; with a verdict only if it is not compared.

    Args:
        rows: of all strategies in the collection, in the old and in the new run.
        floor: the smallest log ratio that is claimed.
    """
    old, new = (run_rows[run_rows["strategy"] == strategy] for run_rows in rows)
    if old.empty or new.empty:
        return {"verdict": NOT_COMPARED, "reason": "measured in one of the runs only"}
    if any((run_rows["status"] == "unsupported").any() for run_rows in (old, new)):
        return {"verdict": NOT_COMPARED, "reason": "unsupported in one of the runs"}
    launches = part.launches(strategy)
    corrected = machine.corrected(launches)
    unfinished = [int((~finished(run_rows)).sum()) for run_rows in (old, new)]
    near = floor + Z_95 * machine.drift  # a timeout within this of the limit may be due to the machine
    return ratio(corrected) | {
        "launches": min(len(part.numbers) for part in subtracted(launches, machine.launches)),
        "estimator": "median" if any(unfinished) else "geometric mean",
        "unchanged": machine.number,
        "drift": math.expm1(machine.drift),
        "estimate": corrected,
        "unfinished_old": unfinished[0],
        "unfinished_new": unfinished[1],
        "lost": len(lost(old, new, near, machine.shift)),
        "gained": len(lost(new, old, near, -machine.shift)),
    }


def _part(old_rows: pd.DataFrame, new_rows: pd.DataFrame, paired: bool) -> Part:
    old, new = times(old_rows), times(new_rows)
    common = [puzzle for puzzle in old.puzzles if puzzle in new.puzzles]
    places = [np.array([run.puzzles.index(puzzle) for puzzle in common], dtype=np.intp) for run in (old, new)]
    return Part(old.part(places[0]), new.part(places[1]), paired)


def lost(old: pd.DataFrame, new: pd.DataFrame, floor: float, shift: float = 0.0) -> list[str]:
    """Return the puzzles that one run always solved and the other mostly did not finish.

    A timeout counts only if a change by ``floor`` (of log time, after the machine's ``shift``) could not have moved the
    slowest of the old solves beyond the limit.

    Args:
        old, new: rows of one strategy and collection.
    """
    if finished(new).all():
        return []
    before = old.assign(finished=finished(old)).groupby("puzzle").agg(all=("finished", "all"), slowest=("cpu_s", "max"))
    after = new.assign(failed=~finished(new), late=new["status"] == "timeout", log_limit=np.log(new["limit_s"]))
    shares = after.groupby("puzzle").agg(failed=("failed", "mean"), late=("late", "mean"), limit=("log_limit", "min"))
    table = before.join(shares, how="inner")
    near = np.log(table["slowest"]) + shift + floor >= table["limit"]
    failed = table["failed"] - table["late"].where(near, 0.0)
    return [str(puzzle) for puzzle in table.index[table["all"] & (failed > 0.5)]]


def _exclude_wrong(rows: list[dict[str, Any]], wrong_before: set[str], wrong_now: set[str]) -> None:
    """Decide strategies with wrong answers or false times, which have no times; new ones are a regression."""
    for row in rows:
        if row["strategy"] in wrong_before:
            verdict, reason = NOT_COMPARED, "wrong answers or false times in the old run"
        elif row["strategy"] in wrong_now:
            verdict, reason = REGRESSION, "wrong answers or false times; the old run had none"
        else:
            continue
        row |= {"ratio": None, "ratio_lo": None, "ratio_hi": None, "verdict": verdict, "reason": reason}


def _decide(rows: list[dict[str, Any]], floor: float) -> None:
    """Decide all rows that have no verdict yet, as one family; ``floor`` is the margin as a log ratio."""
    for row in rows:
        if "verdict" not in row and row["launches"] < MIN_LAUNCHES:
            launches = counted(row["launches"], "complete launch", "complete launches")
            reason = f"{launches} in both; {MIN_LAUNCHES} are needed (--launches)"
            row |= {"verdict": TOO_FEW, "reason": reason, "ratio_lo": None, "ratio_hi": None}
    family = [row for row in rows if "verdict" not in row]
    for row in family:
        p = min(1.0, len(family) * p_beyond(row["estimate"], row["floor"]))
        low, high = interval(row["estimate"], ALPHA / len(family) / 2)
        row |= {"p_holm": p, "ratio_lo": low, "ratio_hi": high}
        row |= _verdict(row, p < ALPHA, math.exp(floor))


def _verdict(row: Mapping[str, Any], is_changed: bool, margin: float) -> dict[str, str]:
    """Return the verdict of a row and its reason; ``margin`` is the ratio that counts as none."""
    verdict, reason, (low, high) = CANNOT_TELL, "", _ends(row)
    if row["lost"]:
        verdict, reason = REGRESSION, lost_text(row["lost"])
    elif is_changed:
        verdict = REGRESSION if row["estimate"].middle > 0 else IMPROVEMENT
    elif low > 1 / margin and high < margin:
        verdict = NO_CHANGE
    elif row["floor"] > math.log(margin) and (low > margin or high < 1 / margin):
        reason = WITHIN_COMPANY.format(round(math.exp(row["floor"]), 2))
    elif low > 1:
        reason = SLOWER_WITHIN_MARGIN
    elif high < 1:
        reason = FASTER_WITHIN_MARGIN
    return {"verdict": verdict, "reason": reason}


def _ends(row: Mapping[str, Any]) -> tuple[float, float]:
    """Return the ends of the interval of a ratio, 0 and infinity where it has no bound."""
    low, high = row["ratio_lo"], row["ratio_hi"]
    return 0.0 if low is None else low, math.inf if high is None else high


def lost_text(number: int) -> str:
    """Return the reason of a regression by lost puzzles."""
    return f"{number} puzzle{'s' * (number > 1)} always solved before, now mostly not finished"
