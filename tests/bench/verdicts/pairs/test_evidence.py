"""The evidence on a pair says what was decided, and no more than the interval printed in it shows."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.verdicts.pairs.decision import AS_ONE
from sudoku_bench.bench.verdicts.pairs.evidence import evidence, significant, slower_first, turned

UNKNOWN = math.nan
NUMBERS = {"ratio": UNKNOWN, "at_least": UNKNOWN, "at_most": UNKNOWN, "ratio_lo": UNKNOWN, "ratio_hi": UNKNOWN}


def a_row(verdict: str, *ends: float, ratio: float = UNKNOWN, beyond: str = "", **more: Any) -> dict[str, Any]:
    """A row of the table of pairs; the interval is that of the ratio a / b."""
    decided = dict(zip(("ratio_lo", "ratio_hi"), ends, strict=False))
    counts = {"wins": 12, "ties": 5, "losses": 3, "n_puzzles": 20, "n_independent": 20, "n_repetitions": 5}
    facts = {"a": "a:x", "b": "b:y", "verdict": verdict, "beyond_margin": beyond, "p_holm": 0.01, "margin": 0.05}
    return facts | counts | NUMBERS | {"ratio": ratio} | decided | more


def takes(number: str, interval: str = "") -> str:
    return f"a:x takes {number} times as long as b:y{' ' * bool(interval)}{interval}"


SLOW, FAST, EVEN, OPEN, FEW = "b_faster", "a_faster", "equivalent", "indistinguishable", "too_few"
MAYBE, LESS = "differs, but maybe by less than 5%: ", "differs, by less than 5%: "
TURNED = "b:y takes 2.00 times as long as a:x [1.60, 2.50]"
INCLUDES = ", the interval includes 1"


@pytest.mark.parametrize(
    ("row", "finding", "sentence"),
    [
        (a_row(SLOW, 1.21, 1.49, ratio=1.34, beyond="yes"), "slower", takes("1.34", "[1.21, 1.49]")),
        (a_row(FAST, 0.4, 0.625, ratio=0.5, beyond="yes"), "faster", TURNED),
        (a_row(SLOW, 1.02, 1.14, ratio=1.08), "slower, maybe by < 5%", MAYBE + takes("1.08", "[1.02, 1.14]")),
        (a_row(SLOW, 1.01, 1.03, ratio=1.02, beyond="no"), "slower, by < 5%", LESS + takes("1.02", "[1.01, 1.03]")),
        (a_row(EVEN, 0.98, 1.02, ratio=1.001), "equivalent", "equivalent within 5%: " + takes("1.00", "[0.98, 1.02]")),
        (a_row(OPEN, 0.98, 1.09, ratio=1.03), "not decided", f"not decided: {takes('1.03', '[0.98, 1.09]')}{INCLUDES}"),
        (a_row(FEW, ratio=2.5, n_puzzles=9, n_independent=9), "too few data", "too few puzzles (9 of at least 15)"),
        (a_row(FEW, ratio=2.5, n_independent=9), "too few data", f"too few puzzles (9 of at least 15; {AS_ONE})"),
        (a_row(FEW, 2.0, 3.0, ratio=2.5, n_independent=16), "too few data", "too few puzzles (16) for so many pairs"),
        (a_row(FEW, ratio=2.5, n_repetitions=1), "too few data", "too few repetitions (1 of at least 3)"),
    ],
)
def test_every_verdict_in_words(row: dict[str, Any], finding: str, sentence: str) -> None:
    assert evidence(row).finding == finding
    assert evidence(row).sentence == sentence
    assert evidence(turned(row)).sentence == sentence  # the slower one comes first from both sides


UNBOUNDED = {"beyond": "yes", "at_least": 5.0}


@pytest.mark.parametrize(
    ("row", "ratio", "interval", "sentence"),
    [
        (a_row(SLOW, 3.2, **UNBOUNDED), "≥ 3.20", "[3.20, ∞]", takes("at least 3.20")),
        (a_row(SLOW, 3.2, beyond="yes", ratio=5.0), "5.00", "[3.20, ∞]", takes("5.00", "[3.20, ∞]")),
        (a_row(SLOW, 3.2, 9.0, at_most=7.0, **UNBOUNDED), "", "[3.20, 9.00]", takes("3.20 to 9.00")),
        (a_row(OPEN, 0.5, at_least=1.2), "", "[0.50, ∞]", "not decided: " + takes("at least 0.50")),
        (a_row(OPEN), "", "", "not decided: unfinished solves leave a:x / b:y unknown"),
    ],
)
def test_unfinished_solves_leave_bounds(row: dict[str, Any], ratio: str, interval: str, sentence: str) -> None:
    shown = evidence(row)
    assert (shown.ratio, shown.interval, shown.sentence) == (ratio, interval, sentence)


@given(
    low=st.floats(0.2, 5.0),
    widths=st.tuples(st.floats(1e-5, 1.0), st.floats(1e-5, 1.0)),
    margin=st.sampled_from([0.01, 0.05, 0.2]),
)
def test_printed_numbers_are_on_the_side_of_one_and_of_the_margin_that_the_numbers_are(
    low: float, widths: tuple[float, float], margin: float
) -> None:
    ratio, high = low * (1 + widths[0]), low * (1 + widths[0]) * (1 + widths[1])
    verdict = "b_faster" if low > 1 else "a_faster" if high < 1 else "indistinguishable"
    shown = evidence(a_row(verdict, low, high, ratio=ratio, margin=margin))
    ends = [float(text) for text in shown.interval.strip("[]").split(", ")]
    assert ends[0] <= float(shown.ratio) <= ends[1]
    assert [float(shown.ratio), *ends] == pytest.approx([ratio, low, high], rel=0.011)
    for value, end in zip((low, high), ends, strict=True):
        for limit in (1.0, 1 + margin, 1 / (1 + margin)):
            if abs(value / limit - 1) > 1e-5:  # the digits of pairs.csv
                assert (end > limit) == (value > limit)


def test_a_row_turned_twice_is_the_same_row() -> None:
    row = a_row("a_faster", 0.25, 0.5, ratio=0.4, at_least=0.3)
    other = turned(row)
    assert (other["a"], other["verdict"], other["wins"]) == ("b:y", "b_faster", 3)
    assert (other["ratio"], other["ratio_lo"], other["ratio_hi"]) == (2.5, 2.0, 4.0)
    assert math.isnan(other["at_least"])
    again = turned(other)
    assert {key: again[key] for key in row} == pytest.approx(row, nan_ok=True)
    assert slower_first(row)["a"] == slower_first(other)["a"] == "b:y"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.6551, "1.66"), (14.0, "14.0"), (141.9, "142"), (1125.4, "1125"), (0.0733, "0.0733"), (9.999, "10.0"), (0, "0")],
)
def test_three_digits(value: float, text: str) -> None:
    assert significant(value) == text
