"""The state of a run (running, interrupted or complete) and its remaining time, also while it is being written."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from bench.folder import parts, seal
from bench.folder.live import Live, Outcome, Standings
from bench.folder.store import MEASUREMENTS, finished_rows, is_being_written, read_manifest
from datasets.errors import InputError

BEGINNING, RUNNING, INTERRUPTED, COMPLETE = "beginning", "running", "interrupted", "complete"


@dataclass(frozen=True)
class State:
    """The state of a run.

    Attributes:
        word: ``beginning`` (a runner without a plan yet), ``running``, ``interrupted`` or ``complete``.
        manifest: empty at the beginning.
        standings: of the existing rows.
        left_s: estimated duration of the rest; None if unknown.
        edited: files that are not as the run wrote them, as far as there are checksums.
    """

    folder: Path
    word: str
    manifest: dict[str, Any]
    standings: Standings
    left_s: float | None
    edited: tuple[str, ...] = ()

    @property
    def resume(self) -> str | None:
        """The command that continues an interrupted run; None if there is none."""
        if self.word != INTERRUPTED:
            return None
        arguments = shlex.split(self.manifest.get("command", ""))
        if arguments[:1] != ["sudoku-bench"]:
            return shlex.join(arguments) or None
        if not any(argument == "--out" or argument.startswith("--out=") for argument in arguments):
            arguments += ["--out", str(self.folder)]
        return shlex.join(arguments if "--resume" in arguments else [*arguments, "--resume"])

    @property
    def document(self) -> dict[str, Any]:
        """The state as JSON: times in seconds, null if unknown."""
        return {
            "folder": str(self.folder),
            "state": self.word,
            "complete": self.word == COMPLETE,
            "suite": self.manifest.get("suite"),
            "planned_rows": self.manifest.get("planned_rows"),
            "rows": self.standings.rows,
            "rows_by_status": dict(self.standings.statuses),
            "left_s": self.left_s,
            "edited": list(self.edited),
            "resume": self.resume,
            "strategies": [
                {
                    "strategy": standing.strategy,
                    "median_s": standing.median_s if standing.median_s < float("inf") else None,
                    "limit_s": standing.limit_s,
                    "measured": standing.measured,
                    "rows_by_status": dict(standing.statuses),
                }
                for standing in self.standings.sorted()
            ],
        }


def of_run(folder: Path) -> State:
    """Determine the state of the run in a folder.

    Raises:
        InputError: there is no run, or its rows cannot be read.
    """
    has_runner = is_being_written(folder)
    try:
        manifest = read_manifest(folder)
    except InputError:
        if has_runner:
            return State(folder, BEGINNING, {}, Standings({}), None)
        raise
    planned, edited = planned_rows(manifest), tuple(seal.edited(folder, manifest))
    if manifest.get("complete") and seal.KEY in manifest and not edited:
        return State(folder, COMPLETE, manifest, standings(folder, planned), 0.0)
    live = Live(planned)
    for row in finished_rows(folder):
        live.add(row)
    if manifest.get("complete"):
        return State(folder, COMPLETE, manifest, live, 0.0, edited)
    return State(folder, RUNNING if has_runner else INTERRUPTED, manifest, live, live.pace.left_s, edited)


def standings(folder: Path, planned: Mapping[str, tuple[int, int]]) -> Standings:
    """Count the outcomes of a run whose files are as it wrote them, without making records of its rows.

    Raises:
        InputError: a part cannot be read.
    """
    counted = Standings(planned)
    for older in parts.rows(folder):
        counted.count(older)
    if not (folder / MEASUREMENTS).exists():  # a run without rows
        return counted
    alike: dict[tuple[str, ...], list[str]] = {}  # CPU times of rows that differ in nothing else
    with (folder / MEASUREMENTS).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        others = itemgetter(*(header.index(name) for name in Outcome._fields if name != "cpu_s"))
        cpu_s = header.index("cpu_s")
        for row in rows:
            alike.setdefault(others(row), []).append(row[cpu_s])
    for (strategy, status, limit_s, decoy, placebo), times_s in alike.items():
        outcome = Outcome(strategy, status, float(limit_s), None, decoy, placebo)
        counted.count_alike(outcome, [float(time_s) if time_s else None for time_s in times_s])
    return counted


def planned_rows(manifest: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Return the planned rows in first and in later rounds, by collection; runs of earlier versions only have sums."""
    recorded = manifest.get("planned_by_collection")
    if recorded:
        return {name: (first, later) for name, (first, later) in recorded.items()}
    planned = manifest["planned_rows"]
    first = manifest.get("planned_first_rows", planned // manifest["suite"].get("repetitions", 1))
    return {"": (first, planned - first)}
