"""Expectations about a document read from JSON: small checks, put together to that of a whole document.

A check takes a value and where it stands (``suite.timeout_s``), and raises ``UnexpectedError`` if the value is another
than expected.
"""

from __future__ import annotations

import math
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


def text(value: Any, where: str) -> None:
    if not isinstance(value, str):
        raise UnexpectedError(where, value, "text")


def flag(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        raise UnexpectedError(where, value, "true or false")


def anything(_value: Any, _where: str) -> None:
    """For what no reader looks into."""


def moment(value: Any, where: str) -> None:
    """A date and a time, as ISO 8601 writes them."""
    text(value, where)
    try:
        datetime.fromisoformat(value)
    except ValueError:
        raise UnexpectedError(where, value, "a date and time such as 2026-01-31T12:00:00+00:00") from None


def integer(least: int = 0) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) is not int or not least <= value < 1 << 63:
            raise UnexpectedError(where, value, f"an integer from {least} on")

    return check


def number(above: float = -math.inf, least: float = -math.inf) -> Check:
    bound = f" above {above:g}" if above > -math.inf else f" from {least:g} on" if least > -math.inf else ""

    def check(value: Any, where: str) -> None:
        if type(value) not in (int, float) or not math.isfinite(value) or value <= above or value < least:
            raise UnexpectedError(where, value, f"a number{bound}")

    return check


def choice(*values: Any) -> Check:
    def check(value: Any, where: str) -> None:
        if value not in values:
            raise UnexpectedError(where, value, " or ".join(map(str, values)))

    return check


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
