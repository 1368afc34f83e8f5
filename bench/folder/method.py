"""Constants of the method of a run. Each run records its constants, and reports read only those.

A constant may change between versions; reports of old runs must not change with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from msgspec import Meta

KEY = "method"  # of the manifest
CPU, WALL = "cpu", "wall"  # clocks
CLOCKS = {CPU: "CPU time", WALL: "wall time"}
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0)]


@dataclass(frozen=True)
class Method:
    """Constants of the method. Times in seconds.

    Attributes:
        lead_in_s: CPU time for which a strategy works on other puzzles before each measurement (0: earlier versions).
        placebo_puzzles: largest number of puzzles per collection that placebos solve.
        wall_factor, wall_slack_s: the wall-clock guard of a solve is factor * CPU limit + slack.
        idle_share: a solve that computes for less of the wall time has the CPU limit as its wall-clock guard.
        prepare_limit_s: CPU limit for preparing a shape.
        watch_interval_s: time between two checks of the CPU time and memory of a worker's process tree.
        guess_orders: random orders in which the guesses of a puzzle are counted.
        difficulty_forms: forms of a puzzle whose conflicts are counted (0: versions without these).
        explainer_work: deduced literals after which an explainer rating is given up.
    """

    placebo_puzzles: Count
    wall_factor: Seconds
    wall_slack_s: Seconds
    prepare_limit_s: Seconds
    watch_interval_s: Seconds
    guess_orders: Count
    difficulty_forms: Count = 0
    explainer_work: Count = 0
    lead_in_s: Seconds = 0.0
    idle_share: Seconds = 0.0

    def wall_limit_s(self, cpu_limit_s: float) -> float:
        """Return the wall-clock guard beside a CPU limit."""
        return self.wall_factor * cpu_limit_s + self.wall_slack_s


def of_manifest(manifest: Mapping[str, Any]) -> Method:
    """Return the method that a run records; constants that this version does not have are left out."""
    recorded = manifest[KEY]
    return Method(**{field.name: recorded[field.name] for field in fields(Method) if field.name in recorded})


def clock(manifest: Mapping[str, Any]) -> str:
    """Return the clock whose times the verdicts of a run compare: ``wall`` if an imported run has no other."""
    return str(manifest.get("clock", CPU))


def in_clock(text: str, manifest: Mapping[str, Any]) -> str:
    """Return a text about a run with the name of its clock wherever it says CPU time."""
    return text.replace(CLOCKS[CPU], CLOCKS[clock(manifest)])


def is_imported(manifest: Mapping[str, Any]) -> bool:
    """Return whether another tool measured the run."""
    return "imported" in manifest


def has_limit(manifest: Mapping[str, Any]) -> bool:
    """Return whether the solves of a run had a time limit; some tools whose times are imported have none."""
    return bool(manifest.get("imported", {}).get("has_limit", True))


def repetitions(manifest: Mapping[str, Any]) -> int:
    """Return the repetitions per launch of a run: those of the suite, or those that a time budget allowed."""
    calibration = manifest.get("calibration") or manifest.get("settled", {})
    return int(calibration.get("repetitions") or setting(manifest, "repetitions"))


def setting(manifest: Mapping[str, Any], name: str) -> Any:
    """Return a setting of the suite that a run records."""
    return manifest["suite"][name]
