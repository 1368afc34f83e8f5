"""What a document read from JSON must hold: a pattern of the same shape, and the check of a document against it.

A pattern is a ``Leaf``, or one of these, with patterns inside:

    Maybe(pattern)                      null is accepted, too
    [pattern]                           a list of any length
    (pattern, pattern)                  a list of just these values
    {leaf: pattern}                     a table of any names that the leaf accepts
    {"name": pattern, "name?": pattern} a table with these names, some of them optional. Others may follow, as later
                                        versions write more
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

LONGEST = 40  # characters of a value in a message

Pattern = Any  # as above


@dataclass(frozen=True)
class Leaf:
    """A single value for which something holds."""

    expected: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True)
class Maybe:
    """A value, or null."""

    pattern: Pattern


def is_moment(value: Any) -> bool:
    """Is it a date and a time, as ISO 8601 writes them?"""
    try:
        return bool(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return False


text = Leaf("text", lambda value: isinstance(value, str))
flag = Leaf("true or false", lambda value: isinstance(value, bool))
anything = Leaf("anything", lambda _: True)  # for what no reader looks into
moment = Leaf("a date and time such as 2026-01-31T12:00:00+00:00", is_moment)


def integer(least: int = 0) -> Leaf:
    return Leaf(f"an integer from {least} on", lambda value: type(value) is int and least <= value < 1 << 63)


def number(above: float = -math.inf, least: float = -math.inf) -> Leaf:
    bound = f" above {above:g}" if above > -math.inf else f" from {least:g} on" if least > -math.inf else ""
    return Leaf(
        f"a number{bound}",
        lambda value: type(value) in (int, float) and math.isfinite(value) and value > above and value >= least,
    )


def choice(*values: Any) -> Leaf:
    return Leaf(" or ".join(map(str, values)), lambda value: value in values)


def matching(regex: re.Pattern[str], expected: str) -> Leaf:
    return Leaf(expected, lambda value: isinstance(value, str) and bool(regex.fullmatch(value)))


def check(value: Any, pattern: Pattern, where: str = "") -> None:
    """Require that a value fits a pattern.

    Args:
        where: the place of the value in the document, such as ``suite.timeout_s``.

    Raises:
        ValueError: it does not: ``where is VALUE, not EXPECTED``.
    """
    match pattern:
        case Leaf():
            _require(pattern.holds(value), value, where, pattern.expected)
        case Maybe():
            if value is not None:
                check(value, pattern.pattern, where)
        case list() | tuple():
            number = len(pattern) if isinstance(pattern, tuple) else None
            fits = isinstance(value, list) and number in (None, len(value))
            _require(fits, value, where, "a list" if number is None else f"a list of {number}")
            for place, item in enumerate(value):
                check(item, pattern[0 if number is None else place], f"{where}[{place}]")
        case dict():
            _require(isinstance(value, dict), value, where or "the document", "a table")
            _check_table(value, pattern, where)


def _check_table(value: Mapping[str, Any], pattern: Mapping[Any, Pattern], where: str) -> None:
    inside = f"{where}." if where else ""
    for name, of_name in pattern.items():
        if isinstance(name, Leaf):
            for key, item in value.items():
                check(key, name, f"a name in {where}")
                check(item, of_name, inside + key)
        elif name.removesuffix("?") in value:
            key = name.removesuffix("?")
            check(value[key], of_name, inside + key)
        elif not name.endswith("?"):
            raise ValueError(f"{inside}{name} is missing")


def _require(fits: bool, value: Any, where: str, expected: str) -> None:
    if not fits:
        shown = ascii(value)
        shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."
        raise ValueError(f"{where} is {shown}, not {expected}")
