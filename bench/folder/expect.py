"""Expectations about a document read from JSON: small checks, put together to that of a whole document.

A check takes a value and where it stands (``suite.timeout_s``), and raises ``UnexpectedError`` if the value is another
than expected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

Check = Callable[[Any, str], None]
LONGEST = 40  # characters of a value in a message


class UnexpectedError(ValueError):
    """A value is another than expected: ``where is VALUE, not EXPECTED``."""

    def __init__(self, where: str, value: Any, expected: str) -> None:
        text = ascii(value)
        super().__init__(f"{where} is {text if len(text) <= LONGEST else text[:LONGEST] + '...'}, not {expected}")


def leaf(expected: str, holds: Callable[[Any], bool]) -> Check:
    """A value for which something holds."""

    def check(value: Any, where: str) -> None:
        if not holds(value):
            raise UnexpectedError(where, value, expected)

    return check


def is_moment(value: Any) -> bool:
    """Is it a date and a time, as ISO 8601 writes them?"""
    try:
        return bool(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return False


text = leaf("text", lambda value: isinstance(value, str))
flag = leaf("true or false", lambda value: isinstance(value, bool))
anything = leaf("anything", lambda _: True)  # for what no reader looks into
moment = leaf("a date and time such as 2026-01-31T12:00:00+00:00", is_moment)


def integer(least: int = 0) -> Check:
    return leaf(f"an integer from {least} on", lambda value: type(value) is int and least <= value < 1 << 63)


def number(above: float = -math.inf, least: float = -math.inf) -> Check:
    bound = f" above {above:g}" if above > -math.inf else f" from {least:g} on" if least > -math.inf else ""
    return leaf(
        f"a number{bound}",
        lambda value: type(value) in (int, float) and math.isfinite(value) and value > above and value >= least,
    )


def choice(*values: Any) -> Check:
    return leaf(" or ".join(map(str, values)), lambda value: value in values)


def matching(pattern: re.Pattern[str], expected: str) -> Check:
    return leaf(expected, lambda value: isinstance(value, str) and bool(pattern.fullmatch(value)))


def maybe(expected: Check) -> Check:
    """The value, or null."""

    def check(value: Any, where: str) -> None:
        if value is not None:
            expected(value, where)

    return check


def each(expected: Check) -> Check:
    """A list of such values."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list):
            raise UnexpectedError(where, value, "a list")
        for place, item in enumerate(value):
            expected(item, f"{where}[{place}]")

    return check


def items(*expected: Check) -> Check:
    """A list of that many values, one as each."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) != len(expected):
            raise UnexpectedError(where, value, f"a list of {len(expected)}")
        for place, (item, as_expected) in enumerate(zip(value, expected, strict=True)):
            as_expected(item, f"{where}[{place}]")

    return check


def by_name(expected: Check, names: Check = text) -> Check:
    """A table of any names with such values."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise UnexpectedError(where, value, "a table")
        for name, item in value.items():
            names(name, f"a name in {where}")
            expected(item, f"{where}.{name}")

    return check


def table(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None, closed: bool = False) -> Check:
    """A table with these names. Others may follow, as later versions write more, unless it is closed."""
    known = {**(optional or {}), **required}

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise UnexpectedError(where or "the document", value, "a table")
        inside = f"{where}." if where else ""
        for name in required:
            if name not in value:
                raise ValueError(f"{inside}{name} is missing")
        for name, item in value.items():
            if name in known:
                known[name](item, inside + name)
            elif closed:
                raise ValueError(f"{inside}{name} is unknown")

    return check
