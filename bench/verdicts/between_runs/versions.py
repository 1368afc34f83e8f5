"""Pairs of one run, seen from one side: against a baseline, or the new version of a strategy against the old one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from bench.verdicts.between_runs.comparison import (
    CANNOT_TELL,
    FASTER_PERHAPS,
    IMPROVEMENT,
    NO_CHANGE,
    NOT_COMPARED,
    REGRESSION,
    SLOWER_PERHAPS,
    TOO_FEW,
    lost,
    lost_words,
)
from bench.verdicts.between_runs.sameness import measured
from bench.verdicts.run_data import RunData, wrong_answers

ENDS = (("ratio_lo", "ratio_hi"), ("simultaneous_lo", "simultaneous_hi"), ("at_least", "at_most"))  # of pairs
TURNED = {"a_faster": "b_faster", "b_faster": "a_faster"}
VERSION_COLUMNS = (
    "strategy",
    "collection",
    "n_puzzles",
    "ratio",  # time of the new version / time of the old
    "ratio_lo",
    "ratio_hi",
    "p_holm",
    "lost",  # puzzles that the old version always solved and the new one mostly did not finish
    "verdict",
    "reason",
)


def against(pairs: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """The pairs that the baseline is in, turned so that it is ``b``: ratios are of the other's time to its."""
    lines = [
        line if line["b"] == baseline else turned(line)
        for line in pairs.to_dict("records")
        if baseline in (line["a"], line["b"])
    ]
    return pd.DataFrame(lines, columns=list(pairs.columns))


def turned(line: Mapping[Any, Any]) -> dict[Any, Any]:
    """A pair the other way round."""
    ends = {key: 1 / line[other] for low, high in ENDS if low in line for key, other in ((low, high), (high, low))}
    return {
        **line,
        **ends,
        "a": line["b"],
        "b": line["a"],
        "ratio": 1 / line["ratio"],
        "wins": line["losses"],
        "losses": line["wins"],
        "verdict": TURNED.get(line["verdict"], line["verdict"]),
    }


def compare(
    run: RunData, pairs: pd.DataFrame, names: Sequence[str], prefixes: tuple[str, str], margin: float
) -> pd.DataFrame:
    """What became of each strategy from its old version to its new one, in a run that has both.

    A *regression* (an *improvement*) is a pair that is told apart and whose simultaneous interval lies beyond the
    margin; ``equivalent`` is *no change*. Lost puzzles and wrong answers of the new version alone are regressions too.

    Args:
        pairs: of the run, as ``pairs.pairs`` gives them.
        names: of the strategies; prefixes: of the old version and of the new one.
    """
    rows = measured(run)
    wrong = set(wrong_answers(run.measurements))
    lines: list[dict[str, Any]] = []
    for name in names:
        old, new = (prefix + name for prefix in prefixes)
        own = against(pairs[pairs["a"].isin((old, new)) & pairs["b"].isin((old, new))], old)
        for collection in dict.fromkeys(rows["collection"]):
            found = own[own["collection"] == collection].to_dict("records")
            of_collection = rows[rows["collection"] == collection]
            before, after = (of_collection[of_collection["strategy"] == version] for version in (old, new))
            n_lost = len(lost(before, after, math.log1p(margin)))
            # A row for CPU time, and one for the wall clock where that decides beside it.
            for line in found or [{}]:
                kept = {key: line.get(key) for key in ("n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p_holm")}
                verdict, reason = _verdict(line, n_lost, (old in wrong, new in wrong), margin)
                lines.append(
                    {"strategy": name, "collection": collection, **kept, "lost": n_lost}
                    | {"verdict": verdict, "reason": reason}
                )
    return pd.DataFrame(lines, columns=list(VERSION_COLUMNS))


def _verdict(line: Mapping[Any, Any], n_lost: int, wrong: tuple[bool, bool], margin: float) -> tuple[str, str]:
    was_wrong, is_wrong = wrong
    if was_wrong or (not line and not is_wrong and not n_lost):
        return NOT_COMPARED, "wrong answers of the old version" if was_wrong else "not measured in both versions"
    if is_wrong:
        return REGRESSION, "wrong answers, where the old version had none"
    if n_lost:
        return REGRESSION, lost_words(n_lost)
    words = line["verdict"]
    if words == "b_faster":
        return (REGRESSION, "") if line["simultaneous_lo"] > 1 + margin else (CANNOT_TELL, SLOWER_PERHAPS)
    if words == "a_faster":
        return (IMPROVEMENT, "") if line["simultaneous_hi"] < 1 / (1 + margin) else (CANNOT_TELL, FASTER_PERHAPS)
    return {"equivalent": (NO_CHANGE, ""), "too_few": (TOO_FEW, "too few puzzles")}.get(words, (CANNOT_TELL, ""))
