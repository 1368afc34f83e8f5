"""What the scripts of the page show, as JSON: the tables of puzzles and pairs, and the time of every solve."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.between_runs.repeated import FINDINGS
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.pairs.evidence import evidence
from sudoku_bench.bench.verdicts.pairs.pairs import all_pairs
from sudoku_bench.bench.verdicts.run_data import disqualified
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.shape import Shape, size_of_text

MEASURES = {  # columns of puzzles.csv -> heading
    **{"guesses": "guesses", "conflicts": "conflicts"},
    **{"te_rounds": "rounds of trial and error", "unsolved_locked": "cells open after locked"},
    **{"unsolved_singles": "cells open after singles", "er": "ER", "clues": "clues"},
}
COUNTS = {"wins": "wins", "ties": "ties", "losses": "losses", "n_puzzles": "puzzles"}  # columns of pairs.csv -> heading
SECOND = {  # columns of repeated.csv -> heading
    **{"collection": "Collection or board", "clock": "Clock or axis", "a": "A", "b": "B", "stood": "Stood"},
    **{"verdict_1": "A is", "verdict_2": "A is, in the second run"},
    **{"ratio_1": "Ratio, or crossover at", "ratio_2": "The same in the second run", "moved": "Moved by a factor of"},
}
COUNTERS = ["conflicts", "guesses"]
MOST_TIMES = 500_000  # of single solves; a page of a larger run shows a sample of the puzzles
KEY = ["collection", "puzzle"]


def content(run: Run, baseline: str = "", second: pd.DataFrame | None = None) -> dict[str, Any]:
    """Return all data of the page; ``second`` is what stood in another run."""
    rows = every = puzzles_of(run)
    if len(run.measurements) > MOST_TIMES:
        rows = rows.sample(frac=MOST_TIMES / len(run.measurements), random_state=1).sort_index()
    names, shapes = list(sheet.of_run(run).looks), list(rows["code"].unique())
    return {
        "strategies": names,
        "collections": list(run.collections),
        "scopes": list(scopes(rows)),
        "shapes": [shape_facts(Shape.of_code(code)) for code in shapes],
        "boards": [[shapes.index(code), str(grid)] for code, grid in zip(rows["code"], rows["grid"], strict=True)],
        "puzzles": puzzle_table(run, rows, names),
        "solves": solves(run, rows, names),
        "pairs": pair_table(all_pairs(run, baseline) if baseline else run.pairs),
        "second": None if second is None else second_table(second),
        "total": len(every),
    }


def puzzles_of(run: Run) -> pd.DataFrame:
    """Return the puzzles of a run that are no decoys, with the code of their board and its size."""
    rows = run.puzzles[run.puzzles["decoy"].isna()] if "decoy" in run.puzzles else run.puzzles
    rows = rows.reindex(columns=list(dict.fromkeys([*rows, *MEASURES, "board"])))  # those it lacks are empty
    usual = [Shape.of_size(size_of_text(grid)).code for grid in rows["grid"]]  # runs of earlier versions name no boards
    codes = rows["board"].astype(object).fillna(pd.Series(usual, rows.index)).astype(str)
    size = codes.map({code: Shape.of_code(code).size for code in codes.unique()})
    return rows.assign(code=codes, size=size, of_size=[f"{number}×{number}" for number in size])


def shape_facts(shape: Shape) -> dict[str, Any]:
    """Return what a script has to know of a shape to draw its boards and their candidates."""
    usual = shape if shape.has_boxes else Shape.of_size(shape.size)  # for the places of candidates
    drawn = {name: getattr(shape, name) for name in ("size", "borders", "marked", "symbols", "units")}
    return {"markRows": usual.box_rows, "markColumns": usual.box_cols, **drawn}


def scopes(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield what a reader can choose to see: the puzzles of a board size, first the most common, or of a collection."""
    common = most_common(rows)[0] if len(rows) else 0
    for size, own in sorted(rows.groupby("size"), key=lambda group: (group[0] != common, group[0])):
        yield {"label": f"all {size}×{size}", "size": f"{size}×{size}", "collections": list(own["collection"].unique())}
    for (collection, board), _ in rows.groupby(["collection", "of_size"], sort=False):
        mixed = rows.loc[rows["collection"] == collection, "size"].nunique() > 1
        yield {"label": f"{collection} {board}" if mixed else collection, "size": board, "collections": [collection]}


