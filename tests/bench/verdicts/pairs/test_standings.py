"""Who is fastest on a collection follows from the comparisons with its best strategy, in data and in words."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from sudoku_bench.bench.verdicts.pairs.pairs import PAIRS_COLUMNS
from sudoku_bench.bench.verdicts.pairs.standings import Standing, standings, words

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


def only(*pairs: str, **more: Any) -> Standing:
    [standing] = standings(table(*pairs, **more))
    return standing


def sentence(*pairs: str, **more: Any) -> str:
    return words(table(*pairs, **more))[-1]


def test_the_best_and_what_is_not_shown_to_be_slower_are_the_fastest() -> None:
    assert only("b>a", "c>a").fastest == ("a",)
    assert only("b?a", "c>a").fastest == ("a", "b")
    assert only("b?a", "c=a").fastest == ("a", "c", "b")  # the nearest first
    assert only("b>a").strategies == 2


def test_a_single_fastest_is_named_with_its_nearest_follower() -> None:
    far, near = table("b>a"), table("c>a", ratio=1.25, ratio_lo=1.1111, ratio_hi=1.4286)
    assert words(pd.concat([far, near])) == [
        "Comparisons with the best of a collection: 2 (one is faster in 2); family-wise error rate 5%",
        "Smallest ratio to the best that this run finds in 4 of 5 cases: 1.07",
        "easy: a is fastest (of 3); next: c takes 1.25 times as long as a [1.11, 1.43]",
    ]


def test_ties_are_lists_of_names() -> None:
    assert sentence("b?a", "c>a") == "easy: fastest, statistically tied: a, b (of 3)"
    assert sentence("b=a", "c>a") == "easy: fastest, equivalent within 5%: a, b (of 3)"
    assert sentence("b=a", "c?a") == "easy: fastest, statistically tied: a, b, c (of 3)"


def test_what_solves_fewer_is_behind_where_times_do_not_decide() -> None:
    fewer = table("b?a", more_solved="b", only_a=0, only_b=17)
    assert standings(fewer)[0].fastest == ("a",)
    assert words(fewer)[0].startswith(
        "Comparisons with the best of a collection: 1 (one is faster in 0, one solves more"
    )
    assert words(fewer)[-1].endswith("next: a solves more within the limit: 17 puzzles that b does not solve; the"
                                     " reverse holds for none (times do not decide)")  # fmt: skip


def test_what_is_faster_than_the_strategy_that_solves_most_is_told() -> None:
    both = pd.concat([table("b<a", ratio=0.5, ratio_lo=0.4, ratio_hi=0.6), table("c>a")])
    [standing] = standings(both)
    assert (standing.fastest, standing.solves_most) == (("b",), "a")
    assert words(both)[-1] == "easy: a solves most (of 3); faster: b"


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [({"n_independent": 9}, "too few puzzles (9 of at least 15)"), ({"n_repetitions": 1}, "too few repetitions (1 of")],
)
def test_too_few_data_name_nobody(lacking: dict[str, int], reason: str) -> None:
    assert only("b!a", **lacking).fastest == ()
    assert sentence("b!a", **lacking).startswith(f"easy: {reason}")


def test_each_clock_has_a_standing() -> None:
    both = pd.concat([table("b>a"), table("a>b", clock="wall")])
    assert [(standing.clock, standing.fastest) for standing in standings(both)] == [("cpu", ("a",)), ("wall", ("b",))]
    assert words(both)[-1].startswith("easy by wall time: b is fastest (of 2)")
