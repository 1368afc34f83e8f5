"""What state a run is in: going on, interrupted or complete; and what is left of it. It may be written meanwhile."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.folder.live import Live
from bench.folder.store import finished_rows, is_being_written, read_manifest
from datasets.errors import InputError

BEGINNING, RUNNING, INTERRUPTED, COMPLETE = "beginning", "running", "interrupted", "complete"


@dataclass(frozen=True)
class State:
    """The state of a run.

    Attributes:
        word: ``beginning`` (a runner is there, and no plan yet), ``running``, ``interrupted`` or ``complete``.
        manifest: empty if it is beginning; live: of the rows that are there.
    """

    folder: Path
    word: str
    manifest: dict[str, Any]
    live: Live

    @property
    def left_s(self) -> float | None:
        """How long the rest takes by the pace so far; None if that is not known."""
        return 0.0 if self.word == COMPLETE else self.live.pace.left_s

    @property
    def resume(self) -> str | None:
        """The command that goes on with an interrupted run; None if there is nothing to go on with."""
        if self.word != INTERRUPTED:
            return None
        words = shlex.split(self.manifest.get("command", ""))
        if words[:1] != ["sudoku-bench"]:
            return shlex.join(words) or None
        if not any(word == "--out" or word.startswith("--out=") for word in words):
            words += ["--out", str(self.folder)]
        return shlex.join(words if "--resume" in words else [*words, "--resume"])

    @property
    def document(self) -> dict[str, Any]:
        """For programs: times in seconds, null where one is not known."""
        return {
            "folder": str(self.folder),
            "state": self.word,
            "complete": self.word == COMPLETE,
            "suite": self.manifest.get("suite"),
            "planned_rows": self.manifest.get("planned_rows"),
            "rows": self.live.rows,
            "rows_by_status": dict(self.live.statuses),
            "left_s": self.left_s,
            "resume": self.resume,
            "strategies": [
                {
                    "strategy": own.strategy,
                    "median_s": own.median_s if own.median_s < float("inf") else None,
                    "limit_s": own.limit_s,
                    "measured": own.measured,
                    "rows_by_status": dict(own.statuses),
                }
                for own in self.live.standings()
            ],
        }


def of_run(folder: Path) -> State:
    """The state of the run in a folder.

    Raises:
        InputError: there is no run, or its rows cannot be read.
    """
    going_on = is_being_written(folder)
    try:
        manifest = read_manifest(folder)
    except InputError:
        if going_on:
            return State(folder, BEGINNING, {}, Live(0, 0))
        raise
    live = Live(manifest["planned_rows"], first_rows(manifest))
    for row in finished_rows(folder):
        live.add(row)
    word = COMPLETE if manifest.get("complete") else RUNNING if going_on else INTERRUPTED
    return State(folder, word, manifest, live)


def first_rows(manifest: dict[str, Any]) -> int:
    """How many of the planned rows are of first rounds, where older runs do not say it: as many as of any other."""
    even = manifest["planned_rows"] // manifest["suite"].get("repetitions", 1)
    return int(manifest.get("planned_first_rows", even))
