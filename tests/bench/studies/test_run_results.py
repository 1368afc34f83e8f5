"""Results of runs in documents, from the tables of a run."""

from __future__ import annotations

import pandas as pd
import pytest

from bench.studies.document import DOCS, region
from bench.studies.run_results import FAILURES, families_text, seventeen_text
from bench.verdicts.run_tables import Run
from datasets.errors import InputError

MANIFEST = {
    "suite": {"task": "first", "timeout_s": 5.0, "repetitions": 3, "jobs": 2, "datasets": ["easy", "hard"]},
    "machine": {"cpu": "a processor", "python": "3.11.7"},
    "started": "2026-01-02T03:04:05+00:00",
    "ended": "2026-01-02T03:24:05+00:00",
    "rows_by_status": {"solved": 294_948, "timeout": 1},
    "side_by_side": [{"jobs": 2, "cpu": [1.04, 1.02, 1.06], "wall": [1.05, 1.0, 1.1], "puzzles": 9}],
}


def run(rows: list[tuple[str, str, int, int, float]], **tables: pd.DataFrame) -> Run:
    """A run whose summary has rows (strategy, collection, measurements, solved, median)."""
    summary = pd.DataFrame(rows, columns=["strategy", "collection", "n_measurements", "solved", "median_s"])
    times = {column: factor * summary["median_s"] for column, factor in (("gmean_s", 2), ("p95_s", 3), ("max_s", 4))}
    summary = summary.assign(n_puzzles=summary["n_measurements"] // 3, **times, **dict.fromkeys(FAILURES, 0))
    summary["timeouts"] = summary["n_measurements"] - summary["solved"]
    summary["unsupported"] = summary["n_measurements"].where(summary["strategy"] == "c:absent", 0)
    made = Run(MANIFEST, pd.DataFrame(), pd.DataFrame())
    made.__dict__.update(tables, summary=summary)  # as if they had been computed
    return made


def test_the_results_of_families_are_medians_by_tier() -> None:
    rows = [("a:slow", "easy", 3, 3, 0.5), ("a:slow", "hard", 3, 1, 0.0), ("c:absent", "easy", 3, 0, 0.0)]
    text = families_text(run([*rows, ("b:fast", "easy", 3, 3, 0.00002), ("b:fast", "hard", 3, 3, 0.0123)]))
    assert "| `b:fast` | 20 µs | 12.3 ms |\n| `a:slow` | 500 ms | 1 of 3 |\n\n" in text
    assert "- Fastest on hard: `b:fast` (12.3 ms).\n" in text
    assert "- `a:slow` did not solve everything: 2 timeouts.\n" in text
    assert text.endswith("- `c:absent` could not run on this machine.")


def test_the_results_of_seventeen_say_what_the_run_holds() -> None:
    rows = [("b:slow", "seventeen", 147_474, 147_473, 0.001), ("a:fast", "seventeen", 147_474, 147_474, 0.00001)]
    vbs = pd.DataFrame({"strategy": ["a:fast", "b:slow"], "fastest_share": [0.987, 0.013]})
    tables = {"vbs": vbs, "pairs": pd.DataFrame({"verdict": ["a_faster"]})}
    text = seventeen_text(run(rows, **tables))
    assert text.startswith("294,949 measurements (49,158 puzzles, 2 strategies, 3 repetitions, and placebos)")
    assert "in 20 minutes with `--jobs 2`" in text
    assert "side by side take 104% [102%, 106%] of the CPU time of one alone" in text
    fast = text.index("| `a:fast` | 10 µs | 20 µs | 30 µs | 40 µs | 98.7% | 0 |")
    assert fast < text.index("| `b:slow` | 1 ms | 2 ms | 3 ms | 4 ms | 1.3% | 1 |")
    assert text.endswith("1 of 1 pair of strategies decided.")
    with pytest.raises(InputError, match="has 2 collections"):
        seventeen_text(run([*rows, ("b:slow", "other", 3, 3, 1.0)], **tables))


@pytest.mark.parametrize(("page", "name"), [("strategies.md", "results"), ("scale.md", "seventeen")])
def test_the_documents_have_the_regions(page: str, name: str) -> None:
    assert "| --- |" in region(DOCS / page, name)
