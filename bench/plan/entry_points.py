"""The entry points by which installed distributions offer strategies. Reads their metadata, imports nothing of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

GROUP = "sudoku_bench.strategies"


@dataclass(frozen=True)
class EntryPoint:
    """What a distribution offers under a name.

    Attributes:
        value: ``MODULE`` or ``MODULE:CLASS``.
        fault: why it cannot even be asked; empty if it can.
    """

    distribution: str
    version: str
    name: str
    value: str
    fault: str = ""

    @property
    def label(self) -> str:
        """Stands in listings where it brings no strategy."""
        return f"entry-point:{self.distribution}/{self.name}"

    def complaint(self, fault: str) -> str:
        """A fault of it in one line."""
        where = f"{self.name} = {self.value}" if self.value else self.name
        return " ".join(f"entry point {where} of {self.distribution} {self.version}: {fault}".split())


def entry_points() -> list[EntryPoint]:
    """Those of all distributions that can be imported from here, by distribution and name.

    A distribution whose metadata cannot be read, but speaks of strategies, is one with a ``fault``.
    """
    seen: set[str] = set()
    found: list[EntryPoint] = []
    for distribution in metadata.distributions():  # in the order of the path: the first of a name is imported
        if GROUP not in _text(distribution):
            continue
        name = _fact(distribution, "Name")
        if name not in seen:
            found += _offered(distribution, name or "a distribution without a name")
        if name:
            seen.add(name)
    return sorted(found, key=lambda point: (point.distribution, point.name, point.value))


def _text(distribution: metadata.Distribution) -> str:
    """Its entry points as they are written; what is no text names none of ours."""
    try:
        return distribution.read_text("entry_points.txt") or ""
    except (OSError, ValueError):
        return ""


def _fact(distribution: metadata.Distribution, key: str) -> str:
    """Empty if the metadata do not tell."""
    with contextlib.suppress(Exception):  # whatever the metadata are; importlib promises nothing
        facts = distribution.metadata
        return str(facts[key]) if key in facts else ""
    return ""


def _offered(distribution: metadata.Distribution, name: str) -> Iterator[EntryPoint]:
    version = _fact(distribution, "Version")
    try:
        points = [(point.name, point.value) for point in distribution.entry_points if point.group == GROUP]
    except Exception as error:  # likewise
        yield EntryPoint(name, version, "?", "", f"entry_points.txt cannot be read ({type(error).__name__})")
        return
    for point, value in points:
        fault = "" if value.partition(":")[0].strip() else "names no module; write NAME = MODULE:CLASS"
        yield EntryPoint(name, version, point, value, fault)
