"""Costs of large things, on small ones: a simulated run that is resumed and compared, and chunks of the data set."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.folder import parts
from bench.studies import costs
from datasets.making.dataset.recipes import RECIPES


def test_every_step_reads_the_run_that_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(costs, "ROWS_OF_A_PART", 150)
    plan = costs.plan_of(puzzles=40, strategies=3, repetitions=4)
    results = [costs.measured(step, tmp_path, plan) for step in costs.STEPS]
    lines = [line.partition(";")[0] for line, _ in results]
    assert lines == ["write: written", "resume: 480 rows read, 0 remain", "summary: 3 strategies", "pairs: 3 pairs"]
    assert all(peak_mib > 0 for _, peak_mib in results)
    assert parts.paths(tmp_path)


def test_costs_are_extrapolated_to_all_puzzles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each chunk takes two seconds and lacks one puzzle."""
    made: list[tuple[str, int]] = []

    def chunk_rows(recipe: str, number: int) -> range:
        made.append((recipe, number))
        return range(RECIPES[recipe].chunk - 1)

    monkeypatch.setattr(costs, "chunk_rows", chunk_rows)
    monkeypatch.setattr(costs, "own_cpu_s", lambda: 2.0 * len(made))
    costs.dataset_cost(nines=1000, others=100, chunks=1)
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("| `") for line in lines) == len(RECIPES)
    assert "| `9x9-minimal` | 450 | 222 | 0.03 | 9 |" in lines
    assert lines[-1].startswith("| all |")
    assert len(set(made)) == 2 * len(RECIPES)  # the first chunk of each compiles
