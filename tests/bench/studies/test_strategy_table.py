"""Results in docs/strategies.md, written from a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.studies import document, strategy_table
from datasets.errors import InputError


def test_results_are_written_between_the_marks(tmp_path: Path) -> None:
    run, page = tmp_path / "run", tmp_path / "strategies.md"
    run.mkdir()
    suite = {"datasets": ["easy", "hard"], "task": "first", "timeout_s": 10}
    machine = {"cpu": "a processor", "python": "3.11.7"}
    manifest = {"suite": suite, "machine": machine, "started": "2026-01-02T03:04:05"}
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    head = (
        "strategy,collection,n_puzzles,n_measurements,solved,median_s,timeouts,memouts,gave_up,errors,wrong,unsupported"
    )
    rows = ["a:slow,easy,3,3,3,0.5,0,0,0,0,0,0", "a:slow,hard,3,3,1,,2,0,0,0,0,0"]
    rows += ["b:fast,easy,3,3,3,0.00002,0,0,0,0,0,0", "b:fast,hard,3,3,3,0.0123,0,0,0,0,0,0"]
    (run / "summary.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
    page.write_text("before\n{}\nold\n{}\nafter\n".format(*strategy_table.MARKS), encoding="utf-8")
    for _ in range(2):  # the second time replaces the first
        document.fill(page, strategy_table.MARKS, strategy_table.results(run))
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert text.count("| `b:fast` | 20 µs | 12.3 ms |\n| `a:slow` | 500 ms | 1 of 3 |\n") == 1
    assert "- Fastest on hard: `b:fast` (12.3 ms).\n" in text
    assert "- `a:slow` did not solve everything: 2 timeouts.\n" in text


def test_a_folder_without_a_run_and_a_page_without_marks_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a finished run"):
        strategy_table.results(tmp_path)
    (tmp_path / "d.md").write_text("no markers", encoding="utf-8")
    with pytest.raises(InputError, match="has no line"):
        document.fill(tmp_path / "d.md", strategy_table.MARKS, "text")
