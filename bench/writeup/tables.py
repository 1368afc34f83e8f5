"""What the tables of a write-up hold: few columns, chosen to be read; the tables of the run have all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from bench.figures.style import seconds
from bench.verdicts.pairs import decision
from bench.verdicts.run_tables import Run
from bench.writeup.facts import Facts
from bench.writeup.numbers import VERDICTS, p_value, significant, turned
from bench.writeup.tabular import MARKED, NAME, NUMBER, TEXT, Cell, Table
from bench.writeup.words import counted, sentences

UNKNOWN = "–"
ABREAST = 9  # collections side by side, as many as fit the width of a page
MOST_PAIRS = 400  # rows of pairs that anybody would read

Line = Mapping[Any, Any]


def tables(run: Run, encodings: pd.DataFrame | None = None) -> Iterator[Table]:
    """All tables that the run has something for.

    Args:
        encodings: the table of the run's encodings, where it has one.
    """
    if run.summary.empty:
        return
    yield from medians(run)
    yield summary(run)
    if not run.pairs.empty:
        yield pairs(run)
        yield nearest(run)
    if encodings is not None and not encodings.empty:
        yield of_encodings(run, encodings)


def medians(run: Run) -> Iterator[Table]:
    """Strategies × collections: the median; further tables where there are many collections."""
    lines = {(line["strategy"], line["collection"]): line for line in run.summary.to_dict("records")}
    measured = [name for name in run.collections if any(name == collection for _, collection in lines)]
    names = sorted({strategy for strategy, _ in lines})
    late = any(_unfinished(line) for line in lines.values())
    note = sentences(
        "CPU time per solve in milliseconds, median over puzzles.",
        f"{MARKED}: measurements that were not finished; {UNKNOWN}: the median is one of them." if late else "",
        scope(run),
    )
    for number, start in enumerate(range(0, len(measured), ABREAST)):
        shown = measured[start : start + ABREAST]
        rows = [[Cell(name), *(_median(lines.get((name, collection))) for collection in shown)] for name in names]
        columns = [("Strategy", NAME), *((collection, NUMBER) for collection in shown)]
        name = "medians" if number == 0 else f"medians-{number + 1}"
        yield Table(name, "Median CPU time in ms", columns, [rows], note)


def _median(line: Line | None) -> Cell:
    if line is None:
        return Cell()
    late = _unfinished(line)
    return Cell(milliseconds(line["median_s"]), f"{late:,}" if late else "")


def _unfinished(line: Line) -> int:
    return int(line["n_measurements"] - line["solved"])


def summary(run: Run) -> Table:
    """A row per strategy and collection."""
    columns = (
        *(("Collection", TEXT), ("Strategy", NAME), ("n", NUMBER), ("Median", NUMBER), ("[quartiles]", NUMBER)),
        *(("Geom. mean", NUMBER), ("[95%]", NUMBER), ("PAR-2", NUMBER), ("Not finished", NUMBER)),
    )
    groups = []
    for collection in run.collections:
        own = run.summary[run.summary["collection"] == collection].sort_values("strategy")
        lines = own.to_dict("records")
        groups.append([_summary_row(line, "" if number else collection) for number, line in enumerate(lines)])
    note = (
        "CPU time per solve in milliseconds over n puzzles. Geometric means with 95% intervals of Student's t on"
        f" logarithms. {UNKNOWN}: an unfinished solve takes part in it. PAR-2: mean, an unfinished solve counted as"
        f" twice the limit. {scope(run)}"
    )
    return Table("summary", "CPU time by collection and strategy", columns, groups, note)


def _summary_row(line: Line, collection: str) -> list[Cell]:
    return [
        *(
            Cell(collection),
            Cell(line["strategy"]),
            Cell(f"{line['n_puzzles']:,}"),
            Cell(milliseconds(line["median_s"])),
        ),
        Cell(_range(milliseconds(line["p25_s"]), milliseconds(line["p75_s"]))),
        Cell(milliseconds(line["gmean_s"])),
        Cell(_range(milliseconds(line["gmean_lo_s"]), milliseconds(line["gmean_hi_s"]))),
        Cell(milliseconds(line["par2_s"])),
        Cell(f"{_unfinished(line):,} of {line['n_measurements']:,}" if _unfinished(line) else "0"),
    ]


def pairs(run: Run) -> Table:
    """Pairs with the slower one first; where they are too many to be read, those with the fastest of a collection."""
    table = run.pairs
    lines = _slower_first(table)
    note = _pairs_note(run, lines)
    if len(lines) > MOST_PAIRS:
        best = leaders(run)
        lines = [line for line in lines if best.get(line["collection"]) in (line["a"], line["b"])]
        note += f" Only pairs with the fastest (by PAR-2) of each collection, {len(lines):,} of {len(table):,}."
    return Table("pairs", "Ratios of CPU time of pairs of strategies", PAIR_COLUMNS, _pair_groups(lines), note)


def nearest(run: Run) -> Table:
    """On each collection the fastest strategy, and the one that comes nearest to it."""
    best = leaders(run)
    rows = []
    for collection in run.collections:
        own = [line for line in _slower_first(run.pairs) if line["collection"] == collection and line["clock"] == "cpu"]
        own = [line for line in own if best.get(collection) in (line["a"], line["b"])]
        own = [line if line["b"] == best[collection] else turned(line) for line in own]
        if own:
            rows.append(min(own, key=_size))
    note = f"B is the fastest by PAR-2, A the one that comes nearest to it. {_pairs_note(run, rows)}"
    cells = [row for group in _pair_groups(rows) for row in group]
    return Table("nearest", "The fastest strategies and their nearest rivals", PAIR_COLUMNS, [cells], note)


PAIR_COLUMNS = (
    *(("Collection", TEXT), ("A", NAME), ("B", NAME), ("A / B", NUMBER), ("[95%]", NUMBER), ("p", NUMBER)),
    ("A is", TEXT),
)


def leaders(run: Run) -> dict[str, str]:
    """The strategy with the smallest PAR-2 of each collection, of those that can be compared."""
    known = run.summary[run.summary["par2_s"].notna()]
    best = known.loc[known.groupby("collection")["par2_s"].idxmin()] if len(known) else known
    return dict(zip(best["collection"], best["strategy"], strict=True))


def _slower_first(table: pd.DataFrame) -> list[Line]:
    return [line if _size(line) >= 1 else turned(line) for line in table.to_dict("records")]


def _size(line: Line) -> float:
    """The ratio, as far as it is known."""
    known = (float(line[column]) for column in ("ratio", "at_least", "ratio_lo") if not pd.isna(line[column]))
    return next(known, math.inf)


def _pair_groups(lines: list[Line]) -> list[list[list[Cell]]]:
    groups: dict[tuple[str, str], list[list[Cell]]] = {}
    for line in lines:
        own = groups.setdefault((line["collection"], line["clock"]), [])
        by = " (wall)" if line["clock"] == "wall" else ""
        own.append([Cell("" if own else line["collection"] + by), *_pair_cells(line)])
    return list(groups.values())


def _pair_cells(line: Line) -> list[Cell]:
    ends = (UNKNOWN if pd.isna(line[end]) else significant(line[end]) for end in ("ratio_lo", "ratio_hi"))
    ratio = UNKNOWN
    if not pd.isna(line["ratio"]):
        ratio = significant(line["ratio"])
    elif not pd.isna(line["at_least"]):
        ratio = f"≥ {significant(line['at_least'])}"
    p = UNKNOWN if pd.isna(line["p_holm"]) else p_value(line["p_holm"]).text
    return [
        Cell(line["a"]),
        Cell(line["b"]),
        Cell(ratio),
        Cell(_range(*ends)),
        Cell(p),
        Cell(VERDICTS[line["verdict"]]),
    ]


def _pairs_note(run: Run, lines: list[Line]) -> str:
    family, is_open = int(run.pairs["family"].iloc[0]), any(pd.isna(line["ratio"]) for line in lines)
    margin = float(run.pairs["margin"].iloc[0])
    return sentences(
        "A / B: CPU time of A over that of B, paired by puzzle, with the 95% interval of this ratio alone.",
        f"p: that the ratio is 1, corrected for {counted(family, 'comparison')} (Holm 1979).",
        f"Equivalent: within {margin:.0%}." if decision.EQUIVALENT in {line["verdict"] for line in lines} else "",
        f"{UNKNOWN} and ≥: left open by solves that were not finished." if is_open else "",
        scope(run),
    )


def of_encodings(run: Run, encodings: pd.DataFrame) -> Table:
    """Sizes of the encodings that took part, on boards that took part."""
    sizes = {math.isqrt(length) for length in run.puzzles["grid"].dropna().str.len()}
    boards = [f"{size}x{size}" for size in sorted(sizes)]
    counts = ("variables", "clauses", "literals", *(["at_mosts"] if encodings["at_mosts"].any() else []))
    columns = [("Encoding", NAME), ("Board", TEXT), *((_heading(name), NUMBER) for name in counts)]
    groups = []
    for encoding, own in encodings[encodings["shape"].isin(boards)].groupby("encoding", sort=False):
        lines = own.to_dict("records")
        groups.append(
            [
                [
                    *(Cell("" if number else str(encoding)), Cell(line["shape"].replace("x", "×"))),
                    *(Cell(f"{int(line[name]):,}") for name in counts),
                ]
                for number, line in enumerate(lines)
            ]
        )
    note = (
        "Exact sizes of the rules alone, without the clues of a puzzle; clauses that are said twice are counted twice."
    )
    return Table("encodings", "Sizes of the encodings", columns, groups, note)


def _heading(name: str) -> str:
    return "At most one" if name == "at_mosts" else name.capitalize()


def scope(run: Run) -> str:
    """How many puzzles and measurements it is from, and the limit."""
    facts = Facts(run)
    puzzles = facts.real.groupby(["collection", "puzzle"]).ngroups
    return (
        f"{counted(puzzles, 'puzzle')}, {counted(len(facts.real), 'measurement')};"
        f" limit {seconds(float(facts.setting('timeout_s')))} of CPU time."
    )


def milliseconds(value_s: float) -> str:
    """A time in milliseconds, three digits."""
    return UNKNOWN if pd.isna(value_s) else significant(1e3 * value_s)


def _range(low: str, high: str) -> str:
    return UNKNOWN if low == high == UNKNOWN else f"[{low}, {high}]"
