"""The state of a run (running, interrupted or complete) and its remaining time, also while it is being written."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.live import Live
from sudoku_bench.bench.folder.method import is_imported
from sudoku_bench.bench.folder.rows import Brief
from sudoku_bench.bench.folder.store import is_being_written, read_manifest, whole_rows
from sudoku_bench.datasets.errors import InputError

CALL = "sudoku_bench.run("  # the beginning of the command of a run from Python, which names its folder
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
    standings: Live
    left_s: float | None
    edited: tuple[str, ...] = ()

    @property
    def resume(self) -> str | None:
        """The command that continues an interrupted run; None if there is none."""
        if self.word != INTERRUPTED or is_imported(self.manifest):
            return None
        command = self.manifest.get("command", "")
        if command.startswith(CALL):
            return f"{command.removesuffix(')').removesuffix(', resume=True')}, resume=True)"
        try:
            arguments = shlex.split(command)
        except ValueError:  # a quote was lost
            return None
        if arguments[:2] != ["sudoku-bench", "run"]:
            return None
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
            return State(folder, BEGINNING, {}, Live(0), None)
        raise
    live, edited = Live(manifest["planned_rows"]), tuple(seal.edited(folder, manifest))
    for _, row in whole_rows(folder, Brief):
        live.add(row)
    if manifest.get("complete") and live.rows >= manifest["planned_rows"]:
        return State(folder, COMPLETE, manifest, live, 0.0, edited)
    return State(folder, RUNNING if has_runner else INTERRUPTED, manifest, live, live.left_s, edited)
