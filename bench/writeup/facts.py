"""What sentences on the method of a run are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from bench.plan.suite import Suite
from bench.verdicts.run_tables import Run

FORMER = Suite()  # settings that the manifest of an older run does not name had no other value


@dataclass(frozen=True)
class Facts:
    """A run, with what is asked of it again and again."""

    run: Run

    @cached_property
    def real(self) -> pd.DataFrame:
        """Measurements of strategies on puzzles: no placebos, no decoys."""
        rows = self.run.measurements
        return rows[rows["placebo"].isna() & rows["decoy"].isna()]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Strategies that were measured, as the manifest orders them."""
        measured = set(self.real["strategy"].unique())
        planned = [str(strategy["name"]) for strategy in self.manifest.get("strategies", [])]
        return tuple(dict.fromkeys([*(name for name in planned if name in measured), *sorted(measured)]))

    @property
    def manifest(self) -> dict[str, Any]:
        return self.run.manifest

    @property
    def suite(self) -> Mapping[str, Any]:
        suite: Mapping[str, Any] = self.run.manifest["suite"]
        return suite

    def setting(self, name: str) -> Any:
        """A setting of the suite."""
        return self.suite.get(name, getattr(FORMER, name))

    @property
    def cold(self) -> bool:
        return str(self.setting("mode")).startswith("cold")

    @property
    def batch(self) -> int | None:
        """Forms in one call; None in other modes."""
        kind, _, number = str(self.setting("mode")).partition(":")
        return int(number) if kind == "batch" else None

    @cached_property
    def persistent(self) -> tuple[str, ...]:
        """Strategies that keep what they learnt from puzzle to puzzle."""
        kept = {strategy["name"] for strategy in self.manifest.get("strategies", []) if strategy.get("persistent")}
        return tuple(name for name in self.names if name in kept)

    def with_status(self, status: str) -> int:
        """Measurements of strategies on puzzles that ended so."""
        return int((self.real["status"] == status).sum())
