"""How hard collections are for solvers that learn: ``python -m bench.studies.conflicts_table RUN`` prints a table.

RUN has measured strategies that count conflicts on several collections. A cell is the median over puzzles of the mean
conflicts of a strategy over the forms of a puzzle. The last column compares the first collection with the last: the
ratio of their medians, with a 95% percentile interval over lineages drawn with replacement (Efron 1979).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from bench.verdicts import run_tables
from bench.verdicts.arrays import Floats
from bench.verdicts.lineages import clusters
from bench.verdicts.run_data import RunData, of_strategies

DRAWS = 2000
UNKNOWN = "–"


def means(run: RunData) -> pd.DataFrame:
    """Return a row for each strategy and puzzle that has conflicts: their mean over forms, and the puzzle's cluster."""
    rows = of_strategies(run.measurements)
    rows = rows[(rows["status"] == "solved") & rows["conflicts"].notna()]
    found = rows.groupby(["strategy", "collection", "puzzle"], as_index=False)["conflicts"].mean()
    numbered = run.puzzles.assign(cluster=clusters(run.puzzles))[["collection", "puzzle", "cluster"]]
    return pd.DataFrame(found.merge(numbered, on=["collection", "puzzle"]))


def drawn_medians(rows: pd.DataFrame, rng: np.random.Generator) -> Floats:
    """Return medians of conflicts, each over clusters of puzzles drawn with replacement."""
    groups = [group.to_numpy() for _, group in rows.groupby("cluster")["conflicts"]]
    draws = rng.integers(len(groups), size=(DRAWS, len(groups)))
    return np.array([np.median(np.concatenate([groups[number] for number in draw])) for draw in draws])


def table(run: RunData) -> pd.DataFrame:
    """Return the medians, one row a strategy, one column a collection, and the ratio of the first to the last."""
    rng, found, lines = np.random.default_rng(1), means(run), []
    names = [name for name in run.collections if (found["collection"] == name).any()]
    for strategy, rows in found.groupby("strategy"):
        parts = {name: rows[rows["collection"] == name] for name in names}
        medians = {name: part["conflicts"].median() for name, part in parts.items()}
        line = {"strategy": strategy} | {name: f"{median:.1f}" for name, median in medians.items()}
        lines.append(line | {"ratio": UNKNOWN})
        if all(len(parts[name]) for name in (names[0], names[-1])):
            first, last = (drawn_medians(parts[name], rng) for name in (names[0], names[-1]))
            if last.min() > 0:  # else a share is not defined
                low, high = np.quantile(first / last, (0.025, 0.975))
                lines[-1]["ratio"] = f"{medians[names[0]] / medians[names[-1]]:.0%} [{low:.0%}, {high:.0%}]"
    return pd.DataFrame(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the conflicts of strategies on collections, as Markdown.")
    parser.add_argument("run", metavar="RUN", type=Path)
    lines = table(run_tables.load(parser.parse_args().run))
    print("| " + " | ".join(lines.columns) + " |")
    print("| --- |" + " ---: |" * (len(lines.columns) - 1))
    for line in lines.itertuples(index=False):
        print("| " + " | ".join(map(str, line)) + " |")


if __name__ == "__main__":
    main()
