"""The comparison of two runs: which strategies became slower or faster.

The launch is the unit of replication, because disturbances of the machine affect all solves of a launch. Each launch
has one figure per strategy and collection, the mean over its solves of the logarithm of time; if two runs solved the
same forms, their times are subtracted solve by solve first. Anchors are strategies that did not change: their change
within the same launch is due to the machine, and is subtracted too, with its error.

An unfinished solve is censored at its limit. The figure of a launch is then a median with a lower and an upper bound;
if these differ, the ratio has only bounds. The verdicts apply to the measured puzzles only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from bench.folder.method import setting
from bench.verdicts.between_runs.compatibility import (
    Names,
    RunPair,
    cautions,
    require_comparable,
    require_valid_anchors,
    same_forms,
)
from bench.verdicts.between_runs.launches import Launches, all_finished, difference, estimates, finished, of_run
from bench.verdicts.pairs.decision import holm
from bench.verdicts.run_data import RunData, wrong_answers
from bench.verdicts.times import Times, times
from datasets.errors import InputError

ALPHA = 0.05
MIN_LAUNCHES = 5
REGRESSION, IMPROVEMENT, NO_CHANGE = "regression", "improvement", "no_change"
CANNOT_TELL, TOO_FEW, NOT_COMPARED = "cannot_tell", "too_few", "not_compared"
SLOWER_WITHIN_MARGIN = "slower, but possibly by less than the margin"
FASTER_WITHIN_MARGIN = "faster, but possibly by less than the margin"
OTHER_FORMS = "the runs solved different forms (--seed, --repetitions or --budget differ), so intervals are wider"

COMPARED_COLUMNS = (
    "strategy",
    "collection",
    "n_puzzles",
    "launches",  # complete ones, of the run that has fewer
    "estimator",  # geometric mean of the ratios, or median if a solve was not finished
    "ratio",  # time in the new run / time in the old, corrected for the machine by the anchors
    "ratio_lo",  # 95% interval; empty if unfinished solves leave an end unknown
    "ratio_hi",
    "p_holm",  # of a change beyond the floor, corrected over all rows
    "floor",  # smallest log ratio that is claimed: the margin, or the disagreement of the anchors if larger
    "unfinished_old",  # solves
    "unfinished_new",
    "lost",  # puzzles that the old run always solved and the new one mostly did not finish
    "gained",  # the reverse
    "verdict",
    "reason",
)
TYPES = (  # of columns that may be empty
    dict.fromkeys(("ratio", "ratio_lo", "ratio_hi", "p_holm", "floor"), "float64")
    | dict.fromkeys(("launches", "unfinished_old", "unfinished_new", "lost", "gained"), "Int64")
)
ANCHOR_COLUMNS = ("anchor", "collection", "ratio", "ratio_lo", "ratio_hi")


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        table: a row per strategy × collection, columns ``COMPARED_COLUMNS``.
        anchors: a row per anchor × collection, columns ``ANCHOR_COLUMNS``.
        cautions: what a reader must know, a line each.
        margin: relative change that counts as none.
        paired: both runs solved the same forms.
    """

    table: pd.DataFrame
    anchors: pd.DataFrame
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
        use_mean = all_finished(self.old, strategy) and all_finished(self.new, strategy)
        return of_run(self.old, strategy, use_mean), of_run(self.new, strategy, use_mean)


@dataclass(frozen=True)
class MachineEffect:
    """The effect of the machine in one collection, estimated from the anchors.

    Attributes:
        launches: of each anchor.
        shift: log ratio of the machines; floor: smallest log ratio that is claimed.
    """

    launches: tuple[tuple[Launches, ...], ...]
    shift: float
    floor: float

    @classmethod
    def of(cls, launches: Sequence[tuple[Launches, ...]], margin: float) -> MachineEffect:
        """Estimate the effect; the floor is the margin, or the disagreement of the anchors if that is larger.

        Anchors disagree because a change of machine affects strategies differently.

        Args:
            launches: of each anchor.
        """
        floor, log_ratios = math.log1p(margin), [estimates(of_anchor).middle for of_anchor in launches]
        if not log_ratios:
            return cls((), 0.0, floor)
        if not np.isfinite(log_ratios).all():
            return cls(tuple(launches), 0.0, math.inf)
        shift = float(np.mean(log_ratios))
        return cls(tuple(launches), shift, max(floor, *(abs(value - shift) for value in log_ratios)))

    def subtracted_from(self, launches: tuple[Launches, ...]) -> tuple[Launches, ...]:
        """Return a strategy's launches minus the mean of the anchors in the same launches."""
        for anchor in self.launches:
            share = 1 / len(self.launches)
            launches = tuple(figures.minus(other, share) for figures, other in zip(launches, anchor, strict=True))
        return launches


