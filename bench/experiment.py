"""One experiment from plan to raw rows: the manifest, the puzzles with their difficulty, the measurements."""

from __future__ import annotations

import dataclasses
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import machine
from bench.plan import Plan
from bench.progress import Progress
from bench.puzzle_table import PUZZLE_COLUMNS, puzzle_rows
from bench.runner import Runner
from bench.store import PUZZLES, Store


def conduct(planned: Plan, folder: Path, command: str, now: datetime, progress: Progress) -> bool:
    """Rate the puzzles and carry out the plan into a new run folder; False if it was interrupted.

    Raises:
        InputError: the folder cannot be used.
    """
    manifest = first_manifest(planned, command, now)
    Store.must_be_new(folder)
    progress.begin("rating puzzles", len(planned.subjects))
    puzzles = list(puzzle_rows(planned, progress))
    store = Store.create(folder, manifest)
    store.write_table(PUZZLES, PUZZLE_COLUMNS, puzzles)
    runner = Runner(planned)
    counts: Counter[str] = Counter()
    finished = False
    try:
        progress.begin("measuring", planned.size)
        for row in runner.rows():
            store.append(row)
            counts[row["status"]] += 1
            progress.advance(note=f"{row['strategy']}")
        finished = True
    except KeyboardInterrupt:
        pass
    finally:
        manifest |= {
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "complete": finished,
            "rows_by_status": dict(counts),
            "loops": runner.loops,
            "clock_cost_s": runner.clock_cost_s,
        }
        store.write_manifest(manifest)
    return finished


def first_manifest(planned: Plan, command: str, now: datetime) -> dict[str, Any]:
    """What is known before the first measurement."""
    packages = {d for info in planned.strategies for d in info.requires} | {"sudoku-bench", "numba", "numpy"}
    return {
        "format": 1,
        "command": command,
        "suite": dataclasses.asdict(planned.suite),
        "strategies": [
            dataclasses.asdict(info) | {"plugin": info.plugin and Path(info.plugin).name} for info in planned.strategies
        ],
        "collections": [
            {
                "name": c.name,
                "origin": c.origin,
                "licence": c.licence,
                "puzzles": len(c.items),
                "sha256": c.sha256,
            }
            for c in planned.collections
        ],
        "references_by_sources": dict(Counter(str(s.reference.sources) for s in planned.subjects)),
        "planned_rows": planned.size,
        "started": now.isoformat(timespec="seconds"),
        "machine": machine.facts(),
        "packages": machine.versions(packages),
        "git": machine.git_state(),
        "ended": None,
        "complete": False,
    }
