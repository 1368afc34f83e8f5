"""The study of large runs, on a small one: its rows are a run that is resumed, summarised and compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.folder import parts
from bench.studies import large_run

pytest.importorskip("pyarrow")


def test_every_step_reads_the_run_that_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_run, "ROWS_OF_A_PART", 150)
    plan = large_run.plan_of(puzzles=40, strategies=3, repetitions=4)
    results = [large_run.timed(place, tmp_path, plan) for place in range(len(large_run.STEPS))]
    lines = [line.partition(";")[0] for line, _ in results]
    assert lines == ["write: written", "resume: 480 rows read, 0 remain", "summary: 3 strategies", "pairs: 3 pairs"]
    assert all(peak_mib > 0 for _, peak_mib in results)
    assert parts.paths(tmp_path)