def table(columns: Iterable[tuple[str, str]], rows: Iterable[Sequence[Any]], **more: Any) -> dict[str, Any]:
    """Return a table of columns (title, kind). An unknown cell is None, and a text that is a number becomes one."""
    return {"columns": [{"title": title, "kind": kind} for title, kind in columns], "rows": list(rows), **more}


def number(value: Any, run: Run | None = None) -> Any:
    """Return a number with four digits, None if it is unknown, the limit if it is infinite; or a text that is none."""
    try:
        known = float(value)
    except (TypeError, ValueError):
        return value or None
    if run and math.isinf(known):
        return f"> {seconds(float(run.manifest['suite']['timeout_s']))}"
    return None if math.isnan(known) else int(known) if known.is_integer() else float(f"{known:.4g}")


def puzzle_table(run: Run, rows: pd.DataFrame, names: list[str]) -> dict[str, Any]:
    """Return a row per puzzle: how hard it is, and the median time of every strategy."""
    known = {name: title for name, title in MEASURES.items() if rows[name].notna().any()}
    index = pd.MultiIndex.from_frame(rows[KEY].astype(str))
    times = run.per_puzzle.pivot(index=KEY, columns="strategy", values="cpu_s").reindex(index=index, columns=names)
    parts = rows[["puzzle", "collection", "of_size"]], rows[list(known)], times
    first = [("Puzzle", "puzzle"), ("Collection", "collection"), ("Board", "size")]
    columns = [*first, *((title, "number") for title in known.values()), *((name, "time") for name in names)]
    lines = zip(*(part.to_numpy(object) for part in parts), strict=True)
    return table(
        columns, ([*map(str, at), *map(number, hard), *(number(one, run) for one in own)] for at, hard, own in lines)
    )


def solves(run: Run, rows: pd.DataFrame, names: list[str]) -> list[list[Any]]:
    """Return of each puzzle and strategy the times of all forms and medians of the counters; None if not compared."""
    every = run.measurements
    every = every[every["puzzle"].isin(rows["puzzle"])]  # of a large run, a sample
    every = every[every["decoy"].isna() & every["placebo"].isna() & (every["status"] != "unsupported")]
    every = every[~every["strategy"].isin(list(disqualified(run.measurements)))].astype({"strategy": str})
    finished = every["status"].isin(FINISHED)
    values = every.reindex(columns=COUNTERS).where(finished).assign(cpu_s=every["cpu_s"].where(finished, math.inf))
    grouped = values.groupby([every[name].astype(str) for name in (*KEY, "strategy")])
    times, medians = grouped["cpu_s"].agg(list), grouped[COUNTERS].median().to_numpy()
    parts = (
        [[number(time, run) for time in own], *map(number, some)] for own, some in zip(times, medians, strict=True)
    )
    known = dict(zip(times.index, parts, strict=True))
    return [[known.get((*key, name)) for name in names] for key in rows[KEY].astype(str).itertuples(index=False)]


def pair_table(pairs: pd.DataFrame) -> dict[str, Any]:
    """Return the rows of ``pairs.csv`` as evidence in words; those that are nearest to each other first."""
    columns = [("A", "strategy"), ("B", "strategy"), ("Collection", "collection"), ("Clock", "text"), ("A is", "text")]
    columns += [(title, "number") for title in ("Time of A / time of B", "95% interval", "p", *COUNTS.values())]
    rows = [
        [*(str(row[name]) for name in ("a", "b", "collection", "clock")), shown.finding]
        + [text or None for text in (shown.ratio, shown.interval, shown.p)]
        + [number(row[name]) for name in COUNTS]
        for row, shown in ((row, evidence(row)) for row in pairs.to_dict("records"))
    ]
    return table(columns, rows, sort=columns.index(("Time of A / time of B", "number")))


def second_table(repeated: pd.DataFrame) -> dict[str, Any]:
    """Return the rows of ``repeated.csv``, those that did not stand first."""
    kinds = {name: "number" if is_numeric_dtype(repeated[name]) else "text" for name in SECOND}
    rows = repeated.replace(FINDINGS).sort_values("stood", kind="stable")[list(SECOND)].to_numpy(object)
    return table(((SECOND[name], kind) for name, kind in kinds.items()), [[*map(number, row)] for row in rows])
