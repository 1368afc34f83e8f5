"""Who takes part in the suites, from a screening of all strategies."""

from __future__ import annotations

import pandas as pd

from studies.screening import (
    COLLECTIONS,
    COLUMNS,
    TIERS,
    leading,
    stored,
    without_persistent,
)
from sudoku_bench.bench.plan import suite
from sudoku_bench.bench.plan.strategies import select


def rows(**times_ms: float) -> pd.DataFrame:
    """The rows of one collection; a strategy a1 is of the family a, and a time of 0 is that of one that failed once."""
    lines = [
        ("easy", name[0], f"{name[0]}:{name[1]}", 6 if time else 5, 6, (time or 1) / 1000)
        for name, time in times_ms.items()
    ]
    return pd.DataFrame(lines, columns=list(COLUMNS))


def test_the_best_of_each_of_the_fastest_families_takes_part() -> None:
    screened = rows(a1=5, a2=3, b1=2, c1=4, c2=40, d1=0)
    assert leading(screened, 1, ["easy"]) == ["b:1"]
    assert leading(screened, 2, ["easy"]) == ["a:2", "b:1"]
    assert leading(screened, 9, ["easy"]) == ["a:2", "b:1", "c:1"]  # one that failed does not


def test_one_stands_for_its_family_where_it_is_near_the_best() -> None:
    both = pd.concat([rows(a1=10, a2=12), rows(a1=20, a2=10).assign(collection="hard")])
    assert leading(both, 1, ["easy"]) == ["a:1"]
    assert leading(both, 1, ["easy", "hard"]) == ["a:2"]
    far = pd.concat([rows(a1=10, a2=13), rows(a1=20, a2=10).assign(collection="hard")])
    assert leading(far, 1, ["easy", "hard"]) == ["a:1", "a:2"]


def test_nothing_faster_is_left_out_of_the_suites() -> None:
    screened = without_persistent(stored())
    finished = screened[screened["solved"] == screened["of"]].sort_values("median_s")
    for name, collections in (("main", TIERS), ("reference", COLLECTIONS)):
        taking_part = {info.name for info in select(suite.load(name).strategies)}
        fastest = finished[finished["collection"].isin(collections)].groupby("collection")["strategy"].first()
        assert len(fastest) == len(collections)
        assert set(fastest) <= taking_part
        assert set(leading(screened, 2, collections)) <= taking_part
    assert len(select(suite.load("main").strategies)) <= 9