def compare(
    old: RunData,
    new: RunData,
    anchors: Sequence[str] = (),
    margin: float | None = None,
    names: Names = ("the old run", "the new run"),
) -> Comparison:
    """Compare two runs by strategy and collection, by CPU time.

    A *regression* (an *improvement*) is claimed if the ratio is beyond the margin on that side, by two one-sided
    t-tests over launches (Student's if the forms are the same, else Welch 1947), corrected over all rows after Holm
    (1979); *no change* if it is within the margin by two one-sided tests (Schuirmann 1987), corrected in the same way.
    Lost puzzles and new wrong answers are regressions too. With fewer than ``MIN_LAUNCHES`` launches there is no
    verdict on times.

    Args:
        anchors: strategies that represent the machine; they get no verdict.
        margin: relative change that is too small to matter (0.05 is 5%); by default the declared margin of ``new``.
        names: of the runs, for messages.

    Raises:
        InputError: the runs cannot be compared, or an anchor is invalid.
    """
    margin = float(setting(new.manifest, "margin")) if margin is None else margin
    if not 0 <= margin < math.inf:
        raise InputError(f"the margin must be 0 or more, not {margin}")
    runs = RunPair.of(old, new, names)
    require_comparable(runs)
    require_valid_anchors(runs, anchors)
    common = sorted(set(runs.rows[0]["strategy"]) & set(runs.rows[1]["strategy"]))
    compared = [name for name in common if name not in anchors]
    if not compared:
        raise InputError("every strategy that both runs have is an anchor; there is nothing left to compare")
    old_common, new_common = (part[part["strategy"].isin(common)] for part in runs.rows)
    seeds = old.manifest["suite"].get("seed"), new.manifest["suite"].get("seed")
    paired = same_forms(old_common, new_common, seeds)
    rows: list[dict[str, Any]] = []
    anchor_rows: list[dict[str, Any]] = []
    for collection in dict.fromkeys(old.puzzles["collection"]):
        old_rows, new_rows = (part[part["collection"] == collection] for part in (old_common, new_common))
        if old_rows.empty or new_rows.empty:
            continue
        part = _part(old_rows, new_rows, paired)
        machine = MachineEffect.of([part.launches(anchor) for anchor in anchors], margin)
        for anchor, launches in zip(anchors, machine.launches, strict=True):
            anchor_rows.append({"anchor": anchor, "collection": collection, **estimates(launches).ratio()})
        for strategy in compared:
            row = {"strategy": strategy, "collection": collection, "n_puzzles": len(part.old.puzzles)}
            rows.append(row | _measured(strategy, (old_rows, new_rows), part, machine))
    _exclude_wrong(rows, set(wrong_answers(old.measurements)), set(wrong_answers(new.measurements)))
    _decide(rows)
    table = pd.DataFrame(rows).reindex(columns=list(COMPARED_COLUMNS)).astype(TYPES)
    anchor_table = pd.DataFrame(anchor_rows, columns=list(ANCHOR_COLUMNS))
    anchor_table = anchor_table.astype(dict.fromkeys(ANCHOR_COLUMNS[2:], "float64"))
    return Comparison(
        table, anchor_table, (*cautions(runs, anchors), *([] if paired else [OTHER_FORMS])), margin, paired
    )


