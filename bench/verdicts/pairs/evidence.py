"""The evidence on a pair in words: its ratio, its interval, and what follows. All output uses this module.

No sentence claims more than the interval printed in it shows. Where it decides nothing, the number of puzzles that only
one of the two solves within the limit may.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sudoku_bench.bench.verdicts.pairs import decision

MOST_DIGITS = 6  # as many as pairs.csv has
SWAPPED = {decision.A_FASTER: decision.B_FASTER, decision.B_FASTER: decision.A_FASTER}
SIDES = {"a": "b", "b": "a"}
TOTALS = ("total_ratio", "total_but_one")
RANGES = (("ratio_lo", "ratio_hi"), ("at_least", "at_most"))  # columns with ratios
NUMBERS = ("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most")
EXCHANGED = (("a", "b"), ("wins", "losses"), ("only_a", "only_b"))
UNBOUNDED = "∞"
APART = 0.1  # relative difference beyond which the ratio of total times is told beside that of a typical solve

Row = Mapping[Any, Any]


@dataclass(frozen=True)
class Evidence:
    """The evidence on a pair as text.

    Attributes:
        ratio: time of a / time of b, or the end of its interval that excludes 1: ``1.34``, ``≥ 3.20``; else empty.
        low, high: the ends of the interval: ``1.21``, ``1.49``; empty if unbounded, or without enough data.
        p: p-value of the hypothesis that the ratio is 1, corrected over the family; empty if it was not tested.
        finding: what a is, compared with b: ``slower``, ``slower, maybe by < 5%``, ``solves fewer``, ``not decided``.
        sentence: ratio, interval and finding with the names of both strategies.
    """

    ratio: str
    low: str
    high: str
    p: str
    finding: str
    sentence: str

    @property
    def interval(self) -> str:
        """The interval, ``[1.21, 1.49]``; empty if there is none."""
        return interval_text(self.low, self.high)


def evidence(row: Row) -> Evidence:
    """Return the evidence on a pair, a row of the table of pairs."""
    if row["verdict"] == decision.TOO_FEW:
        return Evidence(_ratio(row), "", "", "", "too few data", too_few(row))
    p = p_text(float(row["p_holm"])) if _known(row["p_holm"]) else ""
    return Evidence(_ratio(row), *_ends(row), p, _finding(row), _sentence(slower_first(row)))


def too_few(row: Row) -> str:
    """Return the reason why a pair has too few data for a verdict."""
    if row["n_repetitions"] < decision.LEAST_REPETITIONS:
        return f"too few repetitions ({row['n_repetitions']:.0f} of at least {decision.LEAST_REPETITIONS})"
    if row["n_independent"] < decision.LEAST_PUZZLES:
        alike = f"; {decision.AS_ONE}" if row["n_independent"] < row["n_puzzles"] else ""
        return f"too few puzzles ({row['n_independent']:.0f} of at least {decision.LEAST_PUZZLES}{alike})"
    return f"too few puzzles ({row['n_independent']:.0f}) for so many pairs"


def turned(row: Row) -> dict[Any, Any]:
    """Return a row of the table of pairs with a and b exchanged."""
    pairs = [*RANGES, *((high, low) for low, high in RANGES), *((key, key) for key in ("ratio", *TOTALS))]
    inverse = {key: _inverse(row[other]) for key, other in pairs if other in row}
    exchanged = {key: row[other] for pair in EXCHANGED for key, other in (pair, pair[::-1]) if other in row}
    swapped = {key: (SWAPPED | SIDES).get(row[key], row[key]) for key in ("verdict", "more_solved") if key in row}
    return {**row, **inverse, **exchanged, **swapped}


def slower_first(row: Row) -> Row:
    """Return a row of the table of pairs with the slower strategy as a, as far as this is known."""
    if row["verdict"] in SWAPPED:
        return turned(row) if row["verdict"] == decision.A_FASTER else row
    return turned(row) if size(row) < 1 else row


def size(row: Row) -> float:
    """Return the ratio, else a lower bound of it; infinite if neither is known."""
    known = (float(row[column]) for column in ("ratio", "at_least", "ratio_lo") if _known(row[column]))
    return next(known, math.inf)


def significant(value: float, digits: int = 3) -> str:
    """Format significant digits, without an exponent from 1e-4 to 1e6: 0.0123, 1.60, 142, 12300."""
    if value == 0 or not 1e-4 <= abs(value) < 1e6:
        return f"{value:.{digits}g}"
    decimals = digits - 1 - math.floor(math.log10(abs(float(f"{value:.{digits}g}"))))
    return f"{value:.{max(0, decimals)}f}"


def amount(value: float) -> str:
    """Format a measured amount, such as guesses: three significant digits and no exponent: 0.0123, 16.0, 1,260."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 999.5 else significant(value)


