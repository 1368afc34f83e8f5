"""Two runs of the same measurements: which strategies became slower, which faster?

The launch is the unit of replication: what happens to a machine while it runs a launch happens to all solves of it. A
launch condenses to one figure for each strategy and collection, the mean over its solves of the logarithm of time; two
runs that solved the same forms are subtracted solve by solve first. Anchors are strategies that did not change: what
they took longer or shorter within the same launch is the machine's, and is subtracted too, with all its error.

A solve that was not finished is longer than its limit. Where there is one, the figure of a launch is a median, at its
least and at its most, and where the two differ only a bound is told. The verdicts are about the puzzles measured, and
say nothing of other puzzles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from bench.verdicts.between_runs.launches import Launches, difference, estimates, finished, is_whole, own
from bench.verdicts.between_runs.sameness import Both, Names, cautions, must_be_anchors, must_be_comparable, same_forms
from bench.verdicts.pairs.decision import holm
from bench.verdicts.run_data import RunData, wrong_answers
from bench.verdicts.times import Times, times
from datasets.errors import InputError

MARGIN = 0.05
ALPHA = 0.05
MIN_LAUNCHES = 5
REGRESSION, IMPROVEMENT, NO_CHANGE = "regression", "improvement", "no_change"
CANNOT_TELL, TOO_FEW, NOT_COMPARED = "cannot_tell", "too_few", "not_compared"
SLOWER_PERHAPS = "slower, but perhaps by less than the margin"
OTHER_FORMS = "the runs solved other forms (--seed, --repetitions, --budget differ): intervals are wider for it"
FASTER_PERHAPS = "faster, but perhaps by less than the margin"

COMPARED_COLUMNS = (
    "strategy",
    "collection",
    "n_puzzles",
    "launches",  # that count, of the run that has fewer
    "estimator",  # geometric mean of the ratios, or median where a solve was not finished
    "ratio",  # time in the new run / time in the old, less what the anchors say of the machine
    "ratio_lo",  # 95% interval; empty where unfinished solves leave an end unknown
    "ratio_hi",
    "p_holm",  # of a change beyond the floor, over all rows
    "floor",  # log ratio below which nothing is claimed: the margin, or what the anchors disagree by if that is more
    "unfinished_old",  # solves
    "unfinished_new",
    "lost",  # puzzles that the old run always solved and the new one mostly did not finish
    "gained",  # the other way round
    "verdict",
    "reason",
)
KINDS = (  # of columns that may be empty
    dict.fromkeys(("ratio", "ratio_lo", "ratio_hi", "p_holm", "floor"), "float64")
    | dict.fromkeys(("launches", "unfinished_old", "unfinished_new", "lost", "gained"), "Int64")
)
ANCHOR_COLUMNS = ("anchor", "collection", "ratio", "ratio_lo", "ratio_hi")


@dataclass(frozen=True)
class Comparison:
    """What became of each strategy.

    Attributes:
        table: a row per strategy × collection, columns ``COMPARED_COLUMNS``.
        anchors: a row per anchor × collection, columns ``ANCHOR_COLUMNS``.
        cautions: what a reader must know, a line each.
        paired: both runs solved the same forms.
    """

    table: pd.DataFrame
    anchors: pd.DataFrame
    cautions: tuple[str, ...]
    margin: float
    paired: bool

    @property
    def regressed(self) -> bool:
        return bool((self.table["verdict"] == REGRESSION).any())


@dataclass(frozen=True)
class Part:
    """One collection in both runs: times, puzzles in the same order."""

    old: Times
    new: Times
    paired: bool

    def launches(self, strategy: str) -> tuple[Launches, ...]:
        """The figures of a strategy's launches: of their differences, or of the old run and of the new one."""
        if self.paired:
            return (difference(self.old, self.new, strategy),)
        exact = is_whole(self.old, strategy) and is_whole(self.new, strategy)
        return own(self.old, strategy, exact), own(self.new, strategy, exact)


