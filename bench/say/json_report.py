"""A run as a JSON document: the tables and sentences of the text output, with unrounded numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.folder.reported import Written
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.output import json_rows
from sudoku_bench.bench.verdicts.pairs.evidence import evidence

if TYPE_CHECKING:
    from sudoku_bench.bench.verdicts.run_tables import Run


def of_run(folder: Path, run: Run, written: Written) -> dict[str, Any]:
    """Return the document of ``run --json`` and ``report --json``.

    Args:
        written: the files of the report, and caveats about the numbers that are not among the sentences.
    """
    manifest = run.manifest
    warnings = (line for look in manifest.get("disturbance", ()) for line in look.get("warnings", ()))
    return {
        "folder": str(folder),
        "complete": bool(manifest.get("complete")),
        "suite": manifest["suite"],
        "planned_rows": manifest["planned_rows"],
        "rows": len(run.measurements),
        "rows_by_status": {str(status): int(n) for status, n in run.measurements["status"].value_counts().items()},
        "summary": json_rows(run.summary),
        "pairs": [
            {**row, "evidence": evidence(line).sentence}
            for row, line in zip(json_rows(run.pairs), run.pairs.to_dict("records"), strict=True)
        ],
        "words": list(terminal.verdict_lines(run)),
        "files": [str(path) for path in written.paths],
        "notes": [*written.notes, *warnings],
    }
