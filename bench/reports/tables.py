"""The tables of a write-up: a readable selection of the columns of the run's CSV tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from sudoku_bench.bench.figures.style import NARROW_IN, Column
from sudoku_bench.bench.figures.verdict_map import LATE, state_of
from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.reports.facts import Facts
from sudoku_bench.bench.reports.tabular import COLUMN_PT, NUMBER, PAGE_PT, TEXT, Bold, Table, width_pt
from sudoku_bench.bench.say.phrases import counted, seconds, sentences
from sudoku_bench.bench.verdicts.answer import leaders
from sudoku_bench.bench.verdicts.between_runs.repeated import between_note
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import evidence, percent, significant, size
from sudoku_bench.bench.verdicts.run_data import unverified_answers
from sudoku_bench.bench.verdicts.run_tables import Run

UNKNOWN = "–"
FEWEST = 3  # collections beside each other in a column; where fewer fit, tables have the width of a page
BEST = "The best strategy of each collection (by solved, then by time; with unfinished solves by PAR-2)"
STATES = {  # of a cell without a median: as printed, and in words
    LATE: ("t/o", "at least half of the solves timed out"),
    "unsupported": ("n/s", "not supported"),
    "wrong": ("wrong", "excluded because of a wrong answer"),
    "mistimed": ("mistimed", "excluded because of a false time"),
    "not timed": (UNKNOWN, "not timed"),
}

Line = Mapping[Any, Any]


def tables(run: Run, column: Column | None = None) -> Iterator[Table]:
    """Yield all tables that the run has data for.

    Args:
        column: of a paper; tables of medians and of nearest rivals fit into a narrow one, all others into a page.
    """
    if run.summary.empty:
        return
    yield from medians(run, COLUMN_PT if column and column.width_in < NARROW_IN else PAGE_PT)
    yield summary(run)
    if not run.pairs.empty:
        yield pairs(run)
        yield nearest(run)


def medians(run: Run, room_pt: float = PAGE_PT) -> Iterator[Table]:
    """Yield medians by strategy and collection, in several tables if there are more collections than fit abreast."""
    lines = {(line["strategy"], line["collection"]): line for line in run.summary.to_dict("records")}
    measured = [name for name in run.collections if any(name == collection for _, collection in lines)]
    names = run.selection.ordered(sorted({strategy for strategy, _ in lines}))
    best = leaders(run)
    cells = {
        name: [_median(lines.get((strategy, name)), (strategy, name) in best) for strategy in names]
        for name in measured
    }
    shown = {state_of(line) for line in lines.values()}
    words = "; ".join(f"{text}: {meaning}" for state, (text, meaning) in STATES.items() if state in shown)
    has_unfinished = any("(" in cell for column in cells.values() for cell in column)
    note = sentences(
        "Median CPU time per solve over puzzles, in milliseconds.",
        "Bold: the fastest, or not shown to be slower than any other." if best else "",
        "In parentheses: number of solves not finished, inferred ones included." if has_unfinished else "",
        f"{words}." if words else "",
        scope(run),
    )
    parts = _abreast(names, cells, room_pt)
    if any(len(part) < FEWEST for part in parts[:-1]):  # one collection a table is none: fill a page, as table* does
        parts = _abreast(names, cells, PAGE_PT)
    for number, part in enumerate(parts):
        rows = [[strategy, *(cells[name][row] for name in part)] for row, strategy in enumerate(names)]
        columns = [("Strategy", TEXT), *((name, NUMBER) for name in part)]
        yield Table(f"medians-{number + 1}" if number else "medians", "Median CPU time in ms", columns, [rows], note)


def _abreast(names: Sequence[str], cells: Mapping[str, Sequence[str]], room_pt: float) -> list[list[str]]:
    """Return collections in parts that fit beside the names of strategies."""
    parts: list[list[str]] = [[]]
    for name in cells:
        columns = [names, *([other, *cells[other]] for other in (*parts[-1], name))]
        if parts[-1] and width_pt(columns) > room_pt:
            parts.append([])
        parts[-1].append(name)
    return parts


def _median(line: Line | None, is_best: bool) -> str:
    if line is None:
        return ""
    state = state_of(line)
    if state:
        return STATES.get(state, (state, ""))[0]
    unfinished = outcomes.not_finished(outcomes.of_line(line))
    text = milliseconds(line["median_s"]) + (f" ({unfinished:,})" if unfinished else "")
    return (Bold if is_best else str)(text)


def summary(run: Run) -> Table:
    """Return a table with a row per strategy and collection."""
    columns = (
        *(("Strategy", TEXT), ("Median", NUMBER), ("[quartiles]", NUMBER), ("PAR-2", NUMBER)),
        ("Unfinished", NUMBER),
    )
    groups = []
    for collection in run.collections:
        lines = run.summary[run.summary["collection"] == collection].set_index("strategy", drop=False)
        order = run.selection.ordered(sorted(lines.index))
        puzzles = counted(int(lines["n_puzzles"].max()), "puzzle") if len(lines) else "no row"  # all were lost
        head = f"{collection}, {puzzles}"
        groups.append([[head], *map(_summary_row, lines.loc[order].to_dict("records"))])
    note = (
        f"CPU time per solve over the puzzles, in milliseconds. {UNKNOWN}: undefined because of an unfinished solve;"
        f" {STATES['unsupported'][0]}: board not supported. PAR-2: mean, with an unfinished solve counted as twice the"
        f" limit. {scope(run)}"
    )
    return Table("summary", "CPU time by collection and strategy", columns, groups, note)


def _summary_row(line: Line) -> list[str]:
    number = outcomes.not_finished(outcomes.of_line(line))
    unfinished = f"{number:,} of {line['n_measurements']:,}" if number else "0"
    unfinished = STATES["unsupported"][0] if line["unsupported"] else unfinished
    middle = milliseconds(line["median_s"]), _range(line["p25_s"], line["p75_s"])
    return [line["strategy"], *middle, milliseconds(line["par2_s"]), unfinished]


PAIR_COLUMNS = (("Strategy", TEXT), ("Ratio", NUMBER), ("[interval]", NUMBER), ("It is", TEXT))


def pairs(run: Run) -> Table:
    """Return the pairs with the best strategy of each collection."""
    lines: list[Line] = list(run.quoted.to_dict("records"))
    note = f"{BEST} against all others. {_pairs_note(run, lines)}"
    return Table("pairs", "Ratios of CPU time to the best strategy", PAIR_COLUMNS, _pair_groups(lines), note)


def _pair_groups(lines: list[Line]) -> list[list[list[str]]]:
    groups: dict[str, list[list[str]]] = {}
    for line in lines:
        clock, shown = " (wall)" if line["clock"] == "wall" else "", evidence(line)
        group = groups.setdefault(f"{line['collection']}{clock}, against {line['b']}", [])
        group.append([line["a"], shown.ratio or UNKNOWN, shown.interval or UNKNOWN, shown.finding])
    return [[[head], *rows] for head, rows in groups.items()]


def nearest(run: Run) -> Table:
    """Return the fastest strategy of each collection and below it its nearest rival, narrow enough for a column."""
    lines = run.quoted[run.quoted["clock"] == "cpu"].groupby("collection", sort=False)
    rows: list[Line] = [min(group.to_dict("records"), key=size) for _, group in lines]
    note = (
        f"{BEST}, and below it its nearest rival; in parentheses below: the finding, if it is not that the rival is"
        f" slower. {_pairs_note(run, rows)}"
    )
    groups = [_nearest_rows(line) for line in rows]
    return Table("nearest", "The best strategies and their nearest rivals", PAIR_COLUMNS[:3], groups, note)


def _nearest_rows(line: Line) -> list[list[str]]:
    shown = evidence(line)
    rows = [
        [line["collection"]],
        [Bold(line["b"]), "", ""],
        [line["a"], shown.ratio or UNKNOWN, shown.interval or UNKNOWN],
    ]
    # In a row of its own it fits into a column; behind the interval it does not.
    return rows if shown.finding == "slower" else [*rows, [f"({shown.finding})", "", ""]]


def _pairs_note(run: Run, lines: list[Line]) -> str:
    family, margin = int(run.pairs["family"].iloc[0]), percent(run.pairs["margin"].iloc[0])
    verdicts = {line["verdict"] for line in lines}
    has_bounds = any(pd.isna(line["ratio"]) for line in lines)
    return sentences(
        "Ratio: CPU time over that of the fastest, paired by puzzle, with its 95% interval.",
        f"Intervals are corrected for all {counted(family, 'pair')} (Bonferroni)." if family else "",
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