@dataclass(frozen=True)
class Machine:
    """What the anchors say of the machine, in one collection.

    Attributes:
        launches: of each anchor.
        shift: log ratio of the machines; floor: log ratio below which nothing is claimed.
    """

    launches: tuple[tuple[Launches, ...], ...]
    shift: float
    floor: float

    @classmethod
    def of(cls, launches: Sequence[tuple[Launches, ...]], margin: float) -> Machine:
        """Machines suit strategies differently: what the anchors disagree by, any strategy may differ by."""
        floor, said = math.log1p(margin), [estimates(own_launches).middle for own_launches in launches]
        if not said:
            return cls((), 0.0, floor)
        if not np.isfinite(said).all():
            return cls(tuple(launches), 0.0, math.inf)
        shift = float(np.mean(said))
        return cls(tuple(launches), shift, max(floor, *(abs(value - shift) for value in said)))

    def taken_off(self, launches: tuple[Launches, ...]) -> tuple[Launches, ...]:
        """A strategy's launches less the mean of the anchors' in the same launches."""
        for anchor in self.launches:
            share = 1 / len(self.launches)
            launches = tuple(mine.less(theirs, share) for mine, theirs in zip(launches, anchor, strict=True))
        return launches


def compare(
    old: RunData,
    new: RunData,
    anchors: Sequence[str] = (),
    margin: float = MARGIN,
    names: Names = ("the old run", "the new run"),
) -> Comparison:
    """Compare two runs strategy by strategy and collection by collection, by CPU time.

    A *regression* (an *improvement*) is claimed where the ratio lies beyond the margin on that side, by two one-sided
    t-tests over launches (Student's where the forms are the same, else Welch 1947), corrected over all rows after Holm
    (1979); *no change* where it lies within the margin by two one-sided tests (Schuirmann 1987), corrected likewise.
    Lost puzzles and new wrong answers are regressions too. With fewer than ``MIN_LAUNCHES`` launches no time is judged.

    Args:
        anchors: strategies that stand for the machine; they are not judged themselves.
        margin: what change is too small to matter, as a share (0.05 is 5%).
        names: of the runs, for messages.

    Raises:
        InputError: the runs did not answer the same question, or an anchor cannot serve.
    """
    if not 0 <= margin < math.inf:
        raise InputError(f"the margin must be 0 or more, not {margin}")
    both = Both.of(old, new, names)
    must_be_comparable(both)
    must_be_anchors(both, anchors)
    present = set(both.rows[1]["strategy"])
    common = [name for name in sorted(set(both.rows[0]["strategy"])) if name in present]
    rows = [part[part["strategy"].isin(common)] for part in both.rows]
    judged = [name for name in common if name not in anchors]
    if not judged:
        raise InputError("every strategy that both runs have is an anchor; there is nothing left to compare")
    seeds = old.manifest["suite"].get("seed"), new.manifest["suite"].get("seed")
    paired = same_forms(rows[0], rows[1], seeds)
    lines: list[dict[str, Any]] = []
    of_anchors: list[dict[str, Any]] = []
    for collection in dict.fromkeys(old.puzzles["collection"]):
        old_rows, new_rows = (own_rows[own_rows["collection"] == collection] for own_rows in rows)
        if old_rows.empty or new_rows.empty:
            continue
        part = _part(old_rows, new_rows, paired)
        machine = Machine.of([part.launches(anchor) for anchor in anchors], margin)
        for anchor, launches in zip(anchors, machine.launches, strict=True):
            of_anchors.append({"anchor": anchor, "collection": collection, **estimates(launches).ratio()})
        for strategy in judged:
            own_rows = old_rows[old_rows["strategy"] == strategy], new_rows[new_rows["strategy"] == strategy]
            line = {"strategy": strategy, "collection": collection, "n_puzzles": len(part.old.puzzles)}
            lines.append(line | _measured(strategy, own_rows, part, machine))
    _exclude(lines, set(wrong_answers(old.measurements)), set(wrong_answers(new.measurements)))
    _decide(lines)
    return Comparison(
        pd.DataFrame(lines).reindex(columns=list(COMPARED_COLUMNS)).astype(KINDS),
        pd.DataFrame(of_anchors, columns=list(ANCHOR_COLUMNS)).astype(dict.fromkeys(ANCHOR_COLUMNS[2:], "float64")),
        (*cautions(both, anchors), *([] if paired else [OTHER_FORMS])),
        margin,
        paired,
    )


