"""Every available strategy on a few puzzles of each board: the fastest of each family, and who takes part in suites.

`make screening` measures into ``results/screening.csv``, from which ``catalogue`` makes a table of docs/strategies.md
and lists of the suites ``main`` and ``reference``. So nothing faster is left out of the runs that the documents quote.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

import pandas as pd

from bench.say.phrases import seconds
from bench.studies.copies import measured
from bench.studies.document import TOP, table
from bench.verdicts.run_tables import Run
from solvers import registry

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
FOLDER, TABLE = TOP / "results" / "screening", TOP / "results" / "screening.csv"
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
    """Return the best strategy of each family on each collection, with its median; the fastest of each are bold."""
    solving = rows[rows["median_s"].notna()].sort_values(["solved", "median_s"], ascending=[False, True], kind="stable")
    best = {key: group.iloc[0] for key, group in solving.groupby(["collection", "family"])}
    fastest = {name: leading(rows, 1, [name])[0] for name in COLLECTIONS}
    lines = []
    for family in sorted(rows["family"].unique()):
        cells = [f"`{family}`"]
        for collection in COLLECTIONS:
            if (row := best.get((collection, family))) is None:
                cells.append(MISSING)
                continue
            text = f"`{row['strategy'].partition(':')[2]}` {seconds(row['median_s'])}"
            text += f", {row['solved']} of {row['of']}" if row["solved"] < row["of"] else ""
            cells.append(f"**{text}**" if row["strategy"] == fastest[collection] else text)
        lines.append(cells)
    return table(["family", *COLLECTIONS.values()], lines)
