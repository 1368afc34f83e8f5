"""Facts about a run that the sentences of its write-up are built from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.folder.method import has_limit, in_clock, setting
from sudoku_bench.bench.verdicts.run_tables import Run


@dataclass(frozen=True)
class Facts:
    """A run and the facts about it that several sentences use."""

    run: Run

    @cached_property
    def real(self) -> pd.DataFrame:
        """Measurements of strategies on puzzles, without placebos and decoys."""
        rows = self.run.measurements
        return rows[rows["placebo"].isna() & rows["decoy"].isna()]

    @property
    def is_real_puzzle(self) -> pd.Series[bool]:
        """Whether each puzzle of the run is none of the decoys."""
        puzzles = self.run.puzzles
        return puzzles["decoy"].isna() if "decoy" in puzzles else pd.Series(True, puzzles.index)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Measured strategies, in the order of the manifest."""
        measured = set(self.real["strategy"].unique())
        planned = [str(strategy["name"]) for strategy in self.manifest.get("strategies", [])]
        return tuple(dict.fromkeys([*(name for name in planned if name in measured), *sorted(measured)]))

    @property
    def manifest(self) -> dict[str, Any]:
        return self.run.manifest

    def in_clock(self, text: str) -> str:
        """Return a text with the name of the run's clock in place of CPU time."""
        return in_clock(text, self.manifest)

    def setting(self, name: str) -> Any:
        """Return a setting of the suite."""
        return setting(self.manifest, name)

    @property
    def has_limit(self) -> bool:
        """Whether solves had a time limit."""
        return has_limit(self.manifest)

    @property
    def mode(self) -> str:
        return str(self.setting("mode"))

    @property
    def persistent(self) -> tuple[str, ...]:
        """Strategies that keep state from puzzle to puzzle."""
        kept = {strategy["name"] for strategy in self.manifest.get("strategies", []) if strategy.get("persistent")}
        return tuple(name for name in self.names if name in kept)

    @cached_property
    def counts(self) -> Counter[str]:
        """How the measurements of strategies on puzzles ended."""
        return outcomes.of_rows(self.real)