def _measured(strategy: str, rows: tuple[pd.DataFrame, pd.DataFrame], part: Part, machine: Machine) -> dict[str, Any]:
    """What there is to say of a strategy in a collection, before anything is judged."""
    old, new = rows
    if old.empty or new.empty:
        return {"verdict": NOT_COMPARED, "reason": "measured in one of the runs only"}
    if any((own_rows["status"] == "unsupported").any() for own_rows in rows):
        return {"verdict": NOT_COMPARED, "reason": "unsupported in one of the runs"}
    launches = machine.taken_off(part.launches(strategy))
    found = estimates(launches)
    unfinished = [int((~finished(own_rows)).sum()) for own_rows in rows]
    return found.ratio() | {
        "launches": min(one.number for one in launches),
        "estimator": "median" if any(unfinished) else "geometric mean",
        "floor": machine.floor,
        "estimate": found,
        "unfinished_old": unfinished[0],
        "unfinished_new": unfinished[1],
        "lost": len(lost(old, new, machine.floor, machine.shift)),
        "gained": len(lost(new, old, machine.floor, -machine.shift)),
    }


def _part(old_rows: pd.DataFrame, new_rows: pd.DataFrame, paired: bool) -> Part:
    old, new = times(old_rows), times(new_rows)
    puzzles = tuple(puzzle for puzzle in old.puzzles if puzzle in new.puzzles)
    return Part(_only(old, puzzles), _only(new, puzzles), paired)


def _only(found: Times, puzzles: tuple[str, ...]) -> Times:
    order = [found.puzzles.index(puzzle) for puzzle in puzzles]
    return replace(found, puzzles=puzzles, log_s=found.log_s[:, order], censored=found.censored[:, order])


def lost(old: pd.DataFrame, new: pd.DataFrame, floor: float, shift: float = 0.0) -> list[str]:
    """Puzzles that one run always solved and the other mostly did not finish (rows of one strategy and collection).

    A timeout counts where the slowest of the old solves was so far below the limit that a change by ``floor`` (of
    log time, after the machine's ``shift``) could not have carried it there.
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


def _exclude(lines: list[dict[str, Any]], wrong_before: set[str], wrong_now: set[str]) -> None:
    """Wrong answers have no time. Those that are new are worse than any."""
    for line in lines:
        if line["strategy"] in wrong_before:
            verdict, reason = NOT_COMPARED, "wrong answers in the old run"
        elif line["strategy"] in wrong_now:
            verdict, reason = REGRESSION, "wrong answers, where the old run had none"
        else:
            continue
        line |= {"ratio": None, "ratio_lo": None, "ratio_hi": None, "verdict": verdict, "reason": reason}


def _decide(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        if "verdict" not in line and line["launches"] < MIN_LAUNCHES:
            needed = f"{line['launches']} whole launches in both; {MIN_LAUNCHES} are needed (--launches)"
            line |= {"verdict": TOO_FEW, "reason": needed, "ratio_lo": None, "ratio_hi": None}
    family = [line for line in lines if "verdict" not in line]
    beyond = holm(np.array([line["estimate"].p_beyond(line["floor"]) for line in family]))
    within = holm(np.array([line["estimate"].p_within(line["floor"]) for line in family]))
    for line, p_beyond, p_within in zip(family, beyond, within, strict=True):
        line |= {"p_holm": float(p_beyond)} | _verdict(line, float(p_beyond), float(p_within))


def _verdict(line: Mapping[str, Any], p_beyond: float, p_within: float) -> dict[str, str]:
    if line["lost"]:
        return {"verdict": REGRESSION, "reason": lost_words(line["lost"])}
    if p_beyond < ALPHA:
        return {"verdict": REGRESSION if line["estimate"].middle > 0 else IMPROVEMENT, "reason": ""}
    if p_within < ALPHA:
        return {"verdict": NO_CHANGE, "reason": ""}
    if line["ratio_lo"] is not None and line["ratio_lo"] > 1:
        return {"verdict": CANNOT_TELL, "reason": SLOWER_PERHAPS}
    if line["ratio_hi"] is not None and line["ratio_hi"] < 1:
        return {"verdict": CANNOT_TELL, "reason": FASTER_PERHAPS}
    return {"verdict": CANNOT_TELL, "reason": ""}


def lost_words(number: int) -> str:
    return f"{number} puzzle{'s' * (number > 1)} always solved before, now mostly not finished"
