"""Records from outside, such as a suite or a manifest, checked against the classes that declare them.

A class says what each field holds with ``Annotated[type, Meta(...)]`` of msgspec; one line says what is wrong.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from sudoku_bench.datasets.errors import escaped

T = TypeVar("T")

LONGEST = 40  # characters of a value in a message
NAMES = {
    "int": "an integer",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "null",
    "datetime": "a date and time such as 2026-01-31T12:00:00+00:00",
}
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


def converted(record: Any, kind: type[T], strict: bool = True) -> T:
    """Return the object that a record describes; names that its class lacks are left out.

    Args:
        strict: numbers are no texts.

    Raises:
        ValueError: ``PLACE is VALUE, not EXPECTED``, or ``PLACE is missing``.
    """
    try:
        return msgspec.convert(record, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise ValueError(fault(str(error), record)) from None


def printable(document: Any) -> Any:
    """Return what a JSON document holds, with escapes for letters that are not printable in its texts and names."""
    if isinstance(document, dict):
        return {escaped(str(key)): printable(value) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return list(map(printable, document))
    return escaped(document) if isinstance(document, str) else document


def fault(message: str, record: Any) -> str:
    """Return a message of msgspec in the words of this project, with the value that it is about."""
    what, _, place = message.partition(" - at `")
    of_key, _, path = place.rpartition(" in `$")
    path = (path if of_key else place.removeprefix("$")).rstrip("`")
    where = path.lstrip(".")
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", what):
        return f"{where}{'.' if where else ''}{missing[1]} is missing"
    expected = what.partition(", got ")[0].removeprefix("Expected ").replace(" >= ", " of at least ")
    expected = re.sub(r"`([^`]+)`", lambda names: " or ".join(NAMES.get(n, n) for n in names[1].split(" | ")), expected)
    expected = expected.replace(" > ", " above ").replace(" < ", " below ").replace("Invalid enum value", "allowed:")
    expected = expected.replace("Invalid RFC3339 encoded datetime", NAMES["datetime"])
    if expected.startswith("allowed:"):
        expected = "one of the allowed values"
    if of_key:
        return f"a name in {where} is not {expected}"
    value = f"{shown(value_at(record, path))}, " if "[...]" not in path else ""  # a name that is not told
    return f"{where or 'the document'} is {value}not {expected}"


def value_at(record: Any, path: str) -> Any:
    """Return the value at a path such as ``.suite.timeout_s`` or ``.strategies[0]``, as far as it leads to one."""
    for name, number in _STEP.findall(path):
        try:
            record = record[name] if name else record[int(number)]
        except (KeyError, IndexError, TypeError, ValueError):
            break
    return record


def shown(value: Any) -> str:
    """Return a value as it is quoted in a message."""
    text = ascii(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
