"""Pairs of one run with a direction: against a baseline, or the new version of a strategy against the old one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sudoku_bench.bench.verdicts.between_runs.comparison import (
    CANNOT_TELL,
    FASTER_WITHIN_MARGIN,
    IMPROVEMENT,
    NO_CHANGE,
    NOT_COMPARED,
    REGRESSION,
    SLOWER_WITHIN_MARGIN,
    TOO_FEW,
    lost,
    lost_text,
)
from sudoku_bench.bench.verdicts.between_runs.compatibility import counted_rows
from sudoku_bench.bench.verdicts.pairs.pairs import against
from sudoku_bench.bench.verdicts.run_data import RunData, disqualified

VERSION_COLUMNS = (
    *("strategy", "collection", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p_holm", "lost"),
    *("verdict", "reason"),
)
FIGURES = ("n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p_holm")  # as in the pairs


def compare(
    run: RunData, pairs: pd.DataFrame, names: Sequence[str], prefixes: tuple[str, str], margin: float
) -> pd.DataFrame:
    """Compare the old and the new version of each strategy, in a run that has both; columns ``VERSION_COLUMNS``.

    A *regression* (an *improvement*) is a difference that is significantly larger than the margin; ``equivalent`` is
    *no change*. Lost puzzles, and wrong answers only of the new version, are regressions too.

    Args:
        pairs: of the versions, as returned by ``pairs.all_pairs``.
        names: of the strategies; prefixes: of the old version and of the new one.
        margin: relative change that is too small to matter, as in the pairs; it decides which puzzles count as lost.
    """
    rows = counted_rows(run)
    wrong = set(disqualified(run.measurements))
    result: list[dict[str, Any]] = []
    for name in names:
        old, new = (prefix + name for prefix in prefixes)
        of_name = against(pairs[pairs["a"].isin((old, new)) & pairs["b"].isin((old, new))], old)
        for collection in dict.fromkeys(rows["collection"]):
            of_collection = rows[rows["collection"] == collection]
            before, after = (of_collection[of_collection["strategy"] == version] for version in (old, new))
            n_lost = len(lost(before, after, math.log1p(margin)))
            # A row for CPU time, and a second one for the wall clock if a version runs in parallel.
            for pair in of_name[of_name["collection"] == collection].to_dict("records") or [{}]:
                verdict, reason = _verdict(pair, n_lost, (old in wrong, new in wrong))
                row = {"strategy": name, "collection": collection, "lost": n_lost, "verdict": verdict, "reason": reason}
                result.append(row | {key: pair.get(key) for key in FIGURES})
    return pd.DataFrame(result, columns=list(VERSION_COLUMNS))


def _verdict(pair: Mapping[Any, Any], n_lost: int, wrong: tuple[bool, bool]) -> tuple[str, str]:
    was_wrong, is_wrong = wrong
    if was_wrong or (not pair and not is_wrong and not n_lost):
        reason = "wrong answers or false times of the old version" if was_wrong else "not measured in both versions"
        return NOT_COMPARED, reason
    if is_wrong:
        return REGRESSION, "wrong answers or false times; the old version had none"
    if n_lost:
        return REGRESSION, lost_text(n_lost)
    verdict = pair["verdict"]
    if verdict == "b_faster":
        return (REGRESSION, "") if pair["beyond_margin"] == "yes" else (CANNOT_TELL, SLOWER_WITHIN_MARGIN)
    if verdict == "a_faster":
        return (IMPROVEMENT, "") if pair["beyond_margin"] == "yes" else (CANNOT_TELL, FASTER_WITHIN_MARGIN)
    return {"equivalent": (NO_CHANGE, ""), "too_few": (TOO_FEW, "too few puzzles")}.get(verdict, (CANNOT_TELL, ""))
