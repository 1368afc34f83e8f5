"""Results of the suite seventeen in docs/scale.md, written from a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.studies import document, seventeen_table
from datasets.errors import InputError

MANIFEST = {
    "suite": {"task": "first", "timeout_s": 5.0, "repetitions": 3, "jobs": 2},
    "machine": {"cpu": "a processor", "python": "3.11.7"},
    "started": "2026-01-02T03:04:05+00:00",
    "ended": "2026-01-02T03:24:05+00:00",
    "rows_by_status": {"solved": 294_948, "timeout": 1},
    "side_by_side": [{"jobs": 2, "cpu": [1.04, 1.02, 1.06], "wall": [1.05, 1.0, 1.1]}],
}
SUMMARY = """strategy,collection,n_puzzles,n_measurements,solved,median_s,gmean_s,p95_s,max_s
b:slow,seventeen,49158,147474,147473,0.001,0.002,0.003,0.004
a:fast,seventeen,49158,147474,147474,0.00001,0.00002,0.00003,0.00004
"""


def written(folder: Path, summary: str = SUMMARY) -> Path:
    (folder / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (folder / "summary.csv").write_text(summary, encoding="utf-8")
    (folder / "vbs.csv").write_text("strategy,fastest_share\n(vbs),\na:fast,0.987\nb:slow,0.013\n", encoding="utf-8")
    (folder / "pairs.csv").write_text("a,b,verdict\na:fast,b:slow,a_faster\n", encoding="utf-8")
    return folder


def test_the_section_says_what_the_run_holds(tmp_path: Path) -> None:
    text = seventeen_table.results(written(tmp_path))
    assert text.startswith("294,949 measurements (49,158 puzzles, 2 strategies, 3 repetitions, and placebos)")
    assert "in 20 minutes with `--jobs 2`" in text
    assert "took 104% [102%, 106%] of the CPU time of one alone" in text
    fast = text.index("| `a:fast` | 10 µs | 20 µs | 30 µs | 40 µs | 98.7% | 0 |")
    assert fast < text.index("| `b:slow` | 1 ms | 2 ms | 3 ms | 4 ms | 1.3% | 1 |")
    assert text.endswith("1 of 1 pair of strategies decided.")


def test_what_is_no_such_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a finished run; make one with"):
        seventeen_table.results(tmp_path)
    with pytest.raises(InputError, match="has 2 collections"):
        seventeen_table.results(written(tmp_path, SUMMARY + "b:slow,other,1,3,3,1,1,1,1\n"))


def test_the_document_has_the_marks() -> None:
    text = seventeen_table.DOCUMENT.read_text(encoding="utf-8")
    begin, end = seventeen_table.MARKS
    assert 0 < text.index(begin) < text.index(end)
    assert document.TOP in seventeen_table.DOCUMENT.parents
