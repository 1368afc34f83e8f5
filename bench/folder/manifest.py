"""What stands in ``manifest.json``: declared once, so that an edited or damaged one is refused in one line.

Names that are not declared may follow, as later versions write more. ``schema`` is the same for other tools.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from sudoku_bench.bench.folder.method import Count, Method, Seconds
from sudoku_bench.bench.plan import declared
from sudoku_bench.bench.plan.suite import Suite as Suite
from sudoku_bench.bench.plan.suite import settings
from sudoku_bench.datasets.errors import InputError

FORMAT = 3
Positive = Annotated[int, Meta(ge=1)]
Cost = Annotated[float, Meta(gt=0)]
Moment = Annotated[datetime, Meta(description="a date and a time, as ISO 8601 writes them")]
# Settings that all versions write, and reports read: a default in their place would be a claim about the run.
WRITTEN = (
    *("name", "task", "timeout_s", "mode", "gc", "pin", "limit", "sample", "memory_mib", "repetitions", "launches"),
    *("jobs", "isomorphs", "margin"),
)


class Record(msgspec.Struct, omit_defaults=True):
    """A table of a manifest; a field that is ``UNSET`` by default may be missing."""


class StrategyRecord(Record):
    name: str
    tasks: list[str] | UnsetType = UNSET
    requires: list[str] | UnsetType = UNSET
    persistent: bool | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    plugin: str | UnsetType | None = UNSET
    plugin_sha256: str | UnsetType | None = UNSET
    environ: dict[str, str] | UnsetType = UNSET
    command: dict[str, Any] | UnsetType | None = UNSET
    files_sha256: dict[str, str] | UnsetType = UNSET


class CollectionRecord(Record):
    name: str
    puzzles: Count
    skipped: list[str] | UnsetType = UNSET
    origin: str | UnsetType | None = UNSET
    licence: str | UnsetType | None = UNSET
    sha256: str | UnsetType | None = UNSET


class Virtualisation(Record):
    virtual: bool | UnsetType | None = UNSET


class Machine(Record):
    cpu: str | UnsetType | None = UNSET
    system: str | UnsetType | None = UNSET
    distribution: str | UnsetType | None = UNSET
    kernel: str | UnsetType | None = UNSET
    architecture: str | UnsetType | None = UNSET
    python: str | UnsetType | None = UNSET
    cores_physical: Positive | UnsetType | None = UNSET
    cores_logical: Positive | UnsetType | None = UNSET
    cores_usable: Positive | UnsetType | None = UNSET
    memory_mib: Positive | UnsetType | None = UNSET
    virtualisation: Virtualisation | UnsetType | None = UNSET
    environment: dict[str, str] | UnsetType | None = UNSET
    cgroup: dict[str, Any] | UnsetType | None = UNSET
    frequency: dict[str, Any] | UnsetType | None = UNSET
    job: dict[str, str] | UnsetType | None = UNSET


class CalibrationRecord(Record):
    placebos: list[str]
    parallel: list[str]
    repetitions: Positive | None
    puzzles: Positive | UnsetType | None = UNSET
    most: Positive | UnsetType | None = UNSET


class Kind(Record):
    disturbed_s: Seconds | UnsetType | None = UNSET


class Look(Record):
    """At the machine, by one runner."""

    seconds: Seconds
    disturbed_s: Seconds
    kinds: dict[str, Kind]
    began_s: Seconds | UnsetType = UNSET
    spans_s: list[tuple[float, float]] | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET
    summary: str | UnsetType = UNSET


class Git(Record):
    commit: str | UnsetType | None = UNSET
    dirty: bool | UnsetType | None = UNSET


class Reliable(Record):
    time_limit: str | UnsetType = UNSET
    memory_limit: str | UnsetType = UNSET
    best_effort: list[str] | UnsetType = UNSET


class ClockCost(Record):
    cpu: Cost
    wall: Cost


class ImportedFile(Record):
    name: str
    sha256: str


class ImportedRecord(Record):
    tool: str
    files: list[ImportedFile]
    has_limit: bool


class Host(Record):
    machine: Machine
    versions: dict[str, str | None]


class Manifest(Record):
    suite: Suite
    machine: Machine
    method: Method
    planned_rows: Count
    started: Moment
    format: Literal[3] | UnsetType = UNSET
    command: str | UnsetType = UNSET
    task: str | UnsetType = UNSET
    ended: Moment | UnsetType | None = UNSET
    complete: bool | UnsetType = UNSET
    strategies: list[StrategyRecord] | UnsetType = UNSET
    collections: list[CollectionRecord] | UnsetType = UNSET
    calibration: CalibrationRecord | UnsetType = UNSET
    settled: dict[str, Any] | UnsetType = UNSET  # in its place, of earlier versions
    packages: dict[str, str | None] | UnsetType = UNSET
    references_by_sources: dict[Literal["0", "1", "2"], Count] | UnsetType = UNSET
    resumed: list[Moment] | UnsetType = UNSET
    git: Git | UnsetType = UNSET
    code: list[str] | UnsetType = UNSET
    conflict_engine: str | UnsetType = UNSET
    clock: Literal["cpu", "wall"] | UnsetType = UNSET
    reliable: Reliable | UnsetType = UNSET
    clock_cost_s: ClockCost | UnsetType = UNSET
    disturbance: list[Look] | UnsetType = UNSET
    rows_by_status: dict[str, Count] | UnsetType = UNSET
    sha256: dict[str, str] | UnsetType = UNSET
    edited: list[str] | UnsetType = UNSET
    imported: ImportedRecord | UnsetType = UNSET
    hosts: dict[str, Host] | UnsetType = UNSET


def fault(manifest: Any) -> str | None:
    """Describe the first thing in a manifest that no version writes; None if there is none."""
    try:
        declared.converted(with_known_settings(manifest), Manifest).suite.require_sound()
        optional = [each.name for each in settings() if each.default is None]
        for name in WRITTEN:
            if name not in manifest["suite"] or (manifest["suite"][name] is None and name not in optional):
                raise ValueError(f"suite.{name} is missing")
    except (ValueError, InputError) as error:
        return str(error)
    return None


def with_known_settings(manifest: Any) -> Any:
    """Return a manifest without settings that are null: earlier versions wrote more of these."""
    if isinstance(manifest, dict) and isinstance(manifest.get("suite"), dict):
        settings = {name: value for name, value in manifest["suite"].items() if value is not None}
        return manifest | {"suite": settings}
    return manifest


def schema() -> dict[str, Any]:
    """Return the JSON schema of a manifest, with the descriptions of settings."""
    document = msgspec.json.schema(Manifest)
    for setting in settings():
        document["$defs"]["Suite"]["properties"][setting.name]["description"] = setting.description
    return document