def _measured(
    strategy: str, rows: tuple[pd.DataFrame, pd.DataFrame], part: Part, machine: MachineEffect
) -> dict[str, Any]:
    """Return the measured columns of a strategy in a collection; with a verdict only if it is not compared.

    Args:
        rows: of all strategies in the collection, in the old and in the new run.
    """
    old, new = (run_rows[run_rows["strategy"] == strategy] for run_rows in rows)
    if old.empty or new.empty:
        return {"verdict": NOT_COMPARED, "reason": "measured in one of the runs only"}
    if any((run_rows["status"] == "unsupported").any() for run_rows in (old, new)):
        return {"verdict": NOT_COMPARED, "reason": "unsupported in one of the runs"}
    launches = machine.subtracted_from(part.launches(strategy))
    estimate = estimates(launches)
    unfinished = [int((~finished(run_rows)).sum()) for run_rows in (old, new)]
    return estimate.ratio() | {
        "launches": min(figures.count for figures in launches),
        "estimator": "median" if any(unfinished) else "geometric mean",
        "floor": machine.floor,
        "estimate": estimate,
        "unfinished_old": unfinished[0],
        "unfinished_new": unfinished[1],
        "lost": len(lost(old, new, machine.floor, machine.shift)),
        "gained": len(lost(new, old, machine.floor, -machine.shift)),
    }


def _part(old_rows: pd.DataFrame, new_rows: pd.DataFrame, paired: bool) -> Part:
    old, new = times(old_rows), times(new_rows)
    puzzles = tuple(puzzle for puzzle in old.puzzles if puzzle in new.puzzles)
    return Part(_of_puzzles(old, puzzles), _of_puzzles(new, puzzles), paired)


def _of_puzzles(measured: Times, puzzles: tuple[str, ...]) -> Times:
    order = [measured.puzzles.index(puzzle) for puzzle in puzzles]
    return replace(measured, puzzles=puzzles, log_s=measured.log_s[:, order], censored=measured.censored[:, order])


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
    """Decide strategies with wrong answers, which have no times; new wrong answers are a regression."""
    for row in rows:
        if row["strategy"] in wrong_before:
            verdict, reason = NOT_COMPARED, "wrong answers in the old run"
        elif row["strategy"] in wrong_now:
            verdict, reason = REGRESSION, "wrong answers; the old run had none"
        else:
            continue
        row |= {"ratio": None, "ratio_lo": None, "ratio_hi": None, "verdict": verdict, "reason": reason}


def _decide(rows: list[dict[str, Any]]) -> None:
    """Decide all rows that have no verdict yet, as one family."""
    for row in rows:
        if "verdict" not in row and row["launches"] < MIN_LAUNCHES:
            reason = f"{row['launches']} complete launches in both; {MIN_LAUNCHES} are needed (--launches)"
            row |= {"verdict": TOO_FEW, "reason": reason, "ratio_lo": None, "ratio_hi": None}
    family = [row for row in rows if "verdict" not in row]
    beyond = holm(np.array([row["estimate"].p_beyond(row["floor"]) for row in family]))
    within = holm(np.array([row["estimate"].p_within(row["floor"]) for row in family]))
    for row, p_beyond, p_within in zip(family, beyond, within, strict=True):
        row |= {"p_holm": float(p_beyond)} | _verdict(row, float(p_beyond), float(p_within))


def _verdict(row: Mapping[str, Any], p_beyond: float, p_within: float) -> dict[str, str]:
    if row["lost"]:
        return {"verdict": REGRESSION, "reason": lost_text(row["lost"])}
    if p_beyond < ALPHA:
        return {"verdict": REGRESSION if row["estimate"].middle > 0 else IMPROVEMENT, "reason": ""}
    if p_within < ALPHA:
        return {"verdict": NO_CHANGE, "reason": ""}
    if row["ratio_lo"] is not None and row["ratio_lo"] > 1:
        return {"verdict": CANNOT_TELL, "reason": SLOWER_WITHIN_MARGIN}
    if row["ratio_hi"] is not None and row["ratio_hi"] < 1:
        return {"verdict": CANNOT_TELL, "reason": FASTER_WITHIN_MARGIN}
    return {"verdict": CANNOT_TELL, "reason": ""}


def lost_text(number: int) -> str:
    """Return the reason of a regression by lost puzzles."""
    return f"{number} puzzle{'s' * (number > 1)} always solved before, now mostly not finished"
