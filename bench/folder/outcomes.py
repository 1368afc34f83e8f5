"""How solves ended, as counts: the words of every sentence about them.

A solve that ran out of time was measured up to its limit. One that is inferred was not run: the strategy had run out of
time on this puzzle, or on the first puzzles of the collection, in the same launch.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.folder.rows import INFERRED, NOT_TRIED
from sudoku_bench.datasets.naming import listed
from sudoku_bench.solvers.registry import CLASS_FILE

if TYPE_CHECKING:
    import pandas as pd

WORDS = {  # kind, mostly as the status of a row -> what it is called, in the order of a sentence
    **{"solved": "solved", "unverified": "not verified", "timeout": "ran out of time", "inferred": "inferred"},
    **{"unsupported": "not supported", "memout": "ran out of memory", "gave_up": "gave up"},
    **{"error": "ended with an error", "wrong": "WRONG", "mistimed": "MISTIMED"},
}
COLUMNS = {  # kind -> the column of summary.csv that counts it
    **{"solved": "solved", "unverified": "unverified", "inferred": "inferred", "unsupported": "unsupported"},
    **{"memout": "memouts", "gave_up": "gave_up", "error": "errors", "wrong": "wrong", "mistimed": "mistimed"},
}
LABEL = r"^\([a-z]+\) "  # prefix of the name of a placebo
LEAD_IN = "lead-in: "  # before the reason of a row whose puzzle was not tried
Counts = Mapping[str, int]
DISQUALIFYING = ("wrong", "mistimed")  # one such row, and the strategy has no times
FAULTS = {"wrong": "gave a wrong answer", "mistimed": "reported a false time", "error": "ended with an error"}


def kind(status: str, reason: str | None) -> str:
    """Return the kind of a row: its status, or that it was inferred."""
    return "inferred" if status == "timeout" and str(reason).startswith(INFERRED) else status


def kinds(rows: pd.DataFrame) -> pd.Series[str]:
    """Return the kind of each row of measurements."""
    status = rows["status"].astype(object)
    late = status == "timeout"
    if not late.any():  # as usual: the rest takes longer
        return status
    inferred = rows.reindex(columns=["reason"]).loc[late, "reason"].astype(str).str.startswith(INFERRED)
    return status.mask(inferred.reindex(rows.index, fill_value=False), "inferred")


def is_tried(rows: pd.DataFrame) -> pd.Series[bool]:
    """Return whether the strategy of each row has tried its puzzle, in this or an earlier repetition."""
    return ~rows.reindex(columns=["reason"])["reason"].astype(str).str.startswith(NOT_TRIED)


def of_rows(rows: pd.DataFrame) -> Counter[str]:
    """Count the rows of each kind."""
    return Counter(kinds(rows).tolist())


def of_line(line: Mapping[Any, Any]) -> Counter[str]:
    """Count the solves of each kind in a line of ``summary.csv``."""
    counts = Counter({name: int(line[column]) for name, column in COLUMNS.items()})
    return counts + Counter(timeout=int(line["timeouts"] - line["inferred"]))


def not_finished(counts: Counts) -> int:
    """Return how many solves of supported boards ended without an answer."""
    return sum(number for name, number in counts.items() if name not in ("solved", "unverified", "unsupported"))


def text(counts: Counts, without: tuple[str, ...] = ("solved", "unverified")) -> str:
    """Return the counts as text: ``20 ran out of time, 180 inferred``; empty if there is nothing else to tell."""
    return ", ".join(
        f"{counts[name]:,} {words}" for name, words in WORDS.items() if name not in without and counts.get(name)
    )


def sentence(counts: Counts) -> str:
    """Return how all solves of a run ended: ``Of 340 solves 320 solved, 20 ran out of time``."""
    total = sum(counts.values())
    if not text(counts, ("solved",)):
        return f"All {total:,} solves were finished and checked"
    return f"Of {total:,} solves {listed(text(counts, ()).split(', '))}"


def fault(row: Any, plugin: str | None) -> str:
    """Return what was wrong with a row of a status in ``FAULTS``, and what to do.

    Args:
        row: a row of measurements.
        plugin: the file that defines the strategy, if it is a plug-in.
    """
    is_file = plugin and not CLASS_FILE.fullmatch(plugin)
    check = f"; find out more with: sudoku-bench check-plugin {plugin}" if is_file else ""
    name = re.sub(LABEL, "", row.strategy)
    puzzle, reason = f"{row.puzzle} of {row.collection}", row.reason or "no reason is known"
    if reason.startswith(LEAD_IN):
        where, reason = f"in the lead-in before {puzzle}, whose row counts", reason.removeprefix(LEAD_IN)
    else:
        where = f"{'to' if row.status == 'wrong' else 'on'} {puzzle}"
    return f"{name} {FAULTS[row.status]} {where}: {reason}{check}"
