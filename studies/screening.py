"""Every available strategy on a few puzzles of each board: the fastest families, and who takes part in suites.

`make screening` measures into ``bench/run/screening.csv``, from which ``catalogue`` makes the tables of
docs/strategies.md and lists of the suites ``main`` and ``reference``. So nothing faster is left out of the runs that
the documents quote.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from studies.copies import measured
from studies.document import TOP, table
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.solvers import registry

COLLECTIONS = {  # with the board, as headings
    "easy": "9×9 `easy`",
    "hard": "9×9 `hard`",
    "hardest": "9×9 `hardest`",
    "size4": "4×4",
    "size6": "6×6",
    "size12": "12×12",
    "size16": "16×16",
}
TIERS = ("easy", "hard", "hardest")
PUZZLES, LIMIT_S = 6, 2
FOLDER, TABLE = TOP / "results" / "screening", TOP / "bench" / "run" / "screening.csv"
FRONT = 3  # fastest families of each board that the page shows
NEAR = 1.25  # ratio of medians; so few puzzles, measured once, do not rank what is closer
MISSING = "–"
COLUMNS = ("collection", "family", "strategy", "solved", "of", "median_s")


def screening() -> None:
    """Measure all available strategies on a few puzzles of each board (20 minutes); then `tables` names the fastest.

    The run folder is kept, so a study that was interrupted continues; delete it to measure again.
    """
    collections = [word for name in COLLECTIONS for word in ("-d", name)]
    settings = ("--sample", PUZZLES, "--repetitions", 1, "--timeout", LIMIT_S, "--set-aside", 2)
    rows_of(measured(FOLDER, "-s", "*", *collections, *settings)).to_csv(TABLE, index=False, float_format="%.4g")


def rows_of(run: Run) -> pd.DataFrame:
    """Return solved puzzles and the median CPU time of each strategy on each collection whose boards it takes.

    ``of`` counts the puzzles; ``median_s`` is empty where it depends on an unfinished one.
    """
    summary = run.summary[run.summary["unsupported"] < run.summary["n_measurements"]]
    rows = summary.assign(family=summary["strategy"].str.partition(":")[0], of=summary["n_measurements"])
    return rows.sort_values(["collection", "strategy"])[list(COLUMNS)].reset_index(drop=True)


def stored() -> pd.DataFrame:
    return pd.read_csv(TABLE)


def without_persistent(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the strategies that keep nothing from puzzle to puzzle.

    Repetitions of the others are launches, of which the suites make one, so they would have no verdict.
    """
    registry.load_builtin()
    return rows[[not registry.get(name).persistent for name in rows["strategy"]]]


def leading(rows: pd.DataFrame, families: int, collections: Iterable[str] = tuple(COLLECTIONS)) -> list[str]:
    """Return the strategies at the front: the best of each of the fastest families on each collection, by name.

    Only strategies that solved all puzzles count. Where several of a family are near its best, the one that is so on
    most collections stands for them, so that no more take part than needed.

    Args:
        families: number of families on each collection.
    """
    finished, front = rows[rows["solved"] == rows["of"]].sort_values("median_s"), []
    for collection in collections:
        groups = finished[finished["collection"] == collection].groupby("family", sort=False)
        for _, group in itertools.islice(groups, families):
            front.append(list(group.loc[group["median_s"] <= NEAR * group["median_s"].iloc[0], "strategy"]))
    chosen: list[str] = []
    while front:
        [(name, _)] = Counter(itertools.chain(*front)).most_common(1)
        chosen.append(name)
        front = [names for names in front if name not in names]
    return sorted(chosen)


def markdown(rows: pd.DataFrame) -> str:
    """Return the best strategy of each of the fastest families on each collection, with its median."""
    finished = rows[rows["solved"] == rows["of"]].sort_values("median_s")
    lines = []
    for collection, board in COLLECTIONS.items():
        best = finished[finished["collection"] == collection].drop_duplicates("family").head(FRONT)
        first, *others = [f"`{row.strategy}` {seconds(row.median_s)}" for row in best.itertuples()] or [MISSING]
        lines.append([board, first, ", ".join(others) or MISSING])
    return table(["board", "fastest family", "next"], lines)


def results(rows: pd.DataFrame, collections: Sequence[str]) -> dict[str, list[str]]:
    """Return a cell for each strategy and collection: the median, and how many were solved if not all were.

    Strategies are in the order of their medians on the last collection. A cell is empty if nothing was measured.
    """
    last = rows[rows["collection"] == collections[-1]].sort_values("median_s")["strategy"]
    measured = {(row.collection, row.strategy): row for row in rows.itertuples()}
    return {
        strategy: [cell(measured.get((collection, strategy))) for collection in collections]
        for strategy in dict.fromkeys([*last, *rows["strategy"]])
    }


def cell(row: Any) -> str:
    if row is None:
        return ""
    median = "" if pd.isna(row.median_s) else seconds(row.median_s)
    solved = f"{row.solved} of {row.of}" if 0 < row.solved < row.of else ""
    return ", ".join(filter(None, [median, solved])) or MISSING
