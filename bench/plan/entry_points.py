"""Entry points of installed distributions that register strategies. Reads metadata only, imports none of their code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

GROUP = "sudoku_bench.strategies"


@dataclass(frozen=True)
class EntryPoint:
    """One entry point of a distribution.

    Attributes:
        value: ``MODULE`` or ``MODULE:CLASS``.
        fault: why it cannot be imported at all; empty if it can.
    """

    distribution: str
    version: str
    name: str
    value: str
    fault: str = ""

    @property
    def label(self) -> str:
        """Name in listings if it registers no strategy."""
        return f"entry-point:{self.distribution}/{self.name}"

    def complaint(self, fault: str) -> str:
        """Return an error about this entry point in one line."""
        where = f"{self.name} = {self.value}" if self.value else self.name
        return " ".join(f"entry point {where} of {self.distribution} {self.version}: {fault}".split())


def entry_points() -> list[EntryPoint]:
    """Return the entry points of all importable distributions, sorted by distribution and name.

    A distribution that declares strategies but whose metadata cannot be read yields one with a ``fault``.
    """
    seen: set[str] = set()
    points: list[EntryPoint] = []
    for distribution in metadata.distributions():  # in path order: the first distribution of a name is imported
        if GROUP not in _text(distribution):
            continue
        name = _fact(distribution, "Name")
        if name not in seen:
            points += _points_of(distribution, name or "a distribution without a name")
        if name:
            seen.add(name)
    return sorted(points, key=lambda point: (point.distribution, point.name, point.value))


def _text(distribution: metadata.Distribution) -> str:
    """Return the text of its entry points; empty if it cannot be read as text."""
    try:
        return distribution.read_text("entry_points.txt") or ""
    except (OSError, ValueError):
        return ""


def _fact(distribution: metadata.Distribution, key: str) -> str:
    """Return a metadata field; empty if it is missing."""
    with contextlib.suppress(Exception):  # importlib documents no exceptions for broken metadata
        facts = distribution.metadata
        return str(facts[key]) if key in facts else ""
    return ""


def _points_of(distribution: metadata.Distribution, name: str) -> Iterator[EntryPoint]:
    version = _fact(distribution, "Version")
    try:
        points = [(point.name, point.value) for point in distribution.entry_points if point.group == GROUP]
    except Exception as error:  # undocumented as well
        yield EntryPoint(name, version, "?", "", f"entry_points.txt cannot be read ({type(error).__name__})")
        return
    for point, value in points:
        fault = "" if value.partition(":")[0].strip() else "names no module; write NAME = MODULE:CLASS"
        yield EntryPoint(name, version, point, value, fault)
