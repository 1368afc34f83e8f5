"""Who is fastest on a collection follows from the comparisons with its best strategy, in data and in words."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pandas as pd
import pytest

from sudoku_bench.bench.say import speech
from sudoku_bench.bench.verdicts.answer import EQUIVALENT, TIED, Workload, of_pairs
from sudoku_bench.bench.verdicts.pairs.pairs import PAIRS_COLUMNS

FOUND = {">": "b_faster", "<": "a_faster", "=": "equivalent", "?": "indistinguishable", "!": "too_few"}
CLEAR = {"b_faster": (2.0, 1.6, 2.5), "equivalent": (1.001, 0.98, 1.02)}


def table(*pairs: str, collection: str = "easy", clock: str = "cpu", **more: Any) -> pd.DataFrame:
    """A table of pairs; ``b>a`` says that b takes longer than the best, a; ``b=a`` that they are equivalent."""
    rows = []
    for a, sign, b in pairs:
        ratio, low, high = CLEAR.get(FOUND[sign], (1.1, 0.8, 1.5))
        row = dict.fromkeys(PAIRS_COLUMNS, math.nan) | {"collection": collection, "a": a, "b": b, "clock": clock}
        row |= {"ratio": ratio, "ratio_lo": low, "ratio_hi": high, "verdict": FOUND[sign], "margin": 0.05}
        row |= {"n_independent": 20, "n_repetitions": 3, "p_holm": 0.01, "beyond_margin": "yes" if sign == ">" else ""}
        rows.append(row | {"findable": 1.07} | more)
    return pd.DataFrame(rows)


def only(*pairs: str, **more: Any) -> Workload:
    [workload] = of_pairs(table(*pairs, **more), {})
    return workload


def test_the_best_and_what_is_not_shown_to_be_slower_are_the_fastest() -> None:
    assert only("b>a", "c>a").fastest == ("a",)
    assert only("b?a", "c>a").fastest == ("a", "b")
    assert only("b?a", "c=a").fastest == ("a", "c", "b")  # the nearest first
    assert only("b>a").strategies == 2
    assert [only(*pairs).tie for pairs in (["b>a"], ["b=a"], ["b=a", "c?a"])] == ["", EQUIVALENT, TIED]


def test_what_solves_fewer_is_behind_where_times_do_not_decide() -> None:
    assert only("b?a", more_solved="b", only_a=0, only_b=17).fastest == ("a",)


def test_what_is_faster_than_the_strategy_that_solves_most_does_not_rank_before_it() -> None:
    both = pd.concat([table("b<a", ratio=0.5, ratio_lo=0.4, ratio_hi=0.6), table("c>a")])
    [workload] = of_pairs(both, {("easy", "a"): Counter(solved=3, timeout=1)})
    assert (workload.fastest, workload.faster) == (("a",), ("b",))
    assert (workload.solved, workload.solves, workload.finished) == (3, 4, False)


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [({"n_independent": 9}, "too few puzzles (9 of at least 15)"), ({"n_repetitions": 1}, "too few repetitions (1 of")],
)
def test_too_few_data_name_nobody(lacking: dict[str, int], reason: str) -> None:
    workload = only("b!a", **lacking)
    assert workload.fastest == ()
    assert workload.too_few.startswith(reason)


def test_each_clock_has_a_workload() -> None:
    both = pd.concat([table("b>a"), table("a>b", clock="wall")])
    assert [(one.clock, one.fastest) for one in of_pairs(both, {})] == [("cpu", ("a",)), ("wall", ("b",))]
    assert of_pairs(pd.DataFrame(columns=list(PAIRS_COLUMNS)), {}) == ()


def test_what_could_be_found_is_told_as_a_range_over_collections() -> None:
    both = pd.concat([table("b>a", findable=1.02), table("b>a", collection="hard", findable=1.5)])
    assert speech.findable(both)[0].endswith("in 4 of 5 cases: from 1.02 (easy) to 1.50 (hard)")


def test_a_name_is_as_short_as_it_can_be_and_still_tells_one_from_the_others() -> None:
    assert speech.short(["sat:a@x", "sat:a@y", "sat:b@x", "c:d"]) == {
        **{name: name for name in ("sat:a@x", "sat:a@y", "c:d")},
        "sat:b@x": "sat:b",
    }
