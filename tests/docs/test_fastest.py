"""Who is called the fastest is so in every table of the repository.

A sentence that calls a strategy the fastest has a hidden mark, ``<!-- fastest COLLECTION STRATEGY -->``; in
docs/encodings.md one names a block of the grid, whose text a study writes and tests.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import TOP
from tests.docs.test_docs import PAGES

MARK = re.compile(r"<!-- fastest (\S+) (\S+) -->")
NOISE = 1.05  # ratio of medians
TABLES = ("results/reference/summary.csv", "results/reference-2/summary.csv", "bench/run/screening.csv")


def faults(text: str, tables: pd.DataFrame) -> list[str]:
    """Return what is faster than a strategy that is called the fastest.

    Args:
        tables: columns ``table``, ``collection``, ``strategy``, ``median_s``.
    """
    result = []
    for collection, strategy in MARK.findall(text):
        if ":" not in strategy:
            continue  # a mark of docs/encodings.md
        rows = tables[tables["collection"] == collection]
        own = rows[rows["strategy"] == strategy].set_index("table")["median_s"].dropna()
        if own.empty:
            result.append(f"{strategy} has no median on {collection}")
            continue
        # In a table without it, its lowest one of the others counts.
        limits = rows["table"].map(own).fillna(own.min()) / NOISE
        faster = rows[rows["median_s"] < limits]
        result += [f"{row.strategy} on {collection} in {row.table}" for row in faster.itertuples()]
    return result


@pytest.fixture(scope="module")
def tables() -> pd.DataFrame:
    paths = {name: path for name in TABLES if (path := TOP / name).exists()}
    return pd.concat([pd.read_csv(path).assign(table=name) for name, path in paths.items()])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_whatever_is_called_the_fastest_is_so_in_every_table(page: Path, tables: pd.DataFrame) -> None:
    text = page.read_text(encoding="utf-8")
    assert faults(text, tables) == []