def together(values: Sequence[float], text_of: Callable[[float], str], limits: Sequence[float] = ()) -> list[str]:
    """Format numbers that stand side by side with the same decimals: 0.510, 0.436, 0.590; or 188, 93, 4,000.

    The number with most decimals decides, as far as no other gets more than a digit longer than those with decimals.
    Each is formatted alone where fewer decimals leave one with a single digit, or not on its side of a limit.
    """
    alone = [text_of(value) for value in values]
    decimals = [len(text.partition(".")[2]) for text in alone]
    longest = max((_length(text) for text in alone if "." in text), default=0)
    for number in range(max(decimals, default=0), -1, -1):
        own = [text if count == number else "" for text, count in zip(alone, decimals, strict=True)]
        texts = [text or f"{value:.{number}f}" for text, value in zip(own, values, strict=True)]
        if all(_length(text) <= longest + 1 for text in texts):
            break
    pairs = list(zip(map(_number, texts), map(_number, alone), strict=True))
    is_clear = all(_length(text) > 1 or value == 0 for text, value in zip(texts, values, strict=True))
    keeps_sides = all(_side(one, limit) == _side(other, limit) for one, other in pairs for limit in limits)
    return texts if is_clear and keeps_sides else alone


def _length(text: str) -> int:
    """Return how many digits a number has from its first one that is not 0."""
    return len(text.replace(",", "").replace(".", "").lstrip("0"))


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{100 * share:.3g}%"


def p_text(p: float) -> str:
    """Format a p-value, with the digits that show on which side of the significance level it is."""
    return "< 0.001" if p < 0.001 else significant(p, _digits([p], [decision.ALPHA], 2, significant))


def ratio_text(ratio: float, digits: int = 3) -> str:
    """Format a ratio; from 0.5 on it has as many decimals as beyond 1: 0.98, 1.02."""
    return f"{ratio:.{digits - 1}f}" if 0.5 <= ratio < 1 else significant(ratio, digits)


def beside_one(ratio: float) -> str:
    """Format a ratio that is not 1, with the digits that show it."""
    return ratio_text(ratio, _digits([ratio], [1.0], 3, ratio_text))


def _digits(values: Iterable[float], limits: Iterable[float], least: int, text_of: Callable[[float, int], str]) -> int:
    """Return the number of digits with which the text of each value is on the side of each limit that the value is."""
    sides = [(value, limit) for value in values for limit in limits]
    enough = (
        digits
        for digits in range(least, MOST_DIGITS)
        if all(_side(float(text_of(value, digits)), limit) == _side(value, limit) for value, limit in sides)
    )
    return next(enough, MOST_DIGITS)


def _side(value: float, limit: float) -> int:
    return (value > limit) - (value < limit)


def texts(row: Row) -> dict[str, str]:
    """Return the known numbers of a row as text, by column, with the digits that the ends of its interval need.

    Args:
        row: with a ``margin``, and any of the columns ``NUMBERS``.
    """
    known = {column: float(row[column]) for column in NUMBERS if _known(row.get(column))}
    ends = [known[column] for column in ("ratio_lo", "ratio_hi") if column in known]
    limits = [1.0, 1 + row["margin"], 1 / (1 + row["margin"])]
    digits = _digits(ends, limits, 3, ratio_text)
    shown = together(list(known.values()), lambda value: ratio_text(value, digits), limits)
    return dict(zip(known, shown, strict=True))


def _ratio(row: Row) -> str:
    """Return the ratio; if unfinished solves leave it open, the end of its interval that excludes 1 as a bound."""
    shown = texts(row)
    if "ratio" in shown:
        return shown["ratio"]
    if row["verdict"] in SWAPPED and ("ratio_lo" in shown) != ("ratio_hi" in shown):
        return f"≥ {shown['ratio_lo']}" if "ratio_lo" in shown else f"≤ {shown['ratio_hi']}"
    return ""


def _ends(row: Row) -> tuple[str, str]:
    """Return the ends of the interval; empty if unbounded."""
    shown = texts(row)
    return shown.get("ratio_lo", ""), shown.get("ratio_hi", "")


