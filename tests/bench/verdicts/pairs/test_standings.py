"""Who is fastest on a collection follows from the verdicts on its pairs, in data and in words."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pandas as pd
import pytest

from bench.verdicts.pairs.pairs import PAIRS_COLUMNS
from bench.verdicts.pairs.standings import Standing, standings, words

FASTER = {"<": "a_faster", ">": "b_faster", "=": "equivalent", "?": "indistinguishable", "!": "too_few"}
CLEAR = {"a_faster": (0.5, 0.4, 0.6), "b_faster": (2.0, 1.6, 2.5), "equivalent": (1.001, 0.98, 1.02)}


def table(*pairs: str, collection: str = "easy", clock: str = "cpu", **more: Any) -> pd.DataFrame:
    """A table of pairs; ``a<b`` says that a is faster, ``a=b`` that they are equivalent."""
    rows = []
    for a, sign, b in pairs:
        ratio, low, high = CLEAR.get(FASTER[sign], (1.1, 0.8, 1.5))
        row = dict.fromkeys(PAIRS_COLUMNS, math.nan) | {"collection": collection, "a": a, "b": b, "clock": clock}
        row |= {"ratio": ratio, "decided_lo": low, "decided_hi": high, "verdict": FASTER[sign], "margin": 0.05}
        row |= {"n_independent": 20, "n_repetitions": 3, "p_holm": 0.01, "beyond_margin": "yes" if sign in "<>" else ""}
        rows.append(row | more)
    return pd.DataFrame(rows)


def only(*pairs: str, **more: Any) -> Standing:
    [standing] = standings(table(*pairs, **more))
    return standing


def sentence(*pairs: str, **more: Any) -> str:
    return words(table(*pairs, **more))[1]


def test_the_fastest_is_slower_than_no_other() -> None:
    assert only("a<b", "b<c", "a<c").fastest == ("a",)
    assert only("b>a", "b<c", "a<c").fastest == ("a",)
    assert only("a?b", "b<c", "a<c").fastest == ("a", "b")
    assert only("a?b", "b<c", "a?c").fastest == ("b", "a")  # the one that beats another comes first
    assert only("a<b", "b<c", "a>c").fastest == ()
    assert only("a<b").strategies == 2


def test_a_single_fastest_is_named_with_its_nearest_follower() -> None:
    far, near = table("a<b"), table("a<c", ratio=0.8, decided_lo=0.7, decided_hi=0.9)
    lines = words(pd.concat([far, near, table("b?c")]))
    assert lines[1] == "easy: a is fastest (of 3); next: c takes 1.25 times as long as a [1.11, 1.43]"
    assert lines[0] == "Pairs: 3 (one is faster in 2, not decided in 1); family-wise error rate 5%"


def test_a_bound_takes_the_place_of_an_unknown_ratio() -> None:
    unknown = {"ratio": math.nan, "at_most": 0.2, "decided_lo": math.nan, "decided_hi": 0.25}
    assert sentence("a<b", **unknown) == "easy: a is fastest (of 2); next: b takes at least 4.00 times as long as a"


def test_ties_are_lists_of_names() -> None:
    assert sentence("a?b", "b<c", "a<c") == "easy: fastest, statistically tied: a, b (of 3)"
    assert sentence("a=b", "b<c", "a<c") == "easy: fastest, equivalent within 5%: a, b (of 3)"
    assert sentence("a=b", "b?c", "a=c") == "easy: fastest, statistically tied: a, b, c (of 3)"


def test_what_is_not_decided_against_the_fastest_is_named() -> None:
    assert "a is fastest (of 3); not decided against c; next: b takes" in sentence("a<b", "b<c", "a?c")


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [({"n_independent": 9}, "too few puzzles (9 of at least 15)"), ({"n_repetitions": 1}, "too few repetitions (1 of")],
)
def test_too_few_data_name_nobody(lacking: dict[str, int], reason: str) -> None:
    assert only("a!b", **lacking).fastest == ()
    assert sentence("a!b", **lacking).startswith(f"easy: {reason}")


def test_a_circle_has_no_fastest() -> None:
    assert sentence("a<b", "b<c", "a>c") == "easy: each strategy is slower than some other one"


def test_by_wall_time_only_parallel_strategies_meet_all_others() -> None:
    cpu = table(*(f"{a}<{b}" for a, b in itertools.combinations("abcp", 2)))
    wall = table("a>p", "b>p", "c?p", clock="wall")
    both = pd.concat([cpu, wall])
    assert [standing.clock for standing in standings(both)] == ["cpu"]
    assert words(both)[2:] == ["easy by wall time: p is faster than 2 and slower than 0 of 3 others; 1 not decided"]
    few = table("a!p", "b!p", "c!p", clock="wall", n_repetitions=1)
    assert words(pd.concat([cpu, few]))[2].startswith("easy by wall time: too few repetitions (1 of")
    assert "by wall time: p is fastest (of 2)" in words(pd.concat([table("a<p"), table("a>p", clock="wall")]))[2]


def test_no_pairs_no_words() -> None:
    empty = pd.DataFrame(columns=list(PAIRS_COLUMNS))
    assert words(empty) == []
    assert standings(empty) == []
