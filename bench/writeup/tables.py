"""The tables of a write-up: a readable selection of the columns of the run's CSV tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from sudoku_bench.bench.say.phrases import counted, seconds, sentences
from sudoku_bench.bench.verdicts.between_runs.repeated import between_note
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import evidence, percent, significant, size
from sudoku_bench.bench.verdicts.run_data import unverified_answers
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.writeup.facts import Facts
from sudoku_bench.bench.writeup.tabular import NAME, NUMBER, TEXT, Table

UNKNOWN = "–"
ABREAST = 9  # collections side by side that fit on a page

Line = Mapping[Any, Any]


def tables(run: Run) -> Iterator[Table]:
    """Yield all tables that the run has data for."""
    if run.summary.empty:
        return
    yield from medians(run)
    yield summary(run)
    if not run.pairs.empty:
        yield pairs(run)
        yield nearest(run)


def medians(run: Run) -> Iterator[Table]:
    """Yield medians by strategy and collection, in several tables if there are many collections."""
    lines = {(line["strategy"], line["collection"]): line for line in run.summary.to_dict("records")}
    measured = [name for name in run.collections if any(name == collection for _, collection in lines)]
    names = sorted({strategy for strategy, _ in lines})
    has_unfinished = any(_unfinished(line) for line in lines.values())
    note = sentences(
        "Median CPU time per solve over puzzles, in milliseconds.",
        f"In parentheses: number of unfinished measurements (t/o: timed out); {UNKNOWN}: the median is one of them."
        if has_unfinished
        else "",
        scope(run),
    )
    for number, start in enumerate(range(0, len(measured), ABREAST)):
        part = measured[start : start + ABREAST]
        rows = [[name, *(_median(lines.get((name, collection))) for collection in part)] for name in names]
        columns = [("Strategy", NAME), *((collection, NUMBER) for collection in part)]
        name = "medians" if number == 0 else f"medians-{number + 1}"
        yield Table(name, "Median CPU time in ms", columns, [rows], note)


def _median(line: Line | None) -> str:
    if line is None:
        return ""
    unfinished = _unfinished(line)
    reason = " t/o" if unfinished == line["timeouts"] else ""
    return milliseconds(line["median_s"]) + (f" ({unfinished:,}{reason})" if unfinished else "")


def _unfinished(line: Line) -> int:
    return int(line["n_measurements"] - line["solved"] - line["unverified"])


def summary(run: Run) -> Table:
    """Return a table with a row per strategy and collection."""
    columns = (
        *(("Collection", TEXT), ("Strategy", NAME), ("n", NUMBER), ("Median", NUMBER), ("[quartiles]", NUMBER)),
        *(("Geom. mean", NUMBER), ("[95%]", NUMBER), ("PAR-2", NUMBER), ("Unfinished", NUMBER)),
    )
    groups = []
    for collection in run.collections:
        lines = run.summary[run.summary["collection"] == collection].sort_values("strategy").to_dict("records")
        groups.append([_summary_row(line, "" if number else collection) for number, line in enumerate(lines)])
    note = (
        "CPU time per solve over n puzzles, in milliseconds. Geometric means with 95% intervals (Student's t on"
        f" logarithms). {UNKNOWN}: undefined because of an unfinished solve. PAR-2: mean, with an unfinished solve"
        f" counted as twice the limit. {scope(run)}"
    )
    return Table("summary", "CPU time by collection and strategy", columns, groups, note)


def _summary_row(line: Line, collection: str) -> list[str]:
    unfinished = f"{_unfinished(line):,} of {line['n_measurements']:,}" if _unfinished(line) else "0"
    return [
        *(collection, line["strategy"], f"{line['n_puzzles']:,}"),
        *(milliseconds(line["median_s"]), _range(line["p25_s"], line["p75_s"])),
        *(milliseconds(line["gmean_s"]), _range(line["gmean_lo_s"], line["gmean_hi_s"])),
        *(milliseconds(line["par2_s"]), unfinished),
    ]


def pairs(run: Run) -> Table:
    """Return the pairs with the best strategy of each collection."""
    lines: list[Line] = list(run.quoted.to_dict("records"))
    note = f"The strategy with the lowest times of each collection against all others. {_pairs_note(run, lines)}"
    return Table("pairs", "Ratios of CPU time to the fastest strategy", PAIR_COLUMNS, _pair_groups(lines), note)


def nearest(run: Run) -> Table:
    """Return the fastest strategy of each collection and below it its nearest rival, narrow enough for a column."""
    lines = run.quoted[run.quoted["clock"] == "cpu"].groupby("collection", sort=False)
    rows: list[Line] = [min(group.to_dict("records"), key=size) for _, group in lines]
    note = (
        "The strategy with the lowest times of each collection, and below it its nearest rival with the ratio of their"
        " CPU times, paired by puzzle, and its 95% interval; in parentheses below: the"
        f" finding, if it is not that. {_pairs_note(run, rows, with_p=False)}"
    )
    columns = (("Collection", TEXT), ("Strategy", NAME), ("Ratio", NUMBER), ("[interval]", NUMBER))
    groups = [_nearest_rows(line) for line in rows]
    return Table("nearest", "The fastest strategies and their nearest rivals", columns, groups, note)


def _nearest_rows(line: Line) -> list[list[str]]:
    shown = evidence(line)
    rows = [
        [line["collection"], line["b"], "", ""],
        ["", line["a"], shown.ratio or UNKNOWN, shown.interval or UNKNOWN],
    ]
    # In a row of its own it fits into a column; behind the interval it does not.
    return rows if shown.finding == "slower" else [*rows, ["", f"({shown.finding})", "", ""]]


PAIR_COLUMNS = (
    *(("Collection", TEXT), ("A", NAME), ("B", NAME), ("A / B", NUMBER), ("[interval]", NUMBER), ("p", NUMBER)),
    ("A is", TEXT),
)


def _pair_groups(lines: list[Line]) -> list[list[list[str]]]:
    groups: dict[str, list[list[str]]] = {}
    for line in lines:
        name, shown = line["collection"] + (" (wall)" if line["clock"] == "wall" else ""), evidence(line)
        group = groups.setdefault(name, [])
        numbers = [text or UNKNOWN for text in (shown.ratio, shown.interval, shown.p)]
        group.append(["" if group else name, line["a"], line["b"], *numbers, shown.finding])
    return list(groups.values())


def _pairs_note(run: Run, lines: list[Line], with_p: bool = True) -> str:
    family, margin = int(run.pairs["family"].iloc[0]), percent(run.pairs["margin"].iloc[0])
    verdicts = {line["verdict"] for line in lines}
    has_bounds = any(pd.isna(line["ratio"]) for line in lines)
    return sentences(
        "A / B: CPU time of A over that of B, paired by puzzle, with its 95% interval." if with_p else "",
        f"{'Interval and p, for a ratio of 1, are' if with_p else 'Intervals are'} corrected for all"
        f" {counted(family, 'pair')} (Bonferroni)."
        if family
        else "",
        between_note(run.between_runs).strip(),
        f"Maybe by < {margin}: the times differ, but it is not shown that they differ by more than {margin}."
        if any("maybe" in evidence(line).finding for line in lines)
        else "",
        f"Equivalent: within {margin}." if decision.EQUIVALENT in verdicts else "",
        "Not decided: the interval includes 1." if decision.INDISTINGUISHABLE in verdicts else "",
        f"Too few data: fewer than {decision.LEAST_PUZZLES} puzzles, or than {decision.LEAST_REPETITIONS} repetitions."
        if decision.TOO_FEW in verdicts
        else "",
        f"{UNKNOWN} and ≥: not determined, because of unfinished solves." if has_bounds else "",
        scope(run),
    )


def scope(run: Run) -> str:
    """Return how many puzzles and measurements the run has, its limit, and how many answers were not checked."""
    facts, unverified = Facts(run), unverified_answers(run.measurements)
    puzzles = facts.real.groupby(["collection", "puzzle"]).ngroups
    limit = f"limit {seconds(float(facts.setting('timeout_s')))} of CPU time" if facts.has_limit else "no time limit"
    unchecked = f"; {counted(unverified, 'answer')} not verified" if unverified else ""
    return f"{counted(puzzles, 'puzzle')}, {counted(len(facts.real), 'measurement')}; {limit}{unchecked}."


def milliseconds(value_s: float) -> str:
    """Format a time in milliseconds with three significant digits."""
    return UNKNOWN if pd.isna(value_s) else significant(1e3 * value_s)


def _range(low_s: float, high_s: float) -> str:
    low, high = milliseconds(low_s), milliseconds(high_s)
    return UNKNOWN if low == high == UNKNOWN else f"[{low}, {high}]"