def interval_text(low: str, high: str, least: str = "0") -> str:
    """Format an interval, ``[1.21, 1.49]``; an end that is not known is unbounded; empty if neither is known."""
    return f"[{low or least}, {high or UNBOUNDED}]" if low or high else ""


def interval_of(low: float | None, high: float | None, text_of: Callable[[float], str], least: str = "0") -> str:
    """Format an interval of numbers; NaN and None are not known."""
    low_text, high_text = (text_of(end) if end is not None and _known(end) else "" for end in (low, high))
    return interval_text(low_text, high_text, least)


def _finding(row: Row) -> str:
    if row["verdict"] not in SWAPPED:
        solves = {"a": "solves more", "b": "solves fewer"}.get(_more_solved(row), "not decided")
        return "equivalent" if row["verdict"] == decision.EQUIVALENT else solves
    finding = "slower" if row["verdict"] == decision.B_FASTER else "faster"
    less = {"yes": "", "no": f", by < {percent(row['margin'])}"}
    return finding + less.get(row["beyond_margin"], f", maybe by < {percent(row['margin'])}")


def _more_solved(row: Row) -> str:
    """Return which of the two is shown to solve more puzzles within the limit: ``a``, ``b`` or none."""
    return str(row["more_solved"]) if row.get("more_solved") in SIDES else ""


def _sentence(row: Row) -> str:
    """Return the evidence on a pair whose slower strategy is a."""
    takes, margin = _takes(row), percent(row["margin"])
    if row["verdict"] == decision.EQUIVALENT:
        return f"equivalent within {margin}: {takes}"
    if row["verdict"] == decision.INDISTINGUISHABLE:
        return _solves_more(row) or _open(row, takes)
    prefix = {"yes": "", "no": f"differs, by less than {margin}: "}
    return prefix.get(row["beyond_margin"], f"differs, but maybe by less than {margin}: ") + takes


def _open(row: Row, takes: str) -> str:
    if not takes:
        return f"not decided: unfinished solves leave {row['a']} / {row['b']} unknown"
    has_interval = _known(row["ratio"]) and any(_ends(row))
    return f"not decided: {takes}{', the interval includes 1' if has_interval else ''}"


def _solves_more(row: Row) -> str:
    """Return which strategy solves more puzzles within the limit, where times decide nothing; empty if neither."""
    side = _more_solved(row)
    if not side:
        return ""
    more, fewer = f"{row[f'only_{side}']:.0f}", f"{row[f'only_{SIDES[side]}']:.0f}"
    reverse = "; the reverse holds for none" if fewer == "0" else f"; the reverse holds for {fewer}"
    return (
        f"{row[side]} solves more within the limit: {more} puzzles that {row[SIDES[side]]} does not solve{reverse}"
        " (times do not decide)"
    )


def _takes(row: Row) -> str:
    """Return how many times as long a takes as b, with the interval; empty if nothing is known."""
    names, (low, high) = (row["a"], row["b"]), _ends(row)
    if _known(row["ratio"]):
        shown = (_times_as_long(*names, _ratio(row)), interval_text(low, high), in_total(row))
        return " ".join(filter(None, shown))
    if low and high:
        return _times_as_long(*names, f"{low} to {high}")
    if low or high:
        return _times_as_long(*names, f"at least {low}" if low else f"at most {high}")
    return ""


def in_total(row: Row) -> str:
    """Return the ratio of total times in parentheses if it differs by more than ``APART`` from that of a typical solve.

    A geometric mean gives each solve the same weight; a total is dominated by the solves that take longest, sometimes
    by a single one. Then the total without it is given, too.
    """
    total, but_one = (float(row.get(key, math.nan)) for key in TOTALS)
    if not _known(total) or not _known(row["ratio"]) or not _apart(total, row["ratio"]):
        return ""
    if _known(but_one) and _apart(but_one, total):
        solves = f"{row['n_puzzles'] * row['n_repetitions']:,.0f}"
        return f"({ratio_text(total)} times in total, {ratio_text(but_one)} without a single solve of {solves})"
    return f"({ratio_text(total)} times in total, where long solves count most)"


def _apart(one: float, other: float) -> bool:
    return abs(math.log(one / other)) > math.log1p(APART)


def _times_as_long(a: str, b: str, number: str) -> str:
    return f"{a} takes {number} times as long as {b}"


def _inverse(value: Any) -> float:
    return 1 / value if _known(value) and value else math.nan


def _known(value: Any) -> bool:
    return not pd.isna(value)
