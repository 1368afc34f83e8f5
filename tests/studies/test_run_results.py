"""Results of a run on tiers in a document, from its tables."""

from __future__ import annotations

import pandas as pd

from studies.run_results import FAILURES, tiers_text
from sudoku_bench.bench.verdicts.run_tables import Run

MANIFEST = {
    "suite": {"task": "first", "timeout_s": 5.0, "datasets": ["easy", "hard", "odd"], "commands": [{"name": "b:fast"}]},
    "machine": {"cpu": "a processor", "python": "3.11.7"},
    "started": "2026-01-02T03:04:05+00:00",
}
ROWS = (
    *(("a:slow", "easy", 3, 0.5), ("a:slow", "hard", 1, 0.0), ("c:absent", "easy", 0, 0.0)),
    *(("b:fast", "easy", 3, 0.00002), ("b:fast", "hard", 3, 0.0123), ("b:fast", "odd", 3, float("nan"))),
    ("a:slow", "odd", 1, float("nan")),
)


def test_results_are_medians_by_tier() -> None:
    summary = pd.DataFrame(ROWS, columns=["strategy", "collection", "solved", "median_s"])
    summary = summary.assign(n_measurements=3, n_puzzles=1, **dict.fromkeys(FAILURES, 0))
    summary["timeouts"] = summary["n_measurements"] - summary["solved"]
    summary["unsupported"] = 3 * (summary["strategy"] == "c:absent")
    run = Run(MANIFEST, pd.DataFrame(), pd.DataFrame())
    run.__dict__.update(summary=summary)  # as if it had been computed
    text = tiers_text(run)
    ends = ("20 µs | 12.3 ms | 4e-05 × `a:slow` (easy) |\n", "500 ms | 1 of 3 |  |\n\n- Solved of `odd`, ")
    assert f"| `b:fast` | {ends[0]}| `a:slow` | {ends[1]}3 solves: 3 by `b:fast`, 1 by all others.\n" in text
    assert "- Not everything solved: `a:slow` (4 timeouts).\n" in text
    assert text.endswith("- `c:absent` could not run on this machine.")
