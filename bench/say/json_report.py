"""A run as a document for programs: the same tables and words that people get, numbers as they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.say import terminal
from bench.say.output import json_rows

if TYPE_CHECKING:
    from bench.verdicts.run_tables import Run


def of_run(
    folder: Path, run: Run, written: Sequence[Path], notes: Sequence[str], tables: Sequence[str] = ("summary", "pairs")
) -> dict[str, Any]:
    """What ``run --json`` and ``report --json`` answer.

    Args:
        written: files; notes: what a reader of the numbers must know besides the words.
        tables: names of those tables of the run whose rows are in the answer.
    """
    manifest = run.manifest
    return {
        "folder": str(folder),
        "complete": bool(manifest.get("complete")),
        "suite": manifest["suite"],
        "planned_rows": manifest["planned_rows"],
        "rows": len(run.measurements),
        "rows_by_status": {str(status): int(n) for status, n in run.measurements["status"].value_counts().items()},
        **{table: json_rows(getattr(run, table)) for table in tables},
        "words": list(terminal.words(run)),
        "files": [str(path) for path in written],
        "notes": [*notes, *(line for own in manifest.get("disturbance", ()) for line in own.get("warnings", ()))],
    }
