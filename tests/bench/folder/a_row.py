"""A measurement for tests."""

from __future__ import annotations

from typing import Any

from sudoku_bench.bench.folder.rows import Row


def a_row(**changes: Any) -> Row:
    """Return a solved measurement with some fields changed."""
    fields: dict[str, Any] = {
        **{"strategy": "test:a", "collection": "own", "puzzle": "own-1", "isomorph": 0, "task": "first"},
        **{"mode": "warm", "launch": 1, "repetition": 1, "loops": 1, "status": "solved", "limit_s": 10.0},
        **{"limit_clock": "cpu", "round": 1, "position": 1, "started_s": 0.0, "host": "host"},
    }
    return Row(**fields | changes)
