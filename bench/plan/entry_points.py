"""Entry points of installed distributions that register strategies. Reads metadata only, imports none of their code."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from importlib import metadata

GROUP = "sudoku_bench.strategies"


@dataclass(frozen=True, order=True)
class EntryPoint:
    """One entry point of a distribution; ``value`` is ``MODULE`` or ``MODULE:CLASS``."""

    distribution: str
    version: str
    name: str
    value: str

    @property
    def label(self) -> str:
        """Name in listings if it registers no strategy."""
        return f"entry-point:{self.distribution}/{self.name}"

    def complaint(self, fault: str) -> str:
        """Return an error about this entry point in one line."""
        where = f"{self.name} = {self.value}" if self.value else self.name
        return " ".join(f"entry point {where} of {self.distribution} {self.version}: {fault}".split())


def entry_points() -> list[EntryPoint]:
    """Return the entry points of all importable distributions, sorted; broken distributions have none."""
    points: dict[str, list[EntryPoint]] = {}
    for distribution in metadata.distributions():  # in path order: the first distribution of a name is imported
        with contextlib.suppress(Exception):  # importlib documents no exceptions for broken metadata
            if GROUP in (distribution.read_text("entry_points.txt") or ""):
                name, found = str(distribution.metadata["Name"]), distribution.entry_points.select(group=GROUP)
                points.setdefault(name, [EntryPoint(name, distribution.version, p.name, p.value) for p in found])
    return sorted(itertools.chain.from_iterable(points.values()))
